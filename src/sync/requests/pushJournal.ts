import { randomUUID } from 'node:crypto';
import { hostname, uptime } from 'node:os';
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import { contentHash, hashFields, type FieldTexts } from '../fields/fields.ts';
import { errorCode } from '../files.ts';
import type { Target } from '../mapping/mapping.ts';
import type { StateFiles } from '../stateFiles.ts';
import { isSameService, Journal } from './journal.ts';
import { pushKind, type PushEntry } from './kinds.ts';

/** A push is abandoned after this time, because its process number may be another program's, or its computer's clock may be wrong. */
const ABANDONED_PUSH_MS = 30 * 60 * 1000;
const CLAIM_FILE = 'pushing.json';

/** The process that pushes. 0 and negative numbers are groups of processes. */
const claimSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ pid: v.pipe(v.number(), v.minValue(1)), host: v.string(), at: v.number() }),
);

/** A template on a service, mapped or not. */
type TemplateRef = Pick<Target, 'connection' | 'id'>;

/** Another process pushes the same folder. Nothing was pushed. */
export class PushRunningError extends Error {
  constructor() {
    super(t('Another push of this folder is running. Wait until it is done and try again.'));
  }
}

/** The state of pushes, which all windows and the command line share: running pushes, and requests without a response. */
export class PushJournal {
  readonly #files: StateFiles;
  /** An entry for each request, so that an earlier one stays recorded. */
  readonly #sends: Journal<PushEntry>;
  readonly #getService: (connection: string) => string;
  readonly #now: () => number;

  /**
   * @param files in a folder that git ignores
   * @param getService returns the base URL of a connection's service
   * @param now returns the time in ms since the epoch
   */
  constructor(files: StateFiles, getService: (connection: string) => string, now: () => number = Date.now) {
    this.#files = files;
    this.#sends = new Journal(files, pushKind, { folder: 'sent', now });
    this.#getService = getService;
    this.#now = now;
  }

  /**
   * Records that fields are about to be sent. Until a response arrives, the service may store them at any time.
   * @returns a function that deletes the record; call it after the response
   * @throws if the disk refuses; nothing may be sent then
   */
  async recordSend(ref: TemplateRef, fields: FieldTexts): Promise<() => Promise<void>> {
    const { connection } = ref;
    const [baseUrl, what] = [this.#getService(connection), `${getSubjectPrefix(ref)}${randomUUID()}`];
    const entry = { connection, baseUrl, what, ...this.#sends.start(), hashes: hashFields(fields) };
    await this.hideFromGit();
    // The entry is nobody else's, so only the lock can have been lost.
    if (!(await this.#sends.acquire(entry))) await this.#sends.renew(entry);
    return () =>
      this.#sends.release(entry).then(
        () => undefined,
        () => undefined,
      );
  }

  /** Returns the hashes of sent texts without a response by field, with the time of the last send in ms since the epoch. */
  async getUnconfirmedHashes(ref: TemplateRef): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    const unconfirmed = new Map<string, Map<string, number>>();
    for (const { hashes, asked } of await this.#readSends(ref))
      for (const [field, hash] of Object.entries(hashes))
        unconfirmed.set(field, new Map([...(unconfirmed.get(field) ?? []), [hash, asked]]));
    return unconfirmed;
  }

  /**
   * Returns the fields with a sent text that hasn't been on the service yet. Records of the others stay: a later push may have stored the
   * same text, and theirs may follow.
   */
  async findPending(ref: TemplateRef, remote: FieldTexts): Promise<readonly string[]> {
    const pending = new Set<string>();
    for (const entry of await this.#readSends(ref)) {
      const fields = Object.entries(entry.hashes);
      if (entry.isSeen === true) continue;
      if (fields.some(([field, hash]) => hash !== contentHash(remote[field] ?? '')))
        for (const [field] of fields) pending.add(field);
      // If the disk refuses, the record stays as it is.
      else await this.#sends.record(entry, { isSeen: true }).catch(() => undefined);
    }
    return [...pending];
  }

  /** Creates the folder, which git ignores. @throws if it can't be read, or is a link */
  async hideFromGit(): Promise<void> {
    // A command that only reads needs no folder. A write fails on its own if the disk refuses.
    if ((await this.#files.read('.gitignore')) !== '*\n')
      await this.#files.write('.gitignore', '*\n').catch(() => undefined);
  }

  /** Runs a short task, such as a change of the lock file, while no other process runs one. */
  async runExclusively<T>(task: () => Promise<T>): Promise<T> {
    await this.hideFromGit();
    return this.#files.withLock('lock', task);
  }

  /** Runs a push while no other process pushes. @throws `PushRunningError` */
  async push<T>(task: () => Promise<T>): Promise<T> {
    const claim = JSON.stringify({ pid: process.pid, host: hostname(), at: this.#now(), id: randomUUID() });
    const readClaim = () => this.#files.read(CLAIM_FILE).catch(() => undefined);
    await this.runExclusively(async () => {
      if (this.#isRunning(await readClaim())) throw new PushRunningError();
      await this.#files.write(CLAIM_FILE, claim);
    });
    try {
      return await task();
    } finally {
      if ((await readClaim()) === claim) await this.#files.delete(CLAIM_FILE).catch(() => undefined);
    }
  }

  #isRunning(claim: string | undefined) {
    const { success, output } = v.safeParse(claimSchema, claim);
    if (!success) return false;
    const { pid, host, at } = output;
    if (Math.abs(this.#now() - at) >= ABANDONED_PUSH_MS) return false;
    if (host !== hostname()) return true;
    // Restarted computers and containers use the same numbers again.
    if (at < (pid === process.pid ? performance.timeOrigin : this.#now() - uptime() * 1000)) return false;
    try {
      return process.kill(pid, 0);
    } catch (error) {
      // A process of another user.
      return errorCode(error) === 'EPERM';
    }
  }

  /** Returns the sends of a template, the oldest first. Ignores what a repository put there. */
  async #readSends(ref: TemplateRef): Promise<readonly PushEntry[]> {
    const baseUrl = this.#getService(ref.connection);
    const sends = await this.#sends.all('skipDamaged').catch(() => []);
    return sends.filter((send) => isSameService(send, { baseUrl }) && send.what.startsWith(getSubjectPrefix(ref)));
  }
}

const getSubjectPrefix = ({ id }: TemplateRef) => `templates/${id}/`;
