import { t } from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '../../../sync/stateFiles.ts';
import { withFileLock } from '../../../sync/exclusive.ts';
import { errorCode, replaceFile } from '../../../sync/files.ts';
import { replayEvents, type RunPlan, type Run, type RunEvent } from './run.ts';

/*
 * Runs in a folder, each as a plan, which is written once, and a log with one line per event.
 *
 * Invariant: only the window whose `opened` event is the last one appends to a log, and it stores `sent` before each
 * request. So no request goes out twice:
 * - Two windows continue a run at the same time: `acquire` compares and appends under a lock file, so the second one
 *   finds a run that differs from the one that its user agreed to.
 * - A window is taken for crashed while the machine sleeps, and another one continues its run: its next `sent` can't be
 *   stored, so it sends nothing.
 * - The window closes or crashes: the next one finds `sent` without an answer, and checks it before it continues.
 */

/** An unfinished run that is stored on this machine. */
export interface StoredRun {
  readonly run: Run;
  /** Time of its last event, in ms since 1970. */
  readonly updatedAt: number;
}

const PLAN_SUFFIX = '.plan.json';
/** The first event of each log. */
const LOG_START = Buffer.from('{"type":"opened"');

/** Stores runs. The files contain addresses, so only the user may read them. */
export class RunJournal {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns an id for a new plan. Ids sort by creation time. */
  newId(): string {
    return `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
  }

  async start(plan: RunPlan): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile(this.#path(plan.id, PLAN_SUFFIX), JSON.stringify(plan), true);
  }

  /**
   * Gives a run to the window `session`, with events that precede its work. Throws if the stored run differs from
   * `run`: another window has continued it.
   */
  acquire(run: Run, session: string, events: readonly RunEvent[] = []): Promise<void> {
    const { id } = run.plan;
    return this.#append(id, [...events, { type: 'opened', session }], async () => {
      const stored = await this.read(id);
      return JSON.stringify(stored.run) === JSON.stringify(run);
    });
  }

  /** Appends an event to a run of the window `session`. Throws if it was forgotten, or another window continued it. */
  add(id: string, session: string, event: RunEvent): Promise<void> {
    return this.#append(id, [event], async (events) => {
      await stat(this.#path(id, PLAN_SUFFIX));
      const last = events.findLast(({ type }) => type === 'opened' || type === 'closed');
      return last?.type === 'opened' && last.session === session;
    });
  }

  /** Returns all stored runs, the oldest first. Throws if one is damaged: a new change could repeat its requests. */
  async readAll(): Promise<readonly StoredRun[]> {
    const names = (await undefinedIfMissing(readdir(this.#folder))) ?? [];
    const ids = names
      .filter((name) => name.endsWith(PLAN_SUFFIX))
      .map((name) => name.slice(0, -PLAN_SUFFIX.length))
      .sort();
    const runs = await Promise.all(ids.map((id) => undefinedIfMissing(this.read(id))));
    return runs.filter((run) => run !== undefined);
  }

  /** Reads a run. Throws if it doesn't exist or its files are damaged. */
  async read(id: string): Promise<StoredRun> {
    const planPath = this.#path(id, PLAN_SUFFIX);
    try {
      const plan = JSON.parse(await readFile(planPath, 'utf8')) as RunPlan;
      const log = await this.#readLog(id);
      const { mtimeMs } = await stat(log === undefined ? planPath : this.#path(id, '.log'));
      return { run: replayEvents(plan, log?.events ?? []), updatedAt: mtimeMs };
    } catch (error) {
      if (errorCode(error) !== undefined) throw error;
      const problem = t`The record of an earlier change of subscriptions is damaged, so its requests may have been sent.`;
      throw new Error(`${problem} ${t`Check the lists, then delete this file to continue: ${planPath}`}`, {
        cause: error,
      });
    }
  }

  async remove(id: string): Promise<void> {
    // Delete the plan first: a log without a plan is ignored.
    for (const suffix of [PLAN_SUFFIX, '.log']) await rm(this.#path(id, suffix), { force: true });
  }

  #append(id: string, added: readonly RunEvent[], isOwn: (events: readonly RunEvent[]) => Promise<boolean>) {
    return withFileLock(this.#path(id, '.lock'), async (_hasWaited, isHeld) => {
      const { events, size } = (await this.#readLog(id)) ?? { events: [], size: 0 };
      if (!(await isOwn(events))) throw new Error(t('Another window has continued this change.'));
      const path = this.#path(id, '.log');
      // An incomplete last line would spoil the next one.
      await truncate(path, size).catch(() => undefined);
      await appendFile(path, added.map((event) => `${JSON.stringify(event)}\n`).join(''), {
        mode: 0o600,
        flush: true,
      });
      if (!(await isHeld())) throw new Error(t('Another window may have continued this change.'));
    });
  }

  /** Reads the complete lines of a log, if it exists, and their size in bytes. A response in an incomplete line counts as lost. */
  async #readLog(id: string): Promise<{ readonly events: readonly RunEvent[]; readonly size: number } | undefined> {
    const log = await undefinedIfMissing(readFile(this.#path(id, '.log')));
    if (log === undefined) return undefined;
    if (!log.subarray(0, LOG_START.length).equals(LOG_START)) throw new SyntaxError('The log is damaged.');
    const complete = log.subarray(0, log.lastIndexOf('\n') + 1);
    const lines = complete.toString('utf8').split('\n').slice(0, -1);
    return { events: lines.map((line) => JSON.parse(line) as RunEvent), size: complete.length };
  }

  #path(id: string, suffix: string) {
    if (!/^[\da-z-]+$/u.test(id)) throw new Error('This is not the id of a run.');
    return join(this.#folder, `${id}${suffix}`);
  }
}
