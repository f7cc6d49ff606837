import * as vscode from 'vscode';
import { getActiveEditorUris, type Previews } from './activeEditorPreviews.ts';
import { getSentUri } from './sent.ts';
import type { PreviewSource } from './source.ts';
import type { CommandArgument } from '../../ui/commands.ts';

export interface Handlers {
  /** Returns whether the current preview is now locked, or undefined if no preview is open. */
  toggleLock(): Promise<boolean | undefined>;
  /** Compares a body with its sent version, for the given document, the active editor or the current preview. Returns both URIs. */
  compareSent(argument: CommandArgument): Promise<{ readonly authored: vscode.Uri; readonly sent: vscode.Uri }>;
}

export function createHandlers(previews: Previews): Handlers {
  return {
    toggleLock: async () => previews.current && previews.toggleLock(previews.current),
    compareSent: async (argument) => {
      const source = await findSource(previews, argument);
      if (!source) throw new Error('Open an HTML file, a template or a campaign to compare it with its sent version.');
      const sent = getSentUri(source);
      await vscode.commands.executeCommand('vscode.diff', source.body, sent, `${source.title}: authored ↔ as sent`);
      return { authored: source.body, sent };
    },
  };
}

async function findSource(previews: Previews, argument: CommandArgument): Promise<PreviewSource | undefined> {
  for (const document of argument instanceof vscode.Uri ? [argument] : getActiveEditorUris()) {
    const source = await previews.resolve(document);
    if (source) return source;
  }
  return argument instanceof vscode.Uri ? undefined : previews.current?.source;
}
