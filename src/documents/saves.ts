import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { Conflicts } from './conflicts.ts';
import { InvalidDocument, type Fields } from './model.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { fileName, type AnyRecord, type DocumentAddress, type Records } from './records.ts';
import { fingerprint, sameText, sameValue } from './text.ts';
import { scheme } from './uri.ts';

/** How long a save waits for others of its record that are under way, in ms. */
const patience = 400;

interface PendingSave {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
  readonly base: string | undefined;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A document that was stored: its record as it was before, and as it is now. */
export interface Saved {
  readonly address: DocumentAddress;
  readonly before: AnyRecord;
  readonly record: AnyRecord;
}

/** A document that was not stored, and why. */
export interface FailedSave {
  readonly address: DocumentAddress;
  readonly error: unknown;
}

/**
 * Stores documents: reads the record, compares it with what each document's edits are based on, sends the fields that
 * changed, and reads them back. Documents of one record that are saved together go out as one update.
 */
export class Saves implements vscode.Disposable {
  readonly onDidSave: vscode.Event<Saved>;
  readonly onDidFailSave: vscode.Event<FailedSave>;

  readonly #records: Records;
  readonly #open: OpenDocuments;
  readonly #conflicts: Conflicts;
  readonly #saved = new vscode.EventEmitter<Saved>();
  readonly #failed = new vscode.EventEmitter<FailedSave>();
  readonly #problems = vscode.languages.createDiagnosticCollection('mailing');
  /** Documents about to be saved, by the folder of their record. */
  readonly #announced = new Map<string, Set<string>>();
  readonly #pending = new Map<string, PendingSave[]>();
  /** The end of the last save of each record: saves of one record never overlap. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #willSave: vscode.Disposable;

  constructor(records: Records, open: OpenDocuments, conflicts: Conflicts) {
    this.#records = records;
    this.#open = open;
    this.#conflicts = conflicts;
    this.onDidSave = this.#saved.event;
    this.onDidFailSave = this.#failed.event;
    this.#willSave = vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => {
      if (uri.scheme === scheme) this.#announce(uri);
    });
  }

  dispose(): void {
    this.#willSave.dispose();
    this.#problems.dispose();
    this.#saved.dispose();
    this.#failed.dispose();
  }

  /** Stores one document. Resolves when the service was seen to hold it; rejects with the cause, and nothing is lost. */
  async save(address: DocumentAddress, text: string): Promise<void> {
    const folder = folderOf(address.uri);
    try {
      const fields = await this.#parse(address, text);
      const base = this.#open.baseForWrite(address.uri);
      await new Promise<void>((resolve, reject) => {
        const batch = this.#pending.get(folder) ?? [];
        batch.push({ address, text, fields, base, resolve, reject });
        this.#pending.set(folder, batch);
        if (batch.length === 1) void this.#flushWhenComplete(folder);
        this.#arrived(address.uri);
      });
    } catch (error) {
      this.#failed.fire({ address, error });
      throw error;
    } finally {
      this.#arrived(address.uri);
    }
  }

  async #parse(address: DocumentAddress, text: string): Promise<Fields> {
    this.#problems.delete(address.uri);
    try {
      return await address.part.parse(text);
    } catch (error) {
      if (!(error instanceof InvalidDocument)) throw error;
      const place = new vscode.Range(error.line, error.column, error.line, error.column + 1);
      const problem = new vscode.Diagnostic(place, error.message, vscode.DiagnosticSeverity.Error);
      problem.source = 'Mailing Studio';
      this.#problems.set(address.uri, [problem]);
      throw vscode.FileSystemError.Unavailable(`Line ${error.line + 1}: ${error.message} Nothing was sent.`);
    }
  }

  #announce(uri: vscode.Uri): void {
    const folder = folderOf(uri);
    const announced = this.#announced.get(folder) ?? new Set<string>();
    announced.add(uri.toString());
    this.#announced.set(folder, announced);
    setTimeout(() => this.#arrived(uri), patience);
  }

  #arrived(uri: vscode.Uri): void {
    this.#announced.get(folderOf(uri))?.delete(uri.toString());
  }

  /** Waits until every announced save of the record has come (a format on save may hold one up), then stores the batch. */
  async #flushWhenComplete(folder: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while ((this.#announced.get(folder)?.size ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const turn = (this.#tails.get(folder) ?? Promise.resolve()).then(async () => {
      const batch = this.#pending.get(folder) ?? [];
      this.#pending.delete(folder);
      try {
        await this.#store(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    });
    this.#tails.set(folder, turn);
    await turn;
    if (this.#tails.get(folder) === turn) this.#tails.delete(folder);
  }

  async #store(batch: readonly PendingSave[]): Promise<void> {
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
    const after = Object.keys(changed).length === 0 ? record : await this.#update(first.address, record, changed);
    for (const save of accepted) this.#settle(save, record, after);
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
    this.#saved.fire({ address, before, record: after });
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

function folderOf(uri: vscode.Uri): string {
  return uri.with({ path: uri.path.split('/').slice(0, 3).join('/') }).toString();
}
