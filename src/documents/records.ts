import * as vscode from 'vscode';
import { isApiError } from '../api/recognized.ts';
import type { Connections } from '../connections/connections.ts';
import type { RecordRef } from '../connections/record.ts';
import type { DocumentFolder, DocumentKind, DocumentPart, Fields } from './model.ts';
import { baseName, build } from './uri.ts';
import { Versions } from './versions.ts';

/** A record type with its shape forgotten: what the file system handles. */
export type AnyKind = DocumentKind<{ readonly id: number }>;
export type AnyPart = DocumentPart<{ readonly id: number }>;
export type AnyFolder = DocumentFolder<{ readonly id: number }>;
export type AnyRecord = { readonly id: number };

/** What is needed of the connections. */
export type DocumentConnections = Pick<Connections, 'get' | 'run'>;

/** A record of a kind, on a connection. */
export interface RecordAddress extends RecordRef {
  readonly kind: AnyKind;
}

/** A document of a record. `uri` is the address it was asked for by: the base name in it may be out of date. */
export interface DocumentAddress extends RecordAddress {
  readonly part: AnyPart;
  readonly uri: vscode.Uri;
}

function keyOf(address: RecordAddress): string {
  return `${address.connection}/${address.kind.collection}/${address.id}`;
}

/** Path of a record's document below the record's folder. Its end is shown in the tab. */
export function fileName(kind: AnyKind, record: AnyRecord, part: AnyPart): string {
  return part.file ?? baseName(kind.name(record), `${kind.noun} ${record.id}`) + part.suffix;
}

/**
 * The part a file stands for: one of the record's folder, or the one its name ends for: the longest suffix wins, so that `x.template.json`
 * is not taken for another `.json`.
 */
export function partOf(kind: AnyKind, file: string): AnyPart | undefined {
  const { folder: inner } = kind;
  if (inner !== undefined && file.startsWith(`${inner.name}/`)) return inner.part(file.slice(inner.name.length + 1));
  return kind.parts.filter(({ suffix }) => file.endsWith(suffix)).sort((one, other) => other.suffix.length - one.suffix.length)[0];
}

/**
 * Reads and writes records, and tells which documents have changed by it. Every answer of the service passes through here,
 * so that the content known of a document is always that of the newest answer.
 */
export class Records implements vscode.Disposable {
  readonly versions: Versions;
  /** Of the documents' addresses. */
  readonly scheme: string;
  readonly onDidChangeFiles: vscode.Event<vscode.FileChangeEvent[]>;

  readonly #connections: DocumentConnections;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #reading = new Map<string, Promise<AnyRecord>>();
  /** Addresses that documents were asked for by, for each record. */
  readonly #known = new Map<string, Map<string, DocumentAddress>>();
  /** Why each record could not be edited when it was last read. */
  readonly #reasons = new Map<string, string | undefined>();
  /** Number of the newest read whose answer was noted, for each record: an older answer says nothing new. */
  readonly #noted = new Map<string, number>();
  #reads = 0;

  constructor(connections: DocumentConnections, state: vscode.Memento, scheme: string) {
    this.scheme = scheme;
    this.#connections = connections;
    this.versions = new Versions(state);
    this.onDidChangeFiles = this.#changes.event;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** The record as the service has it now. Reads that are asked for while one is under way share its answer. */
  read(address: RecordAddress): Promise<AnyRecord> {
    const key = keyOf(address);
    const running = this.#reading.get(key);
    if (running !== undefined) return running;
    const reading = this.#readNewest(address).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  /** An answer that a newer one has overtaken is of a state before: it is asked for again. */
  async #readNewest(address: RecordAddress): Promise<AnyRecord> {
    for (;;) {
      const number = this.#reads + 1;
      const record = await this.readAnew(address);
      if (number >= (this.#noted.get(keyOf(address)) ?? 0)) return record;
    }
  }

  /** The record as the service has it after everything that was sent before this call. */
  async readAnew(address: RecordAddress): Promise<AnyRecord> {
    const number = ++this.#reads;
    try {
      const record = await this.#connections.run(address.connection, (client) =>
        address.kind.read(client, address.id, { connection: address.connection }),
      );
      this.#note(address, record, number);
      return record;
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') this.gone(address);
      throw error;
    }
  }

  async update(address: RecordAddress, record: AnyRecord, fields: Fields): Promise<void> {
    await this.#connections.run(address.connection, (client) =>
      address.kind.update(client, record, fields, { connection: address.connection }),
    );
  }

  /** All records of a collection, page after page. */
  list(connection: string, kind: AnyKind): Promise<readonly AnyRecord[]> {
    return this.#connections.run(connection, async (client) => {
      const records: AnyRecord[] = [];
      for await (const record of kind.list(client, {})) records.push({ id: record.id });
      return records;
    });
  }

  /** Notes that a document is in use under this address. */
  know(document: DocumentAddress): void {
    const key = keyOf(document);
    const known = this.#known.get(key) ?? new Map<string, DocumentAddress>();
    known.set(document.uri.toString(), document);
    this.#known.set(key, known);
  }

  /** The record is no more: its open tabs say so, and keep their text. */
  gone(address: RecordAddress): void {
    const documents = [...(this.#known.get(keyOf(address))?.values() ?? [])];
    this.#changes.fire(documents.map(({ uri }) => ({ type: vscode.FileChangeType.Deleted, uri })));
  }

  /** Has a document read again by whoever shows it. */
  changed(uri: vscode.Uri): void {
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  uri(kind: AnyKind, ref: RecordRef, record: AnyRecord, part: AnyPart): vscode.Uri {
    return build(kind.collection, ref, fileName(kind, record, part), this.scheme);
  }

  #note(address: RecordAddress, record: AnyRecord, number: number): void {
    const key = keyOf(address);
    if (number < (this.#noted.get(key) ?? 0)) return;
    this.#noted.set(key, number);
    // One that became read-only (a campaign that was sent) changes without a change of its text.
    const reason = address.kind.readOnly(record);
    const locked = this.#reasons.has(key) && this.#reasons.get(key) !== reason;
    this.#reasons.set(key, reason);
    const documents = [...(this.#known.get(key)?.values() ?? [])];
    const lost = documents.filter(({ part }) => part.missing?.(record) !== undefined);
    const changed = documents.filter(
      (document) =>
        !lost.includes(document) && (this.versions.see(document.uri.toString(), document.part.render(record)).changed || locked),
    );
    for (const { uri } of lost) this.#known.get(key)?.delete(uri.toString());
    const changes = [
      ...changed.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })),
      ...lost.map(({ uri }) => ({ type: vscode.FileChangeType.Deleted, uri })),
    ];
    if (changes.length > 0) this.#changes.fire(changes);
  }
}
