import type { Campaign } from '../../service/client/index.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { TypedCommand } from '../../platform/ui/commands.ts';
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

/** Creates a campaign, and prompts for a missing name or subject. Resolves to undefined if the user cancels. */
export const newCampaignCommand: TypedCommand<
  { readonly connection: string } & Partial<CampaignDraft>,
  RecordRef | undefined
> = {
  id: 'mailing.campaign.create',
};
