import type { CallInfo } from './errors.ts';
import { fromWireCampaign, fromWireFollowUp, type ExtraName } from './profiles.ts';
import * as records from './records.ts';
import {
  readAttachEmailResult,
  readCreateListResult,
  readMany,
  readOne,
  readSite,
  readStoreResult,
  readSubscriptionResult,
  readWriteResult,
  type ResponseReader,
  type WriteResult,
} from './results.ts';
import { ShapeError } from './shapes.ts';

/** The wire format of an operation. */
export interface Route<R> extends Omit<CallInfo, 'operation'> {
  /** Arguments that are query parameters, with their names if these differ. The profile names `followUpFilters`. */
  readonly query: readonly (string | readonly [argument: string, name: string])[];
  /** The arguments are the body. */
  readonly hasBody: boolean;
  readonly read: ResponseReader<R>;
}

const get = <R>(
  recordLabel: string,
  activity: string,
  query: Route<R>['query'],
  read: ResponseReader<R>,
): Route<R> => ({
  method: 'GET',
  recordLabel,
  activity,
  query,
  hasBody: false,
  read,
});
const post = <R>(recordLabel: string, activity: string, read: ResponseReader<R>): Route<R> => ({
  method: 'POST',
  recordLabel,
  activity,
  query: [],
  hasBody: true,
  read,
});
const remove = (recordLabel: string, activity: string, ...query: string[]): Route<WriteResult> => ({
  method: 'DELETE',
  recordLabel,
  activity,
  query,
  hasBody: false,
  read: readWriteResult,
});

const subscribers = readMany(records.subscriber);

/** All operations by their names in the API document. Reads may be retried; writes are never retried. */
export const routes = {
  getUserSubscriptionById: get('user', "Reading the user's subscriptions", ['userId'], readMany(records.subscription)),
  getSubscribersFromLists: get('list', 'Reading the subscribers', ['listIds', 'offset', 'limit'], subscribers),
  getUnsubscribedUsersFromLists: get(
    'list',
    'Reading the unsubscribed users',
    ['listIds', 'offset', 'limit'],
    subscribers,
  ),
  subscribeUsers: post('user', 'Subscribing the users', readSubscriptionResult),
  unsubscribeUsers: post('user', 'Unsubscribing the users', readSubscriptionResult),

  getLists: get('list', 'Reading the lists', ['offset', 'limit', 'filters'], readMany(records.list)),
  createList: post('list', 'Creating the list', readCreateListResult),
  deleteList: remove('list', 'Deleting the list', 'listId'),

  getTemplates: get(
    'template',
    'Reading the templates',
    [['search', 'filters[search]'], ['templateType', 'filters[templateType]'], 'limit', 'offset'],
    readMany(records.template),
  ),
  getOneTemplate: get('template', 'Reading the template', ['templateId'], readOne(records.template, 'templateId')),
  createTemplate: post('template', 'Creating the template', readStoreResult('templateId')),
  updateTemplate: post('template', 'Saving the template', readStoreResult('templateId')),
  deleteTemplate: remove('template', 'Deleting the template', 'templateId'),

  getFollowUps: get(
    'follow-up',
    'Reading the follow-ups',
    ['offset', 'limit', ['filters', 'followUpFilters']],
    readMany(records.followUp, fromWireFollowUp),
  ),
  getFollowUpById: get(
    'follow-up',
    'Reading the follow-up',
    ['followUpId'],
    readOne(records.followUpWithMails, 'followUpId', fromWireFollowUp),
  ),
  deleteFollowUp: remove('follow-up', 'Deleting the follow-up', 'followUpId'),
  createOrUpdateFollowUp: post('follow-up', 'Saving the follow-up', readStoreResult('followUpId')),
  attachEmailToFollowUp: post('follow-up', 'Saving the email of the follow-up', readAttachEmailResult),
  deleteEmailFromFollowUp: remove('follow-up', 'Deleting the email of the follow-up', 'followUpId', 'mailId'),

  getCampaigns: get(
    'campaign',
    'Reading the campaigns',
    ['offset', 'limit', 'filters'],
    readMany(records.campaign, fromWireCampaign),
  ),
  getCampaignById: get(
    'campaign',
    'Reading the campaign',
    ['campaignId'],
    readOne(records.campaign, 'campaignId', fromWireCampaign),
  ),
  sendCampaign: {
    ...post('campaign', 'Sending the campaign', readWriteResult),
    query: ['campaignId'],
    hasBody: false,
  },
  deleteCampaign: remove('campaign', 'Deleting the campaign', 'campaignId'),
  createOrUpdateCampaign: post('campaign', 'Saving the campaign', readStoreResult('campaignId')),

  getCampaignStatistics: get(
    'campaign',
    "Reading the campaign's statistics",
    ['campaignId'],
    readMany(records.campaignStatistics),
  ),
  getCampaignStatisticsDetailed: get(
    'campaign',
    "Reading the campaign's statistics per user",
    ['campaignId', 'offset', 'limit'],
    readMany(records.userStatistics),
  ),
  getCampaignStatisticsClicks: get(
    'campaign',
    "Reading the campaign's clicks per user",
    ['campaignId'],
    readMany(records.click),
  ),
  getCampaignStatisticsLinks: get(
    'campaign',
    "Reading the campaign's clicks per address",
    ['campaignId', 'offset', 'limit'],
    readMany(records.link),
  ),
};

export type OperationName = keyof typeof routes;

/** Operations of some profiles that are not in the API document. */
export const extraRoutes = {
  sendEmailToSingleUser: post('recipient or the email', 'Sending the email to one person', readWriteResult),
} satisfies Readonly<Record<ExtraName, Route<unknown>>>;

/** Result of each operation. */
export type Results = {
  readonly [N in OperationName | ExtraName]: (typeof routes & typeof extraRoutes)[N] extends Route<infer R> ? R : never;
};

export const allRoutes: { readonly [N in keyof Results]: Route<Results[N]> } = { ...routes, ...extraRoutes };

/** Routes for probing. */
export const probeRoutes = {
  /** An empty response does not identify a mailing service. */
  getLists: {
    ...routes.getLists,
    read: (answer, call) => {
      if (answer === null) throw new ShapeError('it is empty');
      routes.getLists.read(answer, call);
      return {};
    },
  },
  /** Not in the API document: verifies a key on installations of the `acymailing` profile. */
  authenticate: get('service', 'Looking for the service', [], readSite),
} satisfies Readonly<Record<string, Route<{ readonly siteName?: string }>>>;
