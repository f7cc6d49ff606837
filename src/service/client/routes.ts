import type { ExtraName, ExtraResults, OperationName, Results } from './operations.ts';
import { incomingCampaign, incomingFollowUp, type FieldRuleName } from './profiles.ts';
import * as results from './results.ts';
import type { Reader } from './results.ts';
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
  readonly doing: string;
  /** What one record is called in messages. */
  readonly noun: string;
  readonly query?: readonly QueryParameter[];
  /** Present where the arguments are the body: the fields that profiles write differently. */
  readonly body?: Readonly<Record<string, FieldRuleName>>;
  /** `Content-Type`: `json` for bodies and where the document lists it, `send` is the profile's for `sendCampaign`. */
  readonly contentType?: 'json' | 'send';
  readonly read: Reader<R>;
}

const value = (...names: string[]): QueryParameter[] => names.map((argument) => ({ argument, as: 'value' }));
const page = value('offset', 'limit');
const subscribers = [{ argument: 'listIds', as: 'list' }, ...page] as const;
const followUps = { family: 'followUps', contentType: 'json', noun: 'follow-up' } as const;

/** The one table of the interface. Every read is a GET and may be repeated; everything else is a write and never is. */
export const routes: { readonly [N in OperationName]: Route<Results[N]> } = {
  getUserSubscriptionById: {
    method: 'GET',
    doing: "Reading the user's subscriptions",
    noun: 'user',
    query: value('userId'),
    read: results.many(schemas.subscription),
  },
  getSubscribersFromLists: {
    method: 'GET',
    doing: 'Reading the subscribers',
    noun: 'list',
    query: subscribers,
    read: results.many(schemas.subscriber),
  },
  getUnsubscribedUsersFromLists: {
    method: 'GET',
    doing: 'Reading the unsubscribed users',
    noun: 'list',
    query: subscribers,
    read: results.many(schemas.subscriber),
  },
  subscribeUsers: {
    method: 'POST',
    doing: 'Subscribing the users',
    noun: 'user',
    body: {},
    contentType: 'json',
    read: results.subscriptionResult,
  },
  unsubscribeUsers: {
    method: 'POST',
    doing: 'Unsubscribing the users',
    noun: 'user',
    body: {},
    contentType: 'json',
    read: results.subscriptionResult,
  },

  getLists: {
    method: 'GET',
    doing: 'Reading the lists',
    noun: 'list',
    query: [...page, { argument: 'filters', as: 'map' }],
    read: results.many(schemas.list),
  },
  createList: {
    method: 'POST',
    doing: 'Creating the list',
    noun: 'list',
    body: {},
    contentType: 'json',
    read: results.listCreated,
  },
  deleteList: {
    method: 'DELETE',
    doing: 'Deleting the list',
    noun: 'list',
    query: value('listId'),
    read: results.done,
  },

  getTemplates: {
    method: 'GET',
    doing: 'Reading the templates',
    noun: 'template',
    query: [
      { argument: 'search', as: 'value', name: 'filters[search]' },
      { argument: 'templateType', as: 'value', name: 'filters[templateType]' },
      ...value('limit', 'offset'),
    ],
    read: results.many(schemas.template),
  },
  getOneTemplate: {
    method: 'GET',
    doing: 'Reading the template',
    noun: 'template',
    query: value('templateId'),
    read: results.one(schemas.template, 'templateId'),
  },
  createTemplate: {
    method: 'POST',
    doing: 'Creating the template',
    noun: 'template',
    body: {},
    contentType: 'json',
    read: results.templateStored,
  },
  updateTemplate: {
    method: 'POST',
    doing: 'Saving the template',
    noun: 'template',
    body: { templateId: 'templateId' },
    contentType: 'json',
    read: results.templateStored,
  },
  deleteTemplate: {
    method: 'DELETE',
    doing: 'Deleting the template',
    noun: 'template',
    query: value('templateId'),
    read: results.done,
  },

  getFollowUps: {
    ...followUps,
    method: 'GET',
    doing: 'Reading the follow-ups',
    query: [...page, { argument: 'filters', as: 'map', name: 'followUpFilters', rules: { trigger: 'trigger' } }],
    read: results.many(schemas.followUp, incomingFollowUp),
  },
  getFollowUpById: {
    ...followUps,
    method: 'GET',
    doing: 'Reading the follow-up',
    query: value('followUpId'),
    read: results.one(schemas.followUpWithMails, 'followUpId', incomingFollowUp),
  },
  deleteFollowUp: {
    ...followUps,
    method: 'DELETE',
    doing: 'Deleting the follow-up',
    query: value('followUpId'),
    read: results.done,
  },
  createOrUpdateFollowUp: {
    ...followUps,
    method: 'POST',
    doing: 'Saving the follow-up',
    body: { trigger: 'trigger' },
    read: results.followUpStored,
  },
  attachEmailToFollowUp: {
    ...followUps,
    method: 'POST',
    doing: 'Saving the email of the follow-up',
    body: {},
    read: results.emailAttached,
  },
  deleteEmailFromFollowUp: {
    ...followUps,
    method: 'DELETE',
    doing: 'Deleting the email of the follow-up',
    query: value('followUpId', 'mailId'),
    read: results.done,
  },

  getCampaigns: {
    method: 'GET',
    doing: 'Reading the campaigns',
    noun: 'campaign',
    query: [...page, { argument: 'filters', as: 'map' }],
    read: results.many(schemas.campaign, incomingCampaign),
  },
  getCampaignById: {
    method: 'GET',
    doing: 'Reading the campaign',
    noun: 'campaign',
    query: value('campaignId'),
    read: results.one(schemas.campaign, 'campaignId', incomingCampaign),
  },
  sendCampaign: {
    method: 'POST',
    doing: 'Sending the campaign',
    noun: 'campaign',
    query: value('campaignId'),
    contentType: 'send',
    read: results.done,
  },
  deleteCampaign: {
    method: 'DELETE',
    doing: 'Deleting the campaign',
    noun: 'campaign',
    query: value('campaignId'),
    read: results.done,
  },
  createOrUpdateCampaign: {
    method: 'POST',
    doing: 'Saving the campaign',
    noun: 'campaign',
    body: { start_date: 'startDate' },
    contentType: 'json',
    read: results.campaignStored,
  },

  getCampaignStatistics: {
    method: 'GET',
    doing: "Reading the campaign's statistics",
    noun: 'campaign',
    query: value('campaignId'),
    read: results.many(schemas.campaignStatistics),
  },
  getCampaignStatisticsDetailed: {
    method: 'GET',
    doing: "Reading the campaign's statistics per user",
    noun: 'campaign',
    query: [...value('campaignId'), ...page],
    read: results.many(schemas.userStatistics),
  },
  getCampaignStatisticsClicks: {
    method: 'GET',
    doing: "Reading the campaign's clicks per user",
    noun: 'campaign',
    query: value('campaignId'),
    read: results.many(schemas.click),
  },
  getCampaignStatisticsLinks: {
    method: 'GET',
    doing: "Reading the campaign's clicks per address",
    noun: 'campaign',
    query: [...value('campaignId'), ...page],
    read: results.many(schemas.link),
  },
};

/** Operations that the API document does not have, of the profiles that list them. */
export const extraRoutes: { readonly [N in ExtraName]: Route<ExtraResults[N]> } = {
  sendEmailToSingleUser: {
    method: 'POST',
    doing: 'Sending the email to one person',
    noun: 'recipient or the email',
    body: {},
    contentType: 'json',
    read: results.done,
  },
};

/** For probing alone: an empty answer may be anybody's, and tells of no mailing service. */
export const probedLists: Route<void> = {
  ...routes.getLists,
  read: (answer, reading) => {
    if (answer === null) throw new ShapeError('it is empty');
    routes.getLists.read(answer, reading);
  },
};

/** Not an operation of the document: how installations of the `acymailing` profile answer to a key. Only probing calls it. */
export const authenticate: Route<{ siteName?: string }> = {
  method: 'GET',
  doing: 'Looking for the service',
  noun: 'service',
  read: results.site,
};
