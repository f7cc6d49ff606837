import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toSingleLine } from '../../../service/text.ts';
import { WebviewPage } from '../../../ui/webview/webview.ts';
import { fromPage, type FromPage, type ToPage } from './protocol.ts';
import type { ReviewedSend } from './sendReview.ts';

/** Available to `when` clauses: `activeWebviewPanelId == 'mailing.sendReview'`. */
const SEND_REVIEW_VIEW_TYPE = 'mailing.sendReview';

/** A tab with the review before a send. It always shows `reviewed`. */
export class SendReviewPage {
  readonly #panel: vscode.WebviewPanel;
  readonly #page: WebviewPage<FromPage, ToPage>;
  #reviewed: ReviewedSend;

  /** `close` is called once, when the user cancels or the tab is closed. */
  constructor(
    extensionUri: vscode.Uri,
    reviewed: ReviewedSend,
    user: { readonly continue: () => void; readonly close: () => void },
  ) {
    this.#reviewed = reviewed;
    const title = t`Review before sending: ${toSingleLine(reviewed.review.name, 60)}`;
    this.#panel = vscode.window.createWebviewPanel(SEND_REVIEW_VIEW_TYPE, title, vscode.ViewColumn.Active);
    this.#page = new WebviewPage(
      this.#panel.webview,
      extensionUri,
      { page: 'sendReview', title, schema: fromPage },
      {
        ready: () => this.show(this.#reviewed),
        continue: user.continue,
        cancel: () => this.close(),
      },
    );
    this.#panel.onDidChangeViewState(() => (this.#panel.visible ? undefined : this.#page.suspend()));
    this.#panel.onDidDispose(() => {
      this.#page.dispose();
      user.close();
    });
  }

  get reviewed(): ReviewedSend {
    return this.#reviewed;
  }

  show(reviewed: ReviewedSend): void {
    this.#reviewed = reviewed;
    this.#page.post({ type: 'review', review: reviewed.review });
  }

  /** Returns the focus to the page's button. */
  reveal(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.dispose();
  }
}
