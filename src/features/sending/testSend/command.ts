import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findLists } from '../../../service/client/allLists.ts';
import { toServiceRef, type Connection } from '../../../platform/connections/model.ts';
import { type CommandArgument, getFields } from '../../../ui/commands.ts';
import { showWarning, withProgress } from '../../../ui/messages.ts';
import { escapeMessage } from '../../../service/text.ts';
import type { Previews } from '../../preview/activeEditorPreviews.ts';
import { chooseRecord, type RecordPickServices } from '../../../platform/documents/chooseRecord.ts';
import type { CampaignSender } from '../campaignSender.ts';
import { showSendOutcome } from '../sendOutcomes.ts';
import { type TestRequest, type TestRecipients, UnsuitableListError } from './recipients.ts';
import {
  RecipientPick,
  getRecentTestsKey,
  clearTestListId,
  storeTestListId,
  storeTestRecipients,
  getTestListId,
} from './recipientPick.ts';
import { hashMessage, type TestLog } from './testLog.ts';
import { formatTestResult, type TestResult, type TestSender } from './testSender.ts';

interface SendTestServices extends RecordPickServices {
  readonly previews: Previews;
  readonly getCampaignSender: () => Promise<CampaignSender>;
  readonly testSender: TestSender;
  readonly testLog: TestLog;
}

const getSendTestTitle = () => t('Send Test Email');

/**
 * Sends a test of the email that the argument names, the active one, or the one that the user picks. The argument may contain `to`: `list` for the
 * connection's test list, or addresses. Undefined if the user cancels.
 */
export async function sendTest(parts: SendTestServices, argument: CommandArgument): Promise<TestResult | undefined> {
  const given = argument ?? parts.previews.activeDocument;
  const target = await chooseRecord(parts, given, getSendTestTitle(), 'openTestable');
  if (target === undefined) return undefined;
  const { collection, ref } = target;
  const connection = await parts.connections.resolve(ref);
  const mail = await collection.openTestable(ref, target.argument);
  if (mail === undefined) return undefined;
  const to = await resolveRecipients(parts, connection, getFields(argument)['to']);
  return to && sendWithListRetry(parts, { connection, what: `tests/${mail.what}`, message: mail.message, to });
}

/** Returns the recipients named by the argument or picked by the user. */
async function resolveRecipients(
  parts: SendTestServices,
  connection: Connection,
  given: CommandArgument,
): Promise<TestRecipients | undefined> {
  const addresses = (Array.isArray(given) ? given : []).filter((each): each is string => typeof each === 'string');
  if (addresses.length > 0) return { kind: 'addresses', addresses };
  const id = getTestListId(connection);
  const picked: TestRecipients | undefined =
    given === 'list' && id !== undefined
      ? { kind: 'list', list: { id, name: '' } }
      : await promptForRecipients(parts, connection);
  return picked?.kind === 'list' && picked.list.name === '' ? resolveList(parts, connection, picked.list.id) : picked;
}

function promptForRecipients({ connections, recent }: SendTestServices, connection: Connection) {
  return new RecipientPick({
    connection,
    title: getSendTestTitle(),
    recent,
    run: (operation) => connections.run(toServiceRef(connection), operation),
  }).show();
}

/** Completes a list that was selected by its id alone. If it was deleted, prompts for another. */
async function resolveList(
  parts: SendTestServices,
  connection: Connection,
  id: number,
): Promise<TestRecipients | undefined> {
  const {
    found: [list],
  } = await withProgress(t`Reading the lists of ${escapeMessage(connection.name)}`, (signal) =>
    parts.connections.run(toServiceRef(connection), (client) => findLists(client, [id], signal)),
  );
  if (list !== undefined) return { kind: 'list', list: { id, name: list.name ?? '' } };
  const picked = await promptForRecipients(parts, connection);
  return picked?.kind === 'list' && picked.list.id === id ? undefined : picked;
}

/**
 * Confirms and sends a test, records it, and reports the result. Undefined if the user cancels.
 *
 * Throws only if nothing was sent: `UnsuitableListError` for a list that may not receive tests.
 */
export async function sendTestRequest(parts: SendTestServices, order: TestRequest): Promise<TestResult | undefined> {
  const { connection, to } = order;
  const result = await parts.testSender.send(order);
  if (result === undefined) return undefined;
  parts.recent.add(getRecentTestsKey(connection), to.kind);
  const { id, baseUrl } = connection;
  const test = { at: Date.now(), fingerprint: hashMessage(order.message), recipients: result.recipients };
  parts.testLog.record({ connection: id, baseUrl, what: order.what }, test);
  if (to.kind === 'addresses') await storeTestRecipients(connection, to.addresses);
  void vscode.commands.executeCommand('setContext', 'mailing.hasSentTest', true);
  void notifyTestResult(parts, order, result);
  return result;
}

async function sendWithListRetry(parts: SendTestServices, order: TestRequest): Promise<TestResult | undefined> {
  const { connection, to } = order;
  try {
    if (to.kind === 'list') await storeTestListId(connection, to.list.id);
    return await sendTestRequest(parts, order);
  } catch (error) {
    if (!(error instanceof UnsuitableListError) || to.kind !== 'list') throw error;
    await clearTestListId(connection, to.list.id);
    const another = t('Choose Another List');
    if ((await showWarning(error.message, another)) !== another) return undefined;
    const next = await promptForRecipients(parts, connection);
    return next && sendWithListRetry(parts, { ...order, to: next });
  }
}

async function notifyTestResult(parts: SendTestServices, order: TestRequest, result: TestResult) {
  const { connection, to } = order;
  const { outcome, refused, id } = result;
  await showSendOutcome(parts, {
    service: toServiceRef(connection),
    campaignId: id,
    state: outcome === 'sent' ? 'testSent' : 'testUnknown',
    message: formatTestResult(result, to.kind === 'list' ? to.list.name : undefined),
    isWarning: outcome !== 'sent' || refused.length > 0,
  });
  await vscode.commands.executeCommand('mailing.explorer.refresh', {
    connection: connection.id,
    collection: 'campaigns',
  });
}
