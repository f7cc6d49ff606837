import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { registerCommands, type CommandArgument } from '../../ui/commands.ts';
import { once } from '../../ui/async.ts';
import type { CampaignSender } from './campaignSender.ts';
import type { SendingServices } from './load.ts';
import type { ReferenceProvider } from '../../platform/documents/recordCollections.ts';
import type { TestRequest } from './testSend/recipients.ts';
import { TestLog } from './testSend/testLog.ts';
import type { TestResult } from './testSend/testSender.ts';

export interface Sending {
  /** Loads the campaign sender. Always resolves to the same instance, because it tracks running sends. */
  readonly getCampaignSender: () => Promise<CampaignSender>;
  readonly testLog: TestLog;
  /** Features add functions that find the records created from a template. */
  readonly references: ReferenceProvider[];
  /** Confirms and sends a test, and reports its result. See `sendTestRequest`. */
  readonly sendTest: (order: TestRequest) => Promise<TestResult | undefined>;
}

/**
 * Registers sending. Its modules are loaded when they are first needed, or when a window left unfinished work. This is
 * checked whenever this window gains focus.
 */
export function register(services: SendingServices): Sending {
  const { context } = services;
  const testLog = new TestLog(context.workspaceState);
  // Completes the walkthrough step for users who already sent a test.
  if (!testLog.isEmpty) void vscode.commands.executeCommand('setContext', 'mailing.hasSentTest', true);
  const load = once(async () => {
    const { loadSending, sendTest, sendTestRequest } = await import('./load.ts');
    const loaded = await loadSending(services);
    const parts = { ...services, ...sending, testSender: loaded.testSender };
    return {
      ...loaded,
      handlers: { 'mailing.sendTest': (argument: CommandArgument) => sendTest(parts, argument) },
      sendTestRequest: (order: TestRequest) => sendTestRequest(parts, order),
    };
  });
  const sending: Sending = {
    getCampaignSender: async () => (await load()).campaignSender,
    testLog,
    references: [],
    sendTest: async (order) => (await load()).sendTestRequest(order),
  };
  const resume = async () => {
    const folders = ['sendings', 'tests'].map((name) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath);
    const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
    if (names.flat().length > 0) await (await load()).resume();
  };
  const resumeQuietly = () => void resume().catch(() => undefined);
  resumeQuietly();
  context.subscriptions.push(
    ...registerCommands(services, ['mailing.sendTest'], async () => (await load()).handlers),
    vscode.window.onDidChangeWindowState(({ focused }) => (focused ? resumeQuietly() : undefined)),
  );
  return sending;
}
