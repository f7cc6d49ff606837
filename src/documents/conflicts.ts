import * as vscode from 'vscode';
import { inMessage } from '../ui/text.ts';
import { sentenceLength } from '../ui/words.ts';
import type { OpenDocuments } from './openDocuments.ts';
import type { DocumentAddress } from './records.ts';
import type { Snapshots } from './snapshots.ts';

const compare = 'Compare';
const overwrite = 'Overwrite';
const revert = 'Revert';

/** What the user is asked where the service holds something else than what was expected. */
export class Conflicts {
  readonly #open: OpenDocuments;
  readonly #snapshots: Snapshots;
  readonly #nameOf: (connection: string) => string;
  /** The foreign content that the user has agreed to overwrite, by document. */
  readonly #allowed = new Map<string, string>();
  /** Documents whose question is on the screen, with the foreign content that it is about. */
  readonly #asking = new Map<string, string>();

  constructor(open: OpenDocuments, snapshots: Snapshots, nameOf: (connection: string) => string) {
    this.#open = open;
    this.#snapshots = snapshots;
    this.#nameOf = nameOf;
  }

  /** Whether the user has chosen to overwrite exactly this content of the service. */
  mayOverwrite(uri: vscode.Uri, fingerprint: string): boolean {
    return this.#allowed.get(uri.toString()) === fingerprint;
  }

  resolved(uri: vscode.Uri): void {
    this.#allowed.delete(uri.toString());
    this.#asking.delete(uri.toString());
  }

  /** Somebody else has changed the document. Asks what to do, and returns the sentence that the failed save is told with. */
  found(address: DocumentAddress, theirs: string, fingerprint: string): string {
    const key = address.uri.toString();
    if (this.#asking.get(key) !== fingerprint) {
      this.#asking.set(key, fingerprint);
      void this.#ask(address, theirs, fingerprint, [compare, overwrite, revert]);
    }
    return 'It was changed on the service since you opened it. Nothing was saved. Choose Compare, Overwrite or Revert.';
  }

  async #ask(address: DocumentAddress, theirs: string, fingerprint: string, choices: string[]): Promise<void> {
    const { uri } = address;
    const key = uri.toString();
    const file = uri.path.split('/').at(-1) ?? uri.path;
    const choice = await vscode.window.showErrorMessage(
      inMessage(
        `"${file}" was changed on ${this.#nameOf(address.connection)} since you opened it. Nothing was saved: your text is only in this editor.`,
        sentenceLength,
      ),
      ...choices,
    );
    if (this.#asking.get(key) === fingerprint) this.#asking.delete(key);
    if (choice === compare) {
      await this.#compare(uri, theirs, `${file}: ${this.#nameOf(address.connection)} ↔ yours`);
      this.#asking.set(key, fingerprint);
      await this.#ask(address, theirs, fingerprint, [overwrite, revert]);
    } else if (choice === overwrite) {
      this.#allowed.set(key, fingerprint);
      await this.#open.find(uri)?.save();
    } else if (choice === revert) {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  }

  /** A document was stored, but not as it was sent. */
  keptDifferently(address: DocumentAddress, file: string, fields: readonly string[], sent: string, kept: string): void {
    void vscode.window
      .showWarningMessage(
        inMessage(
          `"${file}" was saved, but ${this.#nameOf(address.connection)} did not keep as sent: ${fields.join(', ')}.`,
          sentenceLength,
        ),
        compare,
      )
      .then((choice) =>
        choice === compare
          ? vscode.commands.executeCommand(
              'vscode.diff',
              this.#snapshots.add(file, sent),
              this.#snapshots.add(file, kept),
              `${file}: sent ↔ kept by ${this.#nameOf(address.connection)}`,
            )
          : undefined,
      );
  }

  async #compare(uri: vscode.Uri, theirs: string, title: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', this.#snapshots.add(uri.path, theirs), uri, title);
  }
}
