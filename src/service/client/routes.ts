import type { ExtraName, ExtraResults, OperationName, Results } from './operations.ts';
import { fromWireCampaign, fromWireFollowUp, type FieldRuleName } from './profiles.ts';
import * as results from './results.ts';
import type { ResponseReader } from './results.ts';
import * as schemas from './schemas.ts';
import { ShapeError } from './shapes.ts';

/** One query parameter: the argument it is made of, and how that is written. */
export interface QueryParameter {
  readonly argument: string;
  /** `value`: `name=…`. `list`: `name[]=…` for each. `map`: `name[key]=…` for each. */
  readonly as: 'value' | 'list' | 'map';
  /** Default: the argument's name. `followUpFilters` is the profile's. */
  readonly name?: string;
  /** How keys of a `map` are written differently by profiles. */
  readonly rules?: Readonly<Record<string, FieldRuleName>>;
}

/** How one operation is called. */
export interface Route<R> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Follow-ups are addressed their own way in the API document (style B). */
  readonly family?: 'followUps';
  /** Sentence beginning for messages: "Reading the lists". */
  readonly activity: string;
  /** What one record is called in messages. */
  readonly recordLabel: string;
  readonly query?: readonly QueryParameter[];
  /** Present where the arguments are the body: the fields that profiles write differently. */
  readonly body?: Readonly<Record<string, FieldRuleName>>;
  /** `Content-Type`: `json` for bodies and where the document lists it, `send` is the profile's for `sendCampaign`. */
  readonly contentType?: 'json' | 'send';
  readonly read: ResponseReader<R>;
}

const valueParameters = (...names: string[]): QueryParameter[] => names.map((argument) => ({ argument, as: 'value' }));
const pageParameters = valueParameters('offset', 'limit');
const subscriberParameters = [{ argument: 'listIds', as: 'list' }, ...pageParameters] as const;
const followUpDefaults = { family: 'followUps', contentType: 'json', recordLabel: 'follow-up' } as const;

/** The one table of the interface. Every read is a GET and may be repeated; everything else is a write and never is. */
export const routes: { readonly [N in OperationName]: Route<Results[N]> } = {
  getUserSubscriptionById: {
    method: 'GET',
    activity: "Reading the user's subscriptions",
    recordLabel: 'user',
    query: valueParameters('userId'),
    read: results.readMany(schemas.subscription),
  },
  getSubscribersFromLists: {
    method: 'GET',
    activity: 'Reading the subscribers',
    recordLabel: 'list',
    query: subscriberParameters,
    read: results.readMany(schemas.subscriber),
  },
  getUnsubscribedUsersFromLists: {
    method: 'GET',
    activity: 'Reading the unsubscribed users',
    recordLabel: 'list',
    query: subscriberParameters,
    read: results.readMany(schemas.subscriber),
  },
  subscribeUsers: {
    method: 'POST',
    activity: 'Subscribing the users',
    recordLabel: 'user',
    body: {},
    contentType: 'json',
    read: results.readSubscriptionResult,
  },
  unsubscribeUsers: {
    method: 'POST',
    activity: 'Unsubscribing the users',
    recordLabel: 'user',
    body: {},
    contentType: 'json',
    read: results.readSubscriptionResult,
  },

  getLists: {
    method: 'GET',
    activity: 'Reading the lists',
    recordLabel: 'list',
    query: [...pageParameters, { argument: 'filters', as: 'map' }],
    read: results.readMany(schemas.list),
  },
  createList: {
    method: 'POST',
    activity: 'Creating the list',
    recordLabel: 'list',
    body: {},
    contentType: 'json',
    read: results.readCreateListResult,
  },
  deleteList: {
    method: 'DELETE',
    activity: 'Deleting the list',
    recordLabel: 'list',
    query: valueParameters('listId'),
    read: results.readWriteResult,
  },

  getTemplates: {
    method: 'GET',
    activity: 'Reading the templates',
    recordLabel: 'template',
    query: [
      { argument: 'search', as: 'value', name: 'filters[search]' },
      { argument: 'templateType', as: 'value', name: 'filters[templateType]' },
      ...valueParameters('limit', 'offset'),
    ],
    read: results.readMany(schemas.template),
  },
  getOneTemplate: {
    method: 'GET',
    activity: 'Reading the template',
    recordLabel: 'template',
    query: valueParameters('templateId'),
    read: results.readOne(schemas.template, 'templateId'),
  },
  createTemplate: {
    method: 'POST',
    activity: 'Creating the template',
    recordLabel: 'template',
    body: {},
    contentType: 'json',
    read: results.readStoreTemplateResult,
  },
  updateTemplate: {
    method: 'POST',
    activity: 'Saving the template',
    recordLabel: 'template',
    body: { templateId: 'templateId' },
    contentType: 'json',
    read: results.readStoreTemplateResult,
  },
  deleteTemplate: {
    method: 'DELETE',
    activity: 'Deleting the template',
    recordLabel: 'template',
    query: valueParameters('templateId'),
    read: results.readWriteResult,
  },

  getFollowUps: {
    ...followUpDefaults,
    method: 'GET',
    activity: 'Reading the follow-ups',
    query: [
      ...pageParameters,
      { argument: 'filters', as: 'map', name: 'followUpFilters', rules: { trigger: 'trigger' } },
    ],
    read: results.readMany(schemas.followUp, fromWireFollowUp),
  },
  getFollowUpById: {
    ...followUpDefaults,
    method: 'GET',
    activity: 'Reading the follow-up',
    query: valueParameters('followUpId'),
    read: results.readOne(schemas.followUpWithMails, 'followUpId', fromWireFollowUp),
  },
  deleteFollowUp: {
    ...followUpDefaults,
    method: 'DELETE',
    activity: 'Deleting the follow-up',
    query: valueParameters('followUpId'),
    read: results.readWriteResult,
  },
  createOrUpdateFollowUp: {
    ...followUpDefaults,
    method: 'POST',
    activity: 'Saving the follow-up',
    body: { trigger: 'trigger' },
    read: results.readStoreFollowUpResult,
  },
  attachEmailToFollowUp: {
    ...followUpDefaults,
    method: 'POST',
    activity: 'Saving the email of the follow-up',
    body: {},
    read: results.readAttachEmailResult,
  },
  deleteEmailFromFollowUp: {
    ...followUpDefaults,
    method: 'DELETE',
    activity: 'Deleting the email of the follow-up',
    query: valueParameters('followUpId', 'mailId'),
    read: results.readWriteResult,
  },

  getCampaigns: {
    method: 'GET',
    activity: 'Reading the campaigns',
    recordLabel: 'campaign',
    query: [...pageParameters, { argument: 'filters', as: 'map' }],
    read: results.readMany(schemas.campaign, fromWireCampaign),
  },
  getCampaignById: {
    method: 'GET',
    activity: 'Reading the campaign',
    recordLabel: 'campaign',
    query: valueParameters('campaignId'),
    read: results.readOne(schemas.campaign, 'campaignId', fromWireCampaign),
  },
  sendCampaign: {
    method: 'POST',
    activity: 'Sending the campaign',
    recordLabel: 'campaign',
    query: valueParameters('campaignId'),
    contentType: 'send',
    read: results.readWriteResult,
  },
  deleteCampaign: {
    method: 'DELETE',
    activity: 'Deleting the campaign',
    recordLabel: 'campaign',
    query: valueParameters('campaignId'),
    read: results.readWriteResult,
  },
  createOrUpdateCampaign: {
    method: 'POST',
    activity: 'Saving the campaign',
    recordLabel: 'campaign',
    body: { start_date: 'startDate' },
    contentType: 'json',
    read: results.readStoreCampaignResult,
  },

  getCampaignStatistics: {
    method: 'GET',
    activity: "Reading the campaign's statistics",
    recordLabel: 'campaign',
    query: valueParameters('campaignId'),
    read: results.readMany(schemas.campaignStatistics),
  },
  getCampaignStatisticsDetailed: {
    method: 'GET',
    activity: "Reading the campaign's statistics per user",
    recordLabel: 'campaign',
    query: [...valueParameters('campaignId'), ...pageParameters],
    read: results.readMany(schemas.userStatistics),
  },
  getCampaignStatisticsClicks: {
    method: 'GET',
    activity: "Reading the campaign's clicks per user",
    recordLabel: 'campaign',
    query: valueParameters('campaignId'),
    read: results.readMany(schemas.click),
  },
  getCampaignStatisticsLinks: {
    method: 'GET',
    activity: "Reading the campaign's clicks per address",
    recordLabel: 'campaign',
    query: [...valueParameters('campaignId'), ...pageParameters],
    read: results.readMany(schemas.link),
  },
};

/** Operations that the API document does not have, of the profiles that list them. */
export const extraRoutes: { readonly [N in ExtraName]: Route<ExtraResults[N]> } = {
  sendEmailToSingleUser: {
    method: 'POST',
    activity: 'Sending the email to one person',
    recordLabel: 'recipient or the email',
    body: {},
    contentType: 'json',
    read: results.readWriteResult,
  },
};

/** For probing alone: an empty answer may be anybody's, and tells of no mailing service. */
export const probeListsRoute: Route<void> = {
  ...routes.getLists,
  read: (answer, reading) => {
    if (answer === null) throw new ShapeError('it is empty');
    routes.getLists.read(answer, reading);
  },
};

/** Not an operation of the document: how installations of the `acymailing` profile answer to a key. Only probing calls it. */
export const authenticateRoute: Route<{ siteName?: string }> = {
  method: 'GET',
  activity: 'Looking for the service',
  recordLabel: 'service',
  read: results.readSite,
};
