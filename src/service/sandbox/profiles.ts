/** Differences between the profiles, as data. Sources: the API document, and reports from real installations. */
export const profileRules = {
  documented: {
    name: 'documented',
    constants: { page: 'mailer_front', option: 'com_mailer' },
    /** Follow-ups use `ctrl=<operation>` without a task. */
    followUpsByCtrl: true,
    /** Header names are case-sensitive, and `Content-Type` must not have parameters. */
    strictHeaders: false,
    sendContentType: 'application-json',
    /** Lists, subscribers and subscriptions are wrapped in an outer array. */
    wrapped: true,
    limitCap: Infinity,
    followUpFilter: 'filter',
    templateIdField: 'templateId',
    /** Template writes ignore empty strings and the stylesheet. */
    ignoresEmptied: false,
    minDelay: 0,
    /** Response for a follow-up that does not exist. */
    unknownFollowUp: { status: 400, body: { error: 'Invalid request' } },
    triggers: ['user_subscribe', 'birthday', 'user_creation', 'ecommerce_a_purchase', 'ecommerce_b_purchase'],
    /** Campaign filters that never match. */
    deadCampaignFilters: new Set<string>(),
    campaignStatus: { created: 201, updated: 200 },
    startDateIsTimestamp: false,
    /** The send route ignores the sending type and sends immediately. Otherwise, it starts scheduled and automatic campaigns. */
    sendsAtOnce: false,
    /** Lists include counts and the lists of follow-ups. */
    richRecords: false,
    /** Supports tasks that are not in the API document. */
    hasExtraTasks: false,
    /** Escapes JSON as PHP does: `\/` and `\uXXXX`. */
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
    minDelay: 1,
    unknownFollowUp: { status: 404, body: { message: 'Follow-up not found.' } },
    triggers: ['user_subscribe', 'birthday', 'user_creation', 'woocommerce_purchase', 'hikashop_purchase'],
    deadCampaignFilters: new Set(['sending_type', 'draft']),
    campaignStatus: { created: 200, updated: 201 },
    startDateIsTimestamp: true,
    sendsAtOnce: true,
    richRecords: true,
    hasExtraTasks: true,
    escapedJson: true,
  },
} as const;

export type SandboxProfile = keyof typeof profileRules;
export type ProfileRules = (typeof profileRules)[SandboxProfile];
