import type { Campaign } from '../../service/client/index.ts';
import { readJson, writeJson } from '../../platform/documents/json.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import { campaignKind, campaignSuffixes } from './kind.ts';
import {
  campaignDetailFields,
  readCampaignDetails,
  getCampaignState,
  createUpdateRequest,
  type CampaignDetails,
} from './model.ts';
import { getUnsendableReason } from './unsendable.ts';

/** Sent campaigns are read-only because an update turns them into drafts and loses the sent state. */
const SENT_REASON = 'Sent already: what went out can’t be changed. Duplicate it to make a new draft of it.';

/** The documents of a campaign: its body, and all other request fields as JSON. */
export const campaignDocuments: DocumentKind<Campaign> = {
  ...campaignKind,
  parts: [
    { suffix: campaignSuffixes.body, render: (campaign) => campaign.body ?? '', parse: (body) => ({ body }) },
    {
      suffix: campaignSuffixes.details,
      render: (campaign) => writeJson(readCampaignDetails(campaign)),
      // Fields missing from the document become undefined, so that deleting one counts as a change.
      parse: async (text) => {
        const details = await readJson(text, async () => (await import('./detailsSchema.ts')).campaignDetailsSchema);
        return Object.fromEntries(campaignDetailFields.map((field) => [field, details[field]]));
      },
    },
  ],
  getCreationTime: () => undefined,
  list: async function* (client, options) {
    const { paginate } = await import('../../service/client/index.ts');
    yield* paginate((page, { signal }) => client.getCampaigns(page, { signal }), { pageSize: 100, ...options });
  },
  read: (client, id, options) => client.getCampaignById(id, options),
  update: async (client, campaign, fields, options) => {
    const reason = getUnsendableReason(campaign);
    if (reason !== undefined) throw new Error(`${reason} Nothing was sent.`);
    // Values that the service ignores, such as a nonexistent list, are detected when the record is read back.
    await client.createOrUpdateCampaign(createUpdateRequest(campaign, fields), options);
  },
  getField: (campaign, name) =>
    name === 'body' ? campaign.body : readCampaignDetails(campaign)[name as keyof CampaignDetails],
  getReadOnlyReason: (campaign) =>
    getCampaignState(campaign) === 'sent' ? SENT_REASON : getUnsendableReason(campaign),
};
