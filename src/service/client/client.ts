import { Caller, raceWithAbort, type MailingClientOptions } from './caller.ts';
import type * as r from './records.ts';
import type * as q from './requests.ts';

export type { MailingClientOptions } from './caller.ts';

/**
 * Client for the REST API of the mailing service: one method per operation of the API document, with its names for operations and fields.
 * Every method rejects only with `ApiError`. Reads are retried twice on connection errors and the statuses 429, 502, 503 and 504; writes
 * are never retried.
 */
export class MailingClient {
  readonly #caller: Caller;
  readonly #shared = new SharedReads();

  /** Throws an `ApiError` of kind `invalid` if the base URL is invalid. */
  constructor(options: MailingClientOptions) {
    this.#caller = new Caller(options);
  }

  /** Aborts pending requests and closes the client's own connections. A dispatcher that was passed in stays open. */
  async close(): Promise<void> {
    await this.#caller.close();
  }

  /**
   * Runs a read once for all concurrent callers that use the same key, so the result may predate the call. Rejects with the error of `read`
   * or the reason of `signal`.
   * @param key identifies the read
   */
  share<T>(key: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#shared.share(key, read, signal);
  }

  // Subscriptions

  /** Returns the lists that a user is or was subscribed to. */
  getUserSubscriptionById(userId: number, options?: q.CallOptions): Promise<r.Subscription[]> {
    return this.#caller.call('getUserSubscriptionById', { userId }, options);
  }

  /** Returns a page of subscribers, 100 by default. */
  getSubscribersFromLists(
    listIds: readonly number[],
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.Subscriber[]> {
    return this.#caller.call('getSubscribersFromLists', { listIds, ...page }, options);
  }

  /** Returns a page of unsubscribed users, 100 by default. */
  getUnsubscribedUsersFromLists(
    listIds: readonly number[],
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.Subscriber[]> {
    return this.#caller.call('getUnsubscribedUsersFromLists', { listIds, ...page }, options);
  }

  /** Subscribes existing users. Sends welcome emails by default. */
  subscribeUsers(request: q.SubscribeUsers, options?: q.CallOptions): Promise<q.SubscriptionResult> {
    return this.#caller.call('subscribeUsers', request, options);
  }

  /** Unsubscribes existing users. Sends unsubscribe emails by default. */
  unsubscribeUsers(request: q.UnsubscribeUsers, options?: q.CallOptions): Promise<q.SubscriptionResult> {
    return this.#caller.call('unsubscribeUsers', request, options);
  }

  // Lists

  /** Returns a page of lists, 100 by default. */
  getLists(query?: q.ListsQuery, options?: q.CallOptions): Promise<r.MailingList[]> {
    return this.#caller.call('getLists', query ?? {}, options);
  }

  createList(fields: q.NewList, options?: q.CallOptions): Promise<q.CreateListResult> {
    return this.#caller.call('createList', fields, options);
  }

  deleteList(listId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteList', { listId }, options);
  }

  // Templates

  /** Returns a page of templates, 20 by default. */
  getTemplates(query?: q.TemplatesQuery, options?: q.CallOptions): Promise<r.Template[]> {
    return this.#caller.call('getTemplates', query ?? {}, options);
  }

  getOneTemplate(templateId: number, options?: q.CallOptions): Promise<r.Template> {
    return this.#caller.call('getOneTemplate', { templateId }, options);
  }

  createTemplate(fields: q.NewTemplate, options?: q.CallOptions): Promise<q.StoreTemplateResult> {
    return this.#caller.call('createTemplate', fields, options);
  }

  /** Changes only the given fields. Some installations ignore empty strings and `stylesheet`, so read the template back. */
  updateTemplate(fields: q.TemplateUpdate, options?: q.CallOptions): Promise<q.StoreTemplateResult> {
    return this.#caller.call('updateTemplate', fields, options);
  }

  deleteTemplate(templateId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteTemplate', { templateId }, options);
  }

  // Follow-ups

  /** Returns a page of follow-ups without their mails, 100 by default. */
  getFollowUps(query?: q.FollowUpsQuery, options?: q.CallOptions): Promise<r.FollowUp[]> {
    return this.#caller.call('getFollowUps', query ?? {}, options);
  }

  getFollowUpById(followUpId: number, options?: q.CallOptions): Promise<r.FollowUpWithMails> {
    return this.#caller.call('getFollowUpById', { followUpId }, options);
  }

  deleteFollowUp(followUpId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteFollowUp', { followUpId }, options);
  }

  /** Creates a follow-up, or updates it if `followUpId` is given. */
  createOrUpdateFollowUp(fields: q.FollowUpInput, options?: q.CallOptions): Promise<q.StoreFollowUpResult> {
    return this.#caller.call('createOrUpdateFollowUp', fields, options);
  }

  /** Adds a mail to a follow-up, or updates it if `mail.id` is given. */
  attachEmailToFollowUp(request: q.EmailAttachment, options?: q.CallOptions): Promise<q.AttachEmailResult> {
    return this.#caller.call('attachEmailToFollowUp', request, options);
  }

  deleteEmailFromFollowUp(followUpId: number, mailId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteEmailFromFollowUp', { followUpId, mailId }, options);
  }

  // Campaigns

  /** Returns a page of campaigns without their bodies, 100 by default. */
  getCampaigns(query?: q.CampaignsQuery, options?: q.CallOptions): Promise<r.Campaign[]> {
    return this.#caller.call('getCampaigns', query ?? {}, options);
  }

  getCampaignById(campaignId: number, options?: q.CallOptions): Promise<r.Campaign> {
    return this.#caller.call('getCampaignById', { campaignId }, options);
  }

  /**
   * Creates a campaign, or updates it if `campaignId` is given. Some installations reset omitted fields, so an update should contain every
   * field.
   */
  createOrUpdateCampaign(fields: q.CampaignInput, options?: q.CallOptions): Promise<q.StoreCampaignResult> {
    return this.#caller.call('createOrUpdateCampaign', fields, options);
  }

  /** Sends real email to the campaign's lists. This can't be undone, so ask for confirmation first. */
  sendCampaign(campaignId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('sendCampaign', { campaignId }, options);
  }

  deleteCampaign(campaignId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteCampaign', { campaignId }, options);
  }

  // Not in the API document

  /**
   * Sends an email (of a template, a campaign, …) to one user, without a campaign or statistics. Not in the API document: some
   * installations of the `acymailing` profile have it (see `canSendToSingleUser`). Rejects with `notFound` if no user has the address.
   */
  sendEmailToSingleUser(request: q.SingleEmail, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.callExtra('sendEmailToSingleUser', request, options);
  }

  // Statistics

  /** Returns one row per version of the mail; none before the first send. */
  getCampaignStatistics(campaignId: number, options?: q.CallOptions): Promise<r.CampaignStatistics[]> {
    return this.#caller.call('getCampaignStatistics', { campaignId }, options);
  }

  /** Returns one row per user and version, 100 per page by default. */
  getCampaignStatisticsDetailed(
    campaignId: number,
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.CampaignUserStatistics[]> {
    return this.#caller.call('getCampaignStatisticsDetailed', { campaignId, ...page }, options);
  }

  getCampaignStatisticsClicks(campaignId: number, options?: q.CallOptions): Promise<r.CampaignClick[]> {
    return this.#caller.call('getCampaignStatisticsClicks', { campaignId }, options);
  }

  /** Returns the clicks per link. Paging is not in the API document, but the `acymailing` profile supports it. */
  getCampaignStatisticsLinks(
    campaignId: number,
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.CampaignLink[]> {
    return this.#caller.call('getCampaignStatisticsLinks', { campaignId, ...page }, options);
  }
}

interface SharedRead {
  readonly result: Promise<unknown>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Shares concurrent reads that have the same key. A read continues while at least one caller waits for it; a caller that aborts gets the
 * reason of its own signal.
 */
class SharedReads {
  readonly #pending = new Map<string, SharedRead>();

  async share<T>(key: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const shared = this.#pending.get(key) ?? this.#start(key, read);
    shared.waiting += 1;
    try {
      // Reads with the same key have the same type.
      return (await raceWithAbort(shared.result, signal)) as T;
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        this.#forget(key, shared);
        shared.stop.abort();
      }
    }
  }

  #start(key: string, read: (signal: AbortSignal) => Promise<unknown>): SharedRead {
    const stop = new AbortController();
    const shared: SharedRead = { result: read(stop.signal), stop, waiting: 0 };
    this.#pending.set(key, shared);
    // Waiting callers get the failure. Without any, it must not become an unhandled rejection.
    shared.result
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#forget(key, shared));
    return shared;
  }

  /** Makes later calls start a new read. */
  #forget(key: string, shared: SharedRead): void {
    if (this.#pending.get(key) === shared) this.#pending.delete(key);
  }
}
