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

/** A document's text and its parsed fields. */
interface SentDocument {
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
}

/** A queued save. */
export interface PendingSave extends SentDocument {
  readonly document: OpenDocument;
  readonly base: WriteBase;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A document wasn't stored, or the outcome is unknown. Its text stays in its tab. */
export class SaveError extends Error {
  readonly reason: 'failed' | 'deleted' | 'readOnly';
  constructor(message: string, reason: 'failed' | 'deleted' | 'readOnly' = 'failed') {
    super(message);
    this.reason = reason;
  }
}

/** Returns the fields of these saves that differ from the record. */
export function changedFields(saves: readonly PendingSave[], before: AnyRecord, kind: AnyKind): Fields {
  return differingFields(
    saves.flatMap((save) => Object.entries(save.fields)),
    before,
    kind,
  );
}

/** Returns the fields that differ from the record. */
export function differingFields(
  fields: readonly (readonly [name: string, value: unknown])[],
  before: AnyRecord,
  kind: AnyKind,
): Fields {
  const different = fields.filter(([name, value]) => !isSameValue(value, kind.getField(before, name)));
  return Object.fromEntries(
    different.map(([name, value]) => [name, preserveByteOrderMark(value, kind.getField(before, name))]),
  );
}

/**
 * Returns whether two saves have different values for a field: two tabs of one document, opened under different names. The second save is
 * then compared with the stored first one.
 */
export function hasFieldConflict(one: PendingSave, other: PendingSave): boolean {
  return Object.entries(one.fields).some(
    ([name, value]) => name in other.fields && !isSameValue(value, other.fields[name]),
  );
}

/** Sent fields that the service stored differently. */
interface StoredDifferences {
  /** Unchanged by the update. */
  readonly ignored: readonly string[];
  /** Neither the previous nor the sent value. */
  readonly foreign: readonly string[];
}

export function findStoredDifferences(
  { kind }: RecordAddress,
  fields: Fields,
  before: AnyRecord,
  after: AnyRecord,
): StoredDifferences {
  const different = Object.keys(fields).filter((name) => !isSameValue(fields[name], kind.getField(after, name)));
  const isIgnored = (name: string): boolean => isSameValue(kind.getField(before, name), kind.getField(after, name));
  return { ignored: different.filter(isIgnored), foreign: different.filter((name) => !isIgnored(name)) };
}

/**
 * Sends fields once, outside of any editor, and returns the record as read back.
 * @param before the current record
 * @param getFields returns the fields to store in it; undefined stores nothing
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

/** Describes why the outcome of an update is unknown. */
export function formatCause({ info, status, serverMessage }: ApiError): string {
  const details =
    status === undefined
      ? ''
      : ` (HTTP ${status}${serverMessage === undefined ? '' : `: ${escapeMessage(serverMessage)}`})`;
  return `${info.sentence}${details}`;
}

/** Delays between checks of a record after a lost response. A request that runs for minutes is stopped by the service. */
export const CHECK_DELAYS_MS: readonly number[] = [5, 15, 30, 60, 120, 240].map((seconds) => seconds * 1000);

/** An update whose response was lost: the record before it, and the fields by document URI. */
interface UncertainUpdate {
  readonly fieldsByUri: ReadonlyMap<string, Fields>;
  readonly before: AnyRecord;
}

/**
 * Updates of one record whose responses were lost. The service may store them at any later time, over newer saves, so the record is checked
 * repeatedly for some minutes, and once more when the user returns to it.
 */
export class UncertainWrites {
  /** Reads the record. Resolves with false if that fails. */
  readonly #readRecord: () => Promise<boolean>;
  readonly #schedule: (ms: number, task: () => void) => () => void;
  readonly #updates: UncertainUpdate[] = [];
  /** The last stored text of each document since then. */
  readonly #storedSince = new Map<string, SentDocument>();
  /** Texts whose replacement was already reported. */
  readonly #reported = new Set<SentDocument>();
  #checkCount = 0;
  #cancelCheck: () => void = () => undefined;

  constructor(readRecord: () => Promise<boolean>, schedule: (ms: number, task: () => void) => () => void) {
    this.#readRecord = readRecord;
    this.#schedule = schedule;
  }

  get hasPending(): boolean {
    return this.#updates.length > 0;
  }

  /** Adds an update whose response was lost. `before`: the record before it. */
  add(saves: readonly SentDocument[], before: AnyRecord): void {
    this.#updates.push({
      fieldsByUri: new Map(saves.map(({ address, fields }) => [address.uri.toString(), fields])),
      before,
    });
    this.#checkCount = 0;
    this.#scheduleCheck();
  }

  /** Records a confirmed save. */
  recordStored(sent: SentDocument): void {
    if (this.hasPending) this.#storedSince.set(sent.address.uri.toString(), sent);
  }

  /** Returns whether a document has a text that one of these updates may have stored late. */
  isOwnWrite(address: DocumentAddress, record: AnyRecord): boolean {
    const uri = address.uri.toString();
    return this.#updates.some(({ fieldsByUri, before }) => {
      const fields = fieldsByUri.get(uri);
      if (fields !== undefined) return hasFieldValues(address, fields, record);
      // Some services store whole records, so a late update also restores the other documents.
      return this.#storedSince.has(uri) && isSameText(address.part.render(before), address.part.render(record));
    });
  }

  /** Returns stored texts that a late update has replaced, each only once. */
  takeReplaced(record: AnyRecord): readonly SentDocument[] {
    const replaced = [...this.#storedSince.values()].filter((sent) => {
      const { address, fields } = sent;
      if (this.#reported.has(sent) || address.part.getMissingReason?.(record) !== undefined) return false;
      return !hasFieldValues(address, fields, record) && this.isOwnWrite(address, record);
    });
    for (const sent of replaced) this.#reported.add(sent);
    return replaced;
  }

  /** Checks now and schedules the next check. The last check waits for the user's return. */
  async check(): Promise<void> {
    if (!this.hasPending) return;
    this.#cancelCheck();
    const isLast = this.#checkCount >= CHECK_DELAYS_MS.length;
    this.#checkCount += 1;
    const isRead = await this.#readRecord();
    if (isLast && isRead) this.clear();
    else this.#scheduleCheck();
  }

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
