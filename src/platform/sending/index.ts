import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Explorer } from '../explorer/explorer.ts';
import type { Previews } from '../preview/host/activeEditorPreviews.ts';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { once } from '../ui/async.ts';
import type { RecentChoices } from '../ui/recent.ts';
import { commands } from './commands.ts';
import type { CampaignSender } from './campaignSender.ts';
import type { TestRequest } from './testSend/model.ts';
import type { TestResources, TestResult } from './testSend/testSender.ts';
import { TestableCollections } from './testSend/testableMails.ts';
import { TestLog } from './testSend/testLog.ts';
import { ReferenceProviders } from './referenceProviders.ts';

export interface SendingServices extends CommandHost {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly explorer: Explorer;
  readonly previews: Previews;
  readonly recent: RecentChoices;
}

export interface Sending {
  /** Loads the campaign sender. Always resolves to the same instance, because it tracks running sends. */
  readonly getCampaignSender: () => Promise<CampaignSender>;
  readonly testable: TestableCollections;
  readonly testLog: TestLog;
  readonly references: ReferenceProviders;
  /** Confirms and sends a test, as the command does. See `sendTestRequest`. */
  readonly sendTest: (order: TestRequest) => Promise<TestResult | undefined>;
}

/** Work that a window left unfinished, stored in a folder. */
interface PendingWork<T> {
  readonly folder: string;
  readonly load: () => Promise<T>;
  /** Resumes what other windows left. */
  resume(loaded: T): Promise<void>;
}

/**
 * Registers sending. The modules for campaigns and tests are loaded when they are first needed, or when a window left
 * unfinished work. The folders are checked whenever this window gains focus.
 */
export function register(services: SendingServices): Sending {
  const { context, connections } = services;
  const testable = new TestableCollections();
  const testLog = new TestLog(context.workspaceState);
  // Completes the walkthrough step for users who already sent a test.
  if (!testLog.isEmpty) void vscode.commands.executeCommand('setContext', 'mailing.hasSentTest', true);
  const getFolder = (name: string): string => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const getCampaignSender = once(() => loadCampaignSender(services, getFolder('sendings')));
  const getTests = once(async () => loadTests(services, getFolder('tests'), await getCampaignSender()));
  const getTestSender = once(async () => {
    const [{ TestSender }, { confirm }, { withProgress }, { getMaxRecipients }] = await Promise.all([
      import('./testSend/testSender.ts'),
      import('../ui/messages.ts'),
      import('../ui/progress.ts'),
      import('./testSend/settings.ts'),
    ]);
    return new TestSender(connections, await getCampaignSender(), await getTests(), {
      confirm: ({ message, detail, action }) => confirm(message, detail, action),
      progress: withProgress,
      getMaxRecipients,
    });
  });
  const loadTestServices = async () => ({
    ...services,
    testable,
    testLog,
    campaignSender: await getCampaignSender(),
    testSender: await getTestSender(),
  });
  context.subscriptions.push(
    ...registerCommands(services, commands, async () =>
      (await import('./handlers.ts')).createHandlers(await loadTestServices()),
    ),
    resumePendingWork<CampaignSender>({
      folder: getFolder('sendings'),
      load: getCampaignSender,
      resume: (loaded) => loaded.resumeOtherWindows(),
    }),
    resumePendingWork<LoadedTests>({
      folder: getFolder('tests'),
      load: getTests,
      resume: (loaded) => loaded.cleanUp(),
    }),
  );
  const sendTest: Sending['sendTest'] = async (order) =>
    (await import('./testSend/sendTest.ts')).sendTestRequest(await loadTestServices(), order);
  return { getCampaignSender, testable, testLog, sendTest, references: new ReferenceProviders() };
}

async function loadCampaignSender(
  { context, connections, explorer }: SendingServices,
  folder: string,
): Promise<CampaignSender> {
  const [{ CampaignSender }, { SendJournal }, { notifySendOutcome }, { setTimeout: wait }] = await Promise.all([
    import('./campaignSender.ts'),
    import('./sendJournal.ts'),
    import('./sendNotifications.ts'),
    import('node:timers/promises'),
  ]);
  const sender = new CampaignSender(new SendJournal(folder), connections, {
    wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
    now: Date.now,
    onChanged: ({ baseUrl }) => {
      const shown = connections.all.filter((connection) => connection.baseUrl === baseUrl);
      for (const { id } of shown) explorer.refresh({ connection: id, collection: 'campaigns' });
    },
    onSettled: (entry, outcome) => void notifySendOutcome(entry, outcome),
  });
  context.subscriptions.push(sender);
  // If the folder can't be read, the tree still works, and the next send reports the error.
  await sender.resume().catch(() => undefined);
  return sender;
}

interface LoadedTests extends TestResources {
  /** Deletes templates left by tests, and offers to delete their campaigns. */
  cleanUp(): Promise<void>;
}

async function loadTests(
  { connections, explorer }: SendingServices,
  folder: string,
  campaignSender: CampaignSender,
): Promise<LoadedTests> {
  const [{ SingleTestSender }, { TestCampaigns }, { ListLeases }, { TestJournal }, { LeftoverOffers }, messages] =
    await Promise.all([
      import('./testSend/singleTestStrategy.ts'),
      import('./testSend/testCampaigns.ts'),
      import('./testSend/listLeases.ts'),
      import('./testSend/testJournal.ts'),
      import('./testSend/leftovers.ts'),
      import('../ui/messages.ts'),
    ]);
  const journal = new TestJournal(folder);
  const singleSender = new SingleTestSender(journal, connections);
  const campaigns = new TestCampaigns(journal, connections, campaignSender);
  const offers = new LeftoverOffers(campaigns, {
    warn: messages.showWarning,
    showError: (error, connection) => void messages.showError(error, { title: 'Delete Test Campaign', connection }),
    getConnectionName: (connection) => connections.get(connection)?.name ?? connection,
    onDeleted: (connection) => explorer.refresh({ connection, collection: 'campaigns' }),
  });
  const cleanUp = async (): Promise<void> => {
    await singleSender.cleanUp();
    await offers.offerAll();
  };
  return { singleSender, campaigns, leases: new ListLeases(journal, connections), cleanUp };
}

/** Resumes the work in a folder, now and whenever the window gains focus. */
function resumePendingWork<T>({ folder, load, resume }: PendingWork<T>): vscode.Disposable {
  const resumeIfAny = async (): Promise<void> => {
    if ((await readdir(folder).catch(() => [])).length > 0) await resume(await load());
  };
  void resumeIfAny().catch(() => undefined);
  return vscode.window.onDidChangeWindowState(({ focused }) =>
    focused ? void resumeIfAny().catch(() => undefined) : undefined,
  );
}
