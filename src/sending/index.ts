import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Explorer } from '../explorer/explorer.ts';
import type { Sends } from './sends.ts';

/**
 * Gives what sends campaigns, loaded when it is first needed: by a sending, by the tree, or because a window has left a sending whose
 * answer was lost. What other windows leave is looked for whenever this one gets the focus.
 */
export function register(context: vscode.ExtensionContext, connections: Connections, explorer: Explorer): () => Promise<Sends> {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'sendings').fsPath;
  let loaded: Promise<Sends> | undefined;
  const load = async (): Promise<Sends> => {
    const [{ Sends }, { SendNotes }, { tell }, { setTimeout: wait }] = await Promise.all([
      import('./sends.ts'),
      import('./sendNotes.ts'),
      import('./news.ts'),
      import('node:timers/promises'),
    ]);
    const sends = new Sends(new SendNotes(folder), connections, {
      wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }),
      now: Date.now,
      changed: ({ connection }) => explorer.refresh({ connection, collection: 'campaigns' }),
      settled: (note, outcome) => void tell(note, outcome),
    });
    context.subscriptions.push(sends);
    // A folder that can't be read refuses the next sending, and says why: the tree is there without it.
    await sends.resume().catch(() => undefined);
    return sends;
  };
  const sends = (): Promise<Sends> => (loaded ??= load());
  const hasNotes = async (): Promise<boolean> => loaded !== undefined || (await readdir(folder).catch(() => [])).length > 0;
  const look = async (): Promise<void> => {
    if (await hasNotes()) await (await sends()).resumeLater();
  };
  void hasNotes().then((found) => (found ? sends() : undefined));
  context.subscriptions.push(vscode.window.onDidChangeWindowState(({ focused }) => (focused ? void look() : undefined)));
  return sends;
}
