import { splitFooter } from '../../email/sent/storedFooter.ts';
import { t } from '../../l10n.ts';
import { parseServiceDateTime } from '../format.ts';
import { isObject, type Row } from './shapes.ts';

/** Operations that are not in the API document. Some profiles have them (`Profile.extras`). */
export type ExtraName =
  'sendEmailToSingleUser' | 'getUsers' | 'getEmails' | 'getCampaignVersions' | 'getFollowupStatistics';

/**
 * Wire format of an installation. Arguments and results of the client follow the API document in every profile; a profile describes only
 * the differences on the wire.
 */
export interface Profile {
  readonly name: string;
  /** Constant query parameters, in this order. */
  readonly query: { readonly page: string; readonly option: string };
  /** Follow-up operations are named by `ctrl` (style B) or, like all others, by `task` (style A). */
  readonly followUpRouting: 'ctrl' | 'task';
  readonly followUpFilters: 'filter' | 'filters';
  readonly updateTemplateId: string;
  /** `sendCampaign` has no body. */
  readonly sendCampaignContentType: string;
  /** Maps the document's trigger names to the installation's. */
  readonly triggers: Readonly<Record<string, string>>;
  /** Format of `start_date` of an `auto` campaign: `YYYY-MM-DD`, or seconds since the epoch (midnight UTC for a day). */
  readonly startDate: 'date' | 'timestamp';
  /** Whether sites may add a footer to the emails that they return, which isn't stored. */
  readonly addsFooter: boolean;
  /** Updates take `sending_params`, and lose what they omit. */
  readonly takesSendingParams: boolean;
  /** Operations that are not in the API document. */
  readonly extras: readonly ExtraName[];
}

export type ProfileName = 'documented' | 'acymailing';

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  documented: {
    name: 'documented',
    query: { page: 'mailer_front', option: 'com_mailer' },
    followUpRouting: 'ctrl',
    followUpFilters: 'filter',
    updateTemplateId: 'templateId',
    sendCampaignContentType: 'application-json',
    triggers: {},
    startDate: 'date',
    addsFooter: false,
    takesSendingParams: false,
    extras: [],
  },
  acymailing: {
    name: 'acymailing',
    query: { page: 'acymailing_front', option: 'com_acym' },
    followUpRouting: 'task',
    followUpFilters: 'filters',
    updateTemplateId: 'id',
    sendCampaignContentType: 'application/json',
    triggers: { ecommerce_a_purchase: 'woocommerce_purchase', ecommerce_b_purchase: 'hikashop_purchase' },
    startDate: 'timestamp',
    addsFooter: true,
    takesSendingParams: true,
    extras: ['sendEmailToSingleUser', 'getUsers', 'getEmails', 'getCampaignVersions', 'getFollowupStatistics'],
  },
};

/** An invalid argument or key. The message is a sentence. */
export class ArgumentError extends Error {
  readonly reason: 'badArgument' | 'noKey';
  constructor(message: string, reason: 'badArgument' | 'noKey' = 'badArgument') {
    super(message);
    this.name = 'ArgumentError';
    this.reason = reason;
  }
}

const DAY_MS = 86_400_000;

/** Converts `YYYY-MM-DD`, optionally with a UTC time as `toDate` writes it, to seconds since the epoch. */
function toTimestamp(date: unknown) {
  if (typeof date !== 'string') return date;
  const time = parseServiceDateTime(date.trim().replace(/(?<=:\d{2})Z$/, ''));
  if (!time)
    throw new ArgumentError(t("The start date (start_date) doesn't have the form YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ."));
  return time.getTime() / 1000;
}

/**
 * Converts seconds since the epoch to `YYYY-MM-DD` for midnight UTC, and to `YYYY-MM-DDTHH:MM:SSZ` otherwise: installations store midnight
 * of their own time zone, which the day alone would shift. Other values are returned unchanged.
 */
function toDate(seconds: unknown) {
  const isWhole = Number.isSafeInteger(seconds) || (typeof seconds === 'string' && /^\d+$/.test(seconds));
  const ms = isWhole ? Number(seconds) * 1000 : Number.NaN;
  if (!(ms >= DAY_MS && ms < Date.UTC(10_000, 0))) return seconds;
  return ms % DAY_MS === 0 ? new Date(ms).toISOString().slice(0, 10) : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Converts fields to the profile's names and values, and drops undefined values. Throws `ArgumentError`. */
export function toWireFields(profile: Profile, fields: Row): Row {
  const convert = (name: string, value: unknown) => {
    if (name === 'trigger')
      return [name, new Map<unknown, unknown>(Object.entries(profile.triggers)).get(value) ?? value];
    if (name === 'start_date' && profile.startDate === 'timestamp' && value !== '') return [name, toTimestamp(value)];
    if (name === 'sending_params' && isObject(value)) return [name, toWireFields(profile, value)];
    return [name === 'templateId' ? profile.updateTemplateId : name, value];
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => convert(name, value)));
}

/** Converts a follow-up to the format of the API document. */
export function fromWireFollowUp(profile: Profile, row: Row): Row {
  const trigger = Object.entries(profile.triggers).find(([, own]) => own === row.trigger)?.[0];
  return trigger === undefined ? row : { ...row, trigger };
}

/** Moves the footer of the site from the body of an email to a field of its own, so that the body is the stored one. */
export function fromWireEmail({ addsFooter }: Profile, row: Row): Row {
  if (!addsFooter || typeof row.body !== 'string') return row;
  const { body, footer } = splitFooter(row.body);
  return footer === '' ? row : { ...row, body, footer };
}

/** Converts a campaign to the format of the API document (see `toDate` for start dates). */
export function fromWireCampaign(profile: Profile, wireRow: Row): Row {
  const row = fromWireEmail(profile, wireRow);
  if (profile.startDate !== 'timestamp') return row;
  const convert = (object: Row) =>
    Object.hasOwn(object, 'start_date') ? { ...object, start_date: toDate(object.start_date) } : object;
  const { sending_params } = row;
  if (!isObject(sending_params)) return convert(row);
  const own = Object.entries(sending_params).filter(([name]) => !SCHEDULE_PARAMS.has(name));
  const siteParams = profile.takesSendingParams && own.length > 0 && { siteParams: Object.fromEntries(own) };
  return { ...convert(row), sending_params: convert(sending_params), ...siteParams };
}

/** The keys of `sending_params` that requests contain as fields of their own. */
export const SCHEDULE_PARAMS: ReadonlySet<string> = new Set([
  'trigger_type',
  'every',
  'frequency_options',
  'need_confirm_to_send',
  'need_confirm',
  'start_date',
]);
