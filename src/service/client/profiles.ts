import type { ExtraName } from './operations.ts';
import { isObject, type Row } from './shapes.ts';

/**
 * How an installation speaks the interface. Arguments and results of the client are the API document's in every profile; a profile is
 * data that says what is different on the wire.
 */
export interface Profile {
  readonly name: string;
  /** Constant query parameters, in this order. */
  readonly query: { readonly page: string; readonly option: string };
  /** Whether a follow-up operation is named by `ctrl` (style B) or, like all others, by `task` (style A). */
  readonly followUpRouting: 'ctrl' | 'task';
  /** Query parameter that holds the filters of the follow-up list. */
  readonly followUpFilters: 'filter' | 'filters';
  /** Field of the body of `updateTemplate` that holds the id. */
  readonly updateTemplateId: string;
  /** `Content-Type` of `sendCampaign`, which has no body. */
  readonly sendCampaignContentType: string;
  /** Triggers of follow-ups with another name: the document's → the installation's. */
  readonly triggers: Readonly<Record<string, string>>;
  /** How the `start_date` of an `auto` campaign is written: `YYYY-MM-DD`, or seconds since the epoch (a day: midnight UTC). */
  readonly startDate: 'date' | 'timestamp';
  /** Operations beside the API document's that its installations may have. */
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
    extras: ['sendEmailToSingleUser'],
  },
};

/** An argument that can't be sent, in words that end the sentence "…: …". */
export class ArgumentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArgumentError';
  }
}

const DAY_MS = 86_400_000;

const datePattern = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)Z?)?$/;

/** `YYYY-MM-DD`, or with a time of UTC as `toDate` writes it → seconds since the epoch. A day is its midnight in UTC. */
function toTimestamp(date: unknown): unknown {
  if (typeof date !== 'string') return date;
  const [, day, time = '00:00'] = datePattern.exec(date.trim()) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
  if (day === undefined || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) {
    throw new ArgumentError('start_date is not a date of the form YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ');
  }
  return ms / 1000;
}

/**
 * Seconds since the epoch → `YYYY-MM-DD` where that is midnight in UTC, else the exact moment as `YYYY-MM-DDTHH:MM:SSZ`: installations
 * hold the midnight of their own zone, of which a day alone would make another. What is no timestamp (a date already) stays.
 */
function toDate(seconds: unknown): unknown {
  const isWhole = Number.isSafeInteger(seconds) || (typeof seconds === 'string' && /^\d+$/.test(seconds));
  const ms = isWhole ? Number(seconds) * 1000 : Number.NaN;
  if (!(ms >= DAY_MS && ms < Date.UTC(10_000, 0))) return seconds;
  return ms % DAY_MS === 0 ? new Date(ms).toISOString().slice(0, 10) : new Date(ms).toISOString().replace('.000Z', 'Z');
}

function mapValue(value: unknown, names: Iterable<readonly [string, string]>): unknown {
  for (const [from, to] of names) if (value === from) return to;
  return value;
}

/** How a field is written by a profile: its name and value there. */
type FieldRule = (profile: Profile, value: unknown, name: string) => readonly [name: string, value: unknown];

/** The fields that profiles write differently. */
const fieldRules = {
  trigger: (profile, value, name) => [name, mapValue(value, Object.entries(profile.triggers))],
  startDate: (profile, value, name) => [name, profile.startDate === 'timestamp' ? toTimestamp(value) : value],
  templateId: (profile, value) => [profile.updateTemplateId, value],
} as const satisfies Record<string, FieldRule>;

export type FieldRuleName = keyof typeof fieldRules;

/** Fields as the profile writes them, in the caller's order. What is undefined is not sent. Throws `ArgumentError`. */
export function toWireFields(
  profile: Profile,
  fields: object,
  rules: Readonly<Record<string, FieldRuleName>> = {},
): Record<string, unknown> {
  const sent: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    sent.push(rule === undefined ? [name, value] : [...fieldRules[rule](profile, value, name)]);
  }
  return Object.fromEntries(sent);
}

/** A follow-up as the document writes it. */
export function fromWireFollowUp(profile: Profile, row: Row): Row {
  if (!Object.hasOwn(row, 'trigger')) return row;
  return {
    ...row,
    trigger: mapValue(
      row.trigger,
      Object.entries(profile.triggers).map(([documented, own]) => [own, documented] as const),
    ),
  };
}

/** A campaign as the document writes it: a start date is a date, where the installation keeps it; with its time in UTC where it has one. */
export function fromWireCampaign(profile: Profile, row: Row): Row {
  if (profile.startDate !== 'timestamp') return row;
  const params = row.sending_params;
  return {
    ...row,
    ...(Object.hasOwn(row, 'start_date') ? { start_date: toDate(row.start_date) } : {}),
    ...(isObject(params) && Object.hasOwn(params, 'start_date')
      ? { sending_params: { ...params, start_date: toDate(params.start_date) } }
      : {}),
  };
}
