import { CampaignForm } from './page.ts';

new CampaignForm().start();
