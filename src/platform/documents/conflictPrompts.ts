import * as vscode from 'vscode';
import { formatList, formatNumber, localized, plural, t } from '../../l10n.ts';
import { getFileName } from '../../ui/export/htmlFile.ts';
import { confirm, showError, showWarning } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { MAX_SENTENCE_CHARS } from '../../ui/errors.ts';
import { hashText } from '../../sync/fields/fields.ts';
import { isSameText } from './differences.ts';
import type { DocumentAddress, SavedDocument } from './model.ts';
import type { OpenDocument } from './openDocument.ts';
import type { Snapshots } from './snapshots.ts';
import { findOpenDocument, isUnsaved } from './unsaved.ts';

const buttons = localized(() => ({
  compare: t('Compare'),
  overwrite: t('Overwrite'),
  revert: t('Revert'),
  saveNewer: t('Save Newer Version'),
  keepEarlier: t('Keep Earlier Version'),
  buildWithoutSaving: t('Build Without Saving'),
  saveAll: t('Save All'),
}));
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
    const text = t`"${file}" changed on ${service} after you opened it. Your changes are not saved yet.`;
    const { overwrite, revert } = buttons();
    void this.#runAndShowErrors(document.address, async () => {
      const choice = await this.#ask(text, [overwrite, revert], uri, theirs);
      document.resolveConflict(hashText(theirs), choice === overwrite ? 'overwrite' : 'none');
      if (choice === overwrite) await findOpenDocument(uri)?.save();
      if (choice === revert) await revertEditor(uri);
    });
  }

  showStoredDifferently({ address, record, text: sent, storedDifferently: fields }: SavedDocument): void {
    const file = getFileName(address.uri);
    const service = this.#getConnectionName(address.connection);
    const text = t`"${file}" was saved, but ${service} stored these fields differently: ${formatList(fields)}.`;
    const { compare } = buttons();
    void this.#runAndShowErrors(address, async () => {
      if ((await showWarning(text, compare)) !== compare) return;
      const [one, other] = [this.#snapshots.add(file, sent), this.#snapshots.add(file, address.part.render(record))];
      await vscode.commands.executeCommand('vscode.diff', one, other, t`${file}: Sent ↔ Stored on ${service}`);
    });
  }

  /** Restores the newer text in its editor, unsaved, and lets the user choose. */
  showLateSave(document: OpenDocument, mine: string, theirs: string): void {
    const { connection, uri } = document.address;
    const file = getFileName(uri);
    void this.#runAndShowErrors(document.address, async () => {
      await restoreText(document, mine, theirs);
      const open = findOpenDocument(uri);
      const service = this.#getConnectionName(connection);
      const replaced = t`An earlier save of "${file}" reached ${service} late and replaced your newer version.`;
      const isKept = open !== undefined && isUnsaved(open);
      const text = isKept ? `${replaced} ${t('The newer version is in the editor, not saved yet.')}` : replaced;
      const { saveNewer, keepEarlier } = buttons();
      const choice = await this.#ask(text, [saveNewer, keepEarlier], uri, theirs);
      if (choice === saveNewer) await saveAgain(uri, mine);
      if (choice === keepEarlier) await revertEditor(uri);
    });
  }

  /** Asks whether documents may be stored on protected connections. */
  async confirmProtectedSave(documents: readonly DocumentAddress[]): Promise<boolean> {
    const [first] = documents;
    const message =
      !first || documents.length > 1
        ? plural(
            documents.length,
            t('Save {0} document to a protected connection?'),
            t('Save {0} documents to a protected connection?'),
          )
        : t`Save "${getFileName(first.uri)}" to a protected connection?`;
    return confirm(message, this.#listNames(documents.map(({ uri }) => uri)), t('Save'));
  }

  /** Asks what happens to unsaved documents when a build starts. Returns undefined if the user cancels. */
  async askBeforeBuild(uris: readonly vscode.Uri[]): Promise<SaveAnswer | undefined> {
    const message = plural(
      uris.length,
      t('Save {0} document on the service before building?'),
      t('Save {0} documents on the service before building?'),
    );
    const reason = t`VS Code saves all editors before a task runs (${'task.saveBeforeRun'}).`;
    const lines = [...this.#listNames(uris), '', reason];
    const { buildWithoutSaving, saveAll } = buttons();
    const options = { modal: true, detail: lines.map((line) => escapeMessage(line, MAX_SENTENCE_CHARS)).join('\n') };
    const choice = await vscode.window.showWarningMessage(message, options, buildWithoutSaving, saveAll);
    if (choice === undefined) return undefined;
    return choice === saveAll ? 'store' : 'refuse';
  }

  #listNames(uris: readonly vscode.Uri[]) {
    const names = uris.map((uri) => `${getFileName(uri)} → ${this.#getConnectionName(uri.authority)}`).sort();
    const omitted = names.splice(MAX_NAMES).length;
    return omitted === 0 ? names : [...names, t`and ${formatNumber(omitted)} more`];
  }

  /** Offers Compare and other choices. After Compare, asks again without it. */
  async #ask(text: string, choices: readonly string[], uri: vscode.Uri, theirs: string) {
    const message = escapeMessage(text, MAX_SENTENCE_CHARS);
    const { compare } = buttons();
    const choice = await vscode.window.showErrorMessage(message, compare, ...choices);
    if (choice !== compare) return choice;
    const title = t`${getFileName(uri)}: ${this.#getConnectionName(uri.authority)} ↔ Your Version`;
    await vscode.commands.executeCommand('vscode.diff', this.#snapshots.add(uri.path, theirs), uri, title);
    return vscode.window.showErrorMessage(message, ...choices);
  }

  /** Runs what the user chose. Nothing awaits it, so errors are shown here. */
  async #runAndShowErrors({ uri }: DocumentAddress, work: () => Promise<void>) {
    try {
      await work();
    } catch (error) {
      await showError(error, { title: t`Couldn't save "${getFileName(uri)}"` });
    }
  }
}

/** Waits until an open editor has reloaded, then restores a text in it. An editor with edits already has a newer text. */
async function restoreText(document: OpenDocument, mine: string, theirs: string) {
  const open = findOpenDocument(document.address.uri);
  if (!open || (isUnsaved(open) && document.state !== 'saving')) return;
  const hasReloaded = () => !isUnsaved(open) && isSameText(open.getText(), theirs);
  const isReloaded =
    hasReloaded() ||
    (await new Promise<boolean>((resolve) => {
      const end = (result: boolean) => {
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

async function saveAgain(uri: vscode.Uri, mine: string) {
  const open = await vscode.workspace.openTextDocument(uri);
  if (!isUnsaved(open) && !isSameText(open.getText(), mine)) await replaceText(open, mine);
  // Text typed since then is newer. `save` returns false if VS Code considers the document clean.
  if (await open.save()) return;
  if (!isUnsaved(open)) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(open.getText()));
}

async function revertEditor(uri: vscode.Uri) {
  await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

async function replaceText(document: vscode.TextDocument, text: string) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, document.validateRange(new vscode.Range(0, 0, document.lineCount, 0)), text);
  await vscode.workspace.applyEdit(edit);
}
