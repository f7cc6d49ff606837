import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { errorText } from '../ui/errors.ts';
import {
  holds,
  PartlyStored,
  fingerprint,
  sameText,
  type AnyRecord,
  type DocumentAddress,
  type Fields,
  type RecordAddress,
} from './model.ts';
import { OpenDocument } from './openDocument.ts';
import type { Answer, RecordHost } from './recordHost.ts';
import {
  Doubt,
  causeOf,
  changedFields,
  clash,
  differences,
  NotStored,
  storeFields,
  type PendingSave,
} from './saves.ts';

/** How long a save waits for others of its record that are under way, in ms. */
const announcedMs = 400;
/** How long an answer serves all who open the record, in ms. */
const freshMs = 2000;

/**
 * Everything about one record that is in use: its documents, what the service was seen to hold, and the saves under way. Documents that are
 * saved together go out as one update, and saves never overlap: each reads the record, compares, sends the fields that changed, and reads
 * them back. Knows nothing of VS Code.
 */
export class OpenRecord {
  readonly address: RecordAddress;
  readonly #host: RecordHost;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #doubt: Doubt;
  #answer: Answer | undefined;
  #lastSeen: AnyRecord | undefined;
  #reading: Promise<AnyRecord> | undefined;
  /** Reads so far, and the number of the newest whose answer was noted: an older answer says nothing new. */
  #reads = 0;
  #noted = 0;
  /** Why it could not be edited when it was last read. */
  #readOnly: { readonly reason: string | undefined } | undefined;
  /** Documents about to be saved, and what ends the waiting for each. */
  readonly #announced = new Map<string, () => void>();
  #allArrived: () => void = () => undefined;
  #pending: PendingSave[] = [];
  /** The end of the last save. */
  #tail: Promise<void> = Promise.resolve();
  #isStoring = false;

  constructor(address: RecordAddress, host: RecordHost) {
    this.address = address;
    this.#host = host;
    this.#doubt = new Doubt(
      () =>
        this.readAnew().then(
          () => true,
          () => false,
        ),
      (ms, task) => host.later(ms, task),
    );
  }

  /** One of its documents, which is in use from now on. */
  document(address: DocumentAddress): OpenDocument {
    const uri = address.uri.toString();
    const known = this.#documents.get(uri);
    if (known !== undefined) return known;
    const document = new OpenDocument(address, () => this.#host.editor(uri), this.#host.bases);
    this.#documents.set(uri, document);
    return document;
  }

  state(address: DocumentAddress): OpenDocument['state'] | 'inDoubt' {
    const state = this.document(address).state;
    return this.#doubt.isOpen && (state === 'clean' || state === 'dirty') ? 'inDoubt' : state;
  }

  /** The record as the service has it now. Reads that are asked for while one is under way share its answer. */
  read(): Promise<AnyRecord> {
    this.#reading ??= this.#readNewest().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /**
   * The record for who begins to show it: what was read a moment ago for another purpose serves this one too, so that to open a record
   * with its documents is one request.
   * @param purpose what it is for: for the same again, it is read again
   */
  async readToOpen(purpose: string): Promise<AnyRecord> {
    const answer = this.#answer?.given.has(purpose) === false ? this.#answer : undefined;
    const record = answer?.record ?? (await this.read());
    this.#answer?.given.add(purpose);
    return record;
  }

  /** The record as the service was last seen to hold it, however long ago; undefined where it was not read. */
  get lastSeen(): AnyRecord | undefined {
    return this.#lastSeen;
  }

  /** The record as it was a moment ago, for what is no more than a name. */
  async readForName(): Promise<AnyRecord> {
    return this.#answer?.record ?? this.read();
  }

  /** The record as the service has it after everything that was sent before this call. */
  async readAnew(): Promise<AnyRecord> {
    this.#reads += 1;
    const number = this.#reads;
    try {
      const record = await this.#host.read();
      this.#note(record, number);
      return record;
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') this.gone();
      throw error;
    }
  }

  /** Why it can't be edited, as far as is known; it is read where nothing is. Documents change where this does. */
  async readOnlyReason(): Promise<string | undefined> {
    if (this.#readOnly === undefined) await this.read();
    return this.#readOnly?.reason;
  }

  /** The record is no more: its open tabs say so, and keep their text. */
  gone(): void {
    this.#forgetAnswer();
    const documents = [...this.#documents.values()];
    for (const document of documents) document.gone();
    this.#host.changed(
      [],
      documents.map(({ address }) => address),
    );
  }

  /** Somebody looks at it: what is in doubt is looked at too. */
  lookedAt(): void {
    void this.#doubt.look();
  }

  /** An editor is about to save a document: saves of others wait for it, for a format on save may hold it up. */
  announce(address: DocumentAddress): void {
    this.document(address).announced();
    const uri = address.uri.toString();
    this.#announced.get(uri)?.();
    this.#announced.set(
      uri,
      this.#host.later(announcedMs, () => this.#arrived(uri)),
    );
  }

  /**
   * Stores one document. Resolves when the service was seen to hold it.
   * @throws what keeps it from being stored: `InvalidDocument`, `NotStored`, `ApiError`. Nothing is lost
   */
  async save(address: DocumentAddress, text: string): Promise<void> {
    const document = this.document(address);
    const uri = address.uri.toString();
    try {
      const fields = await address.part.parse(text);
      const base = document.baseForWrite(text);
      await new Promise<void>((resolve, reject) => {
        this.#pending.push({ document, address, text, fields, base, resolve, reject });
        if (this.#pending.length === 1) void this.#storeWhenComplete();
        this.#arrived(uri);
      });
    } catch (error) {
      document.notStored();
      throw error;
    } finally {
      this.#arrived(uri);
    }
  }

  /**
   * Stores fields that no editor shows, after the saves that are under way, and gives the record as it was seen to be then.
   * @param fieldsFor what to store in the record as it is now; undefined: nothing
   * @throws what keeps them from being stored, or from being known: `NotStored`, `ApiError`
   */
  store(fieldsFor: (record: AnyRecord) => Promise<Fields | undefined>): Promise<AnyRecord> {
    const update = (record: AnyRecord, changed: Fields): Promise<void> => {
      this.#forgetAnswer();
      return this.#host.update(record, changed);
    };
    const io = { read: () => this.readAnew(), update };
    const stored = this.#tail.then(async () => storeFields(this.address, await this.#current(), fieldsFor, io));
    this.#tail = stored.then(
      () => undefined,
      () => undefined,
    );
    return stored;
  }

  dispose(): void {
    this.#forgetAnswer();
    this.#doubt.end();
    for (const cancel of this.#announced.values()) cancel();
  }

  /** An answer that a newer one has overtaken is of a state before: it is asked for again. */
  async #readNewest(): Promise<AnyRecord> {
    for (;;) {
      const number = this.#reads + 1;
      const record = await this.readAnew();
      if (number >= this.#noted) return record;
    }
  }

  #note(record: AnyRecord, number: number): void {
    if (number < this.#noted) return;
    this.#noted = number;
    this.#lastSeen = record;
    this.#host.seen(record);
    this.#forgetAnswer();
    this.#answer = { record, given: new Set(), forget: this.#host.later(freshMs, () => this.#forgetAnswer()) };
    // One that became read-only (a campaign that was sent) changes without a change of its text.
    const reason = this.address.kind.readOnly(record);
    const isLocked = this.#readOnly !== undefined && this.#readOnly.reason !== reason;
    this.#readOnly = { reason };
    const changed: DocumentAddress[] = [];
    const deleted: DocumentAddress[] = [];
    for (const document of this.#documents.values()) {
      const { address } = document;
      if (address.part.missing?.(record) !== undefined) {
        if (document.state !== 'gone') deleted.push(address);
        document.gone();
      } else if ((document.see(address.part.render(record)).changed && !document.isShown) || isLocked)
        changed.push(address);
    }
    if (changed.length > 0 || deleted.length > 0) this.#host.changed(changed, deleted);
    // What a save has stored is not known before its end.
    if (!this.#isStoring) this.#tellReplaced(record);
  }

  #forgetAnswer(): void {
    this.#answer?.forget();
    this.#answer = undefined;
  }

  #tellReplaced(record: AnyRecord): void {
    for (const { address, text } of this.#doubt.replaced(record)) {
      this.#host.questions.storedLate(this.document(address), text, address.part.render(record));
    }
  }

  #arrived(uri: string): void {
    this.#announced.get(uri)?.();
    this.#announced.delete(uri);
    if (this.#announced.size === 0) this.#allArrived();
  }

  /** Waits until every announced save has come, then stores what has come until its turn. */
  async #storeWhenComplete(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#announced.size > 0) {
      await new Promise<void>((resolve) => {
        this.#allArrived = resolve;
      });
    }
    this.#tail = this.#tail.then(() => this.#storePending());
  }

  async #storePending(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    this.#isStoring = true;
    try {
      for (let left: readonly PendingSave[] = batch; left.length > 0;) {
        const together = left.filter((save, index) => !left.slice(0, index).some((earlier) => clash(earlier, save)));
        await this.#storeTogether(together);
        left = left.filter((save) => !together.includes(save));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#isStoring = false;
    }
  }

  /** Ends each save, by resolving or rejecting it. Throws what keeps all of them from being stored. */
  async #storeTogether(saves: readonly PendingSave[]): Promise<void> {
    const before = await this.#current();
    const { kind } = this.address;
    const reason = kind.readOnly(before);
    if (reason !== undefined) throw new NotStored(reason, 'readOnly');
    const accepted = saves.filter((save) => this.#accept(save, before));
    const changed = changedFields(accepted, before, kind);
    const after = Object.keys(changed).length === 0 ? before : await this.#update(before, changed, accepted);
    for (const save of accepted) this.#settle(save, before, after);
    this.#tellReplaced(after);
  }

  /** The record as it is now. A save of what is gone says how its text can be stored all the same. */
  async #current(): Promise<AnyRecord> {
    try {
      return await this.readAnew();
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notFound') throw error;
      const { noun } = this.address.kind;
      const way = `make a new ${noun} from the file in the editor to store it again.`;
      throw new NotStored(`The ${noun} was deleted on the service. Your text is kept in this tab: ${way}`, 'gone');
    }
  }

  /** Whether a document may go out: not where somebody else has changed it since, unless the user chose to overwrite that. */
  #accept({ document, address, text, base, reject }: PendingSave, record: AnyRecord): boolean {
    const missing = address.part.missing?.(record);
    if (missing !== undefined) {
      reject(new NotStored(`${missing} Your text is kept in this tab.`, 'gone'));
      return false;
    }
    const theirs = address.part.render(record);
    const print = fingerprint(theirs);
    const isExpected = base.fingerprint === undefined || base.fingerprint === print || sameText(theirs, text);
    const isOurs = (): boolean =>
      document.isSent((fields) => holds(address, fields, record)) || this.#doubt.isOurs(address, record);
    if (isExpected || isOurs() || document.mayOverwrite(print)) return true;
    if (document.conflict(print)) this.#host.questions.inConflict(document, theirs);
    reject(
      new NotStored(
        'It was changed on the service since you opened it. Nothing was saved. Choose Compare, Overwrite or Revert.',
      ),
    );
    return false;
  }

  /** Sends the fields once. Where the answer is lost, the record itself may tell that they were stored, and never that they won't be. */
  async #update(before: AnyRecord, changed: Fields, saves: readonly PendingSave[]): Promise<AnyRecord> {
    this.#forgetAnswer();
    try {
      await this.#host.update(before, changed);
    } catch (error) {
      if (error instanceof PartlyStored) await this.#rebase(saves, before);
      if (!isApiError(error) || error.outcome !== 'unknown') throw error;
      for (const { document, fields } of saves) document.wasSent(fields);
      return this.#afterLostAnswer(before, changed, saves, error);
    }
    for (const { document, fields } of saves) document.wasSent(fields);
    return this.readAnew().catch((error: unknown) => {
      const { noun } = this.address.kind;
      const next = 'Your text stays here, unsaved: save again to compare it.';
      throw new NotStored(`The ${noun} was stored, but it could not be seen how: ${errorText(error)} ${next}`);
    });
  }

  async #afterLostAnswer(
    before: AnyRecord,
    changed: Fields,
    saves: readonly PendingSave[],
    error: ApiError,
  ): Promise<AnyRecord> {
    const after = await this.readAnew().catch(() => undefined);
    if (after !== undefined && holds(this.address, changed, after)) return after;
    this.#doubt.lost(saves, before);
    const found =
      after === undefined ? 'Nor does it answer now.' : 'It does not hold your text so far, and may still be at work.';
    const { noun } = this.address.kind;
    const known = `${causeOf(error)}, so it is not known whether the ${noun} was stored. ${found}`;
    throw new NotStored(`${known} Your text is safe here: save again.`);
  }

  /** What was stored in part is our own change: the next save must not take it for somebody else's. */
  async #rebase(saves: readonly PendingSave[], before: AnyRecord): Promise<void> {
    const record = await this.readAnew().catch(() => undefined);
    if (record === undefined) return;
    for (const { document, address, fields, base } of saves) {
      if (differences(address, fields, before, record).foreign.length === 0)
        document.rebased(address.part.render(record), base.byEditor);
    }
  }

  /** Ends one save by what the service was seen to hold: stored, stored differently, or not stored. */
  #settle(save: PendingSave, before: AnyRecord, after: AnyRecord): void {
    const { document, address, text, fields, base, resolve, reject } = save;
    const theirs = address.part.render(after);
    const { ignored, foreign } = differences(address, fields, before, after);
    document.stored(theirs, base, foreign.length > 0 ? text : undefined);
    if (ignored.length === 0) this.#doubt.stored({ address, text, fields });
    this.#host.saved({ address, before, record: after });
    if (ignored.length > 0) {
      const isEmptied = ignored.every((name) => fields[name] === '');
      const cause = `kept its old ${ignored.join(', ')}.${isEmptied ? " It can't be emptied there." : ''}`;
      reject(new NotStored(`The service answered without an error, but ${cause} Your text stays here, unsaved.`));
      return;
    }
    if (foreign.length > 0 && !this.#doubt.isOurs(address, after))
      this.#host.questions.keptDifferently(address, foreign, text, theirs);
    resolve();
  }
}
