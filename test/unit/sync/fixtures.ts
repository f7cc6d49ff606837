import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { findImageAddresses } from '../../../src/email/checks/images.ts';
import type { FindImages } from '../../../src/sync/mapping/assets.ts';
import { contentHash, type FieldTexts } from '../../../src/sync/fields/fields.ts';
import { SerialQueue, type LockedTask } from '../../../src/sync/exclusive.ts';
import { FileChangedError, type ExpectedFile, type Files } from '../../../src/sync/files.ts';
import { PushJournal } from '../../../src/sync/requests/pushJournal.ts';
import { RevisionStore } from '../../../src/sync/push/revisions.ts';
import { StateFiles } from '../../../src/sync/stateFiles.ts';
import { LockFile } from '../../../src/sync/push/lock.ts';
import type { MappedTemplate, Target } from '../../../src/sync/mapping/mapping.ts';
import { mergeTexts } from '../../../src/sync/merge/merge.ts';
import { planPush } from '../../../src/sync/push/plan.ts';
import type { ReadHistory } from '../../../src/sync/push/lineage.ts';
import { Sync, type Merge, type RemoteTemplates } from '../../../src/sync/push/sync.ts';
import { TemplateFolder, type FolderLayout } from '../../../src/sync/mapping/folder.ts';
import { readJson } from '../../../src/sync/fields/jsonDocument.ts';
import * as v from 'valibot';

export const template: MappedTemplate = {
  folder: 'emails/welcome',
  ids: { production: 7 },
  range: { start: 0, end: 0 },
};
export const target: Target = { template, connection: 'production', id: 7 };
export const lockName = 'mailing.lock.json';
export const names = { local: 'this folder', remote: 'Production' };

/** Finds images without the worker. */
export const findImages: FindImages = (text, format) => Promise.resolve(findImageAddresses(text, format));

export const layout: FolderLayout = {
  texts: [
    { field: 'body', file: 'body.html', format: 'html' },
    { field: 'stylesheet', file: 'style.css', format: 'css' },
  ],
  details: {
    file: 'template.json',
    fields: ['name', 'subject'],
    parse: (text) => readJson(text, v.strictObject({ name: v.optional(v.string()), subject: v.optional(v.string()) })),
  },
  builtField: 'body',
};

/**
 * How a store loses its response. `lost`: nothing is stored; `lostDone`: the fields are stored; `lostLate`: they are stored later;
 * `unread`: the response arrives, but reading back fails.
 */
export type ResponseLoss = 'lost' | 'lostDone' | 'lostLate' | 'unread';

/** A service with one template. */
export class Service {
  texts: Record<string, string> = {
    name: 'Welcome',
    subject: 'Hello',
    body: 'one\ntwo\nthree\nfour\nfive',
    stylesheet: 'p { color: red }',
  };
  /** Normalizes a text before it is stored. */
  normalize: (field: string, text: string) => string = (_, text) => text;
  loss: ResponseLoss | undefined;
  readonly stored: { readonly fields: FieldTexts; readonly before: FieldTexts }[] = [];
  #pendingStore: (() => void) | undefined;

  get hasPendingStore(): boolean {
    return this.#pendingStore !== undefined;
  }

  /** Completes a store with the loss `lostLate`. */
  applyPendingStore(): void {
    this.#pendingStore?.();
    this.#pendingStore = undefined;
  }

  asRemote(): RemoteTemplates {
    return {
      read: () => Promise.resolve({ ...this.texts }),
      readAll: () => Promise.reject(new Error('Not used.')),
      store: async (_, decide) => {
        const texts = { ...this.texts };
        const fields = await decide(texts);
        if (fields === undefined) return { after: texts };
        for (const [name, text] of Object.entries(texts))
          assert.equal(contentHash(text), contentHash(this.texts[name] ?? ''), `${name} is based on the stored text`);
        this.stored.push({ fields, before: { ...this.texts } });
        const { loss } = this;
        this.loss = undefined;
        const store = () => {
          for (const [name, text] of Object.entries(fields)) this.texts[name] = this.normalize(name, text);
        };
        if (loss === 'lostLate') this.#pendingStore = store;
        else if (loss !== 'lost') store();
        if (loss === 'unread') return { readBackError: new Error('Reading failed.') };
        if (loss !== undefined) throw new Error('The answer was lost.');
        return { after: { ...this.texts } };
      },
    };
  }
}

/** Returns the base URL of a connection. */
export const toBaseUrl = (connection: string): string => `https://${connection}.example`;

/** Files in memory. */
export class Disk extends StateFiles implements Files {
  readonly files: Map<string, string>;
  /** Whether every write fails. */
  isFull = false;
  readonly #locked = new SerialQueue();
  constructor(files: Iterable<readonly [string, string]> = []) {
    super('');
    this.files = new Map(files);
  }
  override read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.files.get(path));
  }
  override write(path: string, text: string, expected?: boolean | ExpectedFile): Promise<void> {
    if (typeof expected === 'object' && this.files.get(path) !== expected.text)
      return Promise.reject(new FileChangedError(path));
    if (this.isFull) return Promise.reject(new Error(`Couldn't write ${path}: the disk is full.`));
    this.files.set(path, text);
    return Promise.resolve();
  }
  override list(folder: string): Promise<readonly string[]> {
    const prefix = `${folder}/`;
    return Promise.resolve(
      [...this.files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)),
    );
  }
  override append(path: string, text: string, size: number): Promise<void> {
    return this.write(
      path,
      Buffer.from(this.files.get(path) ?? '')
        .subarray(0, size)
        .toString() + text,
    );
  }
  override withLock<T>(_name: string, task: LockedTask<T>): Promise<T> {
    return this.#locked.run(() => task(false, () => Promise.resolve(true)));
  }
  override delete(path: string): Promise<void> {
    this.files.delete(path);
    return Promise.resolve();
  }
}

/** A clone of the repository on one machine. */
export class Clone {
  readonly disk: Disk;
  readonly storage: Disk;
  readonly service: Service;
  sync: Sync;
  now = 0;
  merge: Merge = (input) => Promise.resolve(mergeTexts(input));
  /** The committed texts, newest first. */
  readonly history: FieldTexts[] = [];

  constructor(
    service: Service,
    { disk = new Disk(), storage = new Disk() }: { readonly disk?: Disk; readonly storage?: Disk } = {},
  ) {
    this.service = service;
    this.disk = disk;
    this.storage = storage;
    this.sync = this.#createSync();
  }

  restart(): void {
    this.sync = this.#createSync();
  }

  file(field: string): string {
    return `${template.folder}/${layout.texts.find((text) => text.field === field)?.file ?? layout.details.file}`;
  }

  /** Returns the text of a field's file. */
  read(field: string): string {
    return this.disk.files.get(this.file(field)) ?? '';
  }

  edit(field: string, change: (text: string) => string): void {
    this.disk.files.set(this.file(field), change(this.read(field)));
  }

  async getChanges(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.sync.compare(target)).changes);
  }

  pull() {
    return this.sync.pull(target, names);
  }

  /** Pushes the given texts, or the ones that a confirmation shows now. */
  async push(overwrite?: FieldTexts, texts?: FieldTexts) {
    return this.sync.push(target, { texts: texts ?? (await this.getConfirmedTexts(overwrite)), overwrite });
  }

  /** Returns the texts that the confirmation of a push shows now. */
  async getConfirmedTexts(overwrite?: FieldTexts): Promise<FieldTexts> {
    return planPush(await this.sync.compare(target), { overwrite }).texts;
  }

  async discard() {
    return this.sync.discard(target, await this.sync.compare(target));
  }

  #createSync() {
    const now = () => (this.now += 1);
    const folder = new TemplateFolder(this.disk, layout, () => [], findImages);
    return new Sync({
      folder,
      remote: this.service.asRemote(),
      lock: new LockFile(this.disk),
      revisions: new RevisionStore(this.storage, String, now),
      journal: new PushJournal(this.storage, toBaseUrl, now),
      isProtected: () => false,
      merge: (input, signal) => this.merge(input, signal),
      readHistory: () => Readable.from(this.history) as ReturnType<ReadHistory>,
    });
  }
}
