import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replay, type Plan, type Run, type RunEvent } from './run.ts';

/** A run that has not ended well, as it is kept on this machine. */
export interface KeptRun {
  readonly run: Run;
  /** When something last happened to it, in ms since the epoch. */
  readonly touchedAt: number;
}

const planSuffix = '.plan.json';

/**
 * Keeps runs in a folder: a plan, which is written once, and a log, to which a line is added for each event. They hold addresses, so only
 * the user may read them.
 */
export class Journal {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** An id for a new plan: the newest comes last. */
  newId(): string {
    return `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(4).toString('hex')}`;
  }

  async start(plan: Plan): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#path(plan.id, planSuffix), JSON.stringify(plan), { mode: 0o600, flag: 'wx' });
  }

  async add(id: string, event: RunEvent): Promise<void> {
    await appendFile(this.#path(id, '.log'), `${JSON.stringify(event)}\n`, { mode: 0o600 });
  }

  /** All runs that are kept, the oldest first. What can't be read of them is left alone. */
  async all(): Promise<readonly KeptRun[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(planSuffix))
      .map((name) => name.slice(0, -planSuffix.length))
      .sort();
    const runs = await Promise.all(ids.map((id) => this.read(id).catch(() => undefined)));
    return runs.filter((run) => run !== undefined);
  }

  /** Throws where the run is not there, or its files are broken. */
  async read(id: string): Promise<KeptRun> {
    const planPath = this.#path(id, planSuffix);
    const logPath = this.#path(id, '.log');
    const plan = JSON.parse(await readFile(planPath, 'utf8')) as Plan;
    const log = await readFile(logPath, 'utf8').catch(() => '');
    // A line that was not written to its end was not acted upon; what it says of an answer is then not known.
    const lines = log.split('\n').slice(0, -1);
    const { mtimeMs } = await stat(log === '' ? planPath : logPath);
    return {
      run: replay(
        plan,
        lines.map((line) => JSON.parse(line) as RunEvent),
      ),
      touchedAt: mtimeMs,
    };
  }

  async remove(id: string): Promise<void> {
    // The plan goes first: a log without one is nothing.
    for (const suffix of [planSuffix, '.log']) await rm(this.#path(id, suffix), { force: true });
  }

  #path(id: string, suffix: string): string {
    if (!/^[\da-z-]+$/u.test(id)) throw new Error('This is not the id of a run.');
    return join(this.#folder, `${id}${suffix}`);
  }
}
