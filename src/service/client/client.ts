import { Caller } from './caller.ts';
import type * as q from './requests.ts';

/**
 * Client for the REST API of the mailing service: one method per operation of the API document, with its names for operations and fields.
 * Every method rejects only with `ApiError`. Reads are retried twice on connection errors and the statuses 429, 502, 503 and 504; writes
 * are never retried.
 */
export class MailingClient extends Caller {
  // Subscriptions

  /** Returns the lists that a user is or was subscribed to. */
  getUserSubscriptionById(userId: number, options?: q.CallOptions) {
    return this.call('getUserSubscriptionById', { userId }, options);
  }

  /** Returns a page of subscribers, 100 by default. */
  getSubscribersFromLists(listIds: readonly number[], page?: q.PageQuery, options?: q.CallOptions) {
    return this.call('getSubscribersFromLists', { listIds, ...page }, options);
  }

  /** Returns a page of unsubscribed users, 100 by default. */
  getUnsubscribedUsersFromLists(listIds: readonly number[], page?: q.PageQuery, options?: q.CallOptions) {
    return this.call('getUnsubscribedUsersFromLists', { listIds, ...page }, options);
  }

  /** Subscribes existing users. Sends welcome emails by default. */
  subscribeUsers(request: q.SubscribeUsers, options?: q.CallOptions) {
    return this.call('subscribeUsers', request, options);
  }

  /** Unsubscribes existing users. Sends unsubscribe emails by default. */
  unsubscribeUsers(request: q.UnsubscribeUsers, options?: q.CallOptions) {
    return this.call('unsubscribeUsers', request, options);
  }

  // Lists

  /** Returns a page of lists, 100 by default. */
  getLists(query?: q.ListsQuery, options?: q.CallOptions) {
    return this.call('getLists', query ?? {}, options);
  }

  createList(fields: q.NewList, options?: q.CallOptions) {
    return this.call('createList', fields, options);
  }

  deleteList(listId: number, options?: q.CallOptions) {
    return this.call('deleteList', { listId }, options);
  }

  // Templates

  /** Returns a page of templates, 20 by default. */
  getTemplates(query?: q.TemplatesQuery, options?: q.CallOptions) {
    return this.call('getTemplates', query ?? {}, options);
  }

  getOneTemplate(templateId: number, options?: q.CallOptions) {
    return this.call('getOneTemplate', { templateId }, options);
  }

  createTemplate(fields: q.NewTemplate, options?: q.CallOptions) {
    return this.call('createTemplate', fields, options);
  }

  /** Changes only the given fields. Some installations ignore empty strings and `stylesheet`, so read the template back. */
  updateTemplate(fields: q.TemplateUpdate, options?: q.CallOptions) {
    return this.call('updateTemplate', fields, options);
  }

  deleteTemplate(templateId: number, options?: q.CallOptions) {
    return this.call('deleteTemplate', { templateId }, options);
  }

  // Follow-ups

  /** Returns a page of follow-ups without their mails, 100 by default. */
  getFollowUps(query?: q.FollowUpsQuery, options?: q.CallOptions) {
    return this.call('getFollowUps', query ?? {}, options);
  }

  getFollowUpById(followUpId: number, options?: q.CallOptions) {
    return this.call('getFollowUpById', { followUpId }, options);
  }

  deleteFollowUp(followUpId: number, options?: q.CallOptions) {
    return this.call('deleteFollowUp', { followUpId }, options);
  }

  /** Creates a follow-up, or updates it if `followUpId` is given. */
  createOrUpdateFollowUp(fields: q.FollowUpInput, options?: q.CallOptions) {
    return this.call('createOrUpdateFollowUp', fields, options);
  }

  /** Adds a mail to a follow-up, or updates it if `mail.id` is given. */
  attachEmailToFollowUp(request: q.EmailAttachment, options?: q.CallOptions) {
    return this.call('attachEmailToFollowUp', request, options);
  }

  deleteEmailFromFollowUp(followUpId: number, mailId: number, options?: q.CallOptions) {
    return this.call('deleteEmailFromFollowUp', { followUpId, mailId }, options);
  }

  // Campaigns

  /** Returns a page of campaigns without their bodies, 100 by default. */
  getCampaigns(query?: q.CampaignsQuery, options?: q.CallOptions) {
    return this.call('getCampaigns', query ?? {}, options);
  }

  getCampaignById(campaignId: number, options?: q.CallOptions) {
    return this.call('getCampaignById', { campaignId }, options);
  }

  /**
   * Creates a campaign, or updates it if `campaignId` is given. Some installations reset omitted fields, so an update should contain every
   * field.
   */
  createOrUpdateCampaign(fields: q.CampaignInput, options?: q.CallOptions) {
    return this.call('createOrUpdateCampaign', fields, options);
  }

  /** Sends real email to the campaign's lists. This can't be undone, so ask for confirmation first. */
  sendCampaign(campaignId: number, options?: q.CallOptions) {
    return this.call('sendCampaign', { campaignId }, options);
  }

  deleteCampaign(campaignId: number, options?: q.CallOptions) {
    return this.call('deleteCampaign', { campaignId }, options);
  }

  // Not in the API document

  /**
   * Sends an email (of a template, a campaign, …) to one user, without a campaign or statistics. Not in the API document: some
   * installations of the `acymailing` profile have it (see `canSendToSingleUser`). Rejects with `notFound` if no user has the address.
   */
  sendEmailToSingleUser(request: q.SingleEmail, options?: q.CallOptions) {
    return this.callExtra('sendEmailToSingleUser', request, options);
  }

  // Statistics

  /** Returns one row per version of the mail; none before the first send. */
  getCampaignStatistics(campaignId: number, options?: q.CallOptions) {
    return this.call('getCampaignStatistics', { campaignId }, options);
  }

  /** Returns one row per user and version, 100 per page by default. */
  getCampaignStatisticsDetailed(campaignId: number, page?: q.PageQuery, options?: q.CallOptions) {
    return this.call('getCampaignStatisticsDetailed', { campaignId, ...page }, options);
  }

  getCampaignStatisticsClicks(campaignId: number, options?: q.CallOptions) {
    return this.call('getCampaignStatisticsClicks', { campaignId }, options);
  }

  /** Returns the clicks per link. Paging is not in the API document, but the `acymailing` profile supports it. */
  getCampaignStatisticsLinks(campaignId: number, page?: q.PageQuery, options?: q.CallOptions) {
    return this.call('getCampaignStatisticsLinks', { campaignId, ...page }, options);
  }
}
