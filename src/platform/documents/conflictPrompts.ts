import * as vscode from 'vscode';
import { formatAmount, formatCount } from '../ui/format.ts';
import { getFileName } from '../ui/htmlFile.ts';
import { confirm, showError, showWarning } from '../ui/messages.ts';
import { escapeMessage } from '../ui/text.ts';
import { MAX_SENTENCE_CHARS } from '../ui/errors.ts';
import { hashText } from '../../sync/fields.ts';
import { isSameText } from './differences.ts';
import type { DocumentAddress, SavedDocument } from './model.ts';
import type { OpenDocument } from './openDocument.ts';
import type { Snapshots } from './snapshots.ts';
import { findOpenDocument, isUnsaved } from './unsaved.ts';

const COMPARE = 'Compare';
const OVERWRITE = 'Overwrite';
const REVERT = 'Revert';
const STORE_AGAIN = 'Store Mine Again';
const KEEP_EARLIER = 'Keep the Earlier Text';
const BUILD_WITHOUT_SAVING = 'Build Without Saving';
const SAVE_ALL = 'Save All';
/** Maximum number of documents listed in a prompt. */
const MAX_NAMES = 20;
/** How long an editor may take to reload. */
const RELOAD_TIMEOUT_MS = 5000;

/** What the user has already decided about the next saves of a document. */
export type SaveAnswer = 'store' | 'refuse';

/** Prompts for conflicts between an editor and the service, and for saves that need a confirmation. */
export class ConflictPrompts {
  readonly #snapshots: Snapshots;
  readonly #getConnectionName: (connection: string) => string;

  constructor(snapshots: Snapshots, nameOf: (connection: string) => string) {
    this.#snapshots = snapshots;
    this.#getConnectionName = nameOf;
  }

  showConflict(document: OpenDocument, theirs: string): void {
    const { connection, uri } = document.address;
    const file = getFileName(uri);
    const service = this.#getConnectionName(connection);
    const text = `"${file}" changed on ${service} after you opened it. Your changes are not saved yet.`;
    void this.#runAndShowErrors(document.address, async () => {
      const choice = await this.#ask(text, [OVERWRITE, REVERT], uri, theirs);
      document.resolveConflict(hashText(theirs), choice === OVERWRITE ? 'overwrite' : 'none');
      if (choice === OVERWRITE) await findOpenDocument(uri)?.save();
      if (choice === REVERT) await revertEditor(uri);
    });
  }

  showStoredDifferently({ address, record, text: sent, storedDifferently: fields }: SavedDocument): void {
    const file = getFileName(address.uri);
    const service = this.#getConnectionName(address.connection);
    const text = `"${file}" was saved, but ${service} stored ${fields.join(', ')} differently.`;
    void this.#runAndShowErrors(address, async () => {
      if ((await showWarning(text, COMPARE)) !== COMPARE) return;
      const [one, other] = [this.#snapshots.add(file, sent), this.#snapshots.add(file, address.part.render(record))];
      await vscode.commands.executeCommand('vscode.diff', one, other, `${file}: sent ↔ stored on ${service}`);
    });
  }

  /** Restores the newer text in its editor, unsaved, and lets the user choose. */
  showLateSave(document: OpenDocument, mine: string, theirs: string): void {
    const { connection, uri } = document.address;
    const file = getFileName(uri);
    void this.#runAndShowErrors(document.address, async () => {
      await restoreText(document, mine, theirs);
      const open = findOpenDocument(uri);
      const where = open !== undefined && isUnsaved(open) ? ' Your newer text is in the editor, unsaved.' : '';
      const service = this.#getConnectionName(connection);
      const text = `${service} replaced "${file}" with an earlier text of yours, because it stored a save late.${where}`;
      const choice = await this.#ask(text, [STORE_AGAIN, KEEP_EARLIER], uri, theirs);
      if (choice === STORE_AGAIN) await saveAgain(uri, mine);
      if (choice === KEEP_EARLIER) await revertEditor(uri);
    });
  }

  /** Asks whether documents may be stored on protected connections. */
  async confirmProtectedSave(documents: readonly DocumentAddress[]): Promise<boolean> {
    const [first] = documents;
    const what =
      first === undefined || documents.length > 1
        ? formatAmount(documents.length, 'document')
        : `"${getFileName(first.uri)}"`;
    const message = `Save ${what} to a protected connection?`;
    return confirm(message, this.#listNames(documents.map(({ uri }) => uri)), 'Save');
  }

  /** Asks what happens to unsaved documents when a build starts. Returns undefined if the user cancels. */
  async askBeforeBuild(uris: readonly vscode.Uri[]): Promise<SaveAnswer | undefined> {
    const message = `Save ${formatAmount(uris.length, 'document')} on the service before building?`;
    const lines = [...this.#listNames(uris), '', 'VS Code saves all editors before a task (task.saveBeforeRun).'];
    const options = { modal: true, detail: lines.map((line) => escapeMessage(line, MAX_SENTENCE_CHARS)).join('\n') };
    const choice = await vscode.window.showWarningMessage(message, options, BUILD_WITHOUT_SAVING, SAVE_ALL);
    if (choice === undefined) return undefined;
    return choice === SAVE_ALL ? 'store' : 'refuse';
  }

  #listNames(uris: readonly vscode.Uri[]): readonly string[] {
    const names = uris.map((uri) => `${getFileName(uri)} → ${this.#getConnectionName(uri.authority)}`).sort();
    const omitted = names.splice(MAX_NAMES).length;
    return omitted === 0 ? names : [...names, `and ${formatCount(omitted)} more`];
  }

  /** Offers Compare and other choices. After Compare, asks again without it. */
  async #ask(text: string, choices: readonly string[], uri: vscode.Uri, theirs: string): Promise<string | undefined> {
    const message = escapeMessage(text, MAX_SENTENCE_CHARS);
    const choice = await vscode.window.showErrorMessage(message, COMPARE, ...choices);
    if (choice !== COMPARE) return choice;
    const title = `${getFileName(uri)}: ${this.#getConnectionName(uri.authority)} ↔ yours`;
    await vscode.commands.executeCommand('vscode.diff', this.#snapshots.add(uri.path, theirs), uri, title);
    return vscode.window.showErrorMessage(message, ...choices);
  }

  /** Runs what the user chose. Nothing awaits it, so errors are shown here. */
  async #runAndShowErrors({ connection, uri }: DocumentAddress, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await showError(error, { title: `Couldn't save "${getFileName(uri)}"`, connection });
    }
  }
}

/** Waits until an open editor has reloaded, then restores a text in it. An editor with edits already has a newer text. */
async function restoreText(document: OpenDocument, mine: string, theirs: string): Promise<void> {
  const open = findOpenDocument(document.address.uri);
  if (open === undefined || (isUnsaved(open) && document.state !== 'saving')) return;
  const hasReloaded = (): boolean => !isUnsaved(open) && isSameText(open.getText(), theirs);
  const isReloaded =
    hasReloaded() ||
    (await new Promise<boolean>((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        subscription.dispose();
        resolve(result);
      };
      const timer = setTimeout(() => end(hasReloaded()), RELOAD_TIMEOUT_MS);
      const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === open && hasReloaded()) end(true);
      });
    }));
  if (isReloaded) await replaceText(open, mine);
}

async function saveAgain(uri: vscode.Uri, mine: string): Promise<void> {
  const open = await vscode.workspace.openTextDocument(uri);
  if (!isUnsaved(open) && !isSameText(open.getText(), mine)) await replaceText(open, mine);
  // Text typed since then is newer. `save` returns false if VS Code considers the document clean.
  if (await open.save()) return;
  if (!isUnsaved(open)) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(open.getText()));
}

async function revertEditor(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)), text);
  await vscode.workspace.applyEdit(edit);
}
