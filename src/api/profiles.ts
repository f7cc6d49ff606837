import type { ExtraName } from './operations.ts';

/**
 * How an installation speaks the interface. Arguments and results of the client are the API document's in every profile; a profile is
 * data that says what is different on the wire.
 */
export interface Profile {
  readonly name: string;
  /** Constant query parameters, in this order. */
  readonly query: { readonly page: string; readonly option: string };
  /** Whether a follow-up operation is named by `ctrl` (style B) or, like all others, by `task` (style A). */
  readonly followUpRouting: 'ctrl' | 'task';
  /** Query parameter that holds the filters of the follow-up list. */
  readonly followUpFilters: 'filter' | 'filters';
  /** Field of the body of `updateTemplate` that holds the id. */
  readonly updateTemplateId: string;
  /** `Content-Type` of `sendCampaign`, which has no body. */
  readonly sendCampaignContentType: string;
  /** Triggers of follow-ups with another name: the document's → the installation's. */
  readonly triggers: Readonly<Record<string, string>>;
  /** How the `start_date` of an `auto` campaign is written: `YYYY-MM-DD`, or seconds since the epoch (a day: midnight UTC). */
  readonly startDate: 'date' | 'timestamp';
  /** Operations beside the API document's that its installations may have. */
  readonly extras: readonly ExtraName[];
}

export type ProfileName = 'documented' | 'acymailing';

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  documented: {
    name: 'documented',
    query: { page: 'mailer_front', option: 'com_mailer' },
    followUpRouting: 'ctrl',
    followUpFilters: 'filter',
    updateTemplateId: 'templateId',
    sendCampaignContentType: 'application-json',
    triggers: {},
    startDate: 'date',
    extras: [],
  },
  acymailing: {
    name: 'acymailing',
    query: { page: 'acymailing_front', option: 'com_acym' },
    followUpRouting: 'task',
    followUpFilters: 'filters',
    updateTemplateId: 'id',
    sendCampaignContentType: 'application/json',
    triggers: { ecommerce_a_purchase: 'woocommerce_purchase', ecommerce_b_purchase: 'hikashop_purchase' },
    startDate: 'timestamp',
    extras: ['sendEmailToSingleUser'],
  },
};
