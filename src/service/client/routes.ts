import type { ExtraName, ExtraResults, OperationName, Results } from './operations.ts';
import { fromWireCampaign, fromWireFollowUp, type FieldRuleName } from './profiles.ts';
import * as results from './results.ts';
import type { ResponseReader } from './results.ts';
import * as schemas from './schemas.ts';
import { ShapeError } from './shapes.ts';

/** A query parameter: its argument and its format. */
export interface QueryParameter {
  readonly argument: string;
  /** `value`: `name=…`. `list`: `name[]=…` per item. `map`: `name[key]=…` per entry. */
  readonly as: 'value' | 'list' | 'map';
  /** Default: the name of the argument. `followUpFilters` is resolved by the profile. */
  readonly name?: string;
  /** Profile rules for the keys of a `map`. */
  readonly rules?: Readonly<Record<string, FieldRuleName>>;
}

/** The wire format of an operation. */
export interface Route<R> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Follow-up operations have their own addressing in the API document (style B). */
  readonly family?: 'followUps';
  /** Beginning of a sentence for messages: "Reading the lists". */
  readonly activity: string;
  /** Name of a record for messages. */
  readonly recordLabel: string;
  readonly query?: readonly QueryParameter[];
  /** Set if the arguments are sent as the body: profile rules for its fields. */
  readonly body?: Readonly<Record<string, FieldRuleName>>;
  /** `json` for bodies and where the document requires it; `send` is the content type of `sendCampaign` in the profile. */
  readonly contentType?: 'json' | 'send';
  readonly read: ResponseReader<R>;
}

const valueParameters = (...names: string[]): QueryParameter[] => names.map((argument) => ({ argument, as: 'value' }));
const pageParameters = valueParameters('offset', 'limit');
const subscriberParameters = [{ argument: 'listIds', as: 'list' }, ...pageParameters] as const;
const followUpDefaults = { family: 'followUps', contentType: 'json', recordLabel: 'follow-up' } as const;

/** All operations. GET requests are reads and may be retried; all others are writes and are never retried. */
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

/** Operations of some profiles that are not in the API document. */
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

/** Used for probing. An empty response does not identify a mailing service. */
export const probeListsRoute: Route<void> = {
  ...routes.getLists,
  read: (answer, reading) => {
    if (answer === null) throw new ShapeError('it is empty');
    routes.getLists.read(answer, reading);
  },
};

/** Not in the API document: verifies a key on installations of the `acymailing` profile. Only used for probing. */
export const authenticateRoute: Route<{ siteName?: string }> = {
  method: 'GET',
  activity: 'Looking for the service',
  recordLabel: 'service',
  read: results.readSite,
};
