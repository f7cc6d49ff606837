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
import type { SingleSends } from './tests/singleWay.ts';
import type { TestOrder } from './tests/model.ts';
import type { TestResult } from './tests/testSends.ts';
import { TestedCollections } from './tests/tested.ts';
import { TestLog } from './tests/testLog.ts';
import { UseFinders } from './uses.ts';

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
  readonly uses: UseFinders;
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
  const singles = once(() => loadSingles(connections, folderOf('tests')));
  const testSends = once(async () => {
    const [{ TestSends }, { confirm }, { withProgress }, { maxRecipients }] = await Promise.all([
      import('./tests/testSends.ts'),
      import('../ui/messages.ts'),
      import('../ui/progress.ts'),
      import('./tests/settings.ts'),
    ]);
    return new TestSends(connections, await sends(), await singles(), {
      ask: ({ message, detail, action }) => confirm(message, detail, action),
      progress: withProgress,
      limit: maxRecipients,
    });
  });
  const testParts = async () => ({ ...parts, tested, testLog, sends: await sends(), testSends: await testSends() });
  context.subscriptions.push(
    ...registerCommands(parts, commands, async () => (await import('./handlers.ts')).handlersOf(await testParts())),
    takeUp<Sends>({ folder: folderOf('sendings'), load: sends, resume: (loaded) => loaded.resumeLater() }),
    takeUp<SingleSends>({ folder: folderOf('tests'), load: singles, resume: (loaded) => loaded.tidy() }),
  );
  const sendTest: Sending['sendTest'] = async (order) => (await import('./tests/sendTest.ts')).sendOrder(await testParts(), order);
  return { sends, tested, testLog, sendTest, uses: new UseFinders() };
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

async function loadSingles(connections: Connections, folder: string): Promise<SingleSends> {
  const [{ SingleSends }, { TestNotes }] = await Promise.all([import('./tests/singleWay.ts'), import('./tests/testNotes.ts')]);
  return new SingleSends(new TestNotes(folder), connections);
}

/** Takes up what is left in a folder: at once, and whenever the window gets the focus. */
function takeUp<T>({ folder, load, resume }: Kept<T>): vscode.Disposable {
  const look = async (): Promise<void> => {
    if ((await readdir(folder).catch(() => [])).length > 0) await resume(await load());
  };
  void look().catch(() => undefined);
  return vscode.window.onDidChangeWindowState(({ focused }) => (focused ? void look().catch(() => undefined) : undefined));
}
