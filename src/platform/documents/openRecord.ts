import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { errorText } from '../ui/errors.ts';
import {
  hasFieldValues,
  PartialUpdateError,
  hashText,
  isSameText,
  type AnyRecord,
  type DocumentAddress,
  type Fields,
  type RecordAddress,
} from './model.ts';
import { OpenDocument } from './openDocument.ts';
import type { CachedRead, RecordHost } from './recordHost.ts';
import {
  UncertainWrites,
  formatCause,
  changedFields,
  hasFieldConflict,
  findStoredDifferences,
  SaveError,
  storeFields,
  type PendingSave,
} from './saves.ts';

/** How long a save waits for other saves of its record that have begun. */
const PENDING_SAVE_TIMEOUT_MS = 400;
/** How long one read is shared by everything that opens the record. */
const READ_CACHE_MS = 2000;

/**
 * One record in use: its documents, its last read, and its saves in progress. Documents saved together are sent as one update. Saves never
 * overlap: each one reads the record, compares, sends the changed fields and reads them back. Independent of VS Code.
 */
export class OpenRecord {
  readonly address: RecordAddress;
  readonly #host: RecordHost;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #uncertainWrites: UncertainWrites;
  #cachedRead: CachedRead | undefined;
  #lastRead: AnyRecord | undefined;
  #readInProgress: Promise<AnyRecord> | undefined;
  /** Reads are numbered, so that a response older than the newest applied one can be ignored. */
  #readCount = 0;
  #newestRead = 0;
  #readOnlyState: { readonly reason: string | undefined } | undefined;
  /** Cancels the timeout of each save that has begun but not arrived, by URI. */
  readonly #expectedSaves = new Map<string, () => void>();
  #onAllArrived: () => void = () => undefined;
  #pendingSaves: PendingSave[] = [];
  #queueEnd: Promise<void> = Promise.resolve();
  #isStoring = false;

  constructor(address: RecordAddress, host: RecordHost) {
    this.address = address;
    this.#host = host;
    this.#uncertainWrites = new UncertainWrites(
      () =>
        this.readFresh().then(
          () => true,
          () => false,
        ),
      (ms, task) => host.schedule(ms, task),
    );
  }

  getDocument(address: DocumentAddress): OpenDocument {
    const uri = address.uri.toString();
    const existing = this.#documents.get(uri);
    if (existing !== undefined) return existing;
    const document = new OpenDocument(address, () => this.#host.getEditor(uri), this.#host.bases);
    this.#documents.set(uri, document);
    return document;
  }

  getState(address: DocumentAddress): OpenDocument['state'] | 'unconfirmed' {
    const state = this.getDocument(address).state;
    return this.#uncertainWrites.hasPending && (state === 'clean' || state === 'dirty') ? 'unconfirmed' : state;
  }

  /** Reads the record. Joins a read that is already in progress. */
  read(): Promise<AnyRecord> {
    this.#readInProgress ??= this.#readLatest().finally(() => {
      this.#readInProgress = undefined;
    });
    return this.#readInProgress;
  }

  /**
   * Returns the cached record to each purpose once, so that opening a record with all its documents takes one request. Reads the record if
   * the cache is empty or the purpose has already used it.
   */
  async readCachedOnce(purpose: string): Promise<AnyRecord> {
    const cached = this.#cachedRead?.purposes.has(purpose) === false ? this.#cachedRead : undefined;
    const record = cached?.record ?? (await this.read());
    this.#cachedRead?.purposes.add(purpose);
    return record;
  }

  /** The record at the last read, however long ago; undefined if it was never read. */
  get lastRead(): AnyRecord | undefined {
    return this.#lastRead;
  }

  async readCached(): Promise<AnyRecord> {
    return this.#cachedRead?.record ?? this.read();
  }

  /** Reads the record with a new request, so that the result includes everything sent before this call. */
  async readFresh(): Promise<AnyRecord> {
    this.#readCount += 1;
    const number = this.#readCount;
    try {
      const record = await this.#host.read();
      this.#applyRead(record, number);
      return record;
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') this.markDeleted();
      throw error;
    }
  }

  /** Returns why the record can't be edited, as of the last read. Reads the record if there was none. */
  async getReadOnlyReason(): Promise<string | undefined> {
    if (this.#readOnlyState === undefined) await this.read();
    return this.#readOnlyState?.reason;
  }

  /** Marks the record as deleted on the service. Open tabs keep their text. */
  markDeleted(): void {
    this.#clearCachedRead();
    const documents = [...this.#documents.values()];
    for (const document of documents) document.markDeleted();
    this.#host.notifyChanged(
      [],
      documents.map(({ address }) => address),
    );
  }

  /** Re-checks uncertain writes when a document of the record gains focus. */
  recheckUncertainWrites(): void {
    void this.#uncertainWrites.check();
  }

  /** Notes that an editor is about to save a document. Other saves wait for it, because formatting on save can delay it. */
  beginSave(address: DocumentAddress): void {
    this.getDocument(address).beginSave();
    const uri = address.uri.toString();
    this.#expectedSaves.get(uri)?.();
    this.#expectedSaves.set(
      uri,
      this.#host.schedule(PENDING_SAVE_TIMEOUT_MS, () => this.#handleArrival(uri)),
    );
  }

  /**
   * Stores one document. Resolves after reading it back.
   * @throws {InvalidDocumentError | SaveError | ApiError} if the document wasn't stored
   */
  async save(address: DocumentAddress, text: string): Promise<void> {
    const document = this.getDocument(address);
    const uri = address.uri.toString();
    try {
      const fields = await address.part.parse(text);
      const base = document.getWriteBase(text);
      await new Promise<void>((resolve, reject) => {
        this.#pendingSaves.push({ document, address, text, fields, base, resolve, reject });
        if (this.#pendingSaves.length === 1) void this.#storeWhenComplete();
        this.#handleArrival(uri);
      });
    } catch (error) {
      document.failSave();
      throw error;
    } finally {
      this.#handleArrival(uri);
    }
  }

  /**
   * Stores fields outside of any editor, after the saves in progress. Returns the record as read back.
   * @param getFields returns the fields to store, given the current record; undefined stores nothing
   * @throws {SaveError | ReadBackError | ApiError} if the fields weren't stored or couldn't be read back
   */
  store(getFields: (record: AnyRecord) => Promise<Fields | undefined>): Promise<AnyRecord> {
    const update = (record: AnyRecord, changed: Fields): Promise<void> => {
      this.#clearCachedRead();
      return this.#host.update(record, changed);
    };
    const io = { read: () => this.readFresh(), update };
    const stored = this.#queueEnd.then(async () => storeFields(this.address, await this.#readForSave(), getFields, io));
    this.#queueEnd = stored.then(
      () => undefined,
      () => undefined,
    );
    return stored;
  }

  dispose(): void {
    this.#clearCachedRead();
    this.#uncertainWrites.clear();
    for (const cancel of this.#expectedSaves.values()) cancel();
  }

  /** Reads until the response is not older than the newest applied one. */
  async #readLatest(): Promise<AnyRecord> {
    for (;;) {
      const number = this.#readCount + 1;
      const record = await this.readFresh();
      if (number >= this.#newestRead) return record;
    }
  }

  #applyRead(record: AnyRecord, number: number): void {
    if (number < this.#newestRead) return;
    this.#newestRead = number;
    this.#lastRead = record;
    this.#host.notifyRead(record);
    this.#clearCachedRead();
    const cancelExpiry = this.#host.schedule(READ_CACHE_MS, () => this.#clearCachedRead());
    this.#cachedRead = { record, purposes: new Set(), cancelExpiry };
    // A record that becomes read-only (a sent campaign) changes even if its text doesn't.
    const reason = this.address.kind.getReadOnlyReason(record);
    const isLocked = this.#readOnlyState !== undefined && this.#readOnlyState.reason !== reason;
    this.#readOnlyState = { reason };
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
    if (changed.length > 0 || deleted.length > 0) this.#host.notifyChanged(changed, deleted);
    // A save in progress reports at its end.
    if (!this.#isStoring) this.#reportLateSaves(record);
  }

  #clearCachedRead(): void {
    this.#cachedRead?.cancelExpiry();
    this.#cachedRead = undefined;
  }

  #reportLateSaves(record: AnyRecord): void {
    for (const { address, text } of this.#uncertainWrites.takeReplaced(record)) {
      this.#host.prompts.showLateSave(this.getDocument(address), text, address.part.render(record));
    }
  }

  #handleArrival(uri: string): void {
    this.#expectedSaves.get(uri)?.();
    this.#expectedSaves.delete(uri);
    if (this.#expectedSaves.size === 0) this.#onAllArrived();
  }

  /** Waits for every expected save, then queues one batch of all pending saves. */
  async #storeWhenComplete(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#expectedSaves.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onAllArrived = resolve;
      });
    }
    this.#queueEnd = this.#queueEnd.then(() => this.#storePending());
  }

  async #storePending(): Promise<void> {
    const batch = this.#pendingSaves;
    this.#pendingSaves = [];
    this.#isStoring = true;
    try {
      for (let left: readonly PendingSave[] = batch; left.length > 0;) {
        const next = left.filter((save, index) => !left.slice(0, index).some((other) => hasFieldConflict(other, save)));
        await this.#storeBatch(next);
        left = left.filter((save) => !next.includes(save));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#isStoring = false;
    }
  }

  /** Resolves or rejects each save. Throws if none of them could be stored. */
  async #storeBatch(saves: readonly PendingSave[]): Promise<void> {
    const before = await this.#readForSave();
    const { kind } = this.address;
    const reason = kind.getReadOnlyReason(before);
    if (reason !== undefined) throw new SaveError(reason, 'readOnly');
    const accepted = saves.filter((save) => this.#accept(save, before));
    const changed = changedFields(accepted, before, kind);
    const after = Object.keys(changed).length === 0 ? before : await this.#update(before, changed, accepted);
    for (const save of accepted) this.#settleSave(save, before, after);
    this.#reportLateSaves(after);
  }

  /** Reads the record before a save. If it was deleted, the error says how to keep the text. */
  async #readForSave(): Promise<AnyRecord> {
    try {
      return await this.readFresh();
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notFound') throw error;
      const { noun } = this.address.kind;
      const advice = `make a new ${noun} from the file in the editor to store it again.`;
      throw new SaveError(
        `The ${noun} was deleted on the service. Your text is kept in this tab: ${advice}`,
        'deleted',
      );
    }
  }

  /** Rejects a save and returns false if another user changed the document and the user hasn't chosen to overwrite exactly that text. */
  #accept({ document, address, text, base, reject }: PendingSave, record: AnyRecord): boolean {
    const missing = address.part.getMissingReason?.(record);
    if (missing !== undefined) {
      reject(new SaveError(`${missing} Your text is kept in this tab.`, 'deleted'));
      return false;
    }
    const theirs = address.part.render(record);
    const hash = hashText(theirs);
    const isExpected = base.hash === undefined || base.hash === hash || isSameText(theirs, text);
    const isOwnWrite = (): boolean =>
      document.hasSent((fields) => hasFieldValues(address, fields, record)) ||
      this.#uncertainWrites.isOwnWrite(address, record);
    if (isExpected || isOwnWrite() || document.canOverwrite(hash)) return true;
    if (document.enterConflict(hash)) this.#host.prompts.showConflict(document, theirs);
    reject(
      new SaveError(
        'It was changed on the service since you opened it. Nothing was saved. Choose Compare, Overwrite or Revert.',
      ),
    );
    return false;
  }

  /** Sends the fields once. After a lost response, a read can confirm that they were stored, but never that they won't be. */
  async #update(before: AnyRecord, changed: Fields, saves: readonly PendingSave[]): Promise<AnyRecord> {
    this.#clearCachedRead();
    try {
      await this.#host.update(before, changed);
    } catch (error) {
      if (error instanceof PartialUpdateError) await this.#updateBases(saves, before);
      if (!isApiError(error) || error.outcome !== 'unknown') throw error;
      for (const { document, fields } of saves) document.recordSent(fields);
      return this.#handleLostResponse(before, changed, saves, error);
    }
    for (const { document, fields } of saves) document.recordSent(fields);
    return this.readFresh().catch((error: unknown) => {
      const { noun } = this.address.kind;
      const next = 'Your text stays here, unsaved: save again to compare it.';
      throw new SaveError(`The ${noun} was stored, but it could not be seen how: ${errorText(error)} ${next}`);
    });
  }

  async #handleLostResponse(
    before: AnyRecord,
    changed: Fields,
    saves: readonly PendingSave[],
    error: ApiError,
  ): Promise<AnyRecord> {
    const after = await this.readFresh().catch(() => undefined);
    if (after !== undefined && hasFieldValues(this.address, changed, after)) return after;
    this.#uncertainWrites.add(saves, before);
    const status =
      after === undefined ? 'Nor does it answer now.' : 'It does not hold your text so far, and may still be at work.';
    const { noun } = this.address.kind;
    const outcome = `${formatCause(error)}, so it is not known whether the ${noun} was stored. ${status}`;
    throw new SaveError(`${outcome} Your text is safe here: save again.`);
  }

  /** After a partial update, moves the bases so that the next save doesn't report our own change as a conflict. */
  async #updateBases(saves: readonly PendingSave[], before: AnyRecord): Promise<void> {
    const record = await this.readFresh().catch(() => undefined);
    if (record === undefined) return;
    for (const { document, address, fields, base } of saves) {
      if (findStoredDifferences(address, fields, before, record).foreign.length === 0)
        document.updateBase(address.part.render(record), base.byEditor);
    }
  }

  #settleSave(save: PendingSave, before: AnyRecord, after: AnyRecord): void {
    const { document, address, text, fields, base, resolve, reject } = save;
    const theirs = address.part.render(after);
    const { ignored, foreign } = findStoredDifferences(address, fields, before, after);
    document.recordStored(theirs, base, foreign.length > 0 ? text : undefined);
    if (ignored.length === 0) this.#uncertainWrites.recordStored({ address, text, fields });
    this.#host.notifySaved({ address, before, record: after });
    if (ignored.length > 0) {
      const isEmptied = ignored.every((name) => fields[name] === '');
      const cause = `kept its old ${ignored.join(', ')}.${isEmptied ? " It can't be emptied there." : ''}`;
      reject(new SaveError(`The service answered without an error, but ${cause} Your text stays here, unsaved.`));
      return;
    }
    if (foreign.length > 0 && !this.#uncertainWrites.isOwnWrite(address, after))
      this.#host.prompts.showStoredDifferently(address, foreign, text, theirs);
    resolve();
  }
}
