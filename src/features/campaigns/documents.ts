import { paginate } from '../../service/client/paginate.ts';
import type { Campaign, CampaignInput } from '../../service/client/index.ts';
import { readJson, writeJson } from '../../platform/documents/json.ts';
import type { DocumentKind, Fields } from '../../platform/documents/model.ts';
import { campaignDetailsSchema } from './detailsSchema.ts';
import { campaignKind, campaignSuffixes } from './kind.ts';
import {
  campaignDetailFields,
  fieldsBySendingType,
  getCampaignState,
  isSendingType,
  readCampaignDetails,
  readRawSchedule,
  textFieldNames,
  type CampaignDetails,
} from './model.ts';
import { getUnsendableReason } from './unsendable.ts';

/** Sent campaigns are read-only because an update turns them into drafts and loses the sent state. */
const SENT_REASON = 'This campaign was already sent, so it can’t be changed. Duplicate it to create a new draft.';

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
        const details = readJson(text, campaignDetailsSchema);
        return Object.fromEntries(campaignDetailFields.map((field) => [field, details[field]]));
      },
    },
  ],
  getCreationTime: () => undefined,
  list: async function* (client, options) {
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

/**
 * Creates the request that stores details and body. It contains the whole record, because an update resets omitted fields
 * (`sending_type` becomes `now`). Omits fields that don't apply to the sending type, and empty optional fields of a new campaign.
 */
export function createCampaignRequest(details: CampaignDetails, body: string, campaignId?: number): CampaignInput {
  const typeFields = isSendingType(details.sending_type) ? fieldsBySendingType[details.sending_type] : [];
  const sentFields = campaignDetailFields.filter((field) => !isSendingTypeField(field) || typeFields.includes(field));
  const fields = Object.fromEntries(
    sentFields
      .filter((field) => field !== 'frequency_options' || details.frequency === 'every')
      .map((field) => [field, details[field]] as const)
      .filter(
        ([field, value]) =>
          value !== undefined && (value !== '' || (campaignId !== undefined && !isSendingTypeField(field))),
      ),
  );
  return { ...(campaignId !== undefined && { campaignId }), ...fields, body };
}

/**
 * Creates the request that stores changed fields of a record. Unchanged fields are sent as read: dates byte for byte, and fields missing
 * from the record not at all.
 */
export function createUpdateRequest(
  campaign: Campaign,
  fields: Partial<CampaignDetails> & { readonly body?: string },
): CampaignInput {
  const { body = campaign.body ?? '', ...changed } = fields;
  const request = createCampaignRequest({ ...readCampaignDetails(campaign), ...changed }, body, campaign.id);
  const dates: Fields = {
    sending_date: campaign.sending_date,
    start_date: readRawSchedule(campaign).start,
  };
  const sentEntries = Object.entries(request).filter(
    ([name]) => name in fields || !SHARED_FIELDS.has(name) || campaign[name] !== undefined,
  );
  return Object.fromEntries(
    sentEntries.map(([name, value]) => [name, name in fields ? value : (dates[name] ?? value)]),
  );
}

/** Fields that have the same name in records and requests. */
const SHARED_FIELDS: ReadonlySet<string> = new Set([...textFieldNames, 'sending_type', 'body']);

function isSendingTypeField(field: keyof CampaignDetails): boolean {
  return Object.values(fieldsBySendingType).some((fields) => fields.includes(field));
}
