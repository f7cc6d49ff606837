/** A day, and a time of it where there is one: `2027-03-01`, `2027-03-01 14:30:00`, `2027-02-28T23:00:00Z`. */
export interface DateTime {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** `HH:MM:SS`; empty where there is none. */
  readonly time: string;
  /** What stands between them: a space or `T`. */
  readonly separator: string;
  /** `Z`, `+02:00`; empty where it is the service's own, which it does not tell. */
  readonly zone: string;
}

const dateTimePattern = /^(\d{4}-\d{2}-\d{2})(?:([ T])(\d{2}:\d{2}:\d{2})(Z|[+-]\d{2}:\d{2})?)?$/;

/** Reads a date as campaigns have it; undefined where the value is none, or none that exists. */
export function readDateTime(value: unknown): DateTime | undefined {
  const [, day, separator = '', time = '', zone = ''] =
    (typeof value === 'string' ? dateTimePattern.exec(value) : null) ?? [];
  if (day === undefined) return undefined;
  const moment = Date.parse(`${day}T${time || '00:00:00'}Z`);
  // Date makes the 3rd of March of the 31st of February, and the next day of 24:00:00.
  const exists = !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${day}T${time}`);
  return exists ? { day, time, separator, zone } : undefined;
}

export function writeDateTime({ day, time, separator, zone }: DateTime): string {
  return `${day}${separator}${time}${zone}`;
}

/** "UTC", "UTC+02:00"; undefined where the zone is the service's own. */
export function formatZone({ zone }: Pick<DateTime, 'zone'>): string | undefined {
  if (zone === '') return undefined;
  return zone === 'Z' ? 'UTC' : `UTC${zone}`;
}

/** "2027-03-01", "2027-03-01 14:30:00 in the service's own time zone", "2027-02-28 23:00:00 UTC". What is no date stays as it is. */
export function formatDateTime(text: string): string {
  const date = readDateTime(text);
  if (date === undefined || date.time === '') return text;
  return `${date.day} ${date.time} ${formatZone(date) ?? "in the service's own time zone"}`;
}
