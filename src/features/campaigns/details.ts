import type { Campaign, CampaignInput } from '../../service/client/index.ts';
import type { JsonObject } from '../../service/client/shapes.ts';
import type { TextFields } from '../../sync/fields/fieldSchemas.ts';
import { readDateTime } from '../../ui/page/form/dateTime.ts';

type SendingType = NonNullable<CampaignInput['sending_type']>;
type FrequencyUnit = NonNullable<CampaignInput['frequency_options']>['unit'];

/** The text fields of the details, in document order. `Campaign` and `CampaignInput` declare the same fields. */
export const campaignTextFields = {
  name: 'text',
  subject: 'text',
  from_name: 'text',
  from_email: 'address',
  reply_to_name: 'text',
  reply_to_email: 'address',
  bounce_email: 'address',
  bcc: 'addresses',
} as const satisfies TextFields;

type TextDetails = Readonly<Record<keyof typeof campaignTextFields, string>>;

/** The content of `<name>.campaign.json`: all request fields except `campaignId` and `body`. */
export interface CampaignDetails extends TextDetails {
  /** Undefined if the service doesn't report the lists: an update then leaves them unchanged. */
  readonly listIds?: readonly number[];
  /** A `SendingType`, or a value specific to the installation. */
  readonly sending_type: string;
  /** For `scheduled`: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`. Without a zone, in the time zone of the service. */
  readonly sending_date?: string;
  /** For `auto`: `every`, `cron`, or a value specific to the installation. */
  readonly frequency?: string;
  /** For `every`. */
  readonly frequency_options?: { readonly unit: FrequencyUnit; readonly value: number };
  /** For `auto`. */
  readonly need_confirm?: 0 | 1;
  /** For `auto`: as `sending_date`, or `YYYY-MM-DDTHH:MM:SSZ` for UTC. Absent to start immediately. */
  readonly start_date?: string;
  /** Settings of the site besides the schedule, such as `utm_source`. */
  readonly sending_params?: Readonly<JsonObject>;
}

export const textFieldNames = Object.keys(campaignTextFields) as readonly (keyof TextDetails)[];

/** The fields that apply to each sending type. Others aren't shown or sent. */
export const fieldsBySendingType: Readonly<Record<SendingType, readonly (keyof CampaignDetails)[]>> = {
  now: [],
  scheduled: ['sending_date'],
  auto: ['frequency', 'frequency_options', 'need_confirm', 'start_date'],
};

export function isSendingType(value: unknown): value is SendingType {
  return typeof value === 'string' && Object.hasOwn(fieldsBySendingType, value);
}

/** The fields that apply to some sending types only. */
export const dependentFields = Object.values(fieldsBySendingType).flat();

/** All fields of the details, in document order. */
export const campaignDetailFields: readonly (keyof CampaignDetails)[] = [
  ...textFieldNames,
  'listIds',
  'sending_type',
  ...dependentFields,
  'sending_params',
];

/** Units by the values found in records: the name, or the length in seconds. */
const frequencyUnits = new Map<string, FrequencyUnit>([
  ['hour', 'hour'],
  ['day', 'day'],
  ['week', 'week'],
  ['month', 'month'],
  ['3600', 'hour'],
  ['86400', 'day'],
  ['604800', 'week'],
  ['2628000', 'month'],
]);

/** Reads the details from a record. Record fields aren't documented, so this supports the shapes observed on installations. */
export function readCampaignDetails(campaign: Campaign): CampaignDetails {
  const sending_type = campaign.sending_type || 'now';
  return {
    ...readTextDetails(campaign),
    ...(campaign.listIds && { listIds: [...campaign.listIds] }),
    sending_type,
    ...(sending_type === 'scheduled' && { sending_date: normalizeDate(campaign.sending_date) ?? '' }),
    ...(sending_type === 'auto' && readSchedule(campaign)),
    ...(campaign.siteParams && { sending_params: campaign.siteParams }),
  };
}

function readTextDetails(campaign: Partial<Campaign>) {
  return Object.fromEntries(textFieldNames.map((field) => [field, campaign[field] ?? ''])) as TextDetails;
}

export const emptyDetails: CampaignDetails = { ...readTextDetails({}), sending_type: 'now' };

/** Returns the unvalidated schedule of an automatic campaign, from any of the supported record shapes. */
export function readRawSchedule(campaign: Campaign) {
  const params = asObject(campaign.sending_params) ?? {};
  const every = params['every'] ?? params['frequency_options'] ?? campaign['frequency_options'];
  return {
    trigger: params['trigger_type'] ?? campaign['frequency'],
    every,
    unit: frequencyUnits.get(String(asObject(every)?.['type'] ?? asObject(every)?.['unit'])),
    value: parseInteger(asObject(every)?.['number'] ?? asObject(every)?.['value']),
    confirm: params['need_confirm_to_send'] ?? params['need_confirm'] ?? campaign['need_confirm'],
    start: params['start_date'] ?? campaign['start_date'],
  };
}

/** Returns the schedule of an automatic campaign. */
export function readSchedule(campaign: Campaign): Partial<CampaignDetails> {
  const { trigger, unit, value, confirm, start } = readRawSchedule(campaign);
  const frequency_options = unit !== undefined && value !== undefined ? { unit, value } : undefined;
  return {
    frequency: readFrequency(trigger, frequency_options !== undefined),
    frequency_options,
    need_confirm: Number(confirm ?? 1) === 0 ? 0 : 1,
    start_date: normalizeDate(start),
  };
}

/** Without a trigger in the record, an interval implies `every`. */
function readFrequency(trigger: unknown, hasRhythm: boolean) {
  if (trigger === 'asap') return 'cron';
  if (!isEmptyValue(trigger)) return String(trigger);
  return hasRhythm ? 'every' : undefined;
}

/** Shortens midnight without a zone to the day, as in the API document. Undefined if there is no date. */
function normalizeDate(value: unknown) {
  if (typeof value !== 'string' || value === '') return undefined;
  const date = readDateTime(value);
  return date?.time === '00:00:00' && date.zone === '' ? date.day : value;
}

function parseInteger(value: unknown) {
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : NaN;
  return Number.isInteger(number) ? number : undefined;
}

/** Returns whether a value is absent, in any of the forms that services use. */
export function isEmptyValue(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

export function asObject(value: unknown): Readonly<JsonObject> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

export type CampaignState = 'draft' | 'scheduled' | 'auto' | 'sent';

/**
 * Returns the state of a campaign. The API document doesn't specify it, so this follows observed records: a scheduled campaign is a draft
 * until it is started.
 */
export function getCampaignState(campaign: Campaign): CampaignState {
  if (campaign.sending_type === 'auto') return 'auto';
  if (campaign.sent === 1) return 'sent';
  if (campaign.draft === 1) return 'draft';
  if (campaign.sending_type === 'scheduled') return 'scheduled';
  // An installation-specific type is sent by its own rules.
  return campaign.active === 1 && campaign.sending_type && !isSendingType(campaign.sending_type) ? 'auto' : 'draft';
}
