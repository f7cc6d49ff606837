import * as vscode from 'vscode';
import { findLists } from '../../../service/client/allLists.ts';
import type { Connection } from '../../connections/model.ts';
import { type CommandArgument, fieldsOf } from '../../ui/commands.ts';
import { showError, showInfo, showWarning } from '../../ui/messages.ts';
import { withProgress } from '../../ui/progress.ts';
import { inMessage } from '../../ui/text.ts';
import type { Sends } from '../sends.ts';
import { chooseTested, type ChoosingParts } from './chooseTested.ts';
import { UnsuitableList } from './listRecipients.ts';
import type { TestOrder, TestTo } from './model.ts';
import { pickRecipients, recentKind } from './recipientPick.ts';
import { forgetTestList, rememberTestList, rememberTestRecipients, testListOf } from './settings.ts';
import { fingerprintOf, type TestLog } from './testLog.ts';
import { newsOf, type TestResult, type TestSends } from './testSends.ts';

export interface SendTestParts extends ChoosingParts {
  readonly sends: Sends;
  readonly testSends: TestSends;
  readonly testLog: TestLog;
}

const title = 'Send Test Email';

/**
 * Sends a test of what is meant: see `chooseTested`. `to` may be given with the argument: `list` for the connection's test
 * list, or addresses. Undefined where the user cancels.
 */
export async function sendTest(parts: SendTestParts, argument: CommandArgument): Promise<TestResult | undefined> {
  const target = await chooseTested(parts, argument, title);
  if (target === undefined) return undefined;
  const { mails, ref } = target;
  const connection = parts.connections.get(ref.connection);
  if (connection === undefined) throw new Error(`There is no connection "${ref.connection}".`);
  const mail = await (await mails.load()).open(ref, target.argument);
  if (mail === undefined) return undefined;
  const to = await recipients(parts, connection, fieldsOf(argument)['to']);
  return to && deliver(parts, { connection, what: `tests/${mail.what}`, message: mail.message, to });
}

/** To whom a test goes: as the argument says, or as the user picks. */
async function recipients(parts: SendTestParts, connection: Connection, given: unknown): Promise<TestTo | undefined> {
  const addresses = (Array.isArray(given) ? given : []).filter((each): each is string => typeof each === 'string');
  if (addresses.length > 0) return { kind: 'addresses', addresses };
  const id = testListOf(connection);
  const picked: TestTo | undefined =
    given === 'list' && id !== undefined ? { kind: 'list', list: { id, name: '' } } : await pick(parts, connection);
  return picked?.kind === 'list' && picked.list.name === '' ? named(parts, connection, picked.list.id) : picked;
}

function pick({ connections, recent }: SendTestParts, connection: Connection): Promise<TestTo | undefined> {
  return pickRecipients({ connection, title, recent, run: (operation) => connections.run(connection.id, operation) });
}

/** The list that was taken before its name was known. Where it is gone, another is picked. */
async function named(parts: SendTestParts, connection: Connection, id: number): Promise<TestTo | undefined> {
  const {
    found: [list],
  } = await withProgress(`Reading the lists of ${inMessage(connection.name)}`, (signal) =>
    parts.connections.run(connection.id, (client) => findLists(client, [id], signal)),
  );
  if (list !== undefined) return { kind: 'list', list: { id, name: list.name ?? '' } };
  const picked = await pick(parts, connection);
  return picked?.kind === 'list' && picked.list.id === id ? undefined : picked;
}

/**
 * Sends a test after its question, remembers it, and tells what came of it. Undefined where the user cancels.
 *
 * Throws where it is known that nothing was sent: `UnsuitableList` for a list that may not receive tests.
 */
export async function sendOrder(parts: SendTestParts, order: TestOrder): Promise<TestResult | undefined> {
  const { connection, to } = order;
  const result = await parts.testSends.send(order);
  if (result === undefined) return undefined;
  parts.recent.use(recentKind(connection), to.kind);
  const { id, baseUrl } = connection;
  const test = { at: Date.now(), fingerprint: fingerprintOf(order.message), recipients: result.recipients };
  parts.testLog.note({ connection: id, baseUrl, what: order.what }, test);
  if (to.kind === 'addresses') await rememberTestRecipients(connection, to.addresses);
  void vscode.commands.executeCommand('setContext', 'mailing.hasSentTest', true);
  void tell(parts, order, result);
  return result;
}

async function deliver(parts: SendTestParts, order: TestOrder): Promise<TestResult | undefined> {
  const { connection, to } = order;
  try {
    if (to.kind === 'list') await rememberTestList(connection, to.list.id);
    return await sendOrder(parts, order);
  } catch (error) {
    if (!(error instanceof UnsuitableList) || to.kind !== 'list') throw error;
    await forgetTestList(connection, to.list.id);
    const another = 'Choose Another List';
    if ((await showWarning(error.message, another)) !== another) return undefined;
    const next = await pick(parts, connection);
    return next && deliver(parts, { ...order, to: next });
  }
}

/** What can be done after a test, by the titles of buttons. */
function actionsOf({ sends, connections }: SendTestParts, { connection }: TestOrder, { id, outcome }: TestResult) {
  const target = { connection: connection.id, id };
  const afterwards = (command: string, argument?: CommandArgument) => () =>
    vscode.commands.executeCommand(command, argument);
  // Without its record nobody could see what came of a test whose answer was lost.
  const end: readonly (readonly [string, () => unknown])[] =
    id === undefined
      ? []
      : outcome === 'unknown'
        ? [['Stop Watching', () => sends.stopWatching(connection.id, id)]]
        : [['Delete Test Campaign', () => connections.run(connection.id, (client) => client.deleteCampaign(id))]];
  return new Map<string, () => unknown>([
    ...(connection.sandbox ? [['Open Outbox', afterwards('mailing.sandbox.openOutbox')] as const] : []),
    ...(id === undefined ? [] : [['Show Statistics', afterwards('mailing.campaign.showStatistics', target)] as const]),
    ...end,
  ]);
}

async function tell(parts: SendTestParts, order: TestOrder, result: TestResult): Promise<void> {
  const { connection, to } = order;
  const actions = actionsOf(parts, order, result);
  const isFine = result.outcome === 'sent' && result.refused.length === 0;
  const words = newsOf(result, to.kind === 'list' ? to.list.name : undefined);
  const choice = await (isFine ? showInfo : showWarning)(words, ...actions.keys());
  try {
    await actions.get(choice ?? '')?.();
  } catch (error) {
    void showError(error, { title: choice, connection: connection.id });
  }
  await vscode.commands.executeCommand('mailing.explorer.refresh', {
    connection: connection.id,
    collection: 'campaigns',
  });
}
