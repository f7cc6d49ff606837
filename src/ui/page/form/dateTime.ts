import { t } from '../../../l10n.ts';
import { formatServiceDateTime } from '../../../service/format.ts';
import type { JsonValue } from './protocol.ts';

/** A date with an optional time: `2027-03-01`, `2027-03-01 14:30:00`, `2027-02-28T23:00:00Z`. */
export interface DateTime {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `HH:MM:SS`, or empty. */
  readonly time: string;
  /** A space or `T`. */
  readonly separator: string;
  /** `Z`, `+02:00`, or empty for the service's own zone, which it doesn't report. */
  readonly zone: string;
}

const dateTimePattern = /^(\d{4}-\d{2}-\d{2})(?:([ T])(\d{2}:\d{2}:\d{2})(Z|[+-]\d{2}:\d{2})?)?$/;

/** Parses a campaign's date, or returns undefined if it is invalid or doesn't exist. */
export function readDateTime(value: JsonValue): DateTime | undefined {
  const [, day, separator = '', time = '', zone = ''] =
    (typeof value === 'string' ? dateTimePattern.exec(value) : null) ?? [];
  if (day === undefined) return undefined;
  const moment = Date.parse(`${day}T${time || '00:00:00'}Z`);
  // `Date` accepts February 31 as March 3, and 24:00:00 as the next day.
  const exists = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${day}T${time}`);
  return exists ? { day, time, separator, zone } : undefined;
}

export function writeDateTime({ day, time, separator, zone }: DateTime): string {
  return `${day}${separator}${time}${zone}`;
}

/** Formats a zone as "UTC" or "UTC+02:00". Undefined for the service's own zone. */
export function formatZone(zone: string): string | undefined {
  if (zone === '') return undefined;
  return zone === 'Z' ? 'UTC' : `UTC${zone}`;
}

/**
 * Formats a date as "Mar 1, 2027", "Mar 1, 2027, 2:30 PM in the service's own time zone" or "Feb 28, 2027, 11:00 PM UTC". Other text is
 * returned unchanged.
 */
export function formatCampaignDate(text: string): string {
  const date = readDateTime(text);
  if (!date) return text;
  const moment = formatServiceDateTime(`${date.day} ${date.time}`.trim()) ?? text;
  if (date.time === '') return moment;
  const zone = formatZone(date.zone);
  return zone === undefined ? t`${moment} in the service's own time zone` : `${moment} ${zone}`;
}
