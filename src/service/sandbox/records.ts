/** What the sandbox keeps of each record. Times are milliseconds since 1970; the routes write them in the service's form. */

/** The text of an email: templates, campaigns, follow-up, welcome and unsubscribe mails all have one. */
export interface StoredMail {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  /** HTML of the body part only. */
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

/** The mail's fields that a request may carry, all strings. */
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

/** A starter template as it lies in the assets. */
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
  readonly welcomeId: number | null;
  readonly unsubscribeId: number | null;
}

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
  readonly condition: Readonly<Record<string, unknown>>;
  readonly active: 0 | 1;
  readonly send_once: 0 | 1;
  readonly listId: number;
  /** Unix time in seconds. */
  readonly lastTrigger: number | null;
  readonly loop: 0 | 1;
  readonly loop_delay: number;
  readonly loop_mail_skip: readonly number[];
  readonly mails: readonly StoredFollowUpMail[];
}

export type SendingType = 'now' | 'scheduled' | 'auto';

/** How an automatic campaign comes round, in the form of the service's `sending_params`. */
export interface Schedule {
  readonly trigger_type: 'every' | 'asap';
  /** `type` in seconds, `number` of them. */
  readonly every?: { readonly type: number; readonly number: number };
  readonly need_confirm_to_send: 0 | 1;
  readonly start_date?: string | number;
}

export interface StoredCampaign {
  readonly id: number;
  readonly mailId: number;
  readonly sendingType: SendingType;
  readonly sendingDate: number | null;
  readonly draft: 0 | 1;
  readonly active: 0 | 1;
  readonly sent: 0 | 1;
  readonly schedule: Schedule | null;
  readonly parentId: number | null;
  readonly lastGenerated: number | null;
  readonly nextTrigger: number | null;
  readonly listIds: readonly number[];
}

/** What became of a campaign's latest sending: to whom, when, and the text as it was then. */
export interface Sending {
  readonly mail: StoredMail;
  /** Other versions of the mail, where there are some: each recipient gets one, by chance. */
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

/** Seconds of a unit's name, as requests spell it (`days`; campaigns: `day`). */
export const unitSeconds: Readonly<Record<string, number>> = {
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
  months: 2_628_000,
};
