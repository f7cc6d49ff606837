import { NotReadBack } from '../../platform/documents/model.ts';
import type { Merged, MergeInput } from '../../sync/merge/index.ts';
import { hasMarks, type SideNames } from '../../sync/merge/marks.ts';
import {
  mergeBase,
  findChanges,
  contentHash,
  type Base,
  type FieldBase,
  type FieldState,
  type FieldTexts,
} from './fields.ts';
import type { Lock } from './lock.ts';
import type { MappedTemplate } from './mapping.ts';

/** A template on one connection, of those that it is mapped to. */
export interface Target {
  readonly template: MappedTemplate;
  readonly connection: string;
  /** Its id there. */
  readonly id: number;
}

/** The files of a template. All texts are as they go out: with public addresses in place of paths of images. */
export interface LocalTemplates {
  /** The fields that the folder has. @throws where a file can't be read, or says nothing that can be stored */
  read(template: MappedTemplate): Promise<FieldTexts>;
  /**
   * Writes fields into their files, and leaves all else in them as it is.
   * @param expected what `read` gave: a file that says something else now is not overwritten
   * @param conflicts what the service has, of fields that are no text of their own file and were changed on both sides
   * @throws `FolderChanged`
   */
  write(
    template: MappedTemplate,
    texts: FieldTexts,
    expected: FieldTexts,
    conflicts: FieldTexts,
    names: SideNames,
  ): Promise<void>;
  /** Fields that are built from something else: nothing can be written into them. */
  built(template: MappedTemplate): readonly string[];
  /** Whether a field is the text of a file of its own, which is merged line by line. */
  isText(field: string): boolean;
}

/** The files changed while they were about to be written. Nothing was written. */
export class FolderChangedError extends Error {
  constructor(folder: string) {
    super(`The files in ${folder} changed meanwhile. Nothing was written.`);
  }
}

/** The service's side. */
export interface RemoteTemplates {
  /** The texts of a template as the service has them. Throws `ApiError`. */
  read(target: Target, signal?: AbortSignal): Promise<FieldTexts>;
  /**
   * Reads a template, stores what `fieldsFor` gives for that, once, and reads back. Nothing is stored where it gives nothing.
   * @returns what the service has then
   * @throws if it can't be read, the fields weren't stored, or the outcome is unknown; `NotReadBack` if they were stored
   */
  store(target: Target, fieldsFor: (now: FieldTexts) => Promise<FieldTexts | undefined>): Promise<FieldTexts>;
}

/** The committed `mailing.lock.json`. */
export interface LockFile {
  read(): Promise<Lock>;
  /** For looks that belong together: gives what one reading found, until the lock is changed. */
  createCachedReader(): () => Promise<Lock>;
  change(change: (lock: Lock) => Lock): Promise<void>;
}

/** Texts that were seen on the service, kept on this machine. */
export interface VersionStore {
  add(target: Target, texts: FieldTexts): Promise<void>;
  /** A text by its fingerprint, where it was seen and is still kept. */
  getText(target: Target, field: string, print: string): Promise<string | undefined>;
  /**
   * Notes that fields are about to be sent: without a response, the service may store them at any time from then on.
   * @returns deletes the note once the response arrived
   */
  recordSend(target: Target, fields: FieldTexts): Promise<() => Promise<void>>;
  /** The fingerprints of what was sent of each field, whose answer was lost. */
  getUnconfirmedHashes(target: Target): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** How a template is looked at. */
export interface CompareOptions {
  /** What was read of the service just now, where it was. */
  readonly remote?: FieldTexts;
  /** The lock of looks that belong together. */
  readonly lock?: () => Promise<Lock>;
  /** Keeps what the service has later, or knows that it was kept. By default it is kept at once. */
  storeVersion?(texts: FieldTexts): void;
  readonly signal?: AbortSignal;
}

/** Both sides of a template, and in what they differ. */
export interface Comparison {
  readonly local: FieldTexts;
  readonly remote: FieldTexts;
  readonly base: Base;
  readonly changes: ReadonlyMap<string, Exclude<FieldState, 'same'>>;
}

export type PullResult =
  | UnresolvedConflicts
  | {
      readonly kind: 'pulled';
      /** Fields that the folder has anew. */
      readonly updated: readonly string[];
      /** Fields that were merged. */
      readonly merged: readonly string[];
      /** Fields with marks where both sides changed one place. */
      readonly conflicts: readonly string[];
      /** Those of the conflicts that were too large to merge: their whole text is between marks. */
      readonly tooLarge?: readonly string[];
      /** Fields that are built, and so were left as they are. */
      readonly skipped: readonly string[];
    };

/** There are marks of a conflict that nobody has resolved. Nothing was done. */
export interface UnresolvedConflicts {
  readonly kind: 'unresolved';
  readonly fields: readonly string[];
}

export type PushResult =
  | { readonly kind: 'same' }
  /** The service has changed since: what is there is pulled first. */
  | { readonly kind: 'behind'; readonly fields: readonly string[] }
  /** These fields aren't what the user was shown any more. Nothing was stored. */
  | { readonly kind: 'changed'; readonly fields: readonly string[] }
  | UnresolvedConflicts
  | {
      readonly kind: 'stored';
      readonly fields: readonly string[];
      readonly storedDifferently: readonly string[];
      /** Why the stored fields couldn't be read back. */
      readonly readBackError?: unknown;
    };

/** What the user was shown before a push. */
export interface ConfirmedPush {
  /** The fields to store. Nothing else is stored, and no other text. */
  readonly texts: FieldTexts;
  /** Hashes of the service's texts that the user chose to overwrite. */
  readonly overwrite?: Readonly<Record<string, string>>;
}

/** Merges in the background. Rejects with an `AbortError` if the signal is aborted. */
export type Merge = (input: MergeInput, signal?: AbortSignal) => Promise<Merged>;

/** Brings a folder and a service together. Nothing is overwritten on either side that the other has not seen. */
export class Sync {
  readonly #folder: LocalTemplates;
  readonly #service: RemoteTemplates;
  readonly #lock: LockFile;
  readonly #versions: VersionStore;
  readonly #merge: Merge;

  constructor(folder: LocalTemplates, service: RemoteTemplates, lock: LockFile, seen: VersionStore, merge: Merge) {
    this.#folder = folder;
    this.#service = service;
    this.#lock = lock;
    this.#versions = seen;
    this.#merge = merge;
  }

  /** Reads both sides. Throws what either side throws. */
  async compare(
    target: Target,
    { remote, lock: read = () => this.#lock.read(), storeVersion: remember, signal }: CompareOptions = {},
  ): Promise<Comparison> {
    const [local, theirs, lock] = await Promise.all([
      this.#folder.read(target.template),
      remote ?? this.#service.read(target, signal),
      read(),
    ]);
    if (remember === undefined) await this.#versions.add(target, theirs);
    else remember(theirs);
    const base = await this.#withUnconfirmedSends(
      target,
      lock.base(target.template.folder, target.connection),
      local,
      theirs,
    );
    return { local, remote: theirs, base, changes: findChanges(base, local, theirs) };
  }

  /** Takes over what is new on the service, and merges what was changed on both sides. */
  async pull(target: Target, names: SideNames, signal?: AbortSignal): Promise<PullResult> {
    const { local, remote, base, changes } = await this.compare(target, { signal });
    const unresolved = findUnresolved(local, remote);
    if (unresolved.length > 0) return { kind: 'unresolved', fields: unresolved };
    const built = this.#folder.built(target.template);
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
        const print = base[name]?.remote;
        const common = print === undefined ? undefined : await this.#versions.getText(target, name, print);
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
    const taken = new Set([...Object.keys(texts), ...Object.keys(conflicts)]);
    await this.#updateBase(target, (last) => ({
      ...mergeBase(last, local, remote),
      ...createEqualBase(remote, (name) => taken.has(name)),
    }));
    return { kind: 'pulled', ...lists, ...(tooLarge.length > 0 && { tooLarge }) };
  }

  /**
   * Stores what was changed in the folder, as the user was shown it.
   * @throws what keeps it from being stored, or from being known
   */
  async push(target: Target, shown: ConfirmedPush, signal?: AbortSignal): Promise<PushResult> {
    let local: FieldTexts = {};
    let fields: FieldTexts = {};
    let refused: PushResult | undefined;
    let answered = (): Promise<void> => Promise.resolve();
    const { after, unread } = await this.#store(target, async (remote) => {
      const look = withoutRemoteOnly(await this.compare(target, { remote }));
      local = look.local;
      fields = Object.fromEntries([...look.changes.keys()].map((name) => [name, local[name] ?? '']));
      refused = findRefusal(look, shown);
      if (refused !== undefined || look.changes.size === 0) return undefined;
      signal?.throwIfAborted();
      answered = await this.#versions.recordSend(target, fields);
      return fields;
    });
    if (refused !== undefined) return refused;
    const names = Object.keys(fields);
    if (after === undefined) {
      // What the service made of the texts is unknown, so the note stays: what is there later may be ours.
      await this.#updateBase(target, (last) => ({ ...last, ...createBaseAfterSend(fields, fields) }));
      return { kind: 'stored', fields: names, storedDifferently: [], readBackError: unread };
    }
    if (names.length === 0) {
      await this.#updateBase(target, (last) => mergeBase(last, local, after));
      return { kind: 'same' };
    }
    await answered();
    await this.#versions.add(target, after);
    await this.#updateBase(target, (last) => ({
      ...mergeBase(last, local, after),
      ...createBaseAfterSend(fields, after),
    }));
    return { kind: 'stored', fields: names, storedDifferently: findStoredDifferently(fields, after) };
  }

  /**
   * Notes that a template was just made of the folder's texts.
   * @returns fields that the service keeps in other words
   */
  async recordCreated(target: Target, sent: FieldTexts, signal?: AbortSignal): Promise<readonly string[]> {
    const after = await this.#service.read(target, signal);
    await this.#versions.add(target, after);
    await this.#updateBase(target, (last) => ({ ...last, ...createBaseAfterSend(sent, after) }));
    return findStoredDifferently(sent, after);
  }

  /**
   * Puts what the service has in place of the folder's own changes, which are kept among the states of the template.
   * @param shown the changes as the user agreed to discard them
   * @throws `FolderChanged` if the folder has other texts by now
   */
  async discard(
    target: Target,
    shown: Pick<Comparison, 'local' | 'changes'>,
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    const { local, remote, changes } = await this.compare(target, { signal });
    const names = [...changes.keys()].filter((name) => shown.changes.has(name));
    if (names.some((name) => local[name] !== shown.local[name])) throw new FolderChangedError(target.template.folder);
    const built = this.#folder.built(target.template);
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
   * What we sent, and whose answer was lost, is no change of somebody else. What is neither that nor what was there before may be made of
   * either: then nobody knows what both sides come from.
   */
  async #withUnconfirmedSends(target: Target, base: Base, local: FieldTexts, remote: FieldTexts): Promise<Base> {
    // What is the same on both sides is that whatever was lost, and mostly nothing on the service is new.
    const changed = Object.entries(base).flatMap(([name, field]): [name: string, theirs: string][] => {
      const theirs = remote[name] ?? '';
      const print = local[name] === theirs ? field.remote : contentHash(theirs);
      return print === field.remote ? [] : [[name, print]];
    });
    if (changed.length === 0) return base;
    const lost = await this.#versions.getUnconfirmedHashes(target);
    const arrived = new Map(
      changed.flatMap(([name, theirs]): [string, FieldBase | undefined][] => {
        const sent = lost.get(name);
        return sent === undefined
          ? []
          : [[name, sent.includes(theirs) ? { local: theirs, remote: theirs } : undefined]];
      }),
    );
    const fields = Object.entries(base).map(
      ([name, field]) => [name, arrived.has(name) ? arrived.get(name) : field] as const,
    );
    return Object.fromEntries(fields.filter((entry): entry is readonly [string, FieldBase] => entry[1] !== undefined));
  }

  /** See `ServiceSide.store`. Without `after`, the fields were stored and couldn't be read back. */
  async #store(
    target: Target,
    fieldsFor: (now: FieldTexts) => Promise<FieldTexts | undefined>,
  ): Promise<{ readonly after?: FieldTexts; readonly unread?: unknown }> {
    try {
      return { after: await this.#service.store(target, fieldsFor) };
    } catch (error) {
      if (error instanceof NotReadBack) return { unread: error.cause };
      throw error;
    }
  }

  async #updateBase({ template, connection }: Target, change: (base: Base) => Base): Promise<void> {
    await this.#lock.change((lock) =>
      lock.with(template.folder, connection, change(lock.base(template.folder, connection))),
    );
  }
}

/** A field that the folder does not have and never had: nothing in the folder is based on it, and nothing of it goes out. */
export function isRemoteOnly({ local, base }: Pick<Comparison, 'local' | 'base'>, name: string): boolean {
  return local[name] === undefined && base[name] === undefined;
}

function withoutRemoteOnly(look: Comparison): Comparison {
  return { ...look, changes: new Map([...look.changes].filter(([name]) => !isRemoteOnly(look, name))) };
}

/** Why nothing of a template may be pushed; undefined where it may. */
function findRefusal(
  { local, remote, changes }: Comparison,
  { texts, overwrite = {} }: ConfirmedPush,
): PushResult | undefined {
  const isAgreed = (name: string): boolean =>
    local[name] !== undefined && overwrite[name] === contentHash(remote[name] ?? '');
  const [outgoing, behind] = [new Set(Object.keys(texts)), new Set<string>()];
  for (const [name, state] of changes) (state === 'push' || isAgreed(name) ? outgoing : behind).add(name);
  const changed = [...outgoing].filter((name) => local[name] !== texts[name]);
  if (changed.length > 0) return { kind: 'changed', fields: changed };
  if (behind.size > 0) return { kind: 'behind', fields: [...behind] };
  const unresolved = findUnresolved(
    Object.fromEntries([...changes.keys()].map((name) => [name, local[name] ?? ''])),
    remote,
  );
  return unresolved.length > 0 ? { kind: 'unresolved', fields: unresolved } : undefined;
}

/** Fields with conflict marks that aren't part of the service's text. */
function findUnresolved(texts: FieldTexts, remote: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => hasMarks(texts[name] ?? '', remote[name]));
}

function createEqualBase(texts: FieldTexts, isMeant: (name: string) => boolean): Base {
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([name]) => isMeant(name))
      .map(([name, text]) => {
        const print = contentHash(text);
        return [name, { local: print, remote: print }];
      }),
  );
}

function findStoredDifferently(sent: FieldTexts, after: FieldTexts): readonly string[] {
  return Object.keys(sent).filter((name) => contentHash(sent[name] ?? '') !== contentHash(after[name] ?? ''));
}

/** A service may keep a text in other words: both are what they agreed on. */
function createBaseAfterSend(sent: FieldTexts, after: FieldTexts): Base {
  const entries = Object.entries(sent).map(([name, text]) => [
    name,
    { local: contentHash(text), remote: contentHash(after[name] ?? '') },
  ]);
  return Object.fromEntries(entries) as Base;
}
