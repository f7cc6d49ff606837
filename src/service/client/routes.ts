import { t } from '../../l10n.ts';
import type { CallInfo } from './errors.ts';
import { fromWireCampaign, fromWireEmail, fromWireFollowUp, type ExtraName } from './profiles.ts';
import * as records from './records.ts';
import {
  readAttachEmailResult,
  readCreateListResult,
  readMany,
  readOne,
  readPlaces,
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
  /** Default: the operation's name. */
  readonly task?: string;
}

type RecordType = CallInfo['recordType'];
type Describe = CallInfo['describeFailure'];

const get = <R>(
  recordType: RecordType,
  describeFailure: Describe,
  query: Route<R>['query'],
  read: ResponseReader<R>,
): Route<R> => ({
  method: 'GET',
  recordType,
  describeFailure,
  query,
  hasBody: false,
  read,
});
const post = <R>(recordType: RecordType, describeFailure: Describe, read: ResponseReader<R>): Route<R> => ({
  method: 'POST',
  recordType,
  describeFailure,
  query: [],
  hasBody: true,
  read,
});
const remove = (recordType: RecordType, describeFailure: Describe, ...query: string[]): Route<WriteResult> => ({
  method: 'DELETE',
  recordType,
  describeFailure,
  query,
  hasBody: false,
  read: readWriteResult,
});

const subscribers = readMany(records.subscriber);

/** All operations by their names in the API document. Reads may be retried; writes are never retried. */
export const routes = {
  getUserSubscriptionById: get(
    'user',
    () => t("Couldn't read the user's subscriptions."),
    ['userId'],
    readMany(records.subscription),
  ),
  getSubscribersFromLists: get(
    'list',
    () => t("Couldn't read the subscribers."),
    ['listIds', 'offset', 'limit'],
    subscribers,
  ),
  getUnsubscribedUsersFromLists: get(
    'list',
    () => t("Couldn't read the unsubscribed users."),
    ['listIds', 'offset', 'limit'],
    subscribers,
  ),
  subscribeUsers: post('user', () => t("Couldn't subscribe the users."), readSubscriptionResult),
  unsubscribeUsers: post('user', () => t("Couldn't unsubscribe the users."), readSubscriptionResult),

  getLists: get('list', () => t("Couldn't read the lists."), ['offset', 'limit', 'filters'], readMany(records.list)),
  createList: post('list', () => t("Couldn't create the list."), readCreateListResult),
  deleteList: remove('list', () => t("Couldn't delete the list."), 'listId'),

  getTemplates: get(
    'template',
    () => t("Couldn't read the templates."),
    [['search', 'filters[search]'], ['templateType', 'filters[templateType]'], 'limit', 'offset'],
    readMany(records.template, fromWireEmail),
  ),
  getOneTemplate: get(
    'template',
    () => t("Couldn't read the template."),
    ['templateId'],
    readOne(records.template, 'templateId', fromWireEmail),
  ),
  createTemplate: post('template', () => t("Couldn't create the template."), readStoreResult('templateId')),
  updateTemplate: post('template', () => t("Couldn't save the template."), readStoreResult('templateId')),
  deleteTemplate: remove('template', () => t("Couldn't delete the template."), 'templateId'),

  getFollowUps: get(
    'followUp',
    () => t("Couldn't read the follow-ups."),
    ['offset', 'limit', ['filters', 'followUpFilters']],
    readMany(records.followUp, fromWireFollowUp),
  ),
  getFollowUpById: get(
    'followUp',
    () => t("Couldn't read the follow-up."),
    ['followUpId'],
    readOne(records.followUpWithMails, 'followUpId', fromWireFollowUp),
  ),
  deleteFollowUp: remove('followUp', () => t("Couldn't delete the follow-up."), 'followUpId'),
  createOrUpdateFollowUp: post('followUp', () => t("Couldn't save the follow-up."), readStoreResult('followUpId')),
  attachEmailToFollowUp: post('followUp', () => t("Couldn't save the email of the follow-up."), readAttachEmailResult),
  deleteEmailFromFollowUp: remove(
    'followUp',
    () => t("Couldn't delete the email of the follow-up."),
    'followUpId',
    'mailId',
  ),

  getCampaigns: get(
    'campaign',
    () => t("Couldn't read the campaigns."),
    ['offset', 'limit', 'filters'],
    readMany(records.campaign, fromWireCampaign),
  ),
  getCampaignById: get(
    'campaign',
    () => t("Couldn't read the campaign."),
    ['campaignId'],
    readOne(records.campaign, 'campaignId', fromWireCampaign),
  ),
  sendCampaign: {
    ...post('campaign', () => t("Couldn't send the campaign."), readWriteResult),
    query: ['campaignId'],
    hasBody: false,
  },
  deleteCampaign: remove('campaign', () => t("Couldn't delete the campaign."), 'campaignId'),
  createOrUpdateCampaign: post('campaign', () => t("Couldn't save the campaign."), readStoreResult('campaignId')),

  getCampaignStatistics: get(
    'campaign',
    () => t("Couldn't read the campaign's statistics."),
    ['campaignId'],
    readMany(records.campaignStatistics),
  ),
  getCampaignStatisticsDetailed: get(
    'campaign',
    () => t("Couldn't read the campaign's statistics per user."),
    ['campaignId', 'offset', 'limit'],
    readMany(records.userStatistics),
  ),
  getCampaignStatisticsClicks: get(
    'campaign',
    () => t("Couldn't read the campaign's clicks per user."),
    ['campaignId'],
    readMany(records.click),
  ),
  getCampaignStatisticsLinks: get(
    'campaign',
    () => t("Couldn't read the campaign's clicks per address."),
    ['campaignId', 'offset', 'limit'],
    readMany(records.link),
  ),
};

export type OperationName = keyof typeof routes;

/** Operations of some profiles that are not in the API document. */
export const extraRoutes = {
  sendEmailToSingleUser: post('recipient', () => t("Couldn't send the email to one person."), readWriteResult),
  getUsers: get(
    'user',
    () => t("Couldn't read the subscribers."),
    ['offset', 'limit', 'filters'],
    readMany(records.user),
  ),
  getEmails: get(
    'recipient',
    () => t("Couldn't read the emails."),
    ['offset', 'limit', 'filters'],
    readMany(records.email),
  ),
  getFollowupStatistics: get(
    'followUp',
    () => t("Couldn't read the statistics of the follow-up."),
    [['followUpId', 'followupId']],
    readPlaces(records.campaignStatistics),
  ),
  getCampaignVersions: {
    ...routes.getCampaignStatistics,
    task: 'getCampaignStatistics',
    read: readPlaces(records.campaignStatistics),
  },
} satisfies Readonly<Record<ExtraName, Route<unknown>>>;

/** Result of each operation. */
export type Results = {
  readonly [N in OperationName | ExtraName]: (typeof routes & typeof extraRoutes)[N] extends Route<infer R> ? R : never;
};

export const allRoutes: { readonly [N in keyof Results]: Route<Results[N]> } = { ...routes, ...extraRoutes };

const describeFailedProbe = () => t("Couldn't connect.");

/** Routes for probing. */
export const probeRoutes = {
  /** An empty response does not identify a mailing service. */
  getLists: {
    ...routes.getLists,
    describeFailure: describeFailedProbe,
    read: (answer, call) => {
      if (answer === null) throw new ShapeError(t('The response is empty.'));
      routes.getLists.read(answer, call);
      return {};
    },
  },
  /** Not in the API document: verifies a key on installations of the `acymailing` profile. */
  authenticate: get('service', describeFailedProbe, [], readSite),
} satisfies Readonly<Record<string, Route<{ readonly siteName?: string }>>>;
