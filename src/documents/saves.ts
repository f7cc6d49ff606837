import * as vscode from 'vscode';
import { once } from '../ui/once.ts';
import { InvalidDocument, type Fields } from './model.ts';
import type { OpenDocuments, WriteBase } from './openDocuments.ts';
import type { AnyRecord, DocumentAddress, Records } from './records.ts';
import type { Snapshots } from './snapshots.ts';
import type { Storing } from './storing.ts';

/** How long a save waits for others of its record that are under way, in ms. */
const patience = 400;

/** A save that waits for its record's turn. */
export interface PendingSave {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
  readonly base: WriteBase;
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

/** Takes saves of documents in: those of one record that are saved together are stored as one update, and never overlap with others. */
export class Saves implements vscode.Disposable {
  readonly onDidSave: vscode.Event<Saved>;
  readonly onDidFailSave: vscode.Event<FailedSave>;

  readonly #open: OpenDocuments;
  /** What stores is loaded with the first save. */
  readonly #storing: () => Promise<Storing>;
  readonly #saved = new vscode.EventEmitter<Saved>();
  readonly #failed = new vscode.EventEmitter<FailedSave>();
  readonly #problems = vscode.languages.createDiagnosticCollection('mailing');
  /** Documents about to be saved, by the folder of their record. */
  readonly #announced = new Map<string, Set<string>>();
  readonly #pending = new Map<string, PendingSave[]>();
  /** The end of the last save of each record: saves of one record never overlap. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #willSave: vscode.Disposable;

  constructor(records: Records, open: OpenDocuments, snapshots: Snapshots, nameOf: (connection: string) => string) {
    this.#open = open;
    this.#storing = once(async () => {
      const [{ Storing }, { Conflicts }] = await Promise.all([import('./storing.ts'), import('./conflicts.ts')]);
      return new Storing(records, open, new Conflicts(open, snapshots, nameOf), (saved) => this.#saved.fire(saved));
    });
    this.onDidSave = this.#saved.event;
    this.onDidFailSave = this.#failed.event;
    this.#willSave = vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => {
      if (uri.scheme === records.scheme) this.#announce(uri);
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
      const base = this.#open.baseForWrite(address.uri, text);
      await new Promise<void>((resolve, reject) => {
        const batch = this.#pending.get(folder) ?? [];
        batch.push({ address, text, fields, base, resolve, reject });
        this.#pending.set(folder, batch);
        if (batch.length === 1) void this.#flushWhenComplete(folder);
        this.#arrived(address.uri);
      });
    } catch (error) {
      this.#open.wasNotSaved(address.uri);
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
        await (await this.#storing()).store(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    });
    this.#tails.set(folder, turn);
    await turn;
    if (this.#tails.get(folder) === turn) this.#tails.delete(folder);
  }
}

function folderOf(uri: vscode.Uri): string {
  return uri.with({ path: uri.path.split('/').slice(0, 3).join('/') }).toString();
}
