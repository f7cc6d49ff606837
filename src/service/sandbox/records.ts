import type { JsonObject } from '../client/shapes.ts';
import { parseServiceDateTime } from '../format.ts';

/** Records that the sandbox stores. Times are milliseconds since 1970; the routes convert them to the format of the service. */

/** Names, subject and addresses that every mail has. */
export const envelopeFields = [
  'name',
  'subject',
  'preheader',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
] as const;

/** Fields of a campaign or follow-up mail that requests may contain; all are strings. */
export const mailFields = [...envelopeFields, 'body', 'bcc', 'bounce_email'] as const;

/** Text of a template, campaign, or follow-up, welcome or unsubscribe mail. */
export interface StoredMail extends Readonly<Record<(typeof mailFields)[number], string>> {
  readonly id: number;
  /** Lines `Name: value`. */
  readonly headers: string;
  readonly stylesheet: string | null;
  readonly settings?: string | null;
}

export const emptyMail: Omit<StoredMail, 'id'> = {
  name: '',
  subject: '',
  body: '',
  preheader: '',
  from_name: '',
  from_email: '',
  reply_to_name: '',
  reply_to_email: '',
  bcc: '',
  bounce_email: '',
  headers: '',
  stylesheet: null,
};

export interface StoredTemplate extends StoredMail {
  readonly created: number;
  /** `0` or `1`. */
  readonly drag_editor: string;
  readonly settings: string | null;
}

export interface StoredList {
  readonly id: number;
  readonly name: string;
  readonly display_name: string | null;
  readonly description: string;
  readonly color: string;
  /** `0` or `1`. */
  readonly active: string;
  readonly visible: string;
  readonly type: 'standard' | 'followup';
  readonly created: number;
  readonly welcome_id: number | null;
  readonly unsubscribe_id: number | null;
}

export const newList = {
  display_name: null,
  description: '',
  active: '1',
  visible: '1',
  type: 'followup',
  welcome_id: null,
  unsubscribe_id: null,
} as const satisfies Partial<StoredList>;

export interface StoredFollowUp {
  readonly id: number;
  readonly name: string;
  readonly display_name: string;
  readonly created: number;
  readonly trigger: string;
  readonly condition: Readonly<JsonObject>;
  /** Flags are `0` or `1`. */
  readonly active: number;
  readonly send_once: number;
  readonly list_id: number;
  /** Unix time in seconds. */
  readonly last_trigger: number | null;
  readonly loop: number;
  readonly loop_delay: number;
  readonly loop_mail_skip: readonly number[];
  /** Each is sent after `delay` times `unit` seconds. */
  readonly mails: readonly { readonly mailId: number; readonly delay: number; readonly unit: number }[];
}

/** Schedule of an automatic campaign, in the format of `sending_params`. */
export interface Schedule {
  readonly trigger_type: string;
  /** Interval of `number` times `type` seconds. Default: each run of the service's cron. */
  readonly every?: { readonly type: number; readonly number: number };
  readonly need_confirm_to_send: number;
  readonly start_date?: string | number;
}

export interface StoredCampaign {
  readonly id: number;
  readonly mail_id: number;
  /** `now`, `scheduled` or `auto`. */
  readonly sending_type: string;
  readonly sending_date: number | null;
  /** Flags are `0` or `1`. */
  readonly draft: number;
  readonly active: number;
  readonly sent: number;
  readonly schedule: Partial<Schedule> | null;
  readonly parent_id: number | null;
  readonly last_generated: number | null;
  readonly next_trigger: number | null;
  readonly listIds: readonly number[];
}

export const newCampaign: Omit<StoredCampaign, 'id' | 'mail_id'> = {
  sending_type: 'now',
  sending_date: null,
  draft: 1,
  active: 0,
  sent: 0,
  schedule: null,
  parent_id: null,
  last_generated: null,
  next_trigger: null,
  listIds: [],
};

/** The latest sending of a campaign: recipients, time, and the text at that time. */
export interface Sending {
  readonly mail: StoredMail;
  /** Alternative versions; each recipient gets one at random. */
  readonly versions: readonly StoredMail[];
  readonly sentAt: number;
  /** Returns user ids, in the order of delivery. */
  readonly recipients: () => Uint32Array;
}

export interface Membership {
  readonly status: 0 | 1;
  readonly subscribed: number;
  readonly unsubscribed: number | null;
}

export const SECOND = 1000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Formats a time in UTC as `YYYY-MM-DD HH:MM:SS`. */
export const formatTime = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Parses the format of `formatTime`, also without seconds or a time. Returns undefined if it is missing or invalid. */
export const parseTime = (text: string | undefined): number | undefined => parseServiceDateTime(text)?.getTime();
