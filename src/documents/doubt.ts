import { holds, type AnyRecord, type DocumentAddress, type Fields } from './model.ts';
import { sameText } from './text.ts';

/** Milliseconds between two looks at a record after an answer was lost. A service stops what takes it longer than minutes. */
export const looksAfterMs: readonly number[] = [5, 15, 30, 60, 120, 240].map((seconds) => seconds * 1000);

/** A text that was sent. */
export interface SentText {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
}

/** An update whose answer was lost: the fields of each document that was saved by it, by address, and the record as before. */
interface LostUpdate {
  readonly saved: ReadonlyMap<string, Fields>;
  readonly before: AnyRecord;
}

/**
 * The updates of one record whose answers were lost: whatever the record shows, the service may store them later, over what was saved
 * since. Has the record looked at again for some minutes, and the next time that somebody comes back to it.
 */
export class Doubt {
  /** Reads the record. False where it could not be read. */
  readonly #look: () => Promise<boolean>;
  readonly #later: (ms: number, task: () => void) => () => void;
  readonly #lost: LostUpdate[] = [];
  /** The newest text that was stored of each document since. */
  readonly #stored = new Map<string, SentText>();
  /** Those of them that were told to have been replaced. */
  readonly #told = new Set<SentText>();
  #looks = 0;
  #cancel: () => void = () => undefined;

  constructor(look: () => Promise<boolean>, later: (ms: number, task: () => void) => () => void) {
    this.#look = look;
    this.#later = later;
  }

  get isOpen(): boolean {
    return this.#lost.length > 0;
  }

  /** The answer to an update was lost. `before`: the record as it was read before. */
  lost(saves: readonly SentText[], before: AnyRecord): void {
    this.#lost.push({ saved: new Map(saves.map(({ address, fields }) => [address.uri.toString(), fields])), before });
    this.#looks = 0;
    this.#lookLater();
  }

  /** A document was seen to be stored. */
  stored(sent: SentText): void {
    if (this.isOpen) this.#stored.set(sent.address.uri.toString(), sent);
  }

  /** Whether a document holds what an update of ours may have stored late. */
  isOurs(address: DocumentAddress, record: AnyRecord): boolean {
    const uri = address.uri.toString();
    return this.#lost.some(({ saved, before }) => {
      const fields = saved.get(uri);
      if (fields !== undefined) return holds(address, fields, record);
      // Some services store whole records: what else was in one comes back with an update that is stored late.
      return this.#stored.has(uri) && sameText(address.part.render(before), address.part.render(record));
    });
  }

  /** The texts that an earlier one of ours has replaced, each given once. */
  replaced(record: AnyRecord): readonly SentText[] {
    const found = [...this.#stored.values()].filter((sent) => {
      const { address, fields } = sent;
      if (this.#told.has(sent) || address.part.missing?.(record) !== undefined) return false;
      return !holds(address, fields, record) && this.isOurs(address, record);
    });
    for (const sent of found) this.#told.add(sent);
    return found;
  }

  /** Looks now, and goes on with its times. The last look is for whoever comes back when these are over. */
  async look(): Promise<void> {
    if (!this.isOpen) return;
    this.#cancel();
    const isLast = this.#looks >= looksAfterMs.length;
    this.#looks += 1;
    const wasRead = await this.#look();
    if (isLast && wasRead) this.end();
    else this.#lookLater();
  }

  /** Nothing is doubted any more. */
  end(): void {
    this.#cancel();
    this.#lost.length = 0;
    this.#stored.clear();
    this.#told.clear();
  }

  #lookLater(): void {
    this.#cancel();
    const ms = looksAfterMs[this.#looks];
    this.#cancel = ms === undefined || !this.isOpen ? () => undefined : this.#later(ms, () => void this.look());
  }
}
