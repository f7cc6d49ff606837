import type { SandboxProfile } from './model.ts';

/** Differences between the profiles, as data. Sources: the API document, and reports from real installations. */
export interface ProfileRules {
  readonly name: SandboxProfile;
  readonly constants: { readonly page: string; readonly option: string };
  /** Follow-ups use `ctrl=<operation>` without a task. */
  readonly followUpsByCtrl: boolean;
  /** Header names are case-sensitive, and `Content-Type` must not have parameters. */
  readonly strictHeaders: boolean;
  readonly sendContentType: string;
  /** Lists, subscribers and subscriptions are wrapped in an outer array. */
  readonly wrapped: boolean;
  readonly limitCap: number;
  readonly followUpFilter: 'filter' | 'filters';
  readonly templateIdField: 'templateId' | 'id';
  /** Template writes ignore empty strings and the stylesheet. */
  readonly ignoresEmptied: boolean;
  readonly zeroDelayIsMissing: boolean;
  /** Response for a follow-up that does not exist. */
  readonly unknownFollowUp: { readonly status: number; readonly body: Readonly<Record<string, string>> };
  readonly triggers: readonly string[];
  /** Campaign filters that never match. */
  readonly deadCampaignFilters: readonly string[];
  readonly campaignStatus: { readonly created: number; readonly updated: number };
  readonly startDateIsTimestamp: boolean;
  /** The send route ignores the sending type and sends immediately. Otherwise, it starts scheduled and automatic campaigns. */
  readonly sendsAtOnce: boolean;
  /** Lists include counts and the lists of follow-ups. */
  readonly richRecords: boolean;
  /** Supports tasks that are not in the API document. */
  readonly hasExtraTasks: boolean;
  /** Escapes JSON as PHP does: `\/` and `\uXXXX`. */
  readonly escapedJson: boolean;
}

export const profileRules: Readonly<Record<SandboxProfile, ProfileRules>> = {
  documented: {
    name: 'documented',
    constants: { page: 'mailer_front', option: 'com_mailer' },
    followUpsByCtrl: true,
    strictHeaders: false,
    sendContentType: 'application-json',
    wrapped: true,
    limitCap: Infinity,
    followUpFilter: 'filter',
    templateIdField: 'templateId',
    ignoresEmptied: false,
    zeroDelayIsMissing: false,
    unknownFollowUp: { status: 400, body: { error: 'Invalid request' } },
    triggers: ['user_subscribe', 'birthday', 'user_creation', 'ecommerce_a_purchase', 'ecommerce_b_purchase'],
    deadCampaignFilters: [],
    campaignStatus: { created: 201, updated: 200 },
    startDateIsTimestamp: false,
    sendsAtOnce: false,
    richRecords: false,
    hasExtraTasks: false,
    escapedJson: false,
  },
  acymailing: {
    name: 'acymailing',
    constants: { page: 'acymailing_front', option: 'com_acym' },
    followUpsByCtrl: false,
    strictHeaders: true,
    sendContentType: 'application/json',
    wrapped: false,
    limitCap: 500,
    followUpFilter: 'filters',
    templateIdField: 'id',
    ignoresEmptied: true,
    zeroDelayIsMissing: true,
    unknownFollowUp: { status: 404, body: { message: 'Follow-up not found.' } },
    triggers: ['user_subscribe', 'birthday', 'user_creation', 'woocommerce_purchase', 'hikashop_purchase'],
    deadCampaignFilters: ['sending_type', 'draft'],
    campaignStatus: { created: 200, updated: 201 },
    startDateIsTimestamp: true,
    sendsAtOnce: true,
    richRecords: true,
    hasExtraTasks: true,
    escapedJson: true,
  },
};
