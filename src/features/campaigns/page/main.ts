import { CampaignFormPage } from './page.ts';

new CampaignFormPage().start();
