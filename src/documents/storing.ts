import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { Conflicts } from './conflicts.ts';
import { PartlyStored, type Fields } from './model.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { fileName, type AnyRecord, type DocumentAddress, type Records } from './records.ts';
import type { PendingSave, Saved } from './saves.ts';
import { fingerprint, sameText, sameValue } from './text.ts';

/** Stores the documents of one record: reads it, compares, sends the fields that changed, and reads them back. */
export class Storing {
  readonly #records: Records;
  readonly #open: OpenDocuments;
  readonly #conflicts: Conflicts;
  readonly #saved: (saved: Saved) => void;

  constructor(records: Records, open: OpenDocuments, conflicts: Conflicts, saved: (saved: Saved) => void) {
    this.#records = records;
    this.#open = open;
    this.#conflicts = conflicts;
    this.#saved = saved;
  }

  /** Ends each save of the batch, by resolving or rejecting it. Throws what keeps all of them from being stored. */
  async store(batch: readonly PendingSave[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const { kind } = first.address;
    const record = await this.#current(first.address);
    const reason = kind.readOnly(record);
    if (reason !== undefined) throw vscode.FileSystemError.NoPermissions(reason);

    const accepted = batch.filter((save) => this.#accept(save, record));
    const changed = Object.fromEntries(
      accepted.flatMap(({ fields }) => Object.entries(fields)).filter(([name, value]) => !sameValue(value, kind.field(record, name))),
    );
    const after = Object.keys(changed).length === 0 ? record : await this.#update(first.address, record, changed).catch((error: unknown) => this.#rebase(accepted, error));
    for (const save of accepted) this.#settle(save, record, after);
  }

  /** What was stored in part is our own change: the next save must not take it for somebody else's. */
  async #rebase(saves: readonly PendingSave[], error: unknown): Promise<never> {
    const [first] = saves;
    if (error instanceof PartlyStored && first !== undefined) {
      const record = await this.#records.readAnew(first.address).catch(() => undefined);
      if (record !== undefined) for (const { address } of saves) this.#open.wasSaved(address.uri, address.part.render(record));
    }
    throw error;
  }

  /** The record as it is now. A save of what is gone says how its text can be stored all the same. */
  async #current(address: DocumentAddress): Promise<AnyRecord> {
    try {
      return await this.#records.readAnew(address);
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notFound') throw error;
      const { noun } = address.kind;
      throw vscode.FileSystemError.FileNotFound(
        `The ${noun} was deleted on the service. Your text is kept in this tab: make a new ${noun} from the file in the editor to store it again.`,
      );
    }
  }

  /** Whether a document may go out: not where somebody else has changed it since, unless the user chose to overwrite that. */
  #accept(save: PendingSave, record: AnyRecord): boolean {
    const { address, text, base, reject } = save;
    const missing = address.part.missing?.(record);
    if (missing !== undefined) {
      reject(vscode.FileSystemError.FileNotFound(`${missing} Your text is kept in this tab.`));
      return false;
    }
    const theirs = address.part.render(record);
    const print = fingerprint(theirs);
    const foreign = base !== undefined && base !== print && !sameText(theirs, text);
    if (!foreign || this.#conflicts.mayOverwrite(address.uri, print)) return true;
    reject(vscode.FileSystemError.Unavailable(this.#conflicts.found(address, theirs, print)));
    return false;
  }

  /** Sends the fields once. Where the answer is lost, the record itself tells whether they were stored. */
  async #update(address: DocumentAddress, record: AnyRecord, changed: Fields): Promise<AnyRecord> {
    try {
      await this.#records.update(address, record, changed);
    } catch (error) {
      if (!isApiError(error) || error.outcome !== 'unknown') throw error;
      const after = await this.#records.readAnew(address).catch(() => {
        throw vscode.FileSystemError.Unavailable(
          `${error.message} It is not known whether the ${address.kind.noun} was stored. Your text is safe here: save again when the service answers.`,
        );
      });
      const isStored = Object.entries(changed).every(([name, value]) => sameValue(value, address.kind.field(after, name)));
      if (isStored) return after;
      const cause = error.status === undefined ? 'The connection was lost' : `The service failed (HTTP ${error.status}${error.serverMessage === undefined ? '' : `: ${error.serverMessage}`})`;
      throw vscode.FileSystemError.Unavailable(`${cause}, and the ${address.kind.noun} was not stored. Your text is safe here: save again.`);
    }
    return this.#records.readAnew(address);
  }

  /** Ends one save by what the service was seen to hold: stored, stored differently, or not stored. */
  #settle(save: PendingSave, before: AnyRecord, after: AnyRecord): void {
    const { address, text, fields, resolve, reject } = save;
    const { kind, part, uri } = address;
    const theirs = part.render(after);
    const differing = Object.entries(fields)
      .filter(([name, value]) => !sameValue(value, kind.field(after, name)))
      .map(([name]) => name);
    const ignored = differing.filter((name) => sameValue(kind.field(before, name), kind.field(after, name)));
    this.#conflicts.resolved(uri);
    this.#open.wasSaved(uri, theirs);
    this.#saved({ address, before, record: after });
    if (ignored.length > 0) {
      reject(
        vscode.FileSystemError.Unavailable(
          `The service answered without an error, but kept its old ${ignored.join(', ')}.${isEmptied(fields, ignored) ? " It can't be emptied there." : ''} Your text stays here, unsaved.`,
        ),
      );
      return;
    }
    if (differing.length > 0) this.#conflicts.keptDifferently(address, fileName(kind, after, part), differing, text, theirs);
    resolve();
  }
}

function isEmptied(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => fields[name] === '');
}
