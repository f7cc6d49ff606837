import {
  contentHash,
  createBase,
  findChanges,
  findDifferent,
  mergeBase,
  pickTexts,
  type Base,
  type FieldBase,
  type FieldState,
  type FieldTexts,
} from './fields.ts';
import { FolderChangedError, type TemplateFolder } from './folder.ts';
import type { Lock, LockFile } from './lock.ts';
import type { Target } from './mapping.ts';
import { hasMarks, type Merged, type MergeInput, type SideNames } from './merge.ts';
import type { RevisionStore } from './revisions.ts';

/** What to store, given the current record. Without `fields`, nothing is stored. */
export interface Decision<F> {
  readonly fields?: F;
}

export interface StoreOutcome<D, R> {
  readonly decision: D;
  /** The record as read back; undefined if that failed with `readBackError`. */
  readonly after?: R;
  readonly readBackError?: unknown;
}

/** The templates on the services. */
export interface RemoteTemplates {
  /** @throws `ApiError` */
  read(target: Target, signal?: AbortSignal): Promise<FieldTexts>;
  /**
   * Reads all templates of a connection page by page.
   * @param onTemplate receives an id, and the texts if the page has all of them. Resolves with true to stop reading
   */
  readAll(
    connection: string,
    onTemplate: (id: number, texts: FieldTexts | undefined) => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * Reads a template, stores the fields that `decide` returns, and reads the template back. Never retries.
   * @throws if the template can't be read, the fields weren't stored, or the outcome is unknown
   */
  store<D extends Decision<FieldTexts>>(
    target: Target,
    decide: (current: FieldTexts) => Promise<D>,
  ): Promise<StoreOutcome<D, FieldTexts>>;
}

/** Merges in the background. Rejects with an `AbortError` if the signal is aborted. */
export type Merge = (input: MergeInput, signal?: AbortSignal) => Promise<Merged>;

/** Everything that a sync reads and writes. */
export interface SyncParts {
  readonly folder: TemplateFolder;
  readonly remote: RemoteTemplates;
  readonly lock: LockFile;
  readonly revisions: RevisionStore;
  readonly merge: Merge;
}

export interface CompareOptions {
  /** The service's texts, if they were just read. */
  readonly remote?: FieldTexts;
  /** Reads the lock. Comparisons made together share one reader. */
  readonly readLock?: () => Promise<Lock>;
  /** Stores the service's texts. By default, they are stored before `compare` resolves. */
  storeVersion?(texts: FieldTexts): void;
  readonly signal?: AbortSignal;
}

/** The local and remote texts of a template, their common base, and the fields that differ. */
export interface TemplateComparison {
  readonly local: FieldTexts;
  readonly remote: FieldTexts;
  readonly base: Base;
  readonly changes: ReadonlyMap<string, FieldState>;
}

/** Some fields still contain conflict markers. Nothing was changed. */
interface UnresolvedConflicts {
  readonly kind: 'unresolved';
  readonly fields: readonly string[];
}

export type PullResult =
  | UnresolvedConflicts
  | {
      readonly kind: 'pulled';
      /** Fields replaced by the service's text. */
      readonly updated: readonly string[];
      readonly merged: readonly string[];
      /** Fields with conflict markers. */
      readonly conflicts: readonly string[];
      /** Fields in `conflicts` that were too large to merge: the markers enclose their whole text. */
      readonly tooLarge?: readonly string[];
      /** Built fields, which are never written. */
      readonly skipped: readonly string[];
    };

export type PushResult =
  | { readonly kind: 'same' }
  /** These fields changed on the service. Pull first. */
  | { readonly kind: 'behind'; readonly fields: readonly string[] }
  /** These fields changed after the user confirmed the push. Nothing was stored. */
  | { readonly kind: 'changed'; readonly fields: readonly string[] }
  | UnresolvedConflicts
  | {
      readonly kind: 'stored';
      readonly fields: readonly string[];
      readonly storedDifferently: readonly string[];
      /** Why the stored fields couldn't be read back. */
      readonly readBackError?: unknown;
    };

/** A push as the user confirms it. */
export interface PushPlan {
  /** The only fields and texts that may be stored. */
  readonly texts: FieldTexts;
  /** Hashes of the service's texts that the user chose to overwrite. */
  readonly overwrite?: FieldTexts;
}

/** Returns the push of a compared template, and the fields that changed on the service, which block it. */
export function planPush(
  comparison: TemplateComparison,
  overwrite: FieldTexts = {},
): Required<PushPlan> & { readonly behind: readonly string[] } {
  const names = [...comparison.changes.keys()];
  const isOutgoing = (name: string): boolean =>
    comparison.changes.get(name) === 'push' || overwrite[name] !== undefined;
  return {
    texts: pickTexts(comparison.local, names.filter(isOutgoing)),
    overwrite,
    behind: names.filter((name) => !isOutgoing(name) && !isRemoteOnly(comparison, name)),
  };
}

/** Synchronizes a folder with a service. Never overwrites changes that the user hasn't pulled or confirmed. */
export class Sync {
  readonly #parts: SyncParts;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** Compares the folder with the service. @throws if the files, the service or the lock can't be read */
  async compare(target: Target, options: CompareOptions = {}): Promise<TemplateComparison> {
    const { folder, revisions, lock: lockFile } = this.#parts;
    const { readLock = () => lockFile.read(), storeVersion, signal } = options;
    const [local, remote, lock] = await Promise.all([
      folder.read(target.template),
      options.remote ?? this.#parts.remote.read(target, signal),
      readLock(),
    ]);
    if (storeVersion === undefined) await revisions.add(target, remote);
    else storeVersion(remote);
    const base = await this.#adjustBase(target, lock.base(target.template.folder, target.connection), local, remote);
    return { local, remote, base, changes: findChanges(base, local, remote) };
  }

  /** Writes the service's changes into the folder and merges fields that changed on both sides. */
  async pull(target: Target, names: SideNames, signal?: AbortSignal): Promise<PullResult> {
    const { folder, revisions } = this.#parts;
    const { local, remote, base, changes } = await this.compare(target, { signal });
    const unresolved = findUnresolved(local, remote);
    if (unresolved.length > 0) return { kind: 'unresolved', fields: unresolved };
    const built = folder.builtFields(target.template);
    const texts: Record<string, string> = {};
    const result = {
      updated: [] as string[],
      merged: [] as string[],
      conflicts: [] as string[],
      skipped: [] as string[],
    };
    const tooLarge: string[] = [];
    for (const [name, state] of changes) {
      const theirs = remote[name] ?? '';
      if (state === 'push') continue;
      if (built.includes(name)) result.skipped.push(name);
      else if (state === 'pull') {
        texts[name] = theirs;
        result.updated.push(name);
      } else if (folder.isText(name)) {
        const hash = base[name]?.remote;
        const common = hash === undefined ? undefined : await revisions.getText(target, hash);
        const input = { base: common, local: local[name] ?? '', remote: theirs, names };
        const merged = await this.#parts.merge(input, signal);
        texts[name] = merged.text;
        result[merged.hasConflict ? 'conflicts' : 'merged'].push(name);
        if (merged.isTooLarge) tooLarge.push(name);
      } else result.conflicts.push(name);
    }
    signal?.throwIfAborted();
    const conflicts = pickTexts(
      remote,
      result.conflicts.filter((name) => !folder.isText(name)),
    );
    await folder.write(target.template, texts, local, conflicts, names);
    const written = pickTexts(remote, Object.keys({ ...texts, ...conflicts }));
    await this.#updateBase(target, (last) => ({
      ...mergeBase(last, local, remote),
      ...createBase(written, remote),
    }));
    return { kind: 'pulled', ...result, ...(tooLarge.length > 0 && { tooLarge }) };
  }

  /**
   * Stores the folder's changes on the service, exactly as the user confirmed them.
   * @throws if the fields couldn't be stored or the outcome is unknown
   */
  async push(target: Target, confirmed: PushPlan, signal?: AbortSignal): Promise<PushResult> {
    const { remote: service, revisions } = this.#parts;
    const { decision, after, readBackError } = await service.store(target, async (remote) => {
      const comparison = withoutRemoteOnly(await this.compare(target, { remote }));
      const { local, changes } = comparison;
      const refusal = findRefusal(comparison, confirmed);
      if (refusal !== undefined || changes.size === 0) return { local, refusal };
      signal?.throwIfAborted();
      const fields = pickTexts(local, changes.keys());
      return { local, fields, endSend: await revisions.recordSend(target, fields) };
    });
    const { local, refusal, fields = {}, endSend } = decision;
    if (refusal !== undefined) return refusal;
    const names = Object.keys(fields);
    if (after === undefined) {
      // The stored texts are unknown, so the record stays: a later read may return them in another form.
      await this.#updateBase(target, (last) => ({ ...last, ...createBase(fields, fields) }));
      return { kind: 'stored', fields: names, storedDifferently: [], readBackError };
    }
    if (endSend !== undefined) {
      await endSend();
      await revisions.add(target, after);
    }
    await this.#updateBase(target, (last) => ({ ...mergeBase(last, local, after), ...createBase(fields, after) }));
    if (endSend === undefined) return { kind: 'same' };
    return { kind: 'stored', fields: names, storedDifferently: findDifferent(fields, after) };
  }

  /**
   * Records the base of a template that was just created from the folder's texts.
   * @returns the fields that the service stored differently
   */
  async recordCreated(target: Target, sent: FieldTexts): Promise<readonly string[]> {
    const after = await this.#parts.remote.read(target);
    await this.#parts.revisions.add(target, after);
    await this.#updateBase(target, (last) => ({ ...last, ...createBase(sent, after) }));
    return findDifferent(sent, after);
  }

  /**
   * Replaces the folder's changes with the service's texts and stores the replaced texts as a version.
   * @param confirmed the changes that the user agreed to discard
   * @returns the replaced fields
   * @throws `FolderChangedError` if the folder changed since
   */
  async discard(
    target: Target,
    confirmed: Pick<TemplateComparison, 'local' | 'changes'>,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const { folder, revisions } = this.#parts;
    const { local, remote, changes } = await this.compare(target, { signal });
    const names = [...changes.keys()].filter((name) => confirmed.changes.has(name));
    if (names.some((name) => local[name] !== confirmed.local[name]))
      throw new FolderChangedError(target.template.folder);
    const built = folder.builtFields(target.template);
    const texts = pickTexts(
      remote,
      names.filter((name) => !built.includes(name)),
    );
    await revisions.add(target, { ...remote, ...local });
    await folder.write(target.template, texts, local);
    await this.#updateBase(target, (last) => ({ ...mergeBase(last, local, remote), ...createBase(texts, remote) }));
    return Object.keys(texts);
  }

  /**
   * Treats a remote text equal to an unconfirmed send as our own. Any other remote text may derive from that send or from the base, so the
   * field then has no base.
   */
  async #adjustBase(target: Target, base: Base, local: FieldTexts, remote: FieldTexts): Promise<Base> {
    const hasChanged = ([name, field]: [string, FieldBase]): boolean =>
      local[name] === remote[name] ? false : contentHash(remote[name] ?? '') !== field.remote;
    // Reads the records only if a field changed on the service, which is rare.
    if (!Object.entries(base).some(hasChanged)) return base;
    const unconfirmed = await this.#parts.revisions.getUnconfirmedHashes(target);
    const entries = Object.entries(base).flatMap((entry): [string, FieldBase][] => {
      const [name] = entry;
      const sent = unconfirmed.get(name);
      if (sent === undefined || !hasChanged(entry)) return [entry];
      const theirs = contentHash(remote[name] ?? '');
      return sent.includes(theirs) ? [[name, { local: theirs, remote: theirs }]] : [];
    });
    return Object.fromEntries(entries);
  }

  async #updateBase({ template: { folder }, connection }: Target, change: (base: Base) => Base): Promise<void> {
    await this.#parts.lock.change((lock) => lock.with(folder, connection, change(lock.base(folder, connection))));
  }
}

/** Returns whether the folder never had a field, so that there is nothing to push. */
function isRemoteOnly({ local, base }: TemplateComparison, name: string): boolean {
  return local[name] === undefined && base[name] === undefined;
}

function withoutRemoteOnly(comparison: TemplateComparison): TemplateComparison {
  const changes = [...comparison.changes].filter(([name]) => !isRemoteOnly(comparison, name));
  return { ...comparison, changes: new Map(changes) };
}

/** Returns why a template must not be pushed; undefined if it may. */
function findRefusal(
  { local, remote, changes }: TemplateComparison,
  { texts, overwrite = {} }: PushPlan,
): PushResult | undefined {
  const isConfirmed = (name: string): boolean =>
    local[name] !== undefined && overwrite[name] === contentHash(remote[name] ?? '');
  const [outgoing, behind] = [new Set(Object.keys(texts)), new Set<string>()];
  for (const [name, state] of changes) (state === 'push' || isConfirmed(name) ? outgoing : behind).add(name);
  const changed = [...outgoing].filter((name) => local[name] !== texts[name]);
  if (changed.length > 0) return { kind: 'changed', fields: changed };
  if (behind.size > 0) return { kind: 'behind', fields: [...behind] };
  const unresolved = findUnresolved(pickTexts(local, changes.keys()), remote);
  return unresolved.length > 0 ? { kind: 'unresolved', fields: unresolved } : undefined;
}

/** Returns the fields with conflict markers that aren't part of the service's text. */
function findUnresolved(texts: FieldTexts, remote: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => hasMarks(texts[name] ?? '', remote[name]));
}
