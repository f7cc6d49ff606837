import * as vscode from 'vscode';
import { getActiveEditorUris, type Previews } from './activeEditorPreviews.ts';
import { getSentUri } from './sentDocuments.ts';
import type { PreviewSource } from './source.ts';
import type { CommandArgument } from '../../ui/commands.ts';

/** What each command does. */
export interface Handlers {
  /** Gives whether the preview that the user looks at is locked now; undefined where none is open. */
  toggleLock(): Promise<boolean | undefined>;
  /** Opens a diff of a body and what is sent of it: of the document that is given, in front, or previewed. Gives both addresses. */
  compareSent(argument: CommandArgument): Promise<{ readonly authored: vscode.Uri; readonly sent: vscode.Uri }>;
}

export function createHandlers(previews: Previews): Handlers {
  return {
    toggleLock: async () => previews.current && previews.toggleLock(previews.current),
    compareSent: async (argument) => {
      const source = await findSource(previews, argument);
      if (!source)
        throw new Error(
          'Only HTML files and the documents of templates and campaigns can be compared with what is sent.',
        );
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
