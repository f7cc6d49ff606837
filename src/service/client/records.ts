/** Records that the client returns, with the field names of the API document. `requests.ts` contains the arguments. */

/** Undocumented fields. */
export interface OtherFields {
  readonly [field: string]: unknown;
}

/** `1` or `0`. */
export type Flag = number;

/** One list in the subscriptions of a user. */
export interface Subscription extends OtherFields {
  /** Id of the list. */
  readonly id: number;
  readonly translation: string | null;
  readonly name: string | null;
  readonly display_name: string | null;
  /** `#rrggbb` */
  readonly color: string | null;
  readonly active: Flag | null;
  readonly visible: Flag | null;
  readonly description: string | null;
  /** `1` subscribed, `0` unsubscribed. */
  readonly status: Flag | null;
  readonly subscription_date: string | null;
  readonly unsubscribe_date: string | null;
}

/** A subscriber, or unsubscribed user, of lists. */
export interface Subscriber extends OtherFields {
  /** Id of the user. */
  readonly id: number;
  readonly email: string | null;
  readonly name: string | null;
  readonly confirmed: Flag | null;
  /** `1` subscribed, `0` unsubscribed. */
  readonly status: Flag | null;
  readonly subscription_date: string | null;
}

export interface MailingList extends OtherFields {
  readonly id: number;
  readonly name: string | null;
  readonly display_name: string | null;
  readonly active: Flag | null;
  readonly visible: Flag | null;
  readonly clean: string | null;
  /** `#rrggbb` */
  readonly color: string | null;
  readonly creation_date: string | null;
  readonly welcome_id: number | null;
  readonly unsubscribe_id: number | null;
  readonly cms_user_id: number | null;
  readonly access: string | null;
  readonly description: string | null;
  readonly tracking: Flag | null;
  /** `standard`; some installations also return `followup`. */
  readonly type: string | null;
  readonly translation: string | null;
  /** Only some installations return these counts. */
  readonly subscribers?: number | null;
  readonly unsubscribed_users?: number | null;
  readonly new_sub?: number | null;
  readonly new_unsub?: number | null;
}

export interface Template extends OtherFields {
  readonly id: number;
  readonly name: string | null;
  readonly creation_date: string | null;
  /** `0` standard, `1` drag and drop (can't be modified through the interface). */
  readonly drag_editor: Flag | null;
  readonly body: string | null;
  /** `null` in collections if the service omits it. */
  readonly subject: string | null;
  readonly from_name: string | null;
  readonly from_email: string | null;
  readonly reply_to_name: string | null;
  readonly reply_to_email: string | null;
  readonly settings: string | null;
  readonly stylesheet: string | null;
  readonly headers: string | null;
  readonly preheader: string | null;
}

export type FollowUpTrigger =
  'user_subscribe' | 'birthday' | 'user_creation' | 'ecommerce_a_purchase' | 'ecommerce_b_purchase';

export interface FollowUpCondition extends OtherFields {
  readonly lists_status?: string;
  readonly lists?: readonly number[];
  readonly segments_status?: string;
  readonly segments?: readonly number[];
}

export interface FollowUp extends OtherFields {
  readonly id: number;
  readonly name: string | null;
  readonly display_name: string | null;
  readonly creation_date: string | null;
  /** A `FollowUpTrigger` or an installation-specific value. */
  readonly trigger: string | null;
  readonly condition: FollowUpCondition | null;
  readonly active: Flag | null;
  readonly send_once: Flag | null;
  readonly list_id: number | null;
  /** Seconds since the epoch. */
  readonly last_trigger: number | null;
  readonly loop: Flag | null;
  /** Seconds. */
  readonly loop_delay: number | null;
  /** Ids of mails. */
  readonly loop_mail_skip: readonly number[] | null;
}

/** One email of a follow-up. */
export interface FollowUpMail extends OtherFields {
  readonly mail_id: number;
  readonly followup_id: number | null;
  /** In units of `delay_unit`. */
  readonly delay: number | null;
  /** Seconds: 60, 3600, 86400, 604800 or 2628000. */
  readonly delay_unit: number | null;
  readonly send_once: Flag | null;
}

export interface FollowUpWithMails extends FollowUp {
  readonly mails: readonly FollowUpMail[];
}

/**
 * Campaign fields are undocumented; these were observed. Each may be missing, except the id. A start date stored as a timestamp is
 * `YYYY-MM-DD` for midnight UTC, and `YYYY-MM-DDTHH:MM:SSZ` otherwise.
 */
export interface Campaign extends OtherFields {
  readonly id: number;
  readonly name?: string | null;
  readonly subject?: string | null;
  readonly sending_date?: string | null;
  readonly draft?: Flag | null;
  readonly active?: Flag | null;
  readonly mail_id?: number | null;
  readonly sent?: Flag | null;
  /** `now`, `scheduled`, `auto` */
  readonly sending_type?: string | null;
  readonly sending_params?: OtherFields | null;
  readonly parent_id?: number | null;
  readonly visible?: Flag | null;
  /** Only if a single campaign is read. */
  readonly body?: string | null;
  readonly from_name?: string | null;
  readonly from_email?: string | null;
  readonly reply_to_name?: string | null;
  readonly reply_to_email?: string | null;
  readonly bounce_email?: string | null;
  readonly bcc?: string | null;
  readonly listIds?: readonly number[] | null;
}

/** Statistics fields are undocumented; these were observed. Each may be missing. */
export interface CampaignStatistics extends OtherFields {
  readonly mail_id?: number | null;
  readonly total_subscribers?: number | null;
  readonly sent?: number | null;
  readonly send_date?: string | null;
  readonly fail?: number | null;
  readonly open_unique?: number | null;
  readonly open_total?: number | null;
  readonly click_unique?: number | null;
  readonly click_total?: number | null;
  readonly bounce_unique?: number | null;
  readonly bounce_details?: unknown;
  readonly unsubscribe_total?: number | null;
  readonly tracking_sale?: number | null;
  readonly currency?: string | null;
}

/** Activity of one user for one campaign. */
export interface CampaignUserStatistics extends OtherFields {
  readonly user_id?: number | null;
  readonly mail_id?: number | null;
  readonly email?: string | null;
  readonly send_date?: string | null;
  readonly fail?: number | null;
  readonly sent?: number | null;
  readonly open?: number | null;
  readonly open_date?: string | null;
  readonly bounce?: number | null;
  readonly bounce_rule?: string | null;
  readonly unsubscribe?: number | null;
  readonly tracking_sale?: number | null;
  readonly currency?: string | null;
  readonly device?: string | null;
  readonly opened_with?: string | null;
}

/** Clicks of one user on one link. */
export interface CampaignClick extends OtherFields {
  readonly url_id?: number | null;
  readonly user_id?: number | null;
  readonly click?: number | null;
  readonly date_click?: string | null;
  readonly email?: string | null;
  readonly url?: string | null;
}

/** Clicks on one link. */
export interface CampaignLink extends OtherFields {
  readonly id?: number | null;
  /** URL of the link. */
  readonly name?: string | null;
  readonly total_click?: number | null;
  readonly unique_click?: number | null;
  readonly mail_subject?: string | null;
  readonly mail_name?: string | null;
}
