import { hasFieldValues, isSameText } from './differences.ts';
import type { AnyRecord, DocumentAddress, Fields } from './model.ts';

/** Delays between checks of a record after a lost response. A request that runs for minutes is stopped by the service. */
export const CHECK_DELAYS_MS: readonly number[] = [5, 15, 30, 60, 120, 240].map((seconds) => seconds * 1000);

/** A document's text and its parsed fields. */
export interface SentDocument {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
}

/** An update whose response was lost: the record before it, and the fields by document URI. */
interface UncertainUpdate {
  readonly fieldsByUri: ReadonlyMap<string, Fields>;
  readonly before: AnyRecord;
}

/**
 * Updates of one record whose responses were lost. The service may store them at any later time, over newer saves. While there are any, the
 * record is checked repeatedly for some minutes, and once more when the user returns to it.
 */
export class UncertainWrites {
  readonly #readRecord: () => Promise<AnyRecord>;
  #updates: readonly UncertainUpdate[] = [];
  /** The last stored text of each document since then. */
  readonly #storedSince = new Map<string, SentDocument>();
  /** Texts whose replacement was already reported. */
  readonly #reported = new Set<SentDocument>();
  #checkCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readRecord: () => Promise<AnyRecord>) {
    this.#readRecord = readRecord;
  }

  get hasPending(): boolean {
    return this.#updates.length > 0;
  }

  /** Adds an update whose response was lost. `before`: the record before it. */
  add(saves: readonly SentDocument[], before: AnyRecord): void {
    const fieldsByUri = new Map(saves.map(({ address, fields }) => [address.uri.toString(), fields]));
    this.#updates = [...this.#updates, { fieldsByUri, before }];
    this.#checkCount = 0;
    this.#scheduleCheck();
  }

  /** Records a confirmed save. */
  recordStored(sent: SentDocument): void {
    if (this.hasPending) this.#storedSince.set(sent.address.uri.toString(), sent);
  }

  /** Returns whether a document has a text that one of these updates may have stored late. */
  isOwnWrite({ uri, kind, part }: DocumentAddress, record: AnyRecord): boolean {
    const key = uri.toString();
    return this.#updates.some(({ fieldsByUri, before }) => {
      const fields = fieldsByUri.get(key);
      if (fields !== undefined) return hasFieldValues(kind, fields, record);
      // Some services store whole records, so a late update also restores the other documents.
      return this.#storedSince.has(key) && isSameText(part.render(before), part.render(record));
    });
  }

  /** Returns stored texts that a late update has replaced, each only once. */
  takeReplaced(record: AnyRecord): readonly SentDocument[] {
    const replaced = [...this.#storedSince.values()].filter((sent) => {
      const { address, fields } = sent;
      if (this.#reported.has(sent) || address.part.getMissingReason?.(record) !== undefined) return false;
      return !hasFieldValues(address.kind, fields, record) && this.isOwnWrite(address, record);
    });
    for (const sent of replaced) this.#reported.add(sent);
    return replaced;
  }

  /** Checks now and schedules the next check. The last check waits for the user's return. */
  async check(): Promise<void> {
    if (!this.hasPending) return;
    clearTimeout(this.#timer);
    const updates = this.#updates;
    const isLast = this.#checkCount >= CHECK_DELAYS_MS.length;
    this.#checkCount += 1;
    const isRead = await this.#readRecord().then(
      () => true,
      () => false,
    );
    // Another update may have been added meanwhile.
    if (isLast && isRead && updates === this.#updates) this.clear();
    else this.#scheduleCheck();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#updates = [];
    this.#storedSince.clear();
    this.#reported.clear();
  }

  #scheduleCheck() {
    clearTimeout(this.#timer);
    const ms = CHECK_DELAYS_MS[this.#checkCount];
    if (ms !== undefined && this.hasPending) this.#timer = setTimeout(() => void this.check(), ms);
  }
}
