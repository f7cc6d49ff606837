import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { inMessage } from '../ui/text.ts';
import {
  holds,
  NotReadBack,
  sameText,
  sameValue,
  withMarkOf,
  type AnyRecord,
  type DocumentAddress,
  type Fields,
  type AnyKind,
  type RecordAddress,
} from './model.ts';
import type { OpenDocument, WriteBase } from './openDocument.ts';

/** A document's text, with the fields that it stands for. */
interface SentText {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
}

/** A save that waits for its record's turn. */
export interface PendingSave extends SentText {
  readonly document: OpenDocument;
  readonly base: WriteBase;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Why a document was not stored, or not seen to be. Its text stays in its tab. */
export class NotStored extends Error {
  readonly reason: 'failed' | 'gone' | 'readOnly';
  constructor(message: string, reason: 'failed' | 'gone' | 'readOnly' = 'failed') {
    super(message);
    this.reason = reason;
  }
}

/** What an update is to send: the fields that differ from the record's. */
export function changedFields(saves: readonly PendingSave[], before: AnyRecord, kind: AnyKind): Fields {
  return differing(
    saves.flatMap((save) => Object.entries(save.fields)),
    before,
    kind,
  );
}

/** Of these fields, those that the record does not have so. */
export function differing(
  fields: readonly (readonly [name: string, value: unknown])[],
  before: AnyRecord,
  kind: AnyKind,
): Fields {
  const others = fields.filter(([name, value]) => !sameValue(value, kind.field(before, name)));
  return Object.fromEntries(others.map(([name, value]) => [name, withMarkOf(value, kind.field(before, name))]));
}

/** Two tabs of one document, under an old name and a new one, whose texts differ: the second is compared with what the first stored. */
export function clash(one: PendingSave, other: PendingSave): boolean {
  return Object.entries(one.fields).some(
    ([name, value]) => name in other.fields && !sameValue(value, other.fields[name]),
  );
}

/** The fields that the service does not hold as they were sent. */
interface Differences {
  /** Still as they were before. */
  readonly ignored: readonly string[];
  /** As neither side knew them. */
  readonly foreign: readonly string[];
}

export function differences({ kind }: RecordAddress, fields: Fields, before: AnyRecord, after: AnyRecord): Differences {
  const differing = Object.keys(fields).filter((name) => !sameValue(fields[name], kind.field(after, name)));
  const isIgnored = (name: string): boolean => sameValue(kind.field(before, name), kind.field(after, name));
  return { ignored: differing.filter(isIgnored), foreign: differing.filter((name) => !isIgnored(name)) };
}

/**
 * Sends fields that no editor shows, once, and gives the record as it was seen to be then.
 * @param before the record as it is now
 * @param fieldsFor what to store in that; undefined: nothing
 */
export async function storeFields(
  address: RecordAddress,
  before: AnyRecord,
  fieldsFor: (record: AnyRecord) => Promise<Fields | undefined>,
  io: {
    readonly read: () => Promise<AnyRecord>;
    readonly update: (record: AnyRecord, fields: Fields) => Promise<void>;
  },
): Promise<AnyRecord> {
  const { kind } = address;
  const reason = kind.readOnly(before);
  if (reason !== undefined) throw new NotStored(reason, 'readOnly');
  const changed = differing(Object.entries((await fieldsFor(before)) ?? {}), before, kind);
  if (Object.keys(changed).length === 0) return before;
  try {
    await io.update(before, changed);
  } catch (error) {
    const after = isApiError(error) && error.outcome === 'unknown' ? await io.read().catch(() => undefined) : undefined;
    if (after === undefined || !holds(address, changed, after)) throw error;
    return after;
  }
  return io.read().catch((cause: unknown) => {
    throw new NotReadBack(`The ${kind.noun} was stored, but couldn't be read back.`, { cause });
  });
}

/** Why it was not known whether a record was stored. */
export function causeOf({ info: meaning, status, serverMessage }: ApiError): string {
  const said =
    status === undefined
      ? ''
      : ` (HTTP ${status}${serverMessage === undefined ? '' : `: ${inMessage(serverMessage)}`})`;
  return `${meaning.sentence}${said}`;
}

/** Milliseconds between two looks at a record after an answer was lost. A service stops what takes it longer than minutes. */
export const looksAfterMs: readonly number[] = [5, 15, 30, 60, 120, 240].map((seconds) => seconds * 1000);

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
