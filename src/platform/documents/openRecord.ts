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

/** How long a save waits for others of its record that are under way, in ms. */
const PENDING_SAVE_TIMEOUT_MS = 400;
/** How long an answer serves all who open the record, in ms. */
const READ_CACHE_MS = 2000;

/**
 * Everything about one record that is in use: its documents, what the service was seen to hold, and the saves under way. Documents that are
 * saved together go out as one update, and saves never overlap: each reads the record, compares, sends the fields that changed, and reads
 * them back. Knows nothing of VS Code.
 */
export class OpenRecord {
  readonly address: RecordAddress;
  readonly #host: RecordHost;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #uncertainWrites: UncertainWrites;
  #cachedRead: CachedRead | undefined;
  #lastRead: AnyRecord | undefined;
  #readInProgress: Promise<AnyRecord> | undefined;
  /** Reads so far, and the number of the newest whose answer was noted: an older answer says nothing new. */
  #readCount = 0;
  #newestRead = 0;
  /** Why it could not be edited when it was last read. */
  #readOnlyState: { readonly reason: string | undefined } | undefined;
  /** Documents about to be saved, and what ends the waiting for each. */
  readonly #expectedSaves = new Map<string, () => void>();
  #onAllArrived: () => void = () => undefined;
  #pendingSaves: PendingSave[] = [];
  /** The end of the last save. */
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

  /** One of its documents, which is in use from now on. */
  getDocument(address: DocumentAddress): OpenDocument {
    const uri = address.uri.toString();
    const known = this.#documents.get(uri);
    if (known !== undefined) return known;
    const document = new OpenDocument(address, () => this.#host.getEditor(uri), this.#host.bases);
    this.#documents.set(uri, document);
    return document;
  }

  getState(address: DocumentAddress): OpenDocument['state'] | 'inDoubt' {
    const state = this.getDocument(address).state;
    return this.#uncertainWrites.hasPending && (state === 'clean' || state === 'dirty') ? 'inDoubt' : state;
  }

  /** The record as the service has it now. Reads that are asked for while one is under way share its answer. */
  read(): Promise<AnyRecord> {
    this.#readInProgress ??= this.#readLatest().finally(() => {
      this.#readInProgress = undefined;
    });
    return this.#readInProgress;
  }

  /**
   * The record for who begins to show it: what was read a moment ago for another purpose serves this one too, so that to open a record
   * with its documents is one request.
   * @param purpose what it is for: for the same again, it is read again
   */
  async readCachedOnce(purpose: string): Promise<AnyRecord> {
    const answer = this.#cachedRead?.purposes.has(purpose) === false ? this.#cachedRead : undefined;
    const record = answer?.record ?? (await this.read());
    this.#cachedRead?.purposes.add(purpose);
    return record;
  }

  /** The record as the service was last seen to hold it, however long ago; undefined where it was not read. */
  get lastRead(): AnyRecord | undefined {
    return this.#lastRead;
  }

  /** The record as it was a moment ago, for what is no more than a name. */
  async readCached(): Promise<AnyRecord> {
    return this.#cachedRead?.record ?? this.read();
  }

  /** The record as the service has it after everything that was sent before this call. */
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

  /** Why it can't be edited, as far as is known; it is read where nothing is. Documents change where this does. */
  async getReadOnlyReason(): Promise<string | undefined> {
    if (this.#readOnlyState === undefined) await this.read();
    return this.#readOnlyState?.reason;
  }

  /** The record is no more: its open tabs say so, and keep their text. */
  markDeleted(): void {
    this.#clearCachedRead();
    const documents = [...this.#documents.values()];
    for (const document of documents) document.markDeleted();
    this.#host.notifyChanged(
      [],
      documents.map(({ address }) => address),
    );
  }

  /** Somebody looks at it: what is in doubt is looked at too. */
  recheckUncertainWrites(): void {
    void this.#uncertainWrites.check();
  }

  /** An editor is about to save a document: saves of others wait for it, for a format on save may hold it up. */
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
   * Stores one document. Resolves when the service was seen to hold it.
   * @throws what keeps it from being stored: `InvalidDocument`, `NotStored`, `ApiError`. Nothing is lost
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
   * Stores fields that no editor shows, after the saves that are under way, and gives the record as it was seen to be then.
   * @param fieldsFor what to store in the record as it is now; undefined: nothing
   * @throws what keeps them from being stored, or from being known: `NotStored`, `ApiError`
   */
  store(fieldsFor: (record: AnyRecord) => Promise<Fields | undefined>): Promise<AnyRecord> {
    const update = (record: AnyRecord, changed: Fields): Promise<void> => {
      this.#clearCachedRead();
      return this.#host.update(record, changed);
    };
    const io = { read: () => this.readFresh(), update };
    const stored = this.#queueEnd.then(async () => storeFields(this.address, await this.#readForSave(), fieldsFor, io));
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

  /** An answer that a newer one has overtaken is of a state before: it is asked for again. */
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
    this.#cachedRead = {
      record,
      purposes: new Set(),
      cancelExpiry: this.#host.schedule(READ_CACHE_MS, () => this.#clearCachedRead()),
    };
    // One that became read-only (a campaign that was sent) changes without a change of its text.
    const reason = this.address.kind.getReadOnlyReason(record);
    const isLocked = this.#readOnlyState !== undefined && this.#readOnlyState.reason !== reason;
    this.#readOnlyState = { reason };
    const changed: DocumentAddress[] = [];
    const deleted: DocumentAddress[] = [];
    for (const document of this.#documents.values()) {
      const { address } = document;
      if (address.part.getMissingReason?.(record) !== undefined) {
        if (document.state !== 'gone') deleted.push(address);
        document.markDeleted();
      } else if ((document.recordVersion(address.part.render(record)).changed && !document.isUpToDate) || isLocked)
        changed.push(address);
    }
    if (changed.length > 0 || deleted.length > 0) this.#host.notifyChanged(changed, deleted);
    // What a save has stored is not known before its end.
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

  /** Waits until every announced save has come, then stores what has come until its turn. */
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
        const together = left.filter(
          (save, index) => !left.slice(0, index).some((earlier) => hasFieldConflict(earlier, save)),
        );
        await this.#storeBatch(together);
        left = left.filter((save) => !together.includes(save));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#isStoring = false;
    }
  }

  /** Ends each save, by resolving or rejecting it. Throws what keeps all of them from being stored. */
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

  /** The record as it is now. A save of what is gone says how its text can be stored all the same. */
  async #readForSave(): Promise<AnyRecord> {
    try {
      return await this.readFresh();
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notFound') throw error;
      const { noun } = this.address.kind;
      const way = `make a new ${noun} from the file in the editor to store it again.`;
      throw new SaveError(`The ${noun} was deleted on the service. Your text is kept in this tab: ${way}`, 'gone');
    }
  }

  /** Whether a document may go out: not where somebody else has changed it since, unless the user chose to overwrite that. */
  #accept({ document, address, text, base, reject }: PendingSave, record: AnyRecord): boolean {
    const missing = address.part.getMissingReason?.(record);
    if (missing !== undefined) {
      reject(new SaveError(`${missing} Your text is kept in this tab.`, 'gone'));
      return false;
    }
    const theirs = address.part.render(record);
    const print = hashText(theirs);
    const isExpected = base.hash === undefined || base.hash === print || isSameText(theirs, text);
    const isOurs = (): boolean =>
      document.hasSent((fields) => hasFieldValues(address, fields, record)) ||
      this.#uncertainWrites.isOwnWrite(address, record);
    if (isExpected || isOurs() || document.canOverwrite(print)) return true;
    if (document.enterConflict(print)) this.#host.prompts.showConflict(document, theirs);
    reject(
      new SaveError(
        'It was changed on the service since you opened it. Nothing was saved. Choose Compare, Overwrite or Revert.',
      ),
    );
    return false;
  }

  /** Sends the fields once. Where the answer is lost, the record itself may tell that they were stored, and never that they won't be. */
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
    const found =
      after === undefined ? 'Nor does it answer now.' : 'It does not hold your text so far, and may still be at work.';
    const { noun } = this.address.kind;
    const known = `${formatCause(error)}, so it is not known whether the ${noun} was stored. ${found}`;
    throw new SaveError(`${known} Your text is safe here: save again.`);
  }

  /** What was stored in part is our own change: the next save must not take it for somebody else's. */
  async #updateBases(saves: readonly PendingSave[], before: AnyRecord): Promise<void> {
    const record = await this.readFresh().catch(() => undefined);
    if (record === undefined) return;
    for (const { document, address, fields, base } of saves) {
      if (findStoredDifferences(address, fields, before, record).foreign.length === 0)
        document.updateBase(address.part.render(record), base.byEditor);
    }
  }

  /** Ends one save by what the service was seen to hold: stored, stored differently, or not stored. */
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
