import type { Campaign } from '../api/index.ts';
import { detailsOf, isSendingType, type CampaignDetails } from './fields.ts';

export type CampaignState = 'draft' | 'scheduled' | 'auto' | 'sent';

/**
 * What a campaign is waiting for. The API document doesn't show its records, so the fields are read by what installations answer: one
 * that is scheduled waits for its date only after it was sent off, and is a draft until then.
 */
export function stateOf(campaign: Campaign): CampaignState {
  if (campaign.sending_type === 'auto') return 'auto';
  if (campaign.sent === 1) return 'sent';
  if (campaign.draft === 1) return 'draft';
  if (campaign.sending_type === 'scheduled') return 'scheduled';
  // A type of the installation's own goes out by a rule that is not known here.
  return campaign.active === 1 && campaign.sending_type && !isSendingType(campaign.sending_type) ? 'auto' : 'draft';
}

/** The rhythm of an automatic campaign in words: "every 2 days". Undefined where the record doesn't say it. */
export function rhythmOf(campaign: Campaign): string | undefined {
  return rhythmWords(detailsOf({ ...campaign, sending_type: 'auto' }));
}

/** The rhythm that details ask for, in words. */
export function rhythmWords({
  frequency,
  frequency_options: every,
}: Pick<CampaignDetails, 'frequency' | 'frequency_options'>): string | undefined {
  if (frequency === 'cron') return "at every run of the service's tasks";
  if (frequency !== 'every' || every === undefined || every.value < 1) return undefined;
  return every.value === 1 ? `every ${every.unit}` : `every ${every.value} ${every.unit}s`;
}
