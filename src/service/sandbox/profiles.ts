import type { SandboxProfile } from './model.ts';

/** In what an installation of one profile differs from the other, as data. Sources: the API document, and the field's page. */
export interface ProfileRules {
  readonly name: SandboxProfile;
  readonly constants: { readonly page: string; readonly option: string };
  /** Follow-ups are addressed by `ctrl=<operation>`, without a task. */
  readonly followUpsByCtrl: boolean;
  /** Header names must be spelled exactly, and a `Content-Type` be bare. */
  readonly strictHeaders: boolean;
  readonly sendContentType: string;
  /** Lists, subscribers and subscriptions come wrapped in an outer array. */
  readonly wrapped: boolean;
  readonly limitCap: number;
  readonly followUpFilter: 'filter' | 'filters';
  readonly templateIdField: 'templateId' | 'id';
  /** Template writes ignore empty strings and the stylesheet. */
  readonly ignoresEmptied: boolean;
  /** Where `delay: 0` counts as missing. */
  readonly zeroDelayIsMissing: boolean;
  /** The answer for a follow-up that does not exist. */
  readonly unknownFollowUp: { readonly status: number; readonly body: Readonly<Record<string, string>> };
  readonly triggers: readonly string[];
  /** Campaign filters that never find anything. */
  readonly deadCampaignFilters: readonly string[];
  readonly campaignStatus: { readonly created: number; readonly updated: number };
  readonly startDateIsTimestamp: boolean;
  /** The send route sends at once, whatever the sending type. Elsewhere it starts what waits for its date or its schedule. */
  readonly sendsAtOnce: boolean;
  /** Lists answer with counts, follow-up lists among them. */
  readonly richRecords: boolean;
  readonly hasAuthenticate: boolean;
  /** Has the task that sends a mail to one user. */
  readonly hasSingleSends: boolean;
  /** JSON as PHP writes it: `\/` and `\uXXXX`. */
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
    hasAuthenticate: false,
    hasSingleSends: false,
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
    hasAuthenticate: true,
    hasSingleSends: true,
    escapedJson: true,
  },
};
