/** Arguments of the client, with the field names of the API document. */
import type { FollowUpCondition, FollowUpTrigger } from './records.ts';

/** `1` or `0`. */
type Flag = number;

/** Last argument of every method. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * Page of a collection. Defaults of the service: offset 0, limit 100 (templates: 20). The options may be passed here too: `getLists({
 * signal })`.
 */
export interface PageQuery extends CallOptions {
  readonly offset?: number;
  readonly limit?: number;
}

export type FilterValue = string | number | boolean;

export interface ListsQuery extends PageQuery {
  readonly filters?: { readonly id?: number; readonly name?: string; readonly active?: Flag };
}

export interface TemplatesQuery extends PageQuery {
  /** Searches name and subject. */
  readonly search?: string;
  /** Default: both. */
  readonly templateType?: 'standard' | 'drag';
}

export interface FollowUpFilters {
  readonly id?: number;
  /** Matches a part of the name. */
  readonly name?: string;
  readonly display_name?: string;
  readonly active?: Flag;
  readonly send_once?: Flag;
  readonly trigger?: FollowUpTrigger | (string & {});
}

export interface FollowUpsQuery extends PageQuery {
  readonly filters?: FollowUpFilters;
}

export interface CampaignsQuery extends PageQuery {
  /** Any column of the campaign table, and the `name` and `subject` of its mail. */
  readonly filters?: { readonly [column: string]: FilterValue | undefined };
}

interface SubscriptionChange {
  /** Addresses of existing users. */
  readonly emails: readonly string[];
  readonly listIds: readonly number[];
  /** Whether automations and follow-ups are triggered. Default true. */
  readonly trigger?: boolean;
}

export interface SubscribeUsers extends SubscriptionChange {
  /** Default true. */
  readonly sendWelcomeEmail?: boolean;
}

export interface UnsubscribeUsers extends SubscriptionChange {
  /** Default true. */
  readonly sendUnsubscribeEmail?: boolean;
}

export interface NewList {
  readonly name: string;
  /** `1` active (default), `2` inactive. */
  readonly active?: number;
  /** `#rrggbb` */
  readonly color?: string;
  readonly welcomeId?: number;
  readonly unsubscribeId?: number;
  /** `1` visible (default), `2` invisible. */
  readonly visible?: number;
}

/** Writable fields of templates, campaigns, and mails of follow-ups. */
interface MailFields {
  readonly name?: string;
  readonly subject?: string;
  /** HTML of the body only. */
  readonly body?: string;
  readonly from_name?: string;
  readonly from_email?: string;
  readonly reply_to_name?: string;
  readonly reply_to_email?: string;
}

export interface TemplateFields extends MailFields {
  readonly headers?: string;
  readonly preheader?: string;
  /** CSS */
  readonly stylesheet?: string;
}

export interface NewTemplate extends TemplateFields {
  readonly name: string;
}

export interface TemplateUpdate extends TemplateFields {
  readonly templateId: number;
}

export interface FollowUpInput {
  /** Set to update an existing record. */
  readonly followUpId?: number;
  readonly name?: string;
  readonly display_name?: string;
  readonly trigger?: FollowUpTrigger | (string & {});
  readonly condition?: FollowUpCondition;
  readonly loop?: Flag;
  /** Seconds. */
  readonly loop_delay?: number;
  readonly loop_mail_skip?: readonly number[];
  /** Supported by some installations only. */
  readonly active?: Flag;
  readonly send_once?: Flag;
}

export type DelayUnit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months';

export interface FollowUpMailInput extends MailFields {
  /** Set to update an existing mail. */
  readonly id?: number;
  /** Addresses separated by commas. */
  readonly bcc?: string;
  readonly bounce_email?: string;
  readonly preheader?: string;
}

export interface EmailAttachment {
  readonly followUpId: number;
  readonly delay: number;
  readonly delay_unit: DelayUnit;
  readonly mail: FollowUpMailInput;
}

export interface CampaignInput extends MailFields {
  /** Set to update an existing record. */
  readonly campaignId?: number;
  readonly bounce_email?: string;
  readonly bcc?: string;
  /** Default `now`. */
  readonly sending_type?: 'now' | 'scheduled' | 'auto';
  /** For `scheduled`: `YYYY-MM-DD`, or the value of a record, including its time. */
  readonly sending_date?: string;
  readonly frequency?: 'every' | 'cron';
  readonly frequency_options?: { readonly unit: 'hour' | 'day' | 'week' | 'month'; readonly value: number };
  /** Default `1`. */
  readonly need_confirm?: Flag;
  /** For `auto`: `YYYY-MM-DD`, or the value of a record with a UTC time, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly start_date?: string;
  readonly listIds?: readonly number[];
  /** For some profiles: settings of the site, such as `utm_source`. */
  readonly sending_params?: Readonly<Record<string, unknown>>;
}

export interface SingleEmail {
  /** Address of a user of the service. */
  readonly email: string;
  /** Id of any mail, such as a template or the `mail_id` of a campaign. */
  readonly emailId: number;
}
