import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TextEdit } from '../../email/html/text.ts';
import { toEditorRange } from '../language/tags/tagProviders.ts';

/** Edits of several files that are applied, saved and undone together. */
export class FileEdits {
  readonly #edit = new vscode.WorkspaceEdit();
  readonly #documents: vscode.TextDocument[] = [];

  create(uri: vscode.Uri, text: string): void {
    this.#edit.createFile(uri, { contents: new TextEncoder().encode(text) });
  }

  /** @throws if the file no longer has the text that the edits are for */
  async add(uri: vscode.Uri, text: string, edits: readonly TextEdit[]): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.getText() !== text)
      throw new Error(t`${vscode.workspace.asRelativePath(uri)} has changed. Try again.`);
    for (const edit of edits) this.#edit.replace(uri, toEditorRange(document, edit), edit.text);
    this.#documents.push(document);
  }

  async apply(): Promise<void> {
    if (!(await vscode.workspace.applyEdit(this.#edit, { isRefactoring: true })))
      throw new Error(t('The files have changed. Try again.'));
    await Promise.all(this.#documents.map((document) => document.save()));
  }
}
