import type { Campaign } from '../../service/client/index.ts';
import type { CampaignDetails } from './details.ts';

/*
 * Loaded on activation: keep it small and free of heavy imports.
 */

export const collection = 'campaigns';

/** Document suffixes of a campaign. */
export const campaignSuffixes = { body: '.html', details: '.campaign.json' } as const;

/** View type of the custom editor in `package.json`. */
export const campaignFormEditor = 'mailing.campaign.form';

export const campaignKind = {
  collection,
  noun: 'campaign',
  name: (campaign: Campaign) => campaign.name ?? '',
  readOnlyCommand: 'mailing.record.duplicate',
};

export type CampaignDraft = Partial<CampaignDetails> & {
  readonly name: string;
  readonly subject: string;
  readonly body?: string;
};
