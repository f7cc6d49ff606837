import { isApiError, isRefused } from '../../service/client/shapes.ts';
import { Pool, SerialQueue } from '../exclusive.ts';
import { createBase, findChanges, findDifferent, mergeBase, pickTexts, type FieldTexts } from '../fields/fields.ts';
import { recordRequest } from '../files.ts';
import { FolderChangedError, type TemplateFolder } from '../mapping/folder.ts';
import { Lineage, type ReadHistory } from './lineage.ts';
import type { Lock, LockFile } from './lock.ts';
import type { MappedTemplate, Target } from '../mapping/mapping.ts';
import type { Merged, MergeInput, SideNames } from '../merge/merge.ts';
import {
  findUnresolved,
  planPush,
  type ConfirmedPush,
  type PullResult,
  type CheckedPlan,
  type PushPlan,
  type PushResult,
  type Refusal,
  type RefusalKind,
  type TemplateComparison,
} from './plan.ts';
import type { PushJournal } from '../requests/pushJournal.ts';
import type { UpdateResult } from '../requests/updateOnce.ts';
import type { RevisionStore } from './revisions.ts';

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
   * @throws if the template can't be read, the fields weren't stored, or the outcome is unconfirmed
   */
  store(
    target: Target,
    decide: (current: FieldTexts) => Promise<FieldTexts | undefined>,
  ): Promise<UpdateResult<FieldTexts>>;
}

/** Merges in the background. Rejects with an `AbortError` if the signal is aborted. */
export type Merge = (input: MergeInput, signal?: AbortSignal) => Promise<Merged>;

/** Everything that a sync reads and writes. */
interface SyncParts {
  readonly folder: TemplateFolder;
  readonly remote: RemoteTemplates;
  readonly lock: LockFile;
  readonly revisions: RevisionStore;
  readonly journal: PushJournal;
  readonly merge: Merge;
  readonly readHistory?: ReadHistory | undefined;
  /** Returns whether pushes to a connection need permission. */
  readonly isProtected: (connection: string) => boolean;
  /** Refuses an output that is out of date. Without it, the caller checks outputs. */
  readonly checkOutput?: (template: MappedTemplate) => Promise<Refusal<'stale'> | undefined>;
}

/** The result of the last comparison of a template on one connection. */
type ComparisonStatus =
  | { readonly kind: 'compared'; readonly comparison: TemplateComparison }
  /** The service has no template with this id. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly error: Error };

/** Up to this number of templates per connection, each is read on its own. Above it, the pages of the whole collection are read. */
const MAX_SINGLE_READS = 10;
const MAX_CONCURRENT_COMPARISONS = 16;

/**
 * Synchronizes the templates of a folder with their services, and keeps the last comparison of each. Never overwrites changes that the user
 * hasn't pulled or confirmed.
 */
export class Sync {
  readonly lineage: Lineage;
  readonly #parts: SyncParts;
  /** Versions are stored one after the other in the background, so that few files are open at once. */
  readonly #storing = new SerialQueue();
  readonly #statuses = new Map<string, ComparisonStatus>();
  /** The last texts read from the service. Has no entry after a failed read or an unconfirmed response. */
  readonly #remote = new Map<string, FieldTexts>();

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.lineage = new Lineage(parts);
  }

  getStatus(target: Target): ComparisonStatus | undefined {
    return this.#statuses.get(targetKey(target));
  }

  /** Returns whether the service's texts were read. */
  hasRemote(target: Target): boolean {
    return this.#remote.has(targetKey(target));
  }

  /** Removes the results of all other templates. */
  retain(targets: readonly Target[]): void {
    const keys = new Set(targets.map(targetKey));
    for (const map of [this.#statuses, this.#remote]) for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
  }

  /** Reads and compares both sides. A template that can't be read gets the status `failed`. */
  async refresh(targets: readonly Target[], signal?: AbortSignal): Promise<void> {
    const readLock = this.#parts.lock.createCachedReader();
    const byConnection = Map.groupBy(targets, ({ connection }) => connection);
    await Promise.all(
      Array.from(byConnection, async ([connection, wanted]) => {
        const remaining =
          wanted.length > MAX_SINGLE_READS
            ? await this.#refreshFromPages(connection, wanted, readLock, signal)
            : wanted;
        for (const target of remaining)
          await this.#track(target, this.#compareTexts(target, this.#read(target, signal), readLock), signal);
      }),
    );
  }

  /** Compares the files with the last texts read from the services. */
  async compareAgain(targets: readonly Target[]): Promise<void> {
    const readLock = this.#parts.lock.createCachedReader();
    const pool = new Pool(MAX_CONCURRENT_COMPARISONS);
    for (const target of targets) {
      const remote = this.#remote.get(targetKey(target));
      if (remote) await pool.run(() => this.#track(target, this.#compareTexts(target, remote, readLock)));
    }
    await pool.end();
  }

  /** Resolves when all versions read so far are stored. */
  whenStored(): Promise<void> {
    return this.#storing.run(() => Promise.resolve());
  }

  /** Compares templates page by page, while the next page is read. Resolves with the templates that no page had in full. */
  async #refreshFromPages(
    connection: string,
    wanted: readonly Target[],
    readLock: () => Promise<Lock>,
    signal: AbortSignal | undefined,
  ): Promise<Iterable<Target>> {
    const { remote } = this.#parts;
    const remaining = new Map(wanted.map((target) => [target.id, target]));
    const unseen = new Set(remaining.keys());
    const pool = new Pool(MAX_CONCURRENT_COMPARISONS);
    const compare = async (id: number, texts: FieldTexts | undefined) => {
      const target = remaining.get(id);
      // A page may leave fields out. Such a template is read on its own.
      if (unseen.delete(id) && target && texts) {
        remaining.delete(id);
        this.#remote.set(targetKey(target), texts);
        await pool.run(() => this.#track(target, this.#compareTexts(target, texts, readLock), signal));
        void this.#storing.run(() => this.#remember(target, texts));
      }
      return unseen.size === 0;
    };
    try {
      await remote.readAll(connection, compare, signal);
    } catch (error) {
      if (isCanceled(error, signal)) throw error;
      // The templates are then read individually, which reports the error for each.
    }
    await pool.end();
    return remaining.values();
  }

  /** Compares the folder with the service. @throws if the files, the service or the lock can't be read */
  compare(target: Target, signal?: AbortSignal): Promise<TemplateComparison> {
    return this.#compareTexts(target, this.#read(target, signal));
  }

  /** Reads the service's texts and stores them as a version. */
  async #read(target: Target, signal?: AbortSignal) {
    this.#remote.delete(targetKey(target));
    const texts = await this.#parts.remote.read(target, signal);
    this.#remote.set(targetKey(target), texts);
    await this.#remember(target, texts);
    return texts;
  }

  /** Stores texts as a version. If the disk refuses, only an earlier version is missing. */
  #remember(target: Target, texts: FieldTexts, isLocal?: true) {
    return this.#parts.revisions.add(target, texts, isLocal).catch(() => undefined);
  }

  async #compareTexts(
    target: Target,
    service: FieldTexts | Promise<FieldTexts>,
    readLock = () => this.#parts.lock.read(),
  ): Promise<TemplateComparison> {
    const { template, connection } = target;
    const [local, remote, lock] = await Promise.all([this.#parts.folder.read(template), service, readLock()]);
    const base = await this.lineage.adjustBase(target, lock.base(template.folder, connection), local, remote);
    return { local, remote, base, changes: findChanges(base, local, remote) };
  }

  /** Stores the result of a comparison as the template's status. @throws only if it was canceled */
  async #track(target: Target, comparing: Promise<TemplateComparison>, signal?: AbortSignal) {
    const setStatus = (status: ComparisonStatus) => this.#statuses.set(targetKey(target), status);
    try {
      setStatus({ kind: 'compared', comparison: await comparing });
    } catch (error) {
      if (isCanceled(error, signal)) throw error;
      if (isApiError(error) && error.kind === 'notFound') setStatus({ kind: 'deleted' });
      else setStatus({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  /** Writes the service's changes into the folder and merges fields that changed on both sides. */
  async pull(target: Target, names: SideNames, signal?: AbortSignal): Promise<PullResult> {
    const { folder, revisions } = this.#parts;
    const { local, remote, base, changes } = await this.compare(target, signal);
    const unresolved = findUnresolved(local, remote);
    if (unresolved.length > 0) return { kind: 'unresolved', fields: unresolved };
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
      if (folder.isBuilt(target.template, name)) result.skipped.push(name);
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
    // The service may not have stored what was pushed. Then the file is its only place, until it is a version.
    const isOnlyHere = (name: string) => base[name]?.local !== base[name]?.remote;
    const replaced = { ...remote, ...local };
    if (result.updated.some(isOnlyHere)) await this.#parts.revisions.add(target, replaced, true);
    else if (result.updated.length + result.merged.length + result.conflicts.length > 0)
      await this.#remember(target, replaced, true);
    const conflicts = pickTexts(
      remote,
      result.conflicts.filter((name) => !folder.isText(name)),
    );
    await folder.write(target.template, texts, local, conflicts, names);
    const written = pickTexts(remote, Object.keys({ ...texts, ...conflicts }));
    await this.#updateBase(target, written, remote, local);
    return { kind: 'pulled', ...result, ...(tooLarge.length > 0 && { tooLarge }) };
  }

  /**
   * Decides the push of a template that was just compared.
   * @param allowed what the user allows, or is asked about before the push
   * @param overwrite as in `ConfirmedPush`
   */
  async planPush(
    target: Target,
    comparison: TemplateComparison,
    allowed: readonly (RefusalKind | false | undefined)[],
    overwrite?: FieldTexts,
  ): Promise<CheckedPlan> {
    const { checkOutput, folder, isProtected, journal } = this.#parts;
    const plan = planPush(comparison, { overwrite });
    const fields = Object.keys(plan.texts);
    const pending = await journal.findPending(target, comparison.remote);
    const refusals: readonly (Refusal | false | undefined)[] = [
      await checkOutput?.(target.template),
      plan.refusal,
      fields.length > 0 && pending.length > 0 && { kind: 'unconfirmed', fields: pending },
      fields.length > 0 && isProtected(target.connection) && { kind: 'protected', fields },
    ];
    const refusal = refusals.find((one) => one && !allowed.includes(one.kind)) || undefined;
    return { ...plan, refusal, localImages: await folder.findLocalImages(plan.texts) };
  }

  /**
   * Stores the folder's changes on the service, exactly as the user confirmed them.
   * @throws if the fields couldn't be stored or the outcome is unconfirmed
   */
  async push(target: Target, confirmed: ConfirmedPush, signal?: AbortSignal): Promise<PushResult> {
    const { remote: service, revisions, journal } = this.#parts;
    this.#remote.delete(targetKey(target));
    const sent: { plan?: PushPlan; end?: () => Promise<void> } = {};
    const storing = service.store(target, async (remote) => {
      await recordRequest(() => revisions.add(target, remote));
      sent.plan = planPush(await this.#compareTexts(target, remote), confirmed);
      const { refusal, texts } = sent.plan;
      if (refusal || Object.keys(texts).length === 0) return undefined;
      signal?.throwIfAborted();
      sent.end = await journal.recordSend(target, texts);
      return texts;
    });
    const result = await storing.catch(async (error: unknown) => {
      // The service stored nothing, and no request is underway.
      if (isRefused(error)) await sent.end?.();
      throw error;
    });
    const after = 'after' in result ? result.after : undefined;
    if (after) this.#remote.set(targetKey(target), after);
    const { refusal, texts: fields = {}, comparison } = sent.plan ?? {};
    if (refusal) return refusal;
    if (!sent.end) {
      await this.#updateBase(target, fields, after ?? fields, comparison?.local);
      return { kind: 'same' };
    }
    if (after) await this.#remember(target, after);
    const stored = {
      kind: 'stored',
      fields: Object.keys(fields),
      storedDifferently: findDifferent(fields, after ?? fields),
      ...('readBackError' in result && result),
    } as const;
    try {
      await this.#updateBase(target, fields, after ?? fields, after && comparison?.local);
      // If the stored texts are unknown, the record stays: a later read may return them in another form.
      if (after) await sent.end();
      return stored;
    } catch (lockError) {
      // The record stays too, so that the next comparison recognizes the texts.
      return { ...stored, lockError };
    }
  }

  /**
   * Records the base of a template that was just created from the folder's texts.
   * @returns the fields that the service stored differently
   */
  async recordCreated(target: Target, sent: FieldTexts): Promise<readonly string[]> {
    const after = await this.#read(target);
    await this.#updateBase(target, sent, after);
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
    const { local, remote, changes } = await this.compare(target, signal);
    const names = [...changes.keys()].filter((name) => confirmed.changes.has(name));
    if (names.some((name) => local[name] !== confirmed.local[name]))
      throw new FolderChangedError(target.template.folder);
    const texts = pickTexts(
      remote,
      names.filter((name) => !folder.isBuilt(target.template, name)),
    );
    await revisions.add(target, { ...remote, ...local }, true);
    await folder.write(target.template, texts, local);
    await this.#updateBase(target, texts, remote, local);
    return Object.keys(texts);
  }

  /** Records the base of fields after a transfer, and with `local` also that of the others that are equal on both sides. */
  async #updateBase(target: Target, transferred: FieldTexts, remote: FieldTexts, local?: FieldTexts) {
    const { template, connection } = target;
    await this.#parts.lock.change((lock) => {
      const last = lock.base(template.folder, connection);
      const others = local ? mergeBase(last, local, remote) : last;
      return lock.with(template.folder, connection, { ...others, ...createBase(transferred, remote) });
    });
    this.lineage.rejectOlder(target);
  }
}

function isCanceled(error: unknown, signal: AbortSignal | undefined) {
  return signal?.aborted === true || (isApiError(error) && error.kind === 'aborted');
}

export function targetKey({ template, connection, id }: Target): string {
  return JSON.stringify([template.folder, connection, id]);
}
