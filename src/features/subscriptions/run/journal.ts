import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replayEvents, type RunPlan, type Run, type RunEvent } from './run.ts';

/** An unfinished run that is stored on this machine. */
export interface StoredRun {
  readonly run: Run;
  /** Time of its last event, in ms since 1970. */
  readonly updatedAt: number;
}

const PLAN_SUFFIX = '.plan.json';

/**
 * Stores runs in a folder, each as a plan, which is written once, and a log with one line per event. The files contain addresses, so only
 * the user may read them.
 */
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
    await writeFile(this.#path(plan.id, PLAN_SUFFIX), JSON.stringify(plan), { mode: 0o600, flag: 'wx' });
  }

  async add(id: string, event: RunEvent): Promise<void> {
    await appendFile(this.#path(id, '.log'), `${JSON.stringify(event)}\n`, { mode: 0o600 });
  }

  /** Returns all stored runs, the oldest first. Skips unreadable files and leaves them unchanged. */
  async readAll(): Promise<readonly StoredRun[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(PLAN_SUFFIX))
      .map((name) => name.slice(0, -PLAN_SUFFIX.length))
      .sort();
    const runs = await Promise.all(ids.map((id) => this.read(id).catch(() => undefined)));
    return runs.filter((run) => run !== undefined);
  }

  /** Reads a run. Throws if it doesn't exist or its files are corrupt. */
  async read(id: string): Promise<StoredRun> {
    const planPath = this.#path(id, PLAN_SUFFIX);
    const logPath = this.#path(id, '.log');
    const plan = JSON.parse(await readFile(planPath, 'utf8')) as RunPlan;
    const log = await readFile(logPath, 'utf8').catch(() => '');
    // Ignore an incomplete last line. If it was a response, that request counts as unconfirmed.
    const lines = log.split('\n').slice(0, -1);
    const { mtimeMs } = await stat(log === '' ? planPath : logPath);
    return {
      run: replayEvents(
        plan,
        lines.map((line) => JSON.parse(line) as RunEvent),
      ),
      updatedAt: mtimeMs,
    };
  }

  async remove(id: string): Promise<void> {
    // Delete the plan first: a log without a plan is ignored.
    for (const suffix of [PLAN_SUFFIX, '.log']) await rm(this.#path(id, suffix), { force: true });
  }

  #path(id: string, suffix: string): string {
    if (!/^[\da-z-]+$/u.test(id)) throw new Error('This is not the id of a run.');
    return join(this.#folder, `${id}${suffix}`);
  }
}
