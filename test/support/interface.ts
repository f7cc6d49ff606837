import type { OperationName } from '../../src/service/client/operations.ts';
import type { ApiErrorKind } from '../../src/service/client/index.ts';
import { getExpected, faults, isFailure } from './faults.ts';
import type { Fault } from './faults.ts';
import type { ResponseKind } from './operations.ts';

/** Something a user does in the interface, and the operation that a fault meets it in. */
export interface InterfaceAction {
  readonly name: string;
  readonly operation: OperationName;
  readonly isWrite: boolean;
  readonly responseKind: ResponseKind;
  /** Where the user is told what went wrong. */
  readonly told: 'tree' | 'document' | 'save' | 'message' | 'page' | 'wizard';
  /**
   * After an answer without which it is not known whether a write was done: the interface reads the service. Where it is seen there, the
   * action has succeeded; where it is not, that is told (`notDone`). Without this it tells the user to look.
   */
  readonly looks?: { readonly notDone: RegExp };
  /** The action can be continued: then it reads what became of the request, and sends again what is not seen where the user says so. */
  readonly continues?: true;
  /** What is said where the service answered that it was done, and it was not. */
  readonly unkept?: RegExp;
  /** What comes of an answer without records, where that is more than to show none. */
  readonly nothing?: { readonly done: boolean; readonly told: readonly string[] };
  /** "Not found" is an answer without records too: services say it of a campaign that has none yet. */
  readonly absentIsNothing?: true;
}

const read = (
  name: string,
  operation: OperationName,
  answer: 'records' | 'record',
  told: InterfaceAction['told'],
  nothing?: InterfaceAction['nothing'],
): InterfaceAction => ({
  name,
  operation,
  isWrite: false,
  responseKind: answer,
  told,
  ...(nothing === undefined ? {} : { nothing }),
});
const write = (
  name: string,
  operation: OperationName,
  answer: ResponseKind,
  more: Partial<InterfaceAction> = {},
): InterfaceAction => ({ name, operation, isWrite: true, responseKind: answer, told: 'message', ...more });

const save = {
  told: 'save',
  looks: { notDone: /not known whether the .* was stored\. .*Your text is safe here: save again/u },
  unkept: /kept its old .*Your text stays here, unsaved/u,
} as const;
const deleted = { looks: { notDone: /not known whether .* was deleted: .*Look at .* before you delete it again/u } };
const made = {
  looks: { notDone: /not known whether the (?:template|campaign|follow-up) .* was made: .*before you make it again/u },
};
const listMade = {
  looks: { notDone: /not known whether the list .* was made: .*Look at the lists/u },
  unkept: /has no new list .*Look at the lists/u,
};
const attached = { looks: { notDone: /not known whether the mail .* was attached to .*before you attach it again/u } };
const subscriptions = { continues: true } as const;

/** Everything a user does in the interface that asks the service for something. */
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
  createTemplate: write('Create a template', 'createTemplate', 'stored', made),
  duplicateTemplate: write('Duplicate a template', 'createTemplate', 'stored', made),
  deleteTemplate: write('Delete a template', 'deleteTemplate', 'done', deleted),
  createList: write('Create a list', 'createList', 'done', listMade),
  deleteList: write('Delete a list', 'deleteList', 'done', deleted),
  createCampaign: write('Create a campaign', 'createOrUpdateCampaign', 'stored', made),
  duplicateCampaign: write('Duplicate a campaign', 'createOrUpdateCampaign', 'stored', made),
  deleteCampaign: write('Delete a campaign', 'deleteCampaign', 'done', deleted),
  createFollowUp: write('Create a follow-up', 'createOrUpdateFollowUp', 'stored', made),
  duplicateFollowUp: write('Duplicate a follow-up', 'createOrUpdateFollowUp', 'stored', made),
  deleteFollowUp: write('Delete a follow-up', 'deleteFollowUp', 'done', deleted),
  attachMail: write('Attach a mail to a follow-up', 'attachEmailToFollowUp', 'stored', attached),
  saveMail: write('Save a mail of a follow-up', 'attachEmailToFollowUp', 'updated', { told: 'save' }),
  deleteMail: write('Delete a mail of a follow-up', 'deleteEmailFromFollowUp', 'done', deleted),
  subscribe: write('Subscribe addresses', 'subscribeUsers', 'users', subscriptions),
  unsubscribe: write('Unsubscribe addresses', 'unsubscribeUsers', 'users', subscriptions),
  showSubscribers: read('Show the subscribers of a list', 'getSubscribersFromLists', 'records', 'page'),
  exportSubscribers: read('Export subscribers', 'getSubscribersFromLists', 'records', 'message'),
  sendTest: write('Send a test', 'sendCampaign', 'done', {
    looks: { notDone: /not known whether the test went out.*It is watched.*before you send it again/u },
  }),
  sendCampaign: write('Send a campaign', 'sendCampaign', 'done', {
    looks: { notDone: /not known whether it went out.*is watched.*before you send it again/u },
  }),
  copyStatistics: {
    ...read('Copy the statistics of a campaign', 'getCampaignStatistics', 'records', 'message', {
      done: true,
      told: [],
    }),
    absentIsNothing: true,
  },
  userSubscriptions: read("Show a user's subscriptions", 'getUserSubscriptionById', 'records', 'message', {
    done: false,
    told: ['The service has no subscriptions of user #4'],
  }),
  testConnection: read('Test a connection', 'getLists', 'records', 'message', { done: true, told: [] }),
  addConnection: read('Add a connection', 'getLists', 'records', 'wizard', {
    done: false,
    told: ['There is no mailing service at this address'],
  }),
} as const satisfies Readonly<Record<string, InterfaceAction>>;

export type ActionName = keyof typeof interfaceActions;

/** What is told besides, or in place of the client's words, of a kind of failure on a surface, and why. */
export const toldInstead: Readonly<
  Partial<
    Record<
      InterfaceAction['told'],
      Readonly<Partial<Record<ApiErrorKind, { readonly words: string; readonly because: string }>>>
    >
  >
> = {
  document: {
    notFound: { words: 'nonexistent file', because: 'the workbench has its own page for a document that is not there' },
  },
  wizard: {
    notFound: {
      words: 'There is no mailing service at this address',
      because: 'where the lists are not found, the address is wrong',
    },
  },
};

/** How a save that was looked up names its cause. */
export const saveCauses: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  timeout: 'did not answer in time',
  network: 'The connection was lost',
  notJson: 'was not that of a mailing service',
  server: 'The service failed (HTTP 5',
  redirect: 'HTTP 302',
};

/** One fault of each class. */
const representative: ReadonlySet<string> = new Set([
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

/** The faults that the interface is tried with. */
export const interfaceFaults: readonly Fault[] = faults.filter(({ name }) => representative.has(name));

const inOrder: readonly InterfaceAction[] = Object.values(interfaceActions);

/** A fault that an action waits for: a read is repeated after pauses, a hang ends with the timeout. */
function takesLong(fault: Fault, action: InterfaceAction): boolean {
  const expected = getExpected(fault, action);
  return fault.hangsIn !== undefined || (!action.isWrite && isFailure(expected) && expected.requests > 1);
}

/** What is left to the soak: what takes long, and of the rest five of six pairs of action and fault, so that each action and each fault is met in either. */
export function isForSoak(fault: Fault, action: InterfaceAction): boolean {
  return takesLong(fault, action) || (interfaceFaults.indexOf(fault) + inOrder.indexOf(action)) % 6 !== 0;
}

/** For each fault, the actions that are tried under it in one of the two runs. */
export function casesFor(run: 'tests' | 'soak'): ReadonlyMap<Fault, readonly ActionName[]> {
  const names = Object.keys(interfaceActions) as ActionName[];
  return new Map(
    interfaceFaults.map((fault) => [
      fault,
      names.filter((name) => isForSoak(fault, interfaceActions[name]) === (run === 'soak')),
    ]),
  );
}
