import * as vscode from 'vscode';
import { isApiError } from '../../../service/client/guards.ts';
import { once } from '../../ui/async.ts';
import type { Documents } from '../documents.ts';
import type { FormSession } from './session.ts';
import type { CommandArgument } from '../../ui/commands.ts';

/** Creates the session of an opened form. */
type OpenForm = (
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
) => Pick<FormSession, 'start' | 'showsRecord' | 'handleSave' | 'showServiceError' | 'dispose'>;

/**
 * Registers a form for the details of a record type. Its code is loaded with the first form. A document can have several forms side by
 * side.
 * @param viewType as contributed in `package.json`
 */
export function registerForm(documents: Documents, viewType: string, load: () => Promise<OpenForm>): vscode.Disposable {
  const sessions = new Set<ReturnType<OpenForm>>();
  const loadOnce = once(load);
  const provider: vscode.CustomTextEditorProvider = {
    resolveCustomTextEditor: async (document, panel) => {
      const session = (await loadOnce())(document, panel);
      sessions.add(session);
      panel.onDidDispose(() => {
        sessions.delete(session);
        session.dispose();
      });
      session.start();
    },
  };
  return vscode.Disposable.from(
    vscode.window.registerCustomEditorProvider(viewType, provider, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { enableFindWidget: true },
    }),
    documents.onDidSave(({ address }) => {
      for (const session of sessions) if (session.showsRecord(address)) session.handleSave();
    }),
    documents.onDidFailSave(({ address, error }) => {
      if (isApiError(error))
        for (const session of sessions)
          if (session.showsRecord(address)) session.showServiceError(error.serverMessage ?? error.message);
    }),
    new vscode.Disposable(() => {
      for (const session of sessions) session.dispose();
    }),
  );
}

/** Shows a document (default: the active one) in another editor. Replaces the active editor if it shows the same document. */
export async function reopen(argument: CommandArgument, editor: string): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const activeUri =
    tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputCustom
      ? tab.input.uri
      : undefined;
  const uri = argument instanceof vscode.Uri ? argument : activeUri;
  if (uri === undefined) return;
  // `vscode.openWith` would leave the other editor open.
  if (uri.toString() === activeUri?.toString()) await vscode.commands.executeCommand('reopenActiveEditorWith', editor);
  else await vscode.commands.executeCommand('vscode.openWith', uri, editor);
}
