import { isApiError, isUnconfirmed } from '../../service/client/shapes.ts';
import { errorText } from '../../ui/errors.ts';
import { hashText } from '../../sync/fields/fields.ts';
import { updateOnce, type UpdateResult } from '../../sync/requests/updateOnce.ts';
import { SerialQueue } from '../../sync/exclusive.ts';
import { escapeMessage } from '../../service/text.ts';
import { formatList, t } from '../../l10n.ts';
import { findStoredDifferences, getChangedFields, hasFieldValues, haveSameValues, isSameText } from './differences.ts';
import { createMovedError, toServiceRef, type ServiceRef } from '../connections/model.ts';
import {
  PartialUpdateError,
  SaveError,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type Fields,
  type ReadOptions,
  type RecordAddress,
  type SavedDocument,
} from './model.ts';
import { OpenDocument, type EditorWindow, type WriteBase } from './openDocument.ts';
import { UncertainWrites, type SentDocument } from './uncertainWrites.ts';

/** How long a save waits for other saves of its record that have begun. */
const PENDING_SAVE_TIMEOUT_MS = 400;
/** How long one read is shared by everything that opens the record. */
const READ_CACHE_MS = 2000;

/** What a read found. */
export interface ReadResult {
  /** Undefined if the record was deleted. */
  readonly record?: AnyRecord;
  /** Documents whose content or read-only state changed. */
  readonly changed: readonly DocumentAddress[];
  readonly deleted: readonly DocumentAddress[];
}

/** The window, as open records use it. */
export interface RecordWindow extends EditorWindow {
  handleRead(address: RecordAddress, result: ReadResult): void;
  /** A late save has replaced `mine` by the earlier text `theirs`. */
  handleLateSave(document: OpenDocument, mine: string, theirs: string): void;
}

/** A queued save. */
interface PendingSave extends SentDocument {
  readonly document: OpenDocument;
  readonly base: WriteBase;
  readonly resolve: (saved: SavedDocument) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One record in use: its documents, its last read, and its saves in progress. Documents saved together are sent as one update. Saves never
 * overlap: each one reads the record, compares, sends the changed fields and reads them back. Independent of VS Code.
 */
export class OpenRecord {
  readonly address: RecordAddress;
  readonly #connections: DocumentConnections;
  readonly #window: RecordWindow;
  readonly #documents = new Map<string, OpenDocument>();
  /** The service that the record was first read from. Saves go there, or nowhere. */
  #service: ServiceRef | undefined;
  readonly uncertainWrites = new UncertainWrites(() => this.read());
  /** Reads and the deletion are numbered, so that a response older than the newest applied one can be ignored. */
  #readCount = 0;
  #newestRead = 0;
  /** The record at the last read, however long ago; undefined if it was never read. */
  lastRead: AnyRecord | undefined;
  /** The last read, while it is recent. */
  #recent: { readonly record: AnyRecord; readonly purposes: Set<string> } | undefined;
  #sharedRead: Promise<AnyRecord> | undefined;
  /** Timeouts of saves that have begun but not arrived, by URI. */
  readonly #expectedSaves = new Map<string, NodeJS.Timeout>();
  #pendingSaves: readonly PendingSave[] = [];
  readonly #queue = new SerialQueue();
  #isStoring = false;

  constructor(address: RecordAddress, connections: DocumentConnections, window: RecordWindow) {
    this.address = address;
    this.#connections = connections;
    this.#window = window;
  }

  getDocument(address: DocumentAddress): OpenDocument {
    const uri = address.uri.toString();
    const document = this.#documents.get(uri) ?? new OpenDocument(address, this.#window);
    this.#documents.set(uri, document);
    return document;
  }

  /** Reads the record and updates its documents. Throws `ApiError`. */
  async read({ freshness = 'new', purpose = '' }: ReadOptions = {}): Promise<AnyRecord> {
    if (freshness === 'new') return this.#requestRecord();
    if (freshness === 'any' && this.lastRead) return this.lastRead;
    const isUsable = freshness === 'recent' && this.#recent?.purposes.has(purpose) === false;
    const record = (isUsable ? this.#recent?.record : undefined) ?? (await this.#readShared());
    if (purpose !== '') this.#recent?.purposes.add(purpose);
    return record;
  }

  #readShared() {
    this.#sharedRead ??= this.#requestRecord().finally(() => {
      this.#sharedRead = undefined;
    });
    return this.#sharedRead;
  }

  /** Reads the record again if this window has used it. Nothing needs updating otherwise. */
  async refresh(): Promise<void> {
    if (this.lastRead) await this.read();
  }

  /** Marks the record as deleted on the service. Open tabs keep their text. */
  markDeleted(): void {
    // Reads that were sent before are older.
    this.#readCount += 1;
    this.#newestRead = this.#readCount;
    this.#recent = undefined;
    const documents = [...this.#documents.values()];
    for (const document of documents) document.markDeleted();
    this.#window.handleRead(this.address, { changed: [], deleted: documents.map(({ address }) => address) });
  }

  /** Notes that an editor is about to save a document. Other saves wait for it, because formatting on save can delay it. */
  beginSave(address: DocumentAddress): void {
    this.getDocument(address).beginSave();
    const uri = address.uri.toString();
    clearTimeout(this.#expectedSaves.get(uri));
    const timer = setTimeout(() => this.#handleArrival(uri), PENDING_SAVE_TIMEOUT_MS);
    this.#expectedSaves.set(uri, timer);
  }

  /**
   * Stores one document. Resolves after reading it back.
   * @throws {InvalidDocumentError | SaveError | ApiError} if the document wasn't stored
   */
  async save(address: DocumentAddress, text: string): Promise<SavedDocument> {
    const document = this.getDocument(address);
    try {
      const fields = await address.part.parse(text);
      const base = document.getWriteBase(text);
      return await new Promise((resolve, reject) => {
        this.#pendingSaves = [...this.#pendingSaves, { document, address, text, fields, base, resolve, reject }];
        this.#handleArrival(address.uri.toString());
      });
    } catch (error) {
      document.failSave();
      this.#handleArrival(address.uri.toString());
      throw error;
    }
  }

  /**
   * Stores fields outside of any editor, after the saves in progress.
   * @param service the confirmed service
   * @param decide returns the fields to store, given the current record; without fields, nothing is stored
   * @throws {SaveError | ApiError} if the fields weren't stored or the outcome is unconfirmed
   */
  store(
    { baseUrl }: ServiceRef,
    decide: (record: AnyRecord) => Promise<Fields | undefined>,
  ): Promise<UpdateResult<AnyRecord>> {
    return this.#queue.run(async () => {
      const { connection, baseUrl: own } = await this.#resolveService();
      if (own !== baseUrl) throw createMovedError(this.#connections.get(connection)?.name ?? connection, own);
      const before = await this.#readEditable();
      return this.#update(before, (await decide(before)) ?? {});
    });
  }

  dispose(): void {
    this.uncertainWrites.clear();
    for (const timer of this.#expectedSaves.values()) clearTimeout(timer);
  }

  /** Whether the connection has another address than the one that the record was read from, and no text is unsaved. */
  get isReplaceable(): boolean {
    const current = this.#connections.get(this.address.connection)?.baseUrl;
    if (!this.#service || current === undefined || current === this.#service.baseUrl) return false;
    return [...this.#documents.values()].every(({ state }) => state === 'clean' || state === 'deleted');
  }

  async #resolveService() {
    this.#service ??= toServiceRef(await this.#connections.resolve({ connection: this.address.connection }));
    return this.#service;
  }

  async #requestRecord() {
    const { id, kind } = this.address;
    this.#readCount += 1;
    const number = this.#readCount;
    try {
      const service = await this.#resolveService();
      const record = await this.#connections.run(service, (client) => kind.read(client, id, service));
      // A later request may have been answered first.
      if (number < this.#newestRead) return this.lastRead ?? record;
      this.#newestRead = number;
      this.#applyRead(record);
      return record;
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound' && number > this.#newestRead) this.markDeleted();
      throw error;
    }
  }

  #applyRead(record: AnyRecord) {
    const { kind } = this.address;
    // A record that becomes read-only (a sent campaign) changes even if its text doesn't.
    const isLocked =
      this.lastRead !== undefined && kind.getReadOnlyReason(this.lastRead) !== kind.getReadOnlyReason(record);
    this.lastRead = record;
    const recent = { record, purposes: new Set<string>() };
    this.#recent = recent;
    setTimeout(() => {
      if (this.#recent === recent) this.#recent = undefined;
    }, READ_CACHE_MS);
    const changed: DocumentAddress[] = [];
    const deleted: DocumentAddress[] = [];
    for (const document of this.#documents.values()) {
      const { address } = document;
      if (address.part.getMissingReason?.(record) !== undefined) {
        if (document.state !== 'deleted') deleted.push(address);
        document.markDeleted();
      } else if ((document.recordVersion(address.part.render(record)).changed && !document.isUpToDate) || isLocked)
        changed.push(address);
    }
    this.#window.handleRead(this.address, { record, changed, deleted });
    // A save in progress reports at its end.
    if (!this.#isStoring) this.#reportLateSaves(record);
  }

  #reportLateSaves(record: AnyRecord) {
    for (const { address, text } of this.uncertainWrites.takeReplaced(record))
      this.#window.handleLateSave(this.getDocument(address), text, address.part.render(record));
  }

  #handleArrival(uri: string) {
    clearTimeout(this.#expectedSaves.get(uri));
    this.#expectedSaves.delete(uri);
    // Other documents may be saved in the same turn.
    setImmediate(() => void this.#queue.run(() => this.#storePending()));
  }

  /** Stores all pending saves as one batch, once every expected save has arrived. */
  async #storePending() {
    const pending = this.#expectedSaves.size > 0 ? [] : this.#pendingSaves;
    // Two tabs of one document can have different names. The second save is compared with the stored first one.
    const saves = pending.filter(({ fields }, index) =>
      pending.slice(0, index).every((other) => haveSameValues(other.fields, fields)),
    );
    if (saves.length === 0) return;
    this.#pendingSaves = pending.filter((save) => !saves.includes(save));
    this.#isStoring = true;
    try {
      await this.#storeBatch(saves);
    } catch (error) {
      for (const { reject } of saves) reject(error);
    } finally {
      this.#isStoring = false;
    }
    await this.#storePending();
  }

  /** Resolves or rejects each save. Throws if none of them could be stored. */
  async #storeBatch(saves: readonly PendingSave[]) {
    const before = await this.#readEditable();
    const accepted = saves.filter((save) => {
      const rejection = this.#findRejection(save, before);
      if (rejection) save.reject(rejection);
      return rejection === undefined;
    });
    const after = await this.#updateDocuments(accepted, before);
    for (const save of accepted) this.#settle(save, before, after);
    this.#reportLateSaves(after);
  }

  /** Reads the record before a save. Throws if it was deleted or can't be edited. */
  async #readEditable() {
    const { kind } = this.address;
    try {
      const record = await this.read();
      const reason = kind.getReadOnlyReason(record);
      if (reason !== undefined) throw new SaveError(reason, { kind: 'forbidden' });
      return record;
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notFound') throw error;
      throw new SaveError(
        t('This document was deleted on the service. Your text is still in this tab: copy it to store it again.'),
        { kind: 'notFound' },
      );
    }
  }

  /** Returns an error if another user changed the document and the user hasn't chosen to overwrite exactly that text. */
  #findRejection({ document, address, text, base }: PendingSave, record: AnyRecord) {
    const missing = address.part.getMissingReason?.(record);
    if (missing !== undefined)
      return new SaveError(`${missing} ${t('Your text is still in this tab.')}`, { kind: 'notFound' });
    const theirs = address.part.render(record);
    const hash = hashText(theirs);
    if (
      base.hash === undefined ||
      base.hash === hash ||
      isSameText(theirs, text) ||
      document.hasSent((fields) => hasFieldValues(address.kind, fields, record)) ||
      this.uncertainWrites.isOwnWrite(address, record) ||
      document.canOverwrite(hash)
    )
      return undefined;
    return new SaveError(
      t(
        'This document changed on the service after you opened it. Your changes are not saved yet. Choose Compare, Overwrite or Revert.',
      ),
      { conflict: { theirs, isNew: document.enterConflict(hash) } },
    );
  }

  /** Sends the fields that differ once and reads them back. */
  async #update(before: AnyRecord, fields: Fields) {
    const { kind } = this.address;
    const changed = getChangedFields(kind, fields, before);
    if (Object.keys(changed).length === 0) return { after: before };
    this.#recent = undefined;
    const service = await this.#resolveService();
    return updateOnce(
      () => this.#connections.run(service, (client) => kind.update(client, before, changed, service)),
      () => this.read(),
      (record) => hasFieldValues(kind, changed, record),
    );
  }

  async #updateDocuments(saves: readonly PendingSave[], before: AnyRecord) {
    const recordSent = () => saves.forEach(({ document, fields }) => document.recordSent(fields));
    try {
      const fields = Object.fromEntries(saves.flatMap((save) => Object.entries(save.fields)));
      const result = await this.#update(before, fields);
      if ('after' in result) return result.after;
      recordSent();
      throw new SaveError(
        t`Your changes were saved, but couldn't be read back: ${errorText(result.readBackError)} Your text is still in this tab. Save again to compare it.`,
      );
    } catch (error) {
      if (error instanceof PartialUpdateError) await this.#updateBases(saves, before);
      if (!isUnconfirmed(error)) throw error;
      recordSent();
      this.uncertainWrites.add(saves, before);
      const { info, status, serverMessage } = error;
      const quote = serverMessage === undefined ? '' : `: ${escapeMessage(serverMessage)}`;
      const cause = status === undefined ? info.sentence : `${info.sentence} (HTTP ${status}${quote})`;
      throw new SaveError(
        `${cause}. ${t('Your changes may have been saved. Your text is still in this tab. Save again.')}`,
      );
    }
  }

  /** After a partial update, moves the bases so that the next save doesn't report our own change as a conflict. */
  async #updateBases(saves: readonly PendingSave[], before: AnyRecord) {
    const record = await this.read().catch(() => undefined);
    if (!record) return;
    for (const { document, address, fields, base } of saves)
      if (findStoredDifferences(address.kind, fields, before, record).foreign.length === 0)
        document.updateBase(address.part.render(record), base.byEditor);
  }

  #settle(save: PendingSave, before: AnyRecord, record: AnyRecord) {
    const { document, address, text, fields, base, resolve, reject } = save;
    const { ignored, foreign } = findStoredDifferences(address.kind, fields, before, record);
    document.recordStored(address.part.render(record), base, foreign.length > 0 ? text : undefined);
    if (ignored.length > 0) {
      const isEmptied = ignored.every((name) => fields[name] === '');
      const sentences = [
        t`The service confirmed the save, but didn't change these fields: ${formatList(ignored)}.`,
        isEmptied && t("Empty values can't be saved there."),
        t('Your changes are not saved yet.'),
      ];
      const saved: SavedDocument = { address, before, record, text, storedDifferently: [] };
      reject(new SaveError(sentences.filter(Boolean).join(' '), { saved }));
      return;
    }
    this.uncertainWrites.recordStored({ address, text, fields });
    const isOwnWrite = this.uncertainWrites.isOwnWrite(address, record);
    resolve({ address, before, record, text, storedDifferently: isOwnWrite ? [] : foreign });
  }
}
