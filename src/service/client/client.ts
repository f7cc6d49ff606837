import { Caller, raceWithAbort, type MailingClientOptions } from './caller.ts';
import type * as r from './records.ts';
import type * as q from './requests.ts';

export type { MailingClientOptions } from './caller.ts';

/**
 * The mailing service's REST interface: one method for each operation of the API document, under its own name and with its own field
 * names. Every method rejects with an `ApiError` and nothing else. Reads are repeated twice on connection errors, 429, 502, 503 and 504;
 * writes never are.
 */
export class MailingClient {
  readonly #caller: Caller;
  readonly #shared = new SharedReads();

  /** Throws an `ApiError` of kind `invalid` for a base URL that can't be used. */
  constructor(options: MailingClientOptions) {
    this.#caller = new Caller(options);
  }

  /** Ends the client's requests and its own connections. A dispatcher it was given stays open. */
  async close(): Promise<void> {
    await this.#caller.close();
  }

  /**
   * Reads something in several requests, once for all who ask for it at the same time: whoever asks while it is under way gets the same
   * answer, so it may tell of a moment before they asked. Rejects with what `read` rejects with, and with the reason of `signal`.
   * @param what names it: the same name means the same
   */
  share<T>(what: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#shared.share(what, read, signal);
  }

  // Subscriptions

  /** The lists a user is or was subscribed to. */
  getUserSubscriptionById(userId: number, options?: q.CallOptions): Promise<r.Subscription[]> {
    return this.#caller.call('getUserSubscriptionById', { userId }, options);
  }

  /** The subscribers of lists; a page of 100 by default. */
  getSubscribersFromLists(
    listIds: readonly number[],
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.Subscriber[]> {
    return this.#caller.call('getSubscribersFromLists', { listIds, ...page }, options);
  }

  /** Those who unsubscribed from lists; a page of 100 by default. */
  getUnsubscribedUsersFromLists(
    listIds: readonly number[],
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.Subscriber[]> {
    return this.#caller.call('getUnsubscribedUsersFromLists', { listIds, ...page }, options);
  }

  /** Subscribes existing users. Sends welcome emails unless told otherwise. */
  subscribeUsers(request: q.SubscribeUsers, options?: q.CallOptions): Promise<q.SubscriptionResult> {
    return this.#caller.call('subscribeUsers', request, options);
  }

  /** Unsubscribes existing users. Sends unsubscribe emails unless told otherwise. */
  unsubscribeUsers(request: q.UnsubscribeUsers, options?: q.CallOptions): Promise<q.SubscriptionResult> {
    return this.#caller.call('unsubscribeUsers', request, options);
  }

  // Lists

  /** A page of 100 lists by default. */
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

  /** A page of 20 templates by default. */
  getTemplates(query?: q.TemplatesQuery, options?: q.CallOptions): Promise<r.Template[]> {
    return this.#caller.call('getTemplates', query ?? {}, options);
  }

  getOneTemplate(templateId: number, options?: q.CallOptions): Promise<r.Template> {
    return this.#caller.call('getOneTemplate', { templateId }, options);
  }

  createTemplate(fields: q.NewTemplate, options?: q.CallOptions): Promise<q.StoreTemplateResult> {
    return this.#caller.call('createTemplate', fields, options);
  }

  /** Changes the given fields alone. Some installations ignore empty strings and `stylesheet`: read back what was stored. */
  updateTemplate(fields: q.TemplateUpdate, options?: q.CallOptions): Promise<q.StoreTemplateResult> {
    return this.#caller.call('updateTemplate', fields, options);
  }

  deleteTemplate(templateId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteTemplate', { templateId }, options);
  }

  // Follow-ups

  /** A page of 100 follow-ups by default, without their mails. */
  getFollowUps(query?: q.FollowUpsQuery, options?: q.CallOptions): Promise<r.FollowUp[]> {
    return this.#caller.call('getFollowUps', query ?? {}, options);
  }

  getFollowUpById(followUpId: number, options?: q.CallOptions): Promise<r.FollowUpWithMails> {
    return this.#caller.call('getFollowUpById', { followUpId }, options);
  }

  deleteFollowUp(followUpId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteFollowUp', { followUpId }, options);
  }

  /** Creates a follow-up, or changes the one whose `followUpId` is given. */
  createOrUpdateFollowUp(fields: q.FollowUpInput, options?: q.CallOptions): Promise<q.StoreFollowUpResult> {
    return this.#caller.call('createOrUpdateFollowUp', fields, options);
  }

  /** Creates a mail in a follow-up, or changes the one whose `mail.id` is given. */
  attachEmailToFollowUp(request: q.EmailAttachment, options?: q.CallOptions): Promise<q.AttachEmailResult> {
    return this.#caller.call('attachEmailToFollowUp', request, options);
  }

  deleteEmailFromFollowUp(followUpId: number, mailId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteEmailFromFollowUp', { followUpId, mailId }, options);
  }

  // Campaigns

  /** A page of 100 campaigns by default, without their bodies. */
  getCampaigns(query?: q.CampaignsQuery, options?: q.CallOptions): Promise<r.Campaign[]> {
    return this.#caller.call('getCampaigns', query ?? {}, options);
  }

  getCampaignById(campaignId: number, options?: q.CallOptions): Promise<r.Campaign> {
    return this.#caller.call('getCampaignById', { campaignId }, options);
  }

  /**
   * Creates a campaign, or changes the one whose `campaignId` is given. Some installations reset what an update leaves out, so an update
   * should carry every field.
   */
  createOrUpdateCampaign(fields: q.CampaignInput, options?: q.CallOptions): Promise<q.StoreCampaignResult> {
    return this.#caller.call('createOrUpdateCampaign', fields, options);
  }

  /** Sends real email to the campaign's lists. It can't be taken back: ask first. */
  sendCampaign(campaignId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('sendCampaign', { campaignId }, options);
  }

  deleteCampaign(campaignId: number, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.call('deleteCampaign', { campaignId }, options);
  }

  // Beside the API document

  /**
   * Sends an email (of a template, a campaign, …) to one user at once, without a campaign and its statistics. Not of the API document:
   * installations of the profile `acymailing` may have it (see `canSendToSingleUser`). Refuses (`notFound`) an address that no user has.
   */
  sendEmailToSingleUser(request: q.SingleEmail, options?: q.CallOptions): Promise<q.WriteResult> {
    return this.#caller.callExtra('sendEmailToSingleUser', request, options);
  }

  // Statistics

  /** One row for each version of the mail; none before the first send. */
  getCampaignStatistics(campaignId: number, options?: q.CallOptions): Promise<r.CampaignStatistics[]> {
    return this.#caller.call('getCampaignStatistics', { campaignId }, options);
  }

  /** One row for each user and version; a page of 100 by default. */
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

  /** The API document knows no pages of it; installations of the profile `acymailing` do. */
  getCampaignStatisticsLinks(
    campaignId: number,
    page?: q.PageQuery,
    options?: q.CallOptions,
  ): Promise<r.CampaignLink[]> {
    return this.#caller.call('getCampaignStatisticsLinks', { campaignId, ...page }, options);
  }
}

/** One read that several wait for. */
interface SharedRead {
  readonly result: Promise<unknown>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Reads that are asked for while the same one is under way share its answer. It goes on as long as anybody waits for it: whoever gives up
 * gets the reason of their own signal.
 */
class SharedReads {
  readonly #pending = new Map<string, SharedRead>();

  async share<T>(what: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const shared = this.#pending.get(what) ?? this.#start(what, read);
    shared.waiting += 1;
    try {
      // What is read under one name is of one type.
      return (await raceWithAbort(shared.result, signal)) as T;
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        this.#forget(what, shared);
        shared.stop.abort();
      }
    }
  }

  #start(what: string, read: (signal: AbortSignal) => Promise<unknown>): SharedRead {
    const stop = new AbortController();
    const shared: SharedRead = { result: read(stop.signal), stop, waiting: 0 };
    this.#pending.set(what, shared);
    // Whoever still waits gets the failure; when nobody does, it is nobody's.
    shared.result
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#forget(what, shared));
    return shared;
  }

  /** Who asks from now on begins a read of their own. */
  #forget(what: string, shared: SharedRead): void {
    if (this.#pending.get(what) === shared) this.#pending.delete(what);
  }
}
