import * as vscode from 'vscode';
import type { PreviewSource } from './source.ts';

/** Tells how a body document is shown, for a preview that comes back after a restart. Nothing where the document isn't of its room. */
export type PreviewResolver = (body: vscode.Uri) => Promise<PreviewSource | undefined>;

/** One open preview. */
export interface Preview {
  readonly source: PreviewSource;
  readonly panel: vscode.WebviewPanel;
}

/** The open previews: one panel for each body document. */
export class Previews implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  /** Opens the preview of a body beside the editor, or brings the open one to the front. */
  show(source: PreviewSource, column: vscode.ViewColumn = vscode.ViewColumn.Beside): Promise<Preview> {
    this.#log.debug(`Preview of ${source.body.toString()} in ${column} (${this.#context.extension.id})`);
    return Promise.reject(new Error('The preview is being built.'));
  }

  /** The open preview of a body document. */
  find(_body: vscode.Uri): Preview | undefined {
    return undefined;
  }

  /** Rooms tell how their documents are shown. */
  registerResolver(_resolver: PreviewResolver): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  dispose(): void {}
}
