import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { ApiError, ApiErrorKind } from '../api/errors.ts';
import { inMessage } from '../ui/text.ts';
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
  /** What was sent of each document since it was last seen to be stored: the service may hold any of it. */
  readonly #sent = new Map<string, Fields[]>();

  constructor(records: Records, open: OpenDocuments, conflicts: Conflicts, saved: (saved: Saved) => void) {
    this.#records = records;
    this.#open = open;
    this.#conflicts = conflicts;
    this.#saved = saved;
  }

  /** Ends each save of the batch, by resolving or rejecting it. Throws what keeps all of them from being stored. */
  async store(batch: readonly PendingSave[]): Promise<void> {
    for (let left = batch; left.length > 0; ) {
      const together = left.filter((save, index) => !left.slice(0, index).some((earlier) => clash(earlier, save)));
      await this.#storeTogether(together);
      left = left.filter((save) => !together.includes(save));
    }
  }

  async #storeTogether(batch: readonly PendingSave[]): Promise<void> {
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
    const after =
      Object.keys(changed).length === 0
        ? record
        : await this.#update(first.address, record, changed, accepted).catch((error: unknown) => this.#rebase(accepted, record, error));
    for (const save of accepted) this.#settle(save, record, after);
  }

  /** What was stored in part is our own change: the next save must not take it for somebody else's. */
  async #rebase(saves: readonly PendingSave[], before: AnyRecord, error: unknown): Promise<never> {
    const [first] = saves;
    if (error instanceof PartlyStored && first !== undefined) {
      const record = await this.#records.readAnew(first.address).catch(() => undefined);
      if (record === undefined) throw error;
      for (const { address, fields, base } of saves) {
        if (differences(address, fields, before, record).foreign.length === 0)
          this.#open.wasSaved(address.uri, address.part.render(record), base);
      }
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
    const { address, text, base: { fingerprint: base }, reject } = save;
    const missing = address.part.missing?.(record);
    if (missing !== undefined) {
      reject(vscode.FileSystemError.FileNotFound(`${missing} Your text is kept in this tab.`));
      return false;
    }
    const theirs = address.part.render(record);
    const print = fingerprint(theirs);
    const isOurs = (this.#sent.get(address.uri.toString()) ?? []).some((fields) => isHeld(address, fields, record));
    const foreign = base !== undefined && base !== print && !sameText(theirs, text) && !isOurs;
    if (!foreign || this.#conflicts.mayOverwrite(address.uri, print)) return true;
    reject(vscode.FileSystemError.Unavailable(this.#conflicts.found(address, theirs, print)));
    return false;
  }

  /** Sends the fields once. Where the answer is lost, the record itself tells whether they were stored. */
  async #update(address: DocumentAddress, record: AnyRecord, changed: Fields, saves: readonly PendingSave[]): Promise<AnyRecord> {
    try {
      await this.#records.update(address, record, changed);
      this.#wasSent(saves);
    } catch (error) {
      if (!isApiError(error) || error.outcome !== 'unknown') throw error;
      this.#wasSent(saves);
      const after = await this.#records.readAnew(address).catch(() => {
        throw vscode.FileSystemError.Unavailable(
          `${error.message} It is not known whether the ${address.kind.noun} was stored. Your text is safe here: save again when the service answers.`,
        );
      });
      if (isHeld(address, changed, after)) return after;
      throw vscode.FileSystemError.Unavailable(
        `${causeOf(error)}, and the ${address.kind.noun} was not stored. Your text is safe here: save again.`,
      );
    }
    return this.#records.readAnew(address);
  }

  #wasSent(saves: readonly PendingSave[]): void {
    for (const { address, fields } of saves) {
      const key = address.uri.toString();
      this.#sent.set(key, [...(this.#sent.get(key) ?? []), fields]);
    }
  }

  /** Ends one save by what the service was seen to hold: stored, stored differently, or not stored. */
  #settle(save: PendingSave, before: AnyRecord, after: AnyRecord): void {
    const { address, text, fields, base, resolve, reject } = save;
    const { kind, part, uri } = address;
    const theirs = part.render(after);
    const { ignored, foreign } = differences(address, fields, before, after);
    this.#sent.delete(uri.toString());
    this.#conflicts.resolved(uri);
    this.#open.wasSaved(uri, theirs, base, foreign.length > 0 ? text : undefined);
    this.#saved({ address, before, record: after });
    if (ignored.length > 0) {
      reject(
        vscode.FileSystemError.Unavailable(
          `The service answered without an error, but kept its old ${ignored.join(', ')}.${isEmptied(fields, ignored) ? " It can't be emptied there." : ''} Your text stays here, unsaved.`,
        ),
      );
      return;
    }
    if (foreign.length > 0) this.#conflicts.keptDifferently(address, fileName(kind, after, part), foreign, text, theirs);
    resolve();
  }
}

/**
 * Two tabs of one document, under an old name and a new one, with different texts: the second is to be compared with what the first stored.
 */
function clash(one: PendingSave, other: PendingSave): boolean {
  return Object.entries(one.fields).some(([name, value]) => name in other.fields && !sameValue(value, other.fields[name]));
}

function isHeld({ kind }: DocumentAddress, fields: Fields, record: AnyRecord): boolean {
  return Object.entries(fields).every(([name, value]) => sameValue(value, kind.field(record, name)));
}

/** The fields that the service does not hold as they were sent: still as they were before, or as neither knew them. */
function differences(
  { kind }: DocumentAddress,
  fields: Fields,
  before: AnyRecord,
  after: AnyRecord,
): { readonly ignored: readonly string[]; readonly foreign: readonly string[] } {
  const differing = Object.keys(fields).filter((name) => !sameValue(fields[name], kind.field(after, name)));
  const isIgnored = (name: string): boolean => sameValue(kind.field(before, name), kind.field(after, name));
  return { ignored: differing.filter(isIgnored), foreign: differing.filter((name) => !isIgnored(name)) };
}

/** Why it was not known whether a record was stored, where it is known now. */
function causeOf({ kind, status, serverMessage }: ApiError): string {
  const said = status === undefined ? '' : ` (HTTP ${status}${serverMessage === undefined ? '' : `: ${inMessage(serverMessage)}`})`;
  const causes: Readonly<Partial<Record<ApiErrorKind, string>>> = {
    timeout: 'The service did not answer in time',
    network: 'The connection was lost',
    notJson: 'The answer was not that of a mailing service',
  };
  return `${causes[kind] ?? 'The service failed'}${said}`;
}

function isEmptied(fields: Fields, names: readonly string[]): boolean {
  return names.every((name) => fields[name] === '');
}
