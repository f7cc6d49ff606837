import * as vscode from 'vscode';
import { plain } from '../../ui/text.ts';
import { WebviewHost } from '../../ui/webview.ts';
import { dispatch, type Handlers } from '../../webview/messages.ts';
import { fromPage, type FromPage, type LastLook, type ToPage } from '../protocol.ts';

/** Type of the panel: `activeWebviewPanelId == 'mailing.lastLook'`. */
const viewType = 'mailing.lastLook';

/** An open last look. */
export interface OpenLook {
  /** True where the user goes on; false where they stop, or close it. */
  readonly goesOn: Promise<boolean>;
  close(): void;
}

/** Shows what is about to go out, in a tab. */
export function openLastLook(extensionUri: vscode.Uri, look: LastLook): OpenLook {
  const title = `Last Look: ${plain(look.name, 60)}`;
  const panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active);
  const goesOn = new Promise<boolean>((resolve) => {
    const handlers: Handlers<FromPage> = {
      ready: () => host.post({ type: 'look', look }),
      goOn: () => resolve(true),
      stop: () => panel.dispose(),
    };
    const host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      extensionUri,
      { page: 'lastLook', title },
      fromPage,
      (message) => dispatch(handlers, message),
    );
    panel.onDidChangeViewState(() => (panel.visible ? undefined : host.suspend()));
    panel.onDidDispose(() => {
      host.dispose();
      resolve(false);
    });
  });
  return { goesOn, close: () => panel.dispose() };
}
