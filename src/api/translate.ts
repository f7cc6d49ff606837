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

/** `YYYY-MM-DD` (a time of day is ignored) → seconds since the epoch at midnight UTC. */
function toTimestamp(date: unknown): unknown {
  if (typeof date !== 'string') return date;
  const day = /^(\d{4}-\d{2}-\d{2})(?:[ T]|$)/.exec(date.trim())?.[1];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  if (day === undefined || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) {
    throw new ArgumentError('start_date is not a date of the form YYYY-MM-DD');
  }
  return ms / 1000;
}

/** Seconds since the epoch → `YYYY-MM-DD` in UTC. What is no timestamp (a date already) stays. */
function toDate(seconds: unknown): unknown {
  const ms = (typeof seconds === 'number' || (typeof seconds === 'string' && /^\d+$/.test(seconds)) ? Number(seconds) : Number.NaN) * 1000;
  return ms >= DAY_MS && ms < Date.UTC(10_000, 0) ? new Date(ms).toISOString().slice(0, 10) : seconds;
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

/** A campaign as the document writes it: a start date is a date, where the installation keeps it. */
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
