import type { Campaign, CampaignInput } from '../api/index.ts';

export type SendingType = NonNullable<CampaignInput['sending_type']>;
export type FrequencyUnit = NonNullable<CampaignInput['frequency_options']>['unit'];

/** The request fields of a campaign beside `campaignId` and `body`, each with a value: what `<name>.campaign.json` holds. */
export interface CampaignDetails {
  readonly name: string;
  readonly subject: string;
  readonly from_name: string;
  readonly from_email: string;
  readonly reply_to_name: string;
  readonly reply_to_email: string;
  readonly bounce_email: string;
  readonly bcc: string;
  /** Undefined where the service does not tell the lists: then an update leaves them as they are. */
  readonly listIds?: readonly number[];
  readonly sending_type: SendingType;
  /** For `scheduled`: `YYYY-MM-DD`. */
  readonly sending_date?: string;
  /** For `auto`. */
  readonly frequency?: 'every' | 'cron';
  /** For `every`. */
  readonly frequency_options?: { readonly unit: FrequencyUnit; readonly value: number };
  /** For `auto`. */
  readonly need_confirm?: 0 | 1;
  /** For `auto`: `YYYY-MM-DD`, or absent for at once. */
  readonly start_date?: string;
}

const texts = ['name', 'subject', 'from_name', 'from_email', 'reply_to_name', 'reply_to_email', 'bounce_email', 'bcc'] as const;

/** The fields that each sending type gives a meaning; others are neither shown nor sent. */
export const fieldsOfType: Readonly<Record<SendingType, readonly (keyof CampaignDetails)[]>> = {
  now: [],
  scheduled: ['sending_date'],
  auto: ['frequency', 'frequency_options', 'need_confirm', 'start_date'],
};

/** All fields of the details, in the order they stand in the document. */
export const detailFields: readonly (keyof CampaignDetails)[] = [
  ...texts,
  'listIds',
  'sending_type',
  ...fieldsOfType.scheduled,
  ...fieldsOfType.auto,
];

/** Units as the API document names them, by what records were seen to hold: their name, or seconds. */
const units = new Map<string, FrequencyUnit>([
  ['hour', 'hour'],
  ['day', 'day'],
  ['week', 'week'],
  ['month', 'month'],
  ['3600', 'hour'],
  ['86400', 'day'],
  ['604800', 'week'],
  ['2628000', 'month'],
]);

/** Reads the details from a record. Its fields are not documented: read are the shapes that installations were seen to answer. */
export function detailsOf(campaign: Campaign): CampaignDetails {
  const type = campaign.sending_type;
  const sending_type: SendingType = type === 'scheduled' || type === 'auto' ? type : 'now';
  const details: CampaignDetails = {
    ...textsOf(campaign),
    ...(campaign.listIds ? { listIds: [...campaign.listIds] } : {}),
    sending_type,
    ...(sending_type === 'scheduled' ? { sending_date: dateOf(campaign.sending_date) ?? '' } : {}),
    ...(sending_type === 'auto' ? rhythmOf(campaign) : {}),
  };
  return details;
}

function textsOf(campaign: Campaign): Pick<CampaignDetails, (typeof texts)[number]> {
  const { name, subject, from_name, from_email, reply_to_name, reply_to_email, bounce_email, bcc } = campaign;
  const text = (value: string | null | undefined): string => value ?? '';
  return {
    name: text(name),
    subject: text(subject),
    from_name: text(from_name),
    from_email: text(from_email),
    reply_to_name: text(reply_to_name),
    reply_to_email: text(reply_to_email),
    bounce_email: text(bounce_email),
    bcc: text(bcc),
  };
}

type Rhythm = Pick<CampaignDetails, 'frequency' | 'frequency_options' | 'need_confirm' | 'start_date'>;

function rhythmOf(campaign: Campaign): Rhythm {
  const params = campaign.sending_params ?? {};
  const trigger = params['trigger_type'] ?? campaign['frequency'];
  const every = object(params['every']) ?? object(params['frequency_options']) ?? object(campaign['frequency_options']);
  const unit = units.get(String(every?.['type'] ?? every?.['unit']));
  const value = Number(every?.['number'] ?? every?.['value']);
  const confirm = params['need_confirm_to_send'] ?? params['need_confirm'] ?? campaign['need_confirm'];
  const start = dateOf(params['start_date'] ?? campaign['start_date']);
  return {
    frequency: trigger === 'asap' || trigger === 'cron' ? 'cron' : 'every',
    ...(unit !== undefined && Number.isInteger(value) ? { frequency_options: { unit, value } } : {}),
    need_confirm: confirm === undefined || confirm === null || Number(confirm) !== 0 ? 1 : 0,
    ...(start === undefined ? {} : { start_date: start }),
  };
}

/**
 * The request that stores details and body: the whole record, because an update resets what is left out (`sending_type` becomes
 * `now`). Fields without a meaning for the sending type are left out, empty optional ones of a new campaign too.
 */
export function requestOf(details: CampaignDetails, body: string, campaignId?: number): CampaignInput {
  const meant = fieldsOfType[details.sending_type];
  const kept = detailFields.filter((field) => !isOfAType(field) || meant.includes(field));
  const fields = Object.fromEntries(
    kept
      .filter((field) => field !== 'frequency_options' || details.frequency === 'every')
      .map((field) => [field, details[field]] as const)
      .filter(([field, value]) => value !== undefined && (value !== '' || (campaignId !== undefined && !isOfAType(field)))),
  );
  return { ...(campaignId === undefined ? {} : { campaignId }), ...fields, body };
}

function isOfAType(field: keyof CampaignDetails): boolean {
  return Object.values(fieldsOfType).some((fields) => fields.includes(field));
}

function dateOf(value: unknown): string | undefined {
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/u.exec(value)?.[0] : undefined;
}

function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}
