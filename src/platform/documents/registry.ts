import * as vscode from 'vscode';
import type { RecordKey } from '../connections/model.ts';
import {
  findPart,
  type AnyKind,
  type AnyRecord,
  type DocumentAddress,
  type DocumentKind,
  type RecordAddress,
  type SavedDocument,
} from './model.ts';
import { Snapshots } from './snapshots.ts';
import { isUnsaved } from './unsaved.ts';
import { buildFileName, buildUri, parseUri } from './uri.ts';

export interface ReadRecord {
  readonly address: RecordAddress;
  readonly record: AnyRecord;
}

/** The kinds of documents and their URIs, and the events of documents. */
export class DocumentRegistry {
  /** Read-only texts for comparisons. */
  readonly snapshots: Snapshots;
  readonly kinds = new Map<string, AnyKind>();
  readonly scheme: string;
  readonly emitters = {
    change: new vscode.EventEmitter<vscode.FileChangeEvent[]>(),
    save: new vscode.EventEmitter<SavedDocument>(),
    read: new vscode.EventEmitter<ReadRecord>(),
    failSave: new vscode.EventEmitter<{ readonly address: DocumentAddress; readonly error: unknown }>(),
  };
  /** Fires when a document was stored on the service. */
  readonly onDidSave = this.emitters.save.event;
  /** Fires when a record was read, also after storing it. */
  readonly onDidRead = this.emitters.read.event;
  /** Fires when a document couldn't be stored. Its text is still in its editor. */
  readonly onDidFailSave = this.emitters.failSave.event;
  /** Returns whether saves that the user didn't start need a confirmation on a connection. */
  isProtected: (connection: string) => Promise<boolean> = () => Promise.resolve(false);

  constructor(scheme: string) {
    this.scheme = scheme;
    this.snapshots = new Snapshots(scheme);
  }

  /** Serves the records of a kind as documents. */
  register<R extends { readonly id: number }>(kind: DocumentKind<R>): void {
    // The file system returns each record only to the kind that read it, so its type can be erased.
    this.kinds.set(kind.collection, kind as unknown as AnyKind);
  }

  /** Returns the document that a URI names, or undefined for any other URI. */
  find(uri: vscode.Uri): DocumentAddress | undefined {
    const { connection, collection = '', id, file } = parseUri(uri, this.scheme) ?? {};
    const kind = this.kinds.get(collection);
    if (connection === undefined || !kind || id === undefined || file === undefined) return undefined;
    const part = findPart(kind, file);
    return part && { connection, id, kind, part, uri };
  }

  getRecordAddress(collection: string, { connection, id }: RecordKey): RecordAddress {
    const kind = this.kinds.get(collection);
    if (!kind) throw new Error(`No documents of ${collection}.`);
    return { connection, id, kind };
  }

  /** Returns the URI of a document, given the record. */
  buildUri(collection: string, ref: RecordKey, record: AnyRecord, suffix: string): vscode.Uri {
    const { kind } = this.getRecordAddress(collection, ref);
    const part = kind.parts.find((candidate) => candidate.suffix === suffix);
    if (!part) throw new Error(`A ${kind.noun} has no ${suffix} document.`);
    return buildUri(kind.collection, ref, buildFileName(kind, record, part), this.scheme);
  }

  /** Returns the URI of another document of the same record, with the same base name. */
  getSiblingUri(uri: vscode.Uri, suffix: string): vscode.Uri {
    const own = this.find(uri)?.part.suffix ?? '';
    return uri.with({ path: uri.path.slice(0, uri.path.length - own.length) + suffix });
  }

  findUnsaved(): readonly vscode.Uri[] {
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === this.scheme);
    return documents.filter(isUnsaved).map(({ uri }) => uri);
  }
}
