import { ReadBackError } from '../../platform/documents/model.ts';
import type { Merged, MergeInput } from '../../sync/merge/index.ts';
import { hasMarks, type SideNames } from '../../sync/merge/marks.ts';
import { contentHash, findChanges, mergeBase } from './fields.ts';
import type { Base, FieldBase, FieldState, FieldTexts } from './fields.ts';
import type { Lock } from './lock.ts';
import type { MappedTemplate } from './mapping.ts';

/** A mapped template on one of its connections. `id` is the template's id on that connection. */
export interface Target {
  readonly template: MappedTemplate;
  readonly connection: string;
  readonly id: number;
}

/** The files of a template. Images in the texts have public addresses instead of paths, as on the service. */
export interface LocalTemplates {
  /** Reads the fields that the folder contains. @throws if a file can't be read or is invalid */
  read(template: MappedTemplate): Promise<FieldTexts>;
  /**
   * Writes fields into their files and keeps the rest of each file.
   * @param expected the last result of `read`; a file that changed since is not overwritten
   * @param conflicts the service's values of details fields that changed on both sides
   * @throws `FolderChangedError`
   */
  write(
    template: MappedTemplate,
    texts: FieldTexts,
    expected: FieldTexts,
    conflicts: FieldTexts,
    names: SideNames,
  ): Promise<void>;
  /** Returns the fields that a build task generates, which must not be written. */
  builtFields(template: MappedTemplate): readonly string[];
  /** Returns whether a field has its own file, which is merged line by line. */
  isText(field: string): boolean;
}

/** The files changed before they could be written. Nothing was written. */
export class FolderChangedError extends Error {
  constructor(folder: string) {
    super(`The files in ${folder} changed meanwhile. Nothing was written.`);
  }
}

export interface RemoteTemplates {
  /** @throws `ApiError` */
  read(target: Target, signal?: AbortSignal): Promise<FieldTexts>;
  /**
   * Reads a template, stores the fields that `selectFields` returns, if any, and reads the template back. Never retries.
   * @throws if the template can't be read, the fields weren't stored, or the outcome is unknown; `ReadBackError` if they were stored
   */
  store(target: Target, selectFields: (current: FieldTexts) => Promise<FieldTexts | undefined>): Promise<FieldTexts>;
}

/** The committed `mailing.lock.json`. */
export interface LockFile {
  read(): Promise<Lock>;
  /** Returns a function that reads the file once and then again only after `change`. */
  createCachedReader(): () => Promise<Lock>;
  change(change: (lock: Lock) => Lock): Promise<void>;
}

/** Earlier texts of templates, stored on this machine. */
export interface VersionStore {
  add(target: Target, texts: FieldTexts): Promise<void>;
  /** Returns a text by its hash; undefined if it is not stored. */
  getText(target: Target, field: string, hash: string): Promise<string | undefined>;
  /**
   * Records that fields are about to be sent. Until a response arrives, the service may store them at any time.
   * @returns a function that deletes the record; call it after the response
   */
  recordSend(target: Target, fields: FieldTexts): Promise<() => Promise<void>>;
  /** Returns the hashes of sent texts without a response, by field. */
  getUnconfirmedHashes(target: Target): Promise<ReadonlyMap<string, readonly string[]>>;
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
  readonly changes: ReadonlyMap<string, Exclude<FieldState, 'same'>>;
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

/** Some fields still contain conflict markers. Nothing was changed. */
export interface UnresolvedConflicts {
  readonly kind: 'unresolved';
  readonly fields: readonly string[];
}

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

/** A push as the user confirmed it. */
export interface ConfirmedPush {
  /** The only fields and texts that may be stored. */
  readonly texts: FieldTexts;
  /** Hashes of the service's texts that the user chose to overwrite. */
  readonly overwrite?: Readonly<Record<string, string>>;
}

/** Merges in the background. Rejects with an `AbortError` if the signal is aborted. */
export type Merge = (input: MergeInput, signal?: AbortSignal) => Promise<Merged>;

/** Synchronizes a folder with a service. Never overwrites changes that the user hasn't pulled or confirmed. */
export class Sync {
  readonly #folder: LocalTemplates;
  readonly #service: RemoteTemplates;
  readonly #lock: LockFile;
  readonly #versions: VersionStore;
  readonly #merge: Merge;

  constructor(folder: LocalTemplates, service: RemoteTemplates, lock: LockFile, versions: VersionStore, merge: Merge) {
    this.#folder = folder;
    this.#service = service;
    this.#lock = lock;
    this.#versions = versions;
    this.#merge = merge;
  }

  /** Compares the folder with the service. @throws if the files, the service or the lock can't be read */
  async compare(
    target: Target,
    { remote, readLock = () => this.#lock.read(), storeVersion, signal }: CompareOptions = {},
  ): Promise<TemplateComparison> {
    const [local, theirs, lock] = await Promise.all([
      this.#folder.read(target.template),
      remote ?? this.#service.read(target, signal),
      readLock(),
    ]);
    if (storeVersion === undefined) await this.#versions.add(target, theirs);
    else storeVersion(theirs);
    const base = await this.#adjustBase(target, lock.base(target.template.folder, target.connection), local, theirs);
    return { local, remote: theirs, base, changes: findChanges(base, local, theirs) };
  }

  /** Writes the service's changes into the folder and merges fields that changed on both sides. */
  async pull(target: Target, names: SideNames, signal?: AbortSignal): Promise<PullResult> {
    const { local, remote, base, changes } = await this.compare(target, { signal });
    const unresolved = findUnresolved(local, remote);
    if (unresolved.length > 0) return { kind: 'unresolved', fields: unresolved };
    const built = this.#folder.builtFields(target.template);
    const texts: Record<string, string> = {};
    const conflicts: Record<string, string> = {};
    const lists: Record<'updated' | 'merged' | 'conflicts' | 'skipped', string[]> = {
      updated: [],
      merged: [],
      conflicts: [],
      skipped: [],
    };
    const tooLarge: string[] = [];
    for (const [name, state] of changes) {
      const [ours, theirs] = [local[name] ?? '', remote[name] ?? ''];
      if (state === 'push') continue;
      if (built.includes(name)) lists.skipped.push(name);
      else if (state === 'pull') {
        texts[name] = theirs;
        lists.updated.push(name);
      } else if (this.#folder.isText(name)) {
        const baseHash = base[name]?.remote;
        const common = baseHash === undefined ? undefined : await this.#versions.getText(target, name, baseHash);
        const merged = await this.#merge({ base: common, local: ours, remote: theirs, names }, signal);
        texts[name] = merged.text;
        lists[merged.hasConflict ? 'conflicts' : 'merged'].push(name);
        if (merged.isTooLarge) tooLarge.push(name);
      } else {
        conflicts[name] = theirs;
        lists.conflicts.push(name);
      }
    }
    signal?.throwIfAborted();
    await this.#folder.write(target.template, texts, local, conflicts, names);
    const written = new Set([...Object.keys(texts), ...Object.keys(conflicts)]);
    await this.#updateBase(target, (last) => ({
      ...mergeBase(last, local, remote),
      ...createEqualBase(remote, (name) => written.has(name)),
    }));
    return { kind: 'pulled', ...lists, ...(tooLarge.length > 0 && { tooLarge }) };
  }

  /**
   * Stores the folder's changes on the service, exactly as the user confirmed them.
   * @throws if the fields couldn't be stored or the outcome is unknown
   */
  async push(target: Target, confirmed: ConfirmedPush, signal?: AbortSignal): Promise<PushResult> {
    let local: FieldTexts = {};
    let fields: FieldTexts = {};
    let refused: PushResult | undefined;
    let deleteSendRecord = (): Promise<void> => Promise.resolve();
    const { after, readBackError } = await this.#store(target, async (remote) => {
      const comparison = withoutRemoteOnly(await this.compare(target, { remote }));
      local = comparison.local;
      fields = Object.fromEntries([...comparison.changes.keys()].map((name) => [name, local[name] ?? '']));
      refused = findRefusal(comparison, confirmed);
      if (refused !== undefined || comparison.changes.size === 0) return undefined;
      signal?.throwIfAborted();
      deleteSendRecord = await this.#versions.recordSend(target, fields);
      return fields;
    });
    if (refused !== undefined) return refused;
    const names = Object.keys(fields);
    if (after === undefined) {
      // The stored texts are unknown, so the record stays: a later read may return them in another form.
      await this.#updateBase(target, (last) => ({ ...last, ...createSentBase(fields, fields) }));
      return { kind: 'stored', fields: names, storedDifferently: [], readBackError };
    }
    if (names.length === 0) {
      await this.#updateBase(target, (last) => mergeBase(last, local, after));
      return { kind: 'same' };
    }
    await deleteSendRecord();
    await this.#versions.add(target, after);
    await this.#updateBase(target, (last) => ({
      ...mergeBase(last, local, after),
      ...createSentBase(fields, after),
    }));
    return { kind: 'stored', fields: names, storedDifferently: findStoredDifferently(fields, after) };
  }

  /**
   * Records the base of a template that was just created from the folder's texts.
   * @returns the fields that the service stored differently
   */
  async recordCreated(target: Target, sent: FieldTexts, signal?: AbortSignal): Promise<readonly string[]> {
    const after = await this.#service.read(target, signal);
    await this.#versions.add(target, after);
    await this.#updateBase(target, (last) => ({ ...last, ...createSentBase(sent, after) }));
    return findStoredDifferently(sent, after);
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
    const { local, remote, changes } = await this.compare(target, { signal });
    const names = [...changes.keys()].filter((name) => confirmed.changes.has(name));
    if (names.some((name) => local[name] !== confirmed.local[name]))
      throw new FolderChangedError(target.template.folder);
    const built = this.#folder.builtFields(target.template);
    const texts = Object.fromEntries(
      names.filter((name) => !built.includes(name)).map((name) => [name, remote[name] ?? '']),
    );
    await this.#versions.add(target, { ...remote, ...local });
    await this.#folder.write(target.template, texts, local, {}, { local: '', remote: '' });
    await this.#updateBase(target, (last) => ({
      ...mergeBase(last, local, remote),
      ...createEqualBase(remote, (name) => name in texts),
    }));
    return Object.keys(texts);
  }

  /**
   * Treats a remote text equal to an unconfirmed send as our own. Any other remote text may derive from that send or from the base, so the
   * field then has no base.
   */
  async #adjustBase(target: Target, base: Base, local: FieldTexts, remote: FieldTexts): Promise<Base> {
    // Reads the records only if a field changed on the service, which is rare.
    const changed = Object.entries(base).flatMap(([name, field]): [name: string, theirs: string][] => {
      const theirs = remote[name] ?? '';
      const hash = local[name] === theirs ? field.remote : contentHash(theirs);
      return hash === field.remote ? [] : [[name, hash]];
    });
    if (changed.length === 0) return base;
    const unconfirmed = await this.#versions.getUnconfirmedHashes(target);
    const replaced = new Map(
      changed.flatMap(([name, theirs]): [string, FieldBase | undefined][] => {
        const sent = unconfirmed.get(name);
        return sent === undefined
          ? []
          : [[name, sent.includes(theirs) ? { local: theirs, remote: theirs } : undefined]];
      }),
    );
    const fields = Object.entries(base).map(
      ([name, field]) => [name, replaced.has(name) ? replaced.get(name) : field] as const,
    );
    return Object.fromEntries(fields.filter((entry): entry is readonly [string, FieldBase] => entry[1] !== undefined));
  }

  /** Calls `RemoteTemplates.store`. Without `after`, the fields were stored but couldn't be read back. */
  async #store(
    target: Target,
    selectFields: (current: FieldTexts) => Promise<FieldTexts | undefined>,
  ): Promise<{ readonly after?: FieldTexts; readonly readBackError?: unknown }> {
    try {
      return { after: await this.#service.store(target, selectFields) };
    } catch (error) {
      if (error instanceof ReadBackError) return { readBackError: error.cause };
      throw error;
    }
  }

  async #updateBase({ template, connection }: Target, change: (base: Base) => Base): Promise<void> {
    await this.#lock.change((lock) =>
      lock.with(template.folder, connection, change(lock.base(template.folder, connection))),
    );
  }
}

/** Returns whether the folder never had a field, so that there is nothing to push. */
export function isRemoteOnly({ local, base }: Pick<TemplateComparison, 'local' | 'base'>, name: string): boolean {
  return local[name] === undefined && base[name] === undefined;
}

function withoutRemoteOnly(comparison: TemplateComparison): TemplateComparison {
  const changes = [...comparison.changes].filter(([name]) => !isRemoteOnly(comparison, name));
  return { ...comparison, changes: new Map(changes) };
}

/** Returns why a template must not be pushed; undefined if it may. */
function findRefusal(
  { local, remote, changes }: TemplateComparison,
  { texts, overwrite = {} }: ConfirmedPush,
): PushResult | undefined {
  const isConfirmed = (name: string): boolean =>
    local[name] !== undefined && overwrite[name] === contentHash(remote[name] ?? '');
  const [outgoing, behind] = [new Set(Object.keys(texts)), new Set<string>()];
  for (const [name, state] of changes) (state === 'push' || isConfirmed(name) ? outgoing : behind).add(name);
  const changed = [...outgoing].filter((name) => local[name] !== texts[name]);
  if (changed.length > 0) return { kind: 'changed', fields: changed };
  if (behind.size > 0) return { kind: 'behind', fields: [...behind] };
  const unresolved = findUnresolved(
    Object.fromEntries([...changes.keys()].map((name) => [name, local[name] ?? ''])),
    remote,
  );
  return unresolved.length > 0 ? { kind: 'unresolved', fields: unresolved } : undefined;
}

/** Returns the fields with conflict markers that aren't part of the service's text. */
function findUnresolved(texts: FieldTexts, remote: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => hasMarks(texts[name] ?? '', remote[name]));
}

function createEqualBase(texts: FieldTexts, isIncluded: (name: string) => boolean): Base {
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([name]) => isIncluded(name))
      .map(([name, text]) => {
        const hash = contentHash(text);
        return [name, { local: hash, remote: hash }];
      }),
  );
}

function findStoredDifferently(sent: FieldTexts, after: FieldTexts): readonly string[] {
  return Object.keys(sent).filter((name) => contentHash(sent[name] ?? '') !== contentHash(after[name] ?? ''));
}

/** The service may normalize a text, so the base has the sent and the stored form. */
function createSentBase(sent: FieldTexts, after: FieldTexts): Base {
  const entries = Object.entries(sent).map(([name, text]) => [
    name,
    { local: contentHash(text), remote: contentHash(after[name] ?? '') },
  ]);
  return Object.fromEntries(entries) as Base;
}
