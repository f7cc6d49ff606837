import * as vscode from 'vscode';
import { isApiError } from '../../../service/client/guards.ts';
import { once } from '../../ui/once.ts';
import type { Documents } from '../documents.ts';
import type { FormSession } from './session.ts';
import type { CommandArgument } from '../../ui/commands.ts';

/** Makes the session of a form that was opened. */
type OpenForm = (
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
) => Pick<FormSession, 'start' | 'showsRecord' | 'handleSave' | 'showServiceError' | 'dispose'>;

/**
 * Opens a noun's details as a form. The form's code is loaded with the first of them; a document may have several, side by side.
 * `viewType`: as `package.json` contributes it.
 */
export function registerForm(documents: Documents, viewType: string, load: () => Promise<OpenForm>): vscode.Disposable {
  const sessions = new Set<ReturnType<OpenForm>>();
  const loaded = once(load);
  const provider: vscode.CustomTextEditorProvider = {
    resolveCustomTextEditor: async (document, panel) => {
      const session = (await loaded())(document, panel);
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

/** Shows a document (by default the one in front) in another editor: in place of the one that shows it, where that is in front. */
export async function reopen(argument: CommandArgument, editor: string): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const inFront =
    tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputCustom
      ? tab.input.uri
      : undefined;
  const uri = argument instanceof vscode.Uri ? argument : inFront;
  if (uri === undefined) return;
  // `vscode.openWith` would leave the other editor open beside the new one.
  if (uri.toString() === inFront?.toString()) await vscode.commands.executeCommand('reopenActiveEditorWith', editor);
  else await vscode.commands.executeCommand('vscode.openWith', uri, editor);
}
