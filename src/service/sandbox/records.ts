import type { JsonObject } from '../client/shapes.ts';

/** Records that the sandbox stores. Times are milliseconds since 1970; the routes convert them to the format of the service. */

/** Text of a template, campaign, or follow-up, welcome or unsubscribe mail. */
export interface StoredMail {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  /** HTML of the body only. */
  readonly body: string;
  readonly preheader: string;
  readonly from_name: string;
  readonly from_email: string;
  readonly reply_to_name: string;
  readonly reply_to_email: string;
  readonly bcc: string;
  readonly bounce_email: string;
  /** Lines `Name: value`. */
  readonly headers: string;
  readonly stylesheet: string | null;
}

/** Fields of a mail that requests may contain; all are strings. */
export const mailFields = [
  'name',
  'subject',
  'body',
  'preheader',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'bcc',
  'bounce_email',
] as const;

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
  readonly drag_editor: '0' | '1';
  readonly settings: string | null;
}

/** A starter template from the assets. */
export interface Starter {
  readonly file: string;
  readonly drag_editor: StoredTemplate['drag_editor'];
  readonly mail: Omit<StoredMail, 'id'>;
}

export interface StoredList {
  readonly id: number;
  readonly name: string;
  readonly display_name: string | null;
  readonly description: string;
  readonly color: string;
  readonly active: '0' | '1';
  readonly visible: '0' | '1';
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

export interface StoredFollowUpMail {
  readonly mailId: number;
  readonly delay: number;
  /** Seconds. */
  readonly unit: number;
}

export interface StoredFollowUp {
  readonly id: number;
  readonly name: string;
  readonly display_name: string;
  readonly created: number;
  readonly trigger: string;
  readonly condition: Readonly<JsonObject>;
  readonly active: 0 | 1;
  readonly send_once: 0 | 1;
  readonly list_id: number;
  /** Unix time in seconds. */
  readonly last_trigger: number | null;
  readonly loop: 0 | 1;
  readonly loop_delay: number;
  readonly loop_mail_skip: readonly number[];
  readonly mails: readonly StoredFollowUpMail[];
}

export type SendingType = 'now' | 'scheduled' | 'auto';

/** Schedule of an automatic campaign, in the format of `sending_params`. */
export interface Schedule {
  readonly trigger_type: 'every' | 'asap';
  /** Interval of `number` times `type` seconds. */
  readonly every?: { readonly type: number; readonly number: number };
  readonly need_confirm_to_send: 0 | 1;
  readonly start_date?: string | number;
}

export interface StoredCampaign {
  readonly id: number;
  readonly mail_id: number;
  readonly sending_type: SendingType;
  readonly sending_date: number | null;
  readonly draft: 0 | 1;
  readonly active: 0 | 1;
  readonly sent: 0 | 1;
  readonly schedule: Schedule | null;
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
  readonly versions?: readonly StoredMail[];
  readonly sentAt: number;
  /** User ids, in the order of delivery. */
  readonly recipients: () => Uint32Array;
}

export interface Membership {
  readonly status: 0 | 1;
  readonly subscribed: number;
  readonly unsubscribed: number | null;
}

/** Seconds per unit, as requests spell it (`days`; for campaigns `day`). */
export const unitSeconds: Readonly<Record<string, number>> = {
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
  months: 2_628_000,
};
