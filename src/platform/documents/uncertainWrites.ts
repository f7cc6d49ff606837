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
 * Updates of one record whose responses were lost. The service may store them at any later time, over newer saves, so the record is checked
 * repeatedly for some minutes, and once more when the user returns to it.
 */
export function createUncertainWrites(readRecord: () => Promise<AnyRecord>) {
  let updates: readonly UncertainUpdate[] = [];
  /** The last stored text of each document since then. */
  const storedSince = new Map<string, SentDocument>();
  /** Texts whose replacement was already reported. */
  const reported = new Set<SentDocument>();
  let checkCount = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Returns whether a document has a text that one of these updates may have stored late. */
  function isOwnWrite({ uri, kind, part }: DocumentAddress, record: AnyRecord) {
    const key = uri.toString();
    return updates.some(({ fieldsByUri, before }) => {
      const fields = fieldsByUri.get(key);
      if (fields) return hasFieldValues(kind, fields, record);
      // Some services store whole records, so a late update also restores the other documents.
      return storedSince.has(key) && isSameText(part.render(before), part.render(record));
    });
  }

  /** Checks now and schedules the next check. The last check waits for the user's return. */
  async function check() {
    if (updates.length === 0) return;
    clearTimeout(timer);
    const isLast = checkCount >= CHECK_DELAYS_MS.length;
    checkCount += 1;
    const isRead = await readRecord().then(
      () => true,
      () => false,
    );
    if (isLast && isRead) clear();
    else scheduleCheck();
  }

  function clear() {
    clearTimeout(timer);
    updates = [];
    storedSince.clear();
    reported.clear();
  }

  function scheduleCheck() {
    clearTimeout(timer);
    const ms = CHECK_DELAYS_MS[checkCount];
    if (ms !== undefined && updates.length > 0) timer = setTimeout(() => void check(), ms);
  }

  return {
    get hasPending() {
      return updates.length > 0;
    },
    isOwnWrite,
    check,
    clear,
    /** Adds an update whose response was lost. `before`: the record before it. */
    add: (saves: readonly SentDocument[], before: AnyRecord) => {
      const fieldsByUri = new Map(saves.map(({ address, fields }) => [address.uri.toString(), fields]));
      updates = [...updates, { fieldsByUri, before }];
      checkCount = 0;
      scheduleCheck();
    },
    /** Records a confirmed save. */
    recordStored: (sent: SentDocument) => {
      if (updates.length > 0) storedSince.set(sent.address.uri.toString(), sent);
    },
    /** Returns stored texts that a late update has replaced, each only once. */
    takeReplaced: (record: AnyRecord): readonly SentDocument[] => {
      const replaced = [...storedSince.values()].filter((sent) => {
        const { address, fields } = sent;
        if (reported.has(sent) || address.part.getMissingReason?.(record) !== undefined) return false;
        return !hasFieldValues(address.kind, fields, record) && isOwnWrite(address, record);
      });
      for (const sent of replaced) reported.add(sent);
      return replaced;
    },
  };
}
