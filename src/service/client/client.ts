import { Caller, type MailingClientOptions } from './caller.ts';
import type { ApiError } from './errors.ts';
import { isApiError } from './shapes.ts';
import type { ProfileName } from './profiles.ts';
import type {
  CallOptions,
  CampaignInput,
  CampaignsQuery,
  EmailAttachment,
  FollowUpInput,
  FollowUpsQuery,
  ListsQuery,
  NewList,
  NewTemplate,
  PageQuery,
  SingleEmail,
  SubscribeUsers,
  TemplateUpdate,
  TemplatesQuery,
  UnsubscribeUsers,
} from './requests.ts';

/**
 * Client for the REST API of the mailing service: one method per operation of the API document, with its names for operations and fields.
 * Every method rejects only with `ApiError`. Reads are retried twice on connection errors and the statuses 429, 502, 503 and 504; writes
 * are never retried.
 */
export class MailingClient extends Caller {
  // Subscriptions

  /** Returns the lists that a user is or was subscribed to. */
  getUserSubscriptionById(userId: number, options?: CallOptions) {
    return this.call('getUserSubscriptionById', { userId }, options);
  }

  /** Returns a page of subscribers, 100 by default. */
  getSubscribersFromLists(listIds: readonly number[], page?: PageQuery, options?: CallOptions) {
    return this.call('getSubscribersFromLists', { listIds, ...page }, options);
  }

  /** Returns a page of unsubscribed users, 100 by default. */
  getUnsubscribedUsersFromLists(listIds: readonly number[], page?: PageQuery, options?: CallOptions) {
    return this.call('getUnsubscribedUsersFromLists', { listIds, ...page }, options);
  }

  /** Subscribes existing users. Sends welcome emails by default. */
  subscribeUsers(request: SubscribeUsers, options?: CallOptions) {
    return this.call('subscribeUsers', request, options);
  }

  /** Unsubscribes existing users. Sends unsubscribe emails by default. */
  unsubscribeUsers(request: UnsubscribeUsers, options?: CallOptions) {
    return this.call('unsubscribeUsers', request, options);
  }

  // Lists

  /** Returns a page of lists, 100 by default. */
  getLists(query?: ListsQuery, options?: CallOptions) {
    return this.call('getLists', query ?? {}, options);
  }

  createList(fields: NewList, options?: CallOptions) {
    return this.call('createList', fields, options);
  }

  deleteList(listId: number, options?: CallOptions) {
    return this.call('deleteList', { listId }, options);
  }

  // Templates

  /** Returns a page of templates, 20 by default. */
  getTemplates(query?: TemplatesQuery, options?: CallOptions) {
    return this.call('getTemplates', query ?? {}, options);
  }

  getOneTemplate(templateId: number, options?: CallOptions) {
    return this.call('getOneTemplate', { templateId }, options);
  }

  createTemplate(fields: NewTemplate, options?: CallOptions) {
    return this.call('createTemplate', fields, options);
  }

  /** Changes only the given fields. Some installations ignore empty strings and `stylesheet`, so read the template back. */
  updateTemplate(fields: TemplateUpdate, options?: CallOptions) {
    return this.call('updateTemplate', fields, options);
  }

  deleteTemplate(templateId: number, options?: CallOptions) {
    return this.call('deleteTemplate', { templateId }, options);
  }

  // Follow-ups

  /** Returns a page of follow-ups without their mails, 100 by default. */
  getFollowUps(query?: FollowUpsQuery, options?: CallOptions) {
    return this.call('getFollowUps', query ?? {}, options);
  }

  getFollowUpById(followUpId: number, options?: CallOptions) {
    return this.call('getFollowUpById', { followUpId }, options);
  }

  deleteFollowUp(followUpId: number, options?: CallOptions) {
    return this.call('deleteFollowUp', { followUpId }, options);
  }

  /** Creates a follow-up, or updates it if `followUpId` is given. */
  createOrUpdateFollowUp(fields: FollowUpInput, options?: CallOptions) {
    return this.call('createOrUpdateFollowUp', fields, options);
  }

  /** Adds a mail to a follow-up, or updates it if `mail.id` is given. */
  attachEmailToFollowUp(request: EmailAttachment, options?: CallOptions) {
    return this.call('attachEmailToFollowUp', request, options);
  }

  deleteEmailFromFollowUp(followUpId: number, mailId: number, options?: CallOptions) {
    return this.call('deleteEmailFromFollowUp', { followUpId, mailId }, options);
  }

  // Campaigns

  /** Returns a page of campaigns without their bodies, 100 by default. */
  getCampaigns(query?: CampaignsQuery, options?: CallOptions) {
    return this.call('getCampaigns', query ?? {}, options);
  }

  getCampaignById(campaignId: number, options?: CallOptions) {
    return this.call('getCampaignById', { campaignId }, options);
  }

  /**
   * Creates a campaign, or updates it if `campaignId` is given. Some installations reset omitted fields, so an update should contain every
   * field.
   */
  createOrUpdateCampaign(fields: CampaignInput, options?: CallOptions) {
    return this.call('createOrUpdateCampaign', fields, options);
  }

  /** Sends real email to the campaign's lists. This can't be undone, so ask for confirmation first. */
  sendCampaign(campaignId: number, options?: CallOptions) {
    return this.call('sendCampaign', { campaignId }, options);
  }

  deleteCampaign(campaignId: number, options?: CallOptions) {
    return this.call('deleteCampaign', { campaignId }, options);
  }

  // Not in the API document

  /**
   * Sends an email (of a template, a campaign, …) to one user, without a campaign or statistics. Not in the API document: some
   * installations of the `acymailing` profile have it (see `canSendToSingleUser`). Rejects with `notFound` if no user has the address.
   */
  sendEmailToSingleUser(request: SingleEmail, options?: CallOptions) {
    return this.call('sendEmailToSingleUser', request, options);
  }

  /** Returns a page of users with their custom fields, 100 by default and 500 at most. */
  getUsers(query?: CampaignsQuery, options?: CallOptions) {
    return this.call('getUsers', query ?? {}, options);
  }

  /** Returns a page of emails of all kinds, without their bodies, 100 by default. */
  getEmails(query?: CampaignsQuery, options?: CallOptions) {
    return this.call('getEmails', query ?? {}, options);
  }

  /** Returns the statistics of each mail of a follow-up in the order of their delays; null before it is sent. */
  getFollowupStatistics(followUpId: number, options?: CallOptions) {
    return this.call('getFollowupStatistics', { followUpId }, options);
  }

  /** Returns the statistics of each version of a campaign; null before it is sent. Not in the API document. */
  getCampaignVersions(campaignId: number, options?: CallOptions) {
    return this.call('getCampaignVersions', { campaignId }, options);
  }

  // Statistics

  /** Returns one row per version of the mail; none before the first send. */
  getCampaignStatistics(campaignId: number, options?: CallOptions) {
    return this.call('getCampaignStatistics', { campaignId }, options);
  }

  /** Returns one row per user and version, 100 per page by default. */
  getCampaignStatisticsDetailed(campaignId: number, page?: PageQuery, options?: CallOptions) {
    return this.call('getCampaignStatisticsDetailed', { campaignId, ...page }, options);
  }

  getCampaignStatisticsClicks(campaignId: number, options?: CallOptions) {
    return this.call('getCampaignStatisticsClicks', { campaignId }, options);
  }

  /** Returns the clicks per link. Paging is not in the API document, but the `acymailing` profile supports it. */
  getCampaignStatisticsLinks(campaignId: number, page?: PageQuery, options?: CallOptions) {
    return this.call('getCampaignStatisticsLinks', { campaignId, ...page }, options);
  }
}

export type ProbeOptions = Omit<MailingClientOptions, 'profile'> & CallOptions;

export interface ProbeResult {
  readonly profile: ProfileName;
  /** Name of the site, if reported. Untrusted text. */
  readonly siteName?: string;
}

/**
 * Detects the profile of the service at an address, using only reads. Rejects with the most specific `ApiError`: no service (`notJson`,
 * `notFound`), not activated (`forbidden`), wrong key or expired license (`unauthorized`), `redirect` with its `location`, `tls`, `network`
 * or `timeout`.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  const errors: ApiError[] = [];
  for (const [profile, operation] of [
    ['documented', 'getLists'],
    ['acymailing', 'authenticate'],
  ] as const) {
    const caller = new Caller({ ...options, profile });
    try {
      return { profile, ...(await caller.probe(operation, options)) };
    } catch (error) {
      if (!isApiError(error) || error.info.specificity === Infinity) throw error;
      errors.push(error);
    } finally {
      await caller.close();
    }
  }
  // Messages of a service are more specific than hints about its address.
  throw errors.sort((a, b) => b.info.specificity - a.info.specificity)[0];
}

/**
 * Returns whether the service can send an email to a single user. Sends a request without an address, which a capable service rejects with
 * 422 before any other check; nothing is sent. Throws `ApiError` if the service failed or was not reached.
 */
export async function canSendToSingleUser(client: MailingClient, options?: CallOptions): Promise<boolean> {
  try {
    await client.sendEmailToSingleUser({ email: '', emailId: 0 }, options);
  } catch (error) {
    if (!isApiError(error) || (error.outcome === 'unknown' && error.status === undefined)) throw error;
    if (error.status === 422) return true;
    // The task or the operation does not exist.
    if (error.kind === 'forbidden' || error.kind === 'invalid' || error.kind === 'notFound') return false;
    throw error;
  }
  // A service that accepts a request without an address is not supported.
  return false;
}
