import { randomUUID } from 'node:crypto';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import { isObject } from '../../service/client/shapes.ts';
import { withFileLock } from '../exclusive.ts';
import { contentHash, hashFields, type FieldTexts } from '../fields/fields.ts';
import { errorCode, recordRequest } from '../files.ts';
import { hashTemplate, isLink, parseOr, type StateFiles, type TemplateRef } from '../push/revisions.ts';

/** How long a request without a response may still take effect on the service, in ms. */
const UNCONFIRMED_SEND_MS = 60 * 60 * 1000;
/** A push is abandoned after this time, because its process number may be another program's, or its computer's clock may be wrong. */
const ABANDONED_PUSH_MS = 30 * 60 * 1000;
/** Contains one file per request without a response, so that processes never overwrite each other's records. */
const SENDS_FOLDER = 'sent';
const SEEN_SUFFIX = 'seen.json';
const CLAIM_FILE = 'pushing.json';

/** A request without a response. */
interface SendRecord {
  readonly name: string;
  readonly at: number;
  readonly hashes: FieldTexts;
  /** Its texts were on the service since. */
  readonly isSeen: boolean;
}

/** Another process pushes the same folder. Nothing was pushed. */
export class PushRunningError extends Error {
  constructor() {
    super(t('Another push of this folder is running. Wait until it is done and try again.'));
  }
}

/** The state of pushes, which all windows and the command line share: running pushes, and requests without a response. */
export class PushJournal {
  readonly #files: StateFiles;
  readonly #getService: (connection: string) => string;
  readonly #now: () => number;

  /**
   * @param files in a folder that git ignores
   * @param getService returns the identity of a connection's service
   * @param now returns the time in ms since the epoch
   */
  constructor(files: StateFiles, getService: (connection: string) => string, now: () => number = Date.now) {
    this.#files = files;
    this.#getService = getService;
    this.#now = now;
  }

  /**
   * Records that fields are about to be sent. Until a response arrives, the service may store them at any time.
   * @returns a function that deletes the record; call it after the response
   * @throws if the disk refuses; nothing may be sent then
   */
  async recordSend(ref: TemplateRef, fields: FieldTexts): Promise<() => Promise<void>> {
    const name = `${SENDS_FOLDER}/${hashTemplate(this.#getService, ref)}.${this.#now()}.${randomUUID()}.json`;
    await recordRequest(async () => {
      await this.hideFromGit();
      await this.#files.write(name, JSON.stringify(hashFields(fields)), true);
    });
    return () => this.#files.delete(name);
  }

  /** Returns the hashes of sent texts without a response by field, with the time of the last send in ms since the epoch. */
  async getUnconfirmedHashes(ref: TemplateRef): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
    const unconfirmed = new Map<string, Map<string, number>>();
    for (const { hashes, at } of (await this.#readSends(ref)).toSorted((one, other) => one.at - other.at))
      for (const [field, hash] of Object.entries(hashes))
        unconfirmed.set(field, new Map([...(unconfirmed.get(field) ?? []), [hash, at]]));
    return unconfirmed;
  }

  /**
   * Returns the fields with a sent text that hasn't been on the service yet. Records of the others stay: a later push may have stored the
   * same text, and theirs may follow.
   */
  async findPending(ref: TemplateRef, remote: FieldTexts): Promise<readonly string[]> {
    const pending = new Set<string>();
    for (const { name, hashes, isSeen } of await this.#readSends(ref)) {
      const fields = Object.entries(hashes);
      if (isSeen) continue;
      if (fields.some(([field, hash]) => hash !== contentHash(remote[field] ?? '')))
        for (const [field] of fields) pending.add(field);
      else {
        // If the disk refuses, the record stays as it is.
        const marking = this.#files.write(name.replace(/json$/u, SEEN_SUFFIX), JSON.stringify(hashes));
        await marking.then(
          () => this.#files.delete(name),
          () => undefined,
        );
      }
    }
    return [...pending];
  }

  /** Creates the folder, which git ignores. @throws if it or its folder of records is a link, which could point anywhere */
  async hideFromGit(): Promise<void> {
    const { folder } = this.#files;
    for (const path of [folder, join(folder, SENDS_FOLDER)])
      if (await isLink(path)) throw new Error(t`${path} is a link. Replace it with a folder.`);
    // A command that only reads needs no folder. A write fails on its own if the disk refuses.
    if ((await this.#files.read('.gitignore')) !== '*\n')
      await this.#files.write('.gitignore', '*\n').catch(() => undefined);
  }

  /** Runs a short task, such as a change of the lock file, while no other process runs one. */
  async runExclusively<T>(task: () => Promise<T>): Promise<T> {
    await this.hideFromGit();
    return withFileLock(join(this.#files.folder, 'lock'), task);
  }

  /** Runs a push while no other process pushes. @throws `PushRunningError` */
  async push<T>(task: () => Promise<T>): Promise<T> {
    const claim = JSON.stringify({ pid: process.pid, host: hostname(), at: this.#now(), id: randomUUID() });
    await this.runExclusively(async () => {
      if (this.#isRunning(parseOr({}, await this.#files.read(CLAIM_FILE)))) throw new PushRunningError();
      await this.#files.write(CLAIM_FILE, claim);
    });
    try {
      return await task();
    } finally {
      if ((await this.#files.read(CLAIM_FILE)) === claim) await this.#files.delete(CLAIM_FILE);
    }
  }

  #isRunning(claim: object) {
    const { pid, host, at } = isObject(claim) ? claim : {};
    // 0 and negative numbers are groups of processes.
    if (typeof pid !== 'number' || pid <= 0 || typeof at !== 'number') return false;
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

  async #readSends(ref: TemplateRef): Promise<readonly SendRecord[]> {
    const sends: SendRecord[] = [];
    for (const file of await this.#files.list(SENDS_FOLDER)) {
      const name = `${SENDS_FOLDER}/${file}`;
      const [template, at] = file.split('.');
      if (this.#now() - Number(at) >= UNCONFIRMED_SEND_MS) await this.#files.delete(name);
      else if (template === hashTemplate(this.#getService, ref))
        sends.push({
          name,
          at: Number(at),
          hashes: parseOr<FieldTexts>({}, await this.#files.read(name)),
          isSeen: file.endsWith(SEEN_SUFFIX),
        });
    }
    return sends;
  }
}
