import type * as r from './records.ts';
import type * as q from './requests.ts';
import type { JsonObject } from './shapes.ts';

/** Result of each operation of the API document. */
export interface Results {
  getUserSubscriptionById: r.Subscription[];
  getSubscribersFromLists: r.Subscriber[];
  getUnsubscribedUsersFromLists: r.Subscriber[];
  subscribeUsers: q.SubscriptionResult;
  unsubscribeUsers: q.SubscriptionResult;
  getLists: r.MailingList[];
  createList: q.CreateListResult;
  deleteList: q.WriteResult;
  getTemplates: r.Template[];
  getOneTemplate: r.Template;
  createTemplate: q.StoreTemplateResult;
  updateTemplate: q.StoreTemplateResult;
  deleteTemplate: q.WriteResult;
  getFollowUps: r.FollowUp[];
  getFollowUpById: r.FollowUpWithMails;
  deleteFollowUp: q.WriteResult;
  createOrUpdateFollowUp: q.StoreFollowUpResult;
  attachEmailToFollowUp: q.AttachEmailResult;
  deleteEmailFromFollowUp: q.WriteResult;
  getCampaigns: r.Campaign[];
  getCampaignById: r.Campaign;
  sendCampaign: q.WriteResult;
  deleteCampaign: q.WriteResult;
  createOrUpdateCampaign: q.StoreCampaignResult;
  getCampaignStatistics: r.CampaignStatistics[];
  getCampaignStatisticsDetailed: r.CampaignUserStatistics[];
  getCampaignStatisticsClicks: r.CampaignClick[];
  getCampaignStatisticsLinks: r.CampaignLink[];
}

export type OperationName = keyof Results;

/** Results of operations that are not in the API document. Some profiles have them (`Profile.extras`). */
export interface ExtraResults {
  sendEmailToSingleUser: q.WriteResult;
}

export type ExtraName = keyof ExtraResults;

/** Arguments by their names in the API document. */
export type Arguments = Readonly<JsonObject>;
