import * as vscode from 'vscode';
import { formatAmount, formatCount } from '../ui/format.ts';
import { confirm, showError } from '../ui/messages.ts';
import { inMessage } from '../ui/text.ts';
import { MAX_SENTENCE_CHARS } from '../ui/errors.ts';
import { fingerprint, sameText, type DocumentAddress } from './model.ts';
import type { OpenDocument } from './openDocument.ts';
import type { Questions } from './recordHost.ts';
import type { SaveAnswer } from './saveGuard.ts';
import type { Snapshots } from './snapshots.ts';
import { findOpen, isUnsaved } from './unsaved.ts';

const compare = 'Compare';
const overwrite = 'Overwrite';
const revert = 'Revert';
const storeAgain = 'Store Mine Again';
const keepEarlier = 'Keep the Earlier Text';
const BUILD_WITHOUT_SAVING = 'Build Without Saving';
const SAVE_ALL = 'Save All';
/** Documents that a question names, at most. */
const MAX_NAMES = 20;
/** How long an editor may take to show what a service holds, in ms. */
const reloadMs = 5000;

/** What the user is asked where the service holds something else than what was expected. */
export class WindowQuestions implements Questions {
  readonly #snapshots: Snapshots;
  readonly #nameOf: (connection: string) => string;

  constructor(snapshots: Snapshots, nameOf: (connection: string) => string) {
    this.#snapshots = snapshots;
    this.#nameOf = nameOf;
  }

  inConflict(document: OpenDocument, theirs: string): void {
    const { connection, uri } = document.address;
    const file = fileOf(uri);
    const what = `"${file}" was changed on ${this.#nameOf(connection)} since you opened it`;
    const text = `${what}. Nothing was saved: your text is only in this editor.`;
    void this.#told(document.address, async () => {
      const choice = await this.#ask(text, [compare, overwrite, revert], document.address, theirs);
      document.answered(fingerprint(theirs), choice === overwrite ? 'overwrite' : 'none');
      if (choice === overwrite) await findOpen(uri)?.save();
      if (choice === revert) await revertEditor(uri);
    });
  }

  keptDifferently(address: DocumentAddress, fields: readonly string[], sent: string, kept: string): void {
    const file = fileOf(address.uri);
    const service = this.#nameOf(address.connection);
    const text = `"${file}" was saved, but ${service} did not keep as sent: ${fields.join(', ')}.`;
    void this.#told(address, async () => {
      if ((await vscode.window.showWarningMessage(inMessage(text, MAX_SENTENCE_CHARS), compare)) !== compare) return;
      const [one, other] = [this.#snapshots.add(file, sent), this.#snapshots.add(file, kept)];
      await vscode.commands.executeCommand('vscode.diff', one, other, `${file}: sent ↔ kept by ${service}`);
    });
  }

  /** The newer text comes back into its editor, unsaved, and the user chooses. */
  storedLate(document: OpenDocument, mine: string, theirs: string): void {
    const { connection, uri } = document.address;
    const file = fileOf(uri);
    void this.#told(document.address, async () => {
      await bringBack(document, mine, theirs);
      const open = findOpen(uri);
      const where = open !== undefined && isUnsaved(open) ? ' The newer text is in its editor, unsaved.' : '';
      const what = `${this.#nameOf(connection)} has gone back to an earlier text of yours in "${file}"`;
      const text = `${what}: a save whose answer was lost was stored late, over a newer one.${where}`;
      const choice = await this.#ask(text, [compare, storeAgain, keepEarlier], document.address, theirs);
      if (choice === storeAgain) await storeMineAgain(uri, mine);
      if (choice === keepEarlier) await revertEditor(uri);
    });
  }

  /** Asks whether documents may be stored on protected connections. */
  async onProtected(documents: readonly DocumentAddress[]): Promise<boolean> {
    const [first] = documents;
    const what =
      first === undefined || documents.length > 1
        ? formatAmount(documents.length, 'document')
        : `"${fileOf(first.uri)}"`;
    const message = `Save ${what} to a protected connection?`;
    return confirm(message, this.#namesOf(documents.map(({ uri }) => uri)), 'Save');
  }

  /** Asks what happens to unsaved documents when a build starts. Returns undefined if the user cancels. */
  async beforeBuild(uris: readonly vscode.Uri[]): Promise<SaveAnswer | undefined> {
    const message = `Save ${formatAmount(uris.length, 'document')} on the service before building?`;
    const lines = [...this.#namesOf(uris), '', 'VS Code saves all editors before a task (task.saveBeforeRun).'];
    const options = { modal: true, detail: lines.map((line) => inMessage(line, MAX_SENTENCE_CHARS)).join('\n') };
    const choice = await vscode.window.showWarningMessage(message, options, BUILD_WITHOUT_SAVING, SAVE_ALL);
    if (choice === undefined) return undefined;
    return choice === SAVE_ALL ? 'store' : 'refuse';
  }

  /** A line for each document, with its service. */
  #namesOf(uris: readonly vscode.Uri[]): readonly string[] {
    const names = uris.map((uri) => `${fileOf(uri)} → ${this.#nameOf(uri.authority)}`).sort();
    const others = names.splice(MAX_NAMES).length;
    return others === 0 ? names : [...names, `and ${formatCount(others)} more`];
  }

  /** Asks until something else was chosen than to compare, which is offered once. */
  async #ask(
    text: string,
    choices: readonly string[],
    address: DocumentAddress,
    theirs: string,
  ): Promise<string | undefined> {
    const choice = await vscode.window.showErrorMessage(inMessage(text, MAX_SENTENCE_CHARS), ...choices);
    if (choice !== compare) return choice;
    const { connection, uri } = address;
    const left = this.#snapshots.add(uri.path, theirs);
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      uri,
      `${fileOf(uri)}: ${this.#nameOf(connection)} ↔ yours`,
    );
    return this.#ask(
      text,
      choices.filter((other) => other !== compare),
      address,
      theirs,
    );
  }

  /** What the user chose may fail: nobody waits for it but the user. */
  async #told({ connection, uri }: DocumentAddress, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await showError(error, { title: `Couldn't save "${fileOf(uri)}"`, connection });
    }
  }
}

/** Puts a text into an open editor once that shows what replaced it. One with edits holds a newer text already. */
async function bringBack(document: OpenDocument, mine: string, theirs: string): Promise<void> {
  const open = findOpen(document.address.uri);
  if (open === undefined || (isUnsaved(open) && document.state !== 'saving')) return;
  const shows = (): boolean => !isUnsaved(open) && sameText(open.getText(), theirs);
  const isReloaded =
    shows() ||
    (await new Promise<boolean>((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        following.dispose();
        resolve(result);
      };
      const timer = setTimeout(() => end(shows()), reloadMs);
      const following = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === open && shows()) end(true);
      });
    }));
  if (isReloaded) await replaceText(open, mine);
}

async function storeMineAgain(uri: vscode.Uri, mine: string): Promise<void> {
  const open = await vscode.workspace.openTextDocument(uri);
  if (!isUnsaved(open) && !sameText(open.getText(), mine)) await replaceText(open, mine);
  // What was typed since is newer still. An editor that already says it has nothing to save.
  if (await open.save()) return;
  if (!isUnsaved(open)) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(open.getText()));
}

async function revertEditor(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(
    document.uri,
    new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)),
    text,
  );
  await vscode.workspace.applyEdit(edit);
}

function fileOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
