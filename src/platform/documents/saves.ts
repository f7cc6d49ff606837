import { isApiError, type ApiError } from '../../service/client/errors.ts';
import { escapeMessage } from '../ui/text.ts';
import {
  hasFieldValues,
  ReadBackError,
  isSameText,
  isSameValue,
  preserveByteOrderMark,
  type AnyRecord,
  type DocumentAddress,
  type Fields,
  type AnyKind,
  type RecordAddress,
} from './model.ts';
import type { OpenDocument, WriteBase } from './openDocument.ts';

/** A document's text, with the fields that it stands for. */
interface SentDocument {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
}

/** A save that waits for its record's turn. */
export interface PendingSave extends SentDocument {
  readonly document: OpenDocument;
  readonly base: WriteBase;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Why a document was not stored, or not seen to be. Its text stays in its tab. */
export class SaveError extends Error {
  readonly reason: 'failed' | 'deleted' | 'readOnly';
  constructor(message: string, reason: 'failed' | 'deleted' | 'readOnly' = 'failed') {
    super(message);
    this.reason = reason;
  }
}

/** What an update is to send: the fields that differ from the record's. */
export function changedFields(saves: readonly PendingSave[], before: AnyRecord, kind: AnyKind): Fields {
  return differingFields(
    saves.flatMap((save) => Object.entries(save.fields)),
    before,
    kind,
  );
}

/** Of these fields, those that the record does not have so. */
export function differingFields(
  fields: readonly (readonly [name: string, value: unknown])[],
  before: AnyRecord,
  kind: AnyKind,
): Fields {
  const others = fields.filter(([name, value]) => !isSameValue(value, kind.getField(before, name)));
  return Object.fromEntries(
    others.map(([name, value]) => [name, preserveByteOrderMark(value, kind.getField(before, name))]),
  );
}

/** Two tabs of one document, under an old name and a new one, whose texts differ: the second is compared with what the first stored. */
export function hasFieldConflict(one: PendingSave, other: PendingSave): boolean {
  return Object.entries(one.fields).some(
    ([name, value]) => name in other.fields && !isSameValue(value, other.fields[name]),
  );
}

/** The fields that the service does not hold as they were sent. */
interface StoredDifferences {
  /** Still as they were before. */
  readonly ignored: readonly string[];
  /** As neither side knew them. */
  readonly foreign: readonly string[];
}

export function findStoredDifferences(
  { kind }: RecordAddress,
  fields: Fields,
  before: AnyRecord,
  after: AnyRecord,
): StoredDifferences {
  const differing = Object.keys(fields).filter((name) => !isSameValue(fields[name], kind.getField(after, name)));
  const isIgnored = (name: string): boolean => isSameValue(kind.getField(before, name), kind.getField(after, name));
  return { ignored: differing.filter(isIgnored), foreign: differing.filter((name) => !isIgnored(name)) };
}

/**
 * Sends fields that no editor shows, once, and gives the record as it was seen to be then.
 * @param before the record as it is now
 * @param getFields what to store in that; undefined: nothing
 */
export async function storeFields(
  address: RecordAddress,
  before: AnyRecord,
  getFields: (record: AnyRecord) => Promise<Fields | undefined>,
  io: {
    readonly read: () => Promise<AnyRecord>;
    readonly update: (record: AnyRecord, fields: Fields) => Promise<void>;
  },
): Promise<AnyRecord> {
  const { kind } = address;
  const reason = kind.getReadOnlyReason(before);
  if (reason !== undefined) throw new SaveError(reason, 'readOnly');
  const changed = differingFields(Object.entries((await getFields(before)) ?? {}), before, kind);
  if (Object.keys(changed).length === 0) return before;
  try {
    await io.update(before, changed);
  } catch (error) {
    const after = isApiError(error) && error.outcome === 'unknown' ? await io.read().catch(() => undefined) : undefined;
    if (after === undefined || !hasFieldValues(address, changed, after)) throw error;
    return after;
  }
  return io.read().catch((cause: unknown) => {
    throw new ReadBackError(`The ${kind.noun} was stored, but couldn't be read back.`, { cause });
  });
}

/** Why it was not known whether a record was stored. */
export function formatCause({ info: meaning, status, serverMessage }: ApiError): string {
  const said =
    status === undefined
      ? ''
      : ` (HTTP ${status}${serverMessage === undefined ? '' : `: ${escapeMessage(serverMessage)}`})`;
  return `${meaning.sentence}${said}`;
}

/** Milliseconds between two looks at a record after an answer was lost. A service stops what takes it longer than minutes. */
export const CHECK_DELAYS_MS: readonly number[] = [5, 15, 30, 60, 120, 240].map((seconds) => seconds * 1000);

/** An update whose answer was lost: the fields of each document that was saved by it, by address, and the record as before. */
interface UncertainUpdate {
  readonly fieldsByUri: ReadonlyMap<string, Fields>;
  readonly before: AnyRecord;
}

/**
 * The updates of one record whose answers were lost: whatever the record shows, the service may store them later, over what was saved
 * since. Has the record looked at again for some minutes, and the next time that somebody comes back to it.
 */
export class UncertainWrites {
  /** Reads the record. False where it could not be read. */
  readonly #readRecord: () => Promise<boolean>;
  readonly #schedule: (ms: number, task: () => void) => () => void;
  readonly #updates: UncertainUpdate[] = [];
  /** The newest text that was stored of each document since. */
  readonly #storedSince = new Map<string, SentDocument>();
  /** Those of them that were told to have been replaced. */
  readonly #reported = new Set<SentDocument>();
  #checkCount = 0;
  #cancelCheck: () => void = () => undefined;

  constructor(look: () => Promise<boolean>, later: (ms: number, task: () => void) => () => void) {
    this.#readRecord = look;
    this.#schedule = later;
  }

  get hasPending(): boolean {
    return this.#updates.length > 0;
  }

  /** The answer to an update was lost. `before`: the record as it was read before. */
  add(saves: readonly SentDocument[], before: AnyRecord): void {
    this.#updates.push({
      fieldsByUri: new Map(saves.map(({ address, fields }) => [address.uri.toString(), fields])),
      before,
    });
    this.#checkCount = 0;
    this.#scheduleCheck();
  }

  /** A document was seen to be stored. */
  recordStored(sent: SentDocument): void {
    if (this.hasPending) this.#storedSince.set(sent.address.uri.toString(), sent);
  }

  /** Whether a document holds what an update of ours may have stored late. */
  isOwnWrite(address: DocumentAddress, record: AnyRecord): boolean {
    const uri = address.uri.toString();
    return this.#updates.some(({ fieldsByUri: saved, before }) => {
      const fields = saved.get(uri);
      if (fields !== undefined) return hasFieldValues(address, fields, record);
      // Some services store whole records: what else was in one comes back with an update that is stored late.
      return this.#storedSince.has(uri) && isSameText(address.part.render(before), address.part.render(record));
    });
  }

  /** The texts that an earlier one of ours has replaced, each given once. */
  takeReplaced(record: AnyRecord): readonly SentDocument[] {
    const found = [...this.#storedSince.values()].filter((sent) => {
      const { address, fields } = sent;
      if (this.#reported.has(sent) || address.part.getMissingReason?.(record) !== undefined) return false;
      return !hasFieldValues(address, fields, record) && this.isOwnWrite(address, record);
    });
    for (const sent of found) this.#reported.add(sent);
    return found;
  }

  /** Looks now, and goes on with its times. The last look is for whoever comes back when these are over. */
  async check(): Promise<void> {
    if (!this.hasPending) return;
    this.#cancelCheck();
    const isLast = this.#checkCount >= CHECK_DELAYS_MS.length;
    this.#checkCount += 1;
    const wasRead = await this.#readRecord();
    if (isLast && wasRead) this.clear();
    else this.#scheduleCheck();
  }

  /** Nothing is doubted any more. */
  clear(): void {
    this.#cancelCheck();
    this.#updates.length = 0;
    this.#storedSince.clear();
    this.#reported.clear();
  }

  #scheduleCheck(): void {
    this.#cancelCheck();
    const ms = CHECK_DELAYS_MS[this.#checkCount];
    this.#cancelCheck =
      ms === undefined || !this.hasPending ? () => undefined : this.#schedule(ms, () => void this.check());
  }
}
