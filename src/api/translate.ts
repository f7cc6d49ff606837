import type { Profile } from './profiles.ts';
import { isObject } from './shapes.ts';
import type { Row } from './shapes.ts';

/** An argument that can't be sent, in words that end the sentence "…: …". */
export class ArgumentError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArgumentError';
  }
}

const DAY_MS = 86_400_000;

const dateForm = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)Z?)?$/;

/** `YYYY-MM-DD`, or with a time of UTC as `toDate` writes it → seconds since the epoch. A day is its midnight in UTC. */
function toTimestamp(date: unknown): unknown {
  if (typeof date !== 'string') return date;
  const [, day, time = '00:00'] = dateForm.exec(date.trim()) ?? [];
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

function renamed(value: unknown, names: Iterable<readonly [string, string]>): unknown {
  for (const [from, to] of names) if (value === from) return to;
  return value;
}

/** How a field is written by a profile: its name and value there. */
export type FieldRule = (profile: Profile, value: unknown, name: string) => readonly [name: string, value: unknown];

/** The fields that profiles write differently. */
export const fieldRules = {
  trigger: (profile, value, name) => [name, renamed(value, Object.entries(profile.triggers))],
  startDate: (profile, value, name) => [name, profile.startDate === 'timestamp' ? toTimestamp(value) : value],
  templateId: (profile, value) => [profile.updateTemplateId, value],
} as const satisfies Record<string, FieldRule>;

export type FieldRuleName = keyof typeof fieldRules;

/** Fields as the profile writes them, in the caller's order. What is undefined is not sent. Throws `ArgumentError`. */
export function outgoing(profile: Profile, fields: object, rules: Readonly<Record<string, FieldRuleName>> = {}): Record<string, unknown> {
  const sent: [string, unknown][] = [];
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    sent.push(rule === undefined ? [name, value] : [...fieldRules[rule](profile, value, name)]);
  }
  return Object.fromEntries(sent);
}

/** A follow-up as the document writes it. */
export function incomingFollowUp(profile: Profile, row: Row): Row {
  if (!Object.hasOwn(row, 'trigger')) return row;
  return { ...row, trigger: renamed(row.trigger, Object.entries(profile.triggers).map(([documented, own]) => [own, documented] as const)) };
}

/** A campaign as the document writes it: a start date is a date, where the installation keeps it; with its time in UTC where it has one. */
export function incomingCampaign(profile: Profile, row: Row): Row {
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
