/** Differences between the profiles, as data. Sources: the API document, and reports from real installations. */
export const profileRules = {
  documented: {
    name: 'documented',
    /**
     * Differs from the API document as real installations do:
     * - Follow-ups have tasks, and there are tasks that are not in the document.
     * - Header names are case-sensitive, and `Content-Type` must not have parameters. JSON is escaped as `\/` and `\uXXXX`.
     * - Lists, subscribers and subscriptions are not wrapped in an outer array. Lists include counts and the lists of follow-ups.
     * - Template writes ignore empty strings and the stylesheet.
     * - Start dates are timestamps. The send route sends at once, whatever the sending type.
     * - Campaigns can't be filtered by `sending_type` and `draft`.
     */
    isInstallation: false,
    constants: { page: 'mailer_front', option: 'com_mailer' },
    sendContentType: 'application-json',
    limitCap: Infinity,
    followUpFilter: 'filter',
    templateIdField: 'templateId',
    minDelay: 0,
    /** Response for a follow-up that does not exist. */
    unknownFollowUp: { status: 400, body: { error: 'Invalid request' } },
    triggers: ['user_subscribe', 'birthday', 'user_creation', 'ecommerce_a_purchase', 'ecommerce_b_purchase'],
    campaignStatus: { created: 201, updated: 200 },
  },
  acymailing: {
    name: 'acymailing',
    isInstallation: true,
    constants: { page: 'acymailing_front', option: 'com_acym' },
    sendContentType: 'application/json',
    limitCap: 500,
    followUpFilter: 'filters',
    templateIdField: 'id',
    minDelay: 1,
    unknownFollowUp: { status: 404, body: { message: 'Follow-up not found.' } },
    triggers: ['user_subscribe', 'birthday', 'user_creation', 'woocommerce_purchase', 'hikashop_purchase'],
    campaignStatus: { created: 200, updated: 201 },
  },
} as const;

export type SandboxProfile = keyof typeof profileRules;
export type ProfileRules = (typeof profileRules)[SandboxProfile];
