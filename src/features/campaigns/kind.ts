import type { Campaign } from '../../service/client/index.ts';

/*
 * What activation knows of campaigns: the rest is loaded with the first of them.
 */

export const collection = 'campaigns';

/** The documents of a campaign, by what they end in. */
export const campaignSuffixes = { body: '.html', details: '.campaign.json' } as const;

/** Type of the editor that shows details as a form, as `package.json` contributes it. */
export const campaignFormEditor = 'mailing.campaign.form';

export const campaignKind = {
  collection,
  noun: 'campaign',
  name: (campaign: Campaign) => campaign.name ?? '',
  readOnlyCommand: 'mailing.campaign.duplicate',
};
