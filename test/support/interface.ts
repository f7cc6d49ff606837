import type { OperationName } from '../../src/service/client/routes.ts';
import type { ApiErrorKind } from '../../src/service/client/index.ts';
import { getExpected, faults, isFailure, type Fault } from './faults.ts';
import type { ResponseKind } from './operations.ts';

/** A user action, and the operation that a fault affects. */
export interface InterfaceAction {
  readonly name: string;
  readonly operation: OperationName;
  readonly isWrite: boolean;
  readonly responseKind: ResponseKind;
  /** Where the error appears. */
  readonly surface: 'tree' | 'document' | 'save' | 'message' | 'page' | 'wizard';
  /**
   * After an unconfirmed write, the interface reads the service. If the write is found, the action has succeeded; otherwise the user sees `notDone`.
   * Without this, the message asks the user to check.
   */
  readonly checks?: { readonly notDone: RegExp };
  /** Whether the action can be resumed: it checks the result of the request, and repeats the missing part if the user agrees. */
  readonly canResume?: true;
  /** The message if the service reported success but did nothing. */
  readonly notStored?: RegExp;
  /** The result of a response without records, unless the interface just shows none. */
  readonly noRecords?: { readonly done: boolean; readonly messages: readonly string[] };
  /** "Not found" also means no records: services send it for a campaign that has none yet. */
  readonly notFoundIsEmpty?: true;
}

const read = (
  name: string,
  operation: OperationName,
  answer: 'records' | 'record',
  surface: InterfaceAction['surface'],
  noRecords?: InterfaceAction['noRecords'],
): InterfaceAction => ({
  name,
  operation,
  isWrite: false,
  responseKind: answer,
  surface,
  ...(noRecords === undefined ? {} : { noRecords }),
});
const write = (
  name: string,
  operation: OperationName,
  answer: ResponseKind,
  more: Partial<InterfaceAction> = {},
): InterfaceAction => ({ name, operation, isWrite: true, responseKind: answer, surface: 'message', ...more });

const save = {
  surface: 'save',
  checks: { notDone: /Your changes may have been saved\. Your text is still in this tab\. Save again/u },
  notStored: /didn't change .*Your changes are not saved yet/u,
} as const;
const deletedChecks = {
  checks: { notDone: / may have been deleted: .*Check the service before you delete it again/u },
};
const createdChecks = {
  checks: { notDone: / may have been created: .*Check the service before you create it again/u },
};
const listCreatedChecks = {
  checks: { notDone: / may have been created: .*Check the service before you create it again/u },
  notStored: /has no new list .*Check the lists/u,
};
const attachedChecks = {
  checks: { notDone: / may have been attached to .*before you attach it again/u },
};
const subscriptions = { canResume: true } as const;

/** All user actions that send requests to the service. */
export const interfaceActions = {
  browseLists: read('Browse the lists', 'getLists', 'records', 'tree'),
  browseTemplates: read('Browse the templates', 'getTemplates', 'records', 'tree'),
  browseFollowUps: read('Browse the follow-ups', 'getFollowUps', 'records', 'tree'),
  browseCampaigns: read('Browse the campaigns', 'getCampaigns', 'records', 'tree'),
  openTemplate: read('Open a template', 'getOneTemplate', 'record', 'document'),
  openCampaign: read('Open a campaign', 'getCampaignById', 'record', 'document'),
  openFollowUp: read('Open a follow-up', 'getFollowUpById', 'record', 'document'),
  saveBody: write('Save the HTML of a template', 'updateTemplate', 'updated', save),
  saveStylesheet: write('Save the CSS of a template', 'updateTemplate', 'updated', save),
  saveDetails: write('Save the details of a template', 'updateTemplate', 'updated', save),
  saveCampaign: write('Save the details of a campaign', 'createOrUpdateCampaign', 'updated', save),
  saveFollowUp: write('Save a follow-up', 'createOrUpdateFollowUp', 'updated', save),
  createTemplate: write('Create a template', 'createTemplate', 'stored', createdChecks),
  duplicateTemplate: write('Duplicate a template', 'createTemplate', 'stored', createdChecks),
  deleteTemplate: write('Delete a template', 'deleteTemplate', 'done', deletedChecks),
  createList: write('Create a list', 'createList', 'done', listCreatedChecks),
  deleteList: write('Delete a list', 'deleteList', 'done', deletedChecks),
  createCampaign: write('Create a campaign', 'createOrUpdateCampaign', 'stored', createdChecks),
  duplicateCampaign: write('Duplicate a campaign', 'createOrUpdateCampaign', 'stored', createdChecks),
  deleteCampaign: write('Delete a campaign', 'deleteCampaign', 'done', deletedChecks),
  createFollowUp: write('Create a follow-up', 'createOrUpdateFollowUp', 'stored', createdChecks),
  duplicateFollowUp: write('Duplicate a follow-up', 'createOrUpdateFollowUp', 'stored', createdChecks),
  deleteFollowUp: write('Delete a follow-up', 'deleteFollowUp', 'done', deletedChecks),
  attachMail: write('Attach a mail to a follow-up', 'attachEmailToFollowUp', 'stored', attachedChecks),
  saveMail: write('Save a mail of a follow-up', 'attachEmailToFollowUp', 'updated', { surface: 'save' }),
  deleteMail: write('Delete a mail of a follow-up', 'deleteEmailFromFollowUp', 'done', deletedChecks),
  subscribe: write('Subscribe addresses', 'subscribeUsers', 'users', subscriptions),
  unsubscribe: write('Unsubscribe addresses', 'unsubscribeUsers', 'users', subscriptions),
  showSubscribers: read('Show the subscribers of a list', 'getSubscribersFromLists', 'records', 'page'),
  exportSubscribers: read('Export subscribers', 'getSubscribersFromLists', 'records', 'message'),
  sendTest: write('Send a test', 'sendCampaign', 'done', {
    checks: { notDone: /The test may have been sent.*keeps checking.*before you send it again/u },
  }),
  sendCampaign: write('Send a campaign', 'sendCampaign', 'done', {
    checks: { notDone: /may have been sent.*keeps checking.*before you send it again/u },
  }),
  showStatistics: {
    ...read('Show the statistics of a campaign', 'getCampaignStatistics', 'records', 'page', {
      done: true,
      messages: [],
    }),
    notFoundIsEmpty: true,
  },
  userSubscriptions: read("Show a user's subscriptions", 'getUserSubscriptionById', 'records', 'message', {
    done: false,
    messages: ['No subscriptions found for user #4'],
  }),
  testConnection: read('Test a connection', 'getLists', 'records', 'message', { done: true, messages: [] }),
  addConnection: read('Add a connection', 'getLists', 'records', 'wizard', {
    done: false,
    messages: ['a mailing service runs at the address'],
  }),
} as const satisfies Readonly<Record<string, InterfaceAction>>;

export type ActionName = keyof typeof interfaceActions;

/** Texts shown instead of the client's message, by surface and kind of error, with the reason. */
export const messageOverrides: Readonly<
  Partial<
    Record<
      InterfaceAction['surface'],
      Readonly<Partial<Record<ApiErrorKind, { readonly words: string; readonly because: string }>>>
    >
  >
> = {
  document: {
    notFound: { words: 'nonexistent file', because: 'the workbench has its own page for a document that is not there' },
  },
  wizard: {
    notFound: {
      words: 'a mailing service runs at the address',
      because: 'where the lists are not found, the address is wrong',
    },
  },
};

/** Texts for the cause in the message of a checked save. */
export const saveCauses: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  timeout: "didn't respond in time",
  network: 'The connection was lost',
  notJson: "wasn't from a mailing service",
  server: 'The service failed (HTTP 5',
  redirect: 'HTTP 302',
};

const representativeFaults: ReadonlySet<string> = new Set([
  'status 401',
  'status 403',
  'status 404',
  'status 413',
  'status 422',
  '429 with Retry-After: 3600',
  'status 500',
  'status 503',
  'HTML page, 200',
  'broken JSON',
  'truncated response',
  'reset before the request was read',
  'reset after the request was read',
  'hang before the response',
  'redirect 302, other origin',
  'empty body, 200',
  'lost response',
  '200 with `errors`',
  'refused connection',
]);

/** The faults that the interface is tested with. */
export const interfaceFaults: readonly Fault[] = faults.filter(({ name }) => representativeFaults.has(name));

const orderedActions: readonly InterfaceAction[] = Object.values(interfaceActions);

/** Returns whether a fault delays an action: reads are retried with pauses, and hangs end with the timeout. */
function isSlow(fault: Fault, action: InterfaceAction) {
  const expected = getExpected(fault, action);
  return fault.hangsIn !== undefined || (!action.isWrite && isFailure(expected) && expected.requests > 1);
}

/**
 * Returns whether a case runs only in the soak: slow cases, and five of six of the others, so that each action and each fault occurs in both runs.
 */
export function isForSoak(fault: Fault, action: InterfaceAction): boolean {
  return isSlow(fault, action) || (interfaceFaults.indexOf(fault) + orderedActions.indexOf(action)) % 6 !== 0;
}

/** Returns the actions to test for each fault in a run. */
export function casesFor(run: 'tests' | 'soak'): ReadonlyMap<Fault, readonly ActionName[]> {
  const names = Object.keys(interfaceActions) as ActionName[];
  return new Map(
    interfaceFaults.map((fault) => [
      fault,
      names.filter((name) => isForSoak(fault, interfaceActions[name]) === (run === 'soak')),
    ]),
  );
}
