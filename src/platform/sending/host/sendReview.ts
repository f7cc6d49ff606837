import * as vscode from 'vscode';
import { toSingleLine } from '../../ui/text.ts';
import { WebviewHost } from '../../ui/webview.ts';
import type { MessageHandlers } from '../../webview/messages.ts';
import { fromPage, type FromPage, type SendReview, type ToPage } from '../protocol.ts';

/** Available to `when` clauses: `activeWebviewPanelId == 'mailing.sendReview'`. */
const SEND_REVIEW_VIEW_TYPE = 'mailing.sendReview';

export interface OpenReview {
  /** True if the user continues; false if they cancel or close the tab. */
  readonly confirmation: Promise<boolean>;
  close(): void;
}

/** Shows what will be sent, in a tab. */
export function openSendReview(extensionUri: vscode.Uri, review: SendReview): OpenReview {
  const title = `Review: ${toSingleLine(review.name, 60)}`;
  const panel = vscode.window.createWebviewPanel(SEND_REVIEW_VIEW_TYPE, title, vscode.ViewColumn.Active);
  const confirmation = new Promise<boolean>((resolve) => {
    const handlers: MessageHandlers<FromPage> = {
      ready: () => host.post({ type: 'review', review }),
      continue: () => resolve(true),
      cancel: () => panel.dispose(),
    };
    const host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      extensionUri,
      { page: 'sendReview', title },
      fromPage,
      handlers,
    );
    panel.onDidChangeViewState(() => (panel.visible ? undefined : host.suspend()));
    panel.onDidDispose(() => {
      host.dispose();
      resolve(false);
    });
  });
  return { confirmation, close: () => panel.dispose() };
}
