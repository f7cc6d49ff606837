import type { MailingClient } from '../../src/service/client/index.ts';
import type { OperationName } from '../../src/service/client/routes.ts';

/**
 * Kind of response of an operation in the API document: `records`: any number of records. `record`: the requested record. `done`: at most a
 * message. `stored`: the id of a new record. `updated`: the given id. `users`: unregistered users.
 */
export type ResponseKind = 'records' | 'record' | 'done' | 'stored' | 'updated' | 'users';

/** Sample records for the calls, besides the first record of each type. */
export interface SampleRecords {
  /** Mail ids of the first follow-up. */
  readonly mails: readonly number[];
  /** Addresses of two users on the list of all contacts but not on the test list. */
  readonly emails: readonly string[];
  /** Ids of two campaigns that can be sent. */
  readonly campaigns: readonly number[];
}

/** A call of an operation. */
export interface OperationCase {
  readonly operation: OperationName;
  /** Distinguishes several cases of one operation. */
  readonly variant?: string;
  readonly isWrite: boolean;
  readonly responseKind: ResponseKind;
  /** @param target 0 or 1: selects a record, because a record can be deleted or sent only once */
  call(client: MailingClient, target: 0 | 1, sample: SampleRecords): Promise<object | void>;
}

const noNotifications = { sendWelcomeEmail: false, sendUnsubscribeEmail: false, trigger: false };
/** Sample ids: a sent campaign, the list of all contacts and the test list. */
const [sentCampaign, allContacts, testers] = [1, 6, 8] as const;
const mail = { name: 'Hello', subject: 'Good to have you here', body: '<p>Hello</p>' };
const followUp = { name: 'Series', display_name: 'The series', trigger: 'birthday' };
const campaign = { name: 'Autumn', subject: 'Leaves', body: '<p>Leaves</p>', listIds: [8] };

const read = (operation: OperationName, answer: 'records' | 'record', call: OperationCase['call']): OperationCase => ({
  operation,
  isWrite: false,
  responseKind: answer,
  call,
});
const write = (
  operation: OperationName,
  answer: ResponseKind,
  call: OperationCase['call'],
  variant?: string,
): OperationCase => ({
  operation,
  isWrite: true,
  responseKind: answer,
  call,
  ...(variant === undefined ? {} : { variant }),
});

/** All operations of the client, with arguments that are valid for the sample data in both profiles. */
export const operationCases: readonly OperationCase[] = [
  read('getUserSubscriptionById', 'records', (c) => c.getUserSubscriptionById(1)),
  read('getSubscribersFromLists', 'records', (c) => c.getSubscribersFromLists([allContacts])),
  read('getUnsubscribedUsersFromLists', 'records', (c) => c.getUnsubscribedUsersFromLists([1])),
  write('subscribeUsers', 'users', (c, at, { emails }) =>
    c.subscribeUsers({ emails: emails.slice(at, at + 1), listIds: [testers], ...noNotifications }),
  ),
  write('unsubscribeUsers', 'users', (c, at, { emails }) =>
    c.unsubscribeUsers({ emails: emails.slice(at, at + 1), listIds: [allContacts], ...noNotifications }),
  ),
  read('getLists', 'records', (c) => c.getLists()),
  write('createList', 'done', (c) => c.createList({ name: 'Made' })),
  write('deleteList', 'done', (c, at) => c.deleteList([1, 2][at] ?? 0)),
  read('getTemplates', 'records', (c) => c.getTemplates()),
  read('getOneTemplate', 'record', (c) => c.getOneTemplate(1)),
  write('createTemplate', 'stored', (c) => c.createTemplate({ name: 'Made', body: '<p>Made</p>' })),
  write('updateTemplate', 'updated', (c) => c.updateTemplate({ templateId: 1, subject: 'Changed' })),
  write('deleteTemplate', 'done', (c, at) => c.deleteTemplate([1, 2][at] ?? 0)),
  read('getFollowUps', 'records', (c) => c.getFollowUps()),
  read('getFollowUpById', 'record', (c) => c.getFollowUpById(1)),
  write('createOrUpdateFollowUp', 'stored', (c) => c.createOrUpdateFollowUp(followUp), 'create'),
  write('createOrUpdateFollowUp', 'updated', (c) => c.createOrUpdateFollowUp({ ...followUp, followUpId: 1 }), 'update'),
  write(
    'attachEmailToFollowUp',
    'stored',
    (c) => c.attachEmailToFollowUp({ followUpId: 1, delay: 4, delay_unit: 'days', mail }),
    'attach',
  ),
  write(
    'attachEmailToFollowUp',
    'updated',
    (c, _at, { mails: [id = 0] }) =>
      c.attachEmailToFollowUp({ followUpId: 1, delay: 4, delay_unit: 'days', mail: { ...mail, id } }),
    'update',
  ),
  write('deleteEmailFromFollowUp', 'done', (c, at, { mails }) => c.deleteEmailFromFollowUp(1, mails[at] ?? 0)),
  write('deleteFollowUp', 'done', (c, at) => c.deleteFollowUp([2, 3][at] ?? 0)),
  read('getCampaigns', 'records', (c) => c.getCampaigns()),
  read('getCampaignById', 'record', (c, _at, { campaigns: [id = 0] }) => c.getCampaignById(id)),
  write('createOrUpdateCampaign', 'stored', (c) => c.createOrUpdateCampaign(campaign), 'create'),
  write(
    'createOrUpdateCampaign',
    'updated',
    (c, _at, { campaigns: [id = 0] }) => c.createOrUpdateCampaign({ ...campaign, campaignId: id }),
    'update',
  ),
  write('sendCampaign', 'done', (c, at, { campaigns }) => c.sendCampaign(campaigns[at] ?? 0)),
  write('deleteCampaign', 'done', (c, at, { campaigns }) => c.deleteCampaign(campaigns[at] ?? 0)),
  read('getCampaignStatistics', 'records', (c) => c.getCampaignStatistics(sentCampaign)),
  read('getCampaignStatisticsDetailed', 'records', (c) => c.getCampaignStatisticsDetailed(sentCampaign)),
  read('getCampaignStatisticsClicks', 'records', (c) => c.getCampaignStatisticsClicks(sentCampaign)),
  read('getCampaignStatisticsLinks', 'records', (c) => c.getCampaignStatisticsLinks(sentCampaign)),
];
