import * as vscode from 'vscode';
import { isApiError } from '../../../service/client/shapes.ts';
import { once } from '../../../ui/async.ts';
import type { Documents } from '../documents.ts';
import type { FormSession } from './session.ts';

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
