import { t } from '@vscode/l10n';
import { formatList, quote } from '../../l10n.ts';
import { paginate } from '../../service/client/paginate.ts';
import type { Campaign, CampaignInput } from '../../service/client/index.ts';
import { SCHEDULE_PARAMS } from '../../service/client/profiles.ts';
import { readJson, writeJson } from '../../sync/fields/jsonDocument.ts';
import type { DocumentKind, Fields } from '../../platform/documents/model.ts';
import { campaignKind, campaignSuffixes, type CampaignDraft } from './model.ts';
import {
  campaignDetailFields,
  dependentFields,
  fieldsBySendingType,
  getCampaignState,
  isSendingType,
  readCampaignDetails,
  readRawSchedule,
  textFieldNames,
  type CampaignDetails,
  campaignTextFields,
  isEmptyValue,
  asObject,
} from './details.ts';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  getDetailsMessage,
  textFields,
  idList,
  findProblems,
  requiredText,
  type Problem,
} from '../../sync/fields/fieldSchemas.ts';
import { readDateTime } from '../../ui/page/form/dateTime.ts';
import { escapeMessage } from '../../service/text.ts';

/** Times without a zone are in the time zone of the service. */
const dateField = v.pipe(
  v.string(() => t('must be a date in quotes.')),
  v.check(
    (value) => readDateTime(value) !== undefined,
    () => t('must be a date that exists, in the form YYYY-MM-DD, or with a time YYYY-MM-DD HH:MM:SS.'),
  ),
);

const frequencyOptionsField = v.strictObject(
  {
    unit: v.picklist(['hour', 'day', 'week', 'month'], () => t('must be "hour", "day", "week" or "month".')),
    value: v.pipe(
      v.number(() => t('must be a whole number.')),
      v.integer(() => t('must be a whole number.')),
      v.minValue(1, () => t('must be 1 or more.')),
    ),
  },
  () => t('must be an object with "unit" and "value".'),
);

/** The fields of `<name>.campaign.json`, as the API document's campaign table requires them. */
export const campaignDetailsSchema = v.pipe(
  v.strictObject(
    {
      ...textFields(campaignTextFields, ''),
      name: requiredText(() => t('a campaign needs a name.')),
      subject: requiredText(() => t('a campaign needs a subject.')),
      listIds: v.optional(idList('list')),
      sending_type: v.optional(
        v.picklist(['now', 'scheduled', 'auto'], () => t('must be "now", "scheduled" or "auto".')),
        'now',
      ),
      sending_date: v.optional(
        v.pipe(
          dateField,
          v.check(
            (value) => !readDateTime(value)?.zone,
            () => t("must not have an offset: the service ignores it and uses the site's time zone."),
          ),
        ),
      ),
      frequency: v.optional(v.picklist(['every', 'cron'], () => t('must be "every" or "cron".'))),
      frequency_options: v.optional(frequencyOptionsField),
      need_confirm: v.optional(v.picklist([0, 1], () => t('must be 0 or 1.'))),
      start_date: v.optional(dateField),
      sending_params: v.optional(
        v.pipe(
          v.record(v.string(), v.unknown(), () => t('must be an object.')),
          v.transform((params) => (isEmptyValue(params) ? undefined : params)),
        ),
      ),
    },
    getDetailsMessage,
  ),
  v.forward(
    v.partialCheck(
      [['sending_type'], ['sending_date']],
      ({ sending_type, sending_date }) => sending_type !== 'scheduled' || sending_date !== undefined,
      () => t('a scheduled campaign needs a date.'),
    ),
    ['sending_date'],
  ),
  v.forward(
    v.partialCheck(
      [['sending_type'], ['frequency']],
      ({ sending_type, frequency }) => sending_type !== 'auto' || frequency !== undefined,
      () => t('an automatic campaign needs a frequency: "every" or "cron".'),
    ),
    ['frequency'],
  ),
  v.forward(
    v.partialCheck(
      [['sending_type'], ['frequency'], ['frequency_options']],
      ({ sending_type, frequency, frequency_options }) =>
        sending_type !== 'auto' || frequency !== 'every' || frequency_options !== undefined,
      () => t('the frequency "every" needs a unit and a value.'),
    ),
    ['frequency_options'],
  ),
);

/** Returns each violation of the API document's rules with its path. Empty if the details can be sent. */
export function validateCampaignDetails(details: unknown): readonly Problem[] {
  return findProblems(campaignDetailsSchema, details);
}

const SENDABLE_FREQUENCY_FIELDS = new Set<string>(['type', 'number', 'unit', 'value']);
const SENDABLE_TRIGGERS = new Set<string>(['every', 'asap', 'cron']);
const SENDABLE_FLAGS = new Set<string>(['0', '1', 'true', 'false']);

/** Describes a value in a record that no request can contain: `sending type: "birthday"`. Undefined if there is none. */
function describeUnsendable(campaign: Campaign) {
  const { sending_type: type, sending_params: params, sending_date } = campaign;
  const schedule = readRawSchedule(campaign);
  const { trigger, every, start } = schedule;
  if (!isEmptyValue(type) && !isSendingType(type)) return t`sending type: ${quoteValue(type)}`;
  if (isEmptyValue(type) && ![sending_date, trigger, every, start].every(isEmptyValue))
    return t('a date or an interval without a sending type');
  if (!isEmptyValue(params) && !asObject(params)) return t`sending settings: ${quoteValue(params)}`;
  // An update loses other settings, which may select the recipients.
  const setting = campaign.siteParams ? undefined : findOtherField(params, SCHEDULE_PARAMS);
  if (setting !== undefined) return t`sending setting: ${quoteValue(setting)}`;
  return type === 'auto' ? describeUnsendableSchedule(schedule) : undefined;
}

function describeUnsendableSchedule(schedule: ReturnType<typeof readRawSchedule>) {
  const { trigger, every, unit, value, confirm, start } = schedule;
  if (!isEmptyValue(trigger) && !SENDABLE_TRIGGERS.has(String(trigger))) return t`interval: ${quoteValue(trigger)}`;
  const isSendable =
    unit !== undefined && value !== undefined && findOtherField(every, SENDABLE_FREQUENCY_FIELDS) === undefined;
  if (trigger !== 'asap' && trigger !== 'cron' && !isEmptyValue(every) && !isSendable)
    return t`interval: ${quoteValue(every)}`;
  if (!isEmptyValue(confirm) && !SENDABLE_FLAGS.has(String(confirm))) return t`confirmation: ${quoteValue(confirm)}`;
  // Databases store 0 for a missing timestamp.
  const isDate = isEmptyValue(start) || start === 0 || typeof start === 'string';
  return isDate ? undefined : t`start: ${quoteValue(start)}`;
}

/** Returns the name of a field with a value that is not in `names`. */
function findOtherField(value: Campaign[string], names: ReadonlySet<string>) {
  return Object.entries(asObject(value) ?? {}).find(([name, each]) => !names.has(name) && !isEmptyValue(each))?.[0];
}

/** Returns why a campaign can't be edited, or undefined if it can. */
export function getUnsendableReason(campaign: Campaign): string | undefined {
  const what = describeUnsendable(campaign);
  return (
    what &&
    t`Saving would lose a setting (${what}) that affects when and to whom the campaign is sent. Change the campaign on the service's website, or duplicate it.`
  );
}

/**
 * Returns the fields of a copy. If a part of the original can't be copied, the copy has no schedule and is sent immediately, as the
 * warning says.
 */
export function copyCampaign(original: Campaign): { readonly draft: CampaignDraft; readonly warning?: string } {
  // The settings of the site may refer to the versions of the original.
  const campaign = { ...original, siteParams: undefined };
  const details = readCampaignDetails(campaign);
  const draft = { ...details, name: t`${details.name} (copy)`.trim(), body: campaign.body ?? '' };
  const what = describeUnsendable(campaign);
  if (what === undefined) return { draft };
  const unscheduled = Object.fromEntries(dependentFields.map((field) => [field, undefined]));
  return {
    draft: { ...draft, ...unscheduled, sending_type: 'now' },
    warning: t`"${escapeMessage(draft.name)}" has no schedule, because a setting of the original can't be copied (${what}). Check its recipients before you send it.`,
  };
}

function quoteValue(value: unknown) {
  return quote(escapeMessage(typeof value === 'string' ? value : JSON.stringify(value), 60));
}

/**
 * Returns why the site's settings in a request can't be stored. For other types than `auto`, the service keeps the stored values. A change
 * to `auto` would drop those that are absent, which may be an oversight.
 */
function findParamsProblem({ siteParams = {}, sending_type: type }: Campaign, fields: Fields) {
  if (!('sending_params' in fields)) return undefined;
  const params = asObject(fields.sending_params) ?? {};
  const isAuto = (fields.sending_type ?? type) === 'auto';
  if (isAuto && type === 'auto') return undefined;
  const names = Object.keys(siteParams).filter((name) =>
    isAuto ? params[name] === undefined : !isDeepStrictEqual(siteParams[name], params[name]),
  );
  if (names.length === 0) return undefined;
  const list = formatList(names.map(quote));
  return isAuto
    ? t`Changing the sending type would delete ${list}. Keep these settings in "sending_params", or remove them after the change.`
    : t`You can change ${list} on the service's website only.`;
}

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
  list: (client, options) => paginate((page, { signal }) => client.getCampaigns(page, { signal }), options),
  read: (client, id, options) => client.getCampaignById(id, options),
  update: async (client, campaign, fields, options) => {
    const reason = getUnsendableReason(campaign);
    if (reason !== undefined) throw new Error(`${reason} ${t('Nothing was saved.')}`);
    const problem = findParamsProblem(campaign, fields);
    if (problem !== undefined) throw new Error(`${problem} ${t('Nothing was saved.')}`);
    // Values that the service ignores, such as a nonexistent list, are detected when the record is read back.
    await client.createOrUpdateCampaign(createUpdateRequest(campaign, fields), options);
  },
  getField: (campaign, name) =>
    name === 'body' ? campaign.body : readCampaignDetails(campaign)[name as keyof CampaignDetails],
  // Sent campaigns are read-only because an update turns them into drafts and loses the sent state.
  getReadOnlyReason: (campaign) =>
    getCampaignState(campaign) === 'sent'
      ? t("This campaign was already sent, so it can't be changed. Duplicate it to create a new draft.")
      : getUnsendableReason(campaign),
};

/**
 * Creates the request that stores details and body. It contains the whole record, because an update resets omitted fields
 * (`sending_type` becomes `now`). Omits fields that don't apply to the sending type, and empty optional fields of a new campaign.
 */
export function createCampaignRequest(details: CampaignDetails, body: string, campaignId?: number): CampaignInput {
  const typeFields = isSendingType(details.sending_type) ? fieldsBySendingType[details.sending_type] : [];
  const fields = campaignDetailFields.filter((field) => {
    const value = details[field];
    if (field === 'frequency_options' && details.frequency !== 'every') return false;
    if (dependentFields.includes(field)) return typeFields.includes(field) && value !== undefined && value !== '';
    return value !== undefined && (value !== '' || campaignId !== undefined);
  });
  const values = Object.fromEntries(fields.map((field) => [field, details[field]]));
  return { ...(campaignId !== undefined && { campaignId }), ...values, body };
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
  const details = { ...readCampaignDetails(campaign), ...changed };
  const request = createCampaignRequest(details, body, campaign.id);
  // The service fills in the schedule if it is omitted here.
  const isRescheduled = ['sending_type', ...fieldsBySendingType.auto].some((name) => name in fields);
  const storedParams = Object.entries(asObject(campaign.sending_params) ?? {});
  const schedule = storedParams.filter(([name]) => SCHEDULE_PARAMS.has(name) && !isRescheduled);
  const dates: Fields = {
    sending_date: campaign.sending_date,
    start_date: readRawSchedule(campaign).start,
  };
  const sentEntries = Object.entries(request).filter(
    ([name]) => name in fields || !SHARED_FIELDS.has(name) || campaign[name] !== undefined,
  );
  return {
    ...Object.fromEntries(sentEntries.map(([name, value]) => [name, name in fields ? value : (dates[name] ?? value)])),
    ...(details.sending_params && {
      sending_params: { ...Object.fromEntries(schedule), ...details.sending_params },
    }),
  };
}

/** Fields that have the same name in records and requests. */
const SHARED_FIELDS = new Set<string>([...textFieldNames, 'sending_type', 'body']);
