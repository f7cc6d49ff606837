import * as vscode from 'vscode';
import { isApiError } from '../../api/recognized.ts';
import type { Rooms } from '../../rooms.ts';
import { once } from '../../ui/once.ts';
import type { FormSession } from './session.ts';

/** Makes the session of a form that was opened. */
export type OpenForm = (
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
  rooms: Rooms,
) => Pick<FormSession, 'start' | 'shows' | 'saved' | 'showServiceError' | 'dispose'>;

/**
 * Opens a noun's details as a form. The form's code is loaded with the first of them; a document may have several, side by side.
 * `viewType`: as `package.json` contributes it.
 */
export function registerForm(rooms: Rooms, viewType: string, load: () => Promise<OpenForm>): vscode.Disposable {
  const { documents } = rooms;
  const sessions = new Set<ReturnType<OpenForm>>();
  const loaded = once(load);
  const provider: vscode.CustomTextEditorProvider = {
    resolveCustomTextEditor: async (document, panel) => {
      const session = (await loaded())(document, panel, rooms);
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
      for (const session of sessions) if (session.shows(address)) session.saved();
    }),
    documents.onDidFailSave(({ address, error }) => {
      if (isApiError(error))
        for (const session of sessions) if (session.shows(address)) session.showServiceError(error.serverMessage ?? error.message);
    }),
    new vscode.Disposable(() => {
      for (const session of sessions) session.dispose();
    }),
  );
}
