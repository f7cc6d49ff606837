import * as vscode from 'vscode';
import { fingerprint } from './text.ts';
import { scheme } from './uri.ts';
import type { Version, Versions } from './versions.ts';

/**
 * Keeps, for each open document, what its edits are based on: the text that it last showed without edits. A read by
 * somebody else (a search, another extension, a comparison) does not move it.
 */
export class OpenDocuments implements vscode.Disposable {
  readonly #versions: Versions;
  /** What was last given to any reader, for writers that have no editor. */
  readonly #read = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(versions: Versions) {
    this.#versions = versions;
    const when = (event: vscode.Event<vscode.TextDocument>, handle: (document: vscode.TextDocument) => void) =>
      event((document) => {
        if (document.uri.scheme === scheme) handle(document);
      });
    this.#subscriptions = [
      when(vscode.workspace.onDidOpenTextDocument, (document) => this.#note(document)),
      when(vscode.workspace.onDidCloseTextDocument, (document) => {
        // A change of language closes and opens a document, edits and all: what it is based on stays then.
        if (document.isDirty) return;
        this.#versions.forgetBase(document.uri.toString());
        this.#read.delete(document.uri.toString());
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === scheme) this.#note(document);
      }),
    ];
    for (const document of vscode.workspace.textDocuments) if (document.uri.scheme === scheme) this.#note(document);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** What the edits of an editor are based on; undefined where no editor has edits, or the base is not known. */
  editedBase(uri: vscode.Uri): Version | undefined {
    return this.find(uri)?.isDirty === true ? this.#versions.base(uri.toString()) : undefined;
  }

  /**
   * Fingerprint of the content that a write is based on. `unknown` where an editor has edits and nothing tells what they
   * are based on; undefined where nobody has read the document before.
   */
  baseForWrite(uri: vscode.Uri): string | 'unknown' | undefined {
    const key = uri.toString();
    if (this.find(uri)?.isDirty === true) return this.#versions.base(key)?.fingerprint ?? 'unknown';
    return this.#read.get(key);
  }

  wasRead(uri: vscode.Uri, text: string): void {
    this.#read.set(uri.toString(), fingerprint(text));
  }

  /** A text was stored: edits from here on are based on what the service holds now. */
  wasSaved(uri: vscode.Uri, text: string): void {
    this.wasRead(uri, text);
    if (this.find(uri) !== undefined) this.#versions.rebase(uri.toString(), text);
  }

  find(uri: vscode.Uri): vscode.TextDocument | undefined {
    const key = uri.toString();
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
  }

  #note(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (document.isDirty) this.#versions.keepBase(key);
    else this.#versions.rebase(key, document.getText());
  }
}
