import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Explorer } from '../explorer/explorer.ts';
import type { Previews } from '../preview/host/previews.ts';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { once } from '../ui/once.ts';
import type { Recent } from '../ui/recent.ts';
import { commands } from './commands.ts';
import type { Sends } from './sends.ts';
import type { TestOrder } from './testSend/model.ts';
import type { TestRecords, TestResult } from './testSend/testSends.ts';
import { TestedCollections } from './testSend/tested.ts';
import { TestLog } from './testSend/testLog.ts';
import { ReferenceProviders } from './referenceProviders.ts';

/** What sending needs of the extension. */
export interface SendingParts extends CommandHost {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly explorer: Explorer;
  readonly previews: Previews;
  readonly recent: Recent;
}

/** What nouns' rooms use of it. */
export interface Sending {
  /** Loads what sends campaigns; always the same, so that it knows what is under way. */
  readonly sends: () => Promise<Sends>;
  readonly tested: TestedCollections;
  readonly testLog: TestLog;
  readonly references: ReferenceProviders;
  /** Sends a test after its question, as the command does. See `sendOrder`. */
  readonly sendTest: (order: TestOrder) => Promise<TestResult | undefined>;
}

/** What a window leaves behind is kept in a folder; what takes it up is loaded when it is first needed, or because something is left. */
interface Kept<T> {
  readonly folder: string;
  readonly load: () => Promise<T>;
  /** Takes up what other windows have left. */
  resume(loaded: T): Promise<void>;
}

/**
 * Gives what sends campaigns and tests, loaded when it is first needed: by a sending, by the tree, or because a window has left something.
 * What other windows leave is looked for whenever this one gets the focus.
 */
export function register(parts: SendingParts): Sending {
  const { context, connections } = parts;
  const tested = new TestedCollections();
  const testLog = new TestLog(context.workspaceState);
  // The walkthrough ticks what is done already.
  if (!testLog.isEmpty) void vscode.commands.executeCommand('setContext', 'mailing.hasSentTest', true);
  const folderOf = (name: string): string => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const sends = once(() => loadSends(parts, folderOf('sendings')));
  const tests = once(async () => loadTests(parts, folderOf('tests'), await sends()));
  const testSends = once(async () => {
    const [{ TestSends }, { confirm }, { withProgress }, { maxRecipients }] = await Promise.all([
      import('./testSend/testSends.ts'),
      import('../ui/messages.ts'),
      import('../ui/progress.ts'),
      import('./testSend/settings.ts'),
    ]);
    return new TestSends(connections, await sends(), await tests(), {
      ask: ({ message, detail, action }) => confirm(message, detail, action),
      progress: withProgress,
      limit: maxRecipients,
    });
  });
  const testParts = async () => ({ ...parts, tested, testLog, sends: await sends(), testSends: await testSends() });
  context.subscriptions.push(
    ...registerCommands(parts, commands, async () => (await import('./handlers.ts')).handlersOf(await testParts())),
    takeUp<Sends>({ folder: folderOf('sendings'), load: sends, resume: (loaded) => loaded.resumeLater() }),
    takeUp<Tests>({ folder: folderOf('tests'), load: tests, resume: (loaded) => loaded.tidy() }),
  );
  const sendTest: Sending['sendTest'] = async (order) =>
    (await import('./testSend/sendTest.ts')).sendOrder(await testParts(), order);
  return { sends, tested, testLog, sendTest, references: new ReferenceProviders() };
}

async function loadSends({ context, connections, explorer }: SendingParts, folder: string): Promise<Sends> {
  const [{ Sends }, { SendNotes }, { tell }, { setTimeout: wait }] = await Promise.all([
    import('./sends.ts'),
    import('./sendNotes.ts'),
    import('./news.ts'),
    import('node:timers/promises'),
  ]);
  const sends = new Sends(new SendNotes(folder), connections, {
    wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
    now: Date.now,
    changed: ({ baseUrl }) => {
      const shown = connections.all.filter((connection) => connection.baseUrl === baseUrl);
      for (const { id } of shown) explorer.refresh({ connection: id, collection: 'campaigns' });
    },
    settled: (note, outcome) => void tell(note, outcome),
  });
  context.subscriptions.push(sends);
  // A folder that can't be read refuses the next sending, and says why: the tree is there without it.
  await sends.resume().catch(() => undefined);
  return sends;
}

interface Tests extends TestRecords {
  /** Deletes the templates that tests have left behind, and offers to delete the campaigns. */
  tidy(): Promise<void>;
}

async function loadTests({ connections, explorer }: SendingParts, folder: string, sends: Sends): Promise<Tests> {
  const [{ SingleTestSender }, { TestCampaigns }, { ListLeases }, { TestNotes }, { LeftoverOffers }, messages] =
    await Promise.all([
      import('./testSend/singleTestStrategy.ts'),
      import('./testSend/testCampaigns.ts'),
      import('./testSend/listLeases.ts'),
      import('./testSend/testNotes.ts'),
      import('./testSend/leftovers.ts'),
      import('../ui/messages.ts'),
    ]);
  const notes = new TestNotes(folder);
  const singles = new SingleTestSender(notes, connections);
  const campaigns = new TestCampaigns(notes, connections, sends);
  const offers = new LeftoverOffers(campaigns, {
    warn: messages.showWarning,
    showError: (error, connection) => void messages.showError(error, { title: 'Delete Test Campaign', connection }),
    nameOf: (connection) => connections.get(connection)?.name ?? connection,
    deleted: (connection) => explorer.refresh({ connection, collection: 'campaigns' }),
  });
  const tidy = async (): Promise<void> => {
    await singles.tidy();
    await offers.offerAll();
  };
  return { singles, campaigns, leases: new ListLeases(notes, connections), tidy };
}

/** Takes up what is left in a folder: at once, and whenever the window gets the focus. */
function takeUp<T>({ folder, load, resume }: Kept<T>): vscode.Disposable {
  const look = async (): Promise<void> => {
    if ((await readdir(folder).catch(() => [])).length > 0) await resume(await load());
  };
  void look().catch(() => undefined);
  return vscode.window.onDidChangeWindowState(({ focused }) =>
    focused ? void look().catch(() => undefined) : undefined,
  );
}
