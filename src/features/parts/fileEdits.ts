import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TextEdit } from '../../email/html/text.ts';
import { toEditorRange } from '../language/tags/tagProviders.ts';

/** Edits of several files that are applied, saved and undone together. */
export class FileEdits {
  readonly #edit = new vscode.WorkspaceEdit();
  readonly #files: (readonly [document: vscode.TextDocument, text: string, edits: readonly TextEdit[]])[] = [];

  create(uri: vscode.Uri, text: string): void {
    this.#edit.createFile(uri, { contents: new TextEncoder().encode(text) });
  }

  /** Adds the edits of a file with this text. */
  async add(uri: vscode.Uri, text: string, edits: readonly TextEdit[]): Promise<void> {
    this.#files.push([await vscode.workspace.openTextDocument(uri), text, edits]);
  }

  /** @throws if a file no longer has the text that its edits are for. Nothing is changed then. */
  async apply(): Promise<void> {
    for (const [document, text, edits] of this.#files) {
      if (document.getText() !== text)
        throw new Error(t`${vscode.workspace.asRelativePath(document.uri)} has changed. Try again.`);
      for (const edit of edits) this.#edit.replace(document.uri, toEditorRange(document, edit), edit.text);
    }
    if (!(await vscode.workspace.applyEdit(this.#edit, { isRefactoring: true })))
      throw new Error(t('The files have changed. Try again.'));
    await Promise.all(this.#files.map(([document]) => document.save()));
  }
}
