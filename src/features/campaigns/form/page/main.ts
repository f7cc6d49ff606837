import { openCampaignForm } from './page.ts';

openCampaignForm();
