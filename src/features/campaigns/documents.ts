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

/** Why a campaign that went out is read-only: an update would make a draft of it, and forget that it was sent. */
const SENT_REASON = 'Sent already: what went out can’t be changed. Duplicate it to make a new draft of it.';

/** Campaigns as documents: the body, and all other fields of a request as JSON. */
export const campaignDocuments: DocumentKind<Campaign> = {
  ...campaignKind,
  parts: [
    { suffix: campaignSuffixes.body, render: (campaign) => campaign.body ?? '', parse: (body) => ({ body }) },
    {
      suffix: campaignSuffixes.details,
      render: (campaign) => writeJson(readCampaignDetails(campaign)),
      // A field that is not in the document has no value, so that taking one away is a change.
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
    // What the service did not take (a list that does not exist) shows when the record is read back.
    await client.createOrUpdateCampaign(createUpdateRequest(campaign, fields), options);
  },
  getField: (campaign, name) =>
    name === 'body' ? campaign.body : readCampaignDetails(campaign)[name as keyof CampaignDetails],
  getReadOnlyReason: (campaign) =>
    getCampaignState(campaign) === 'sent' ? SENT_REASON : getUnsendableReason(campaign),
};
