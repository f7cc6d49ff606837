import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ApiError } from '../../../../src/service/client/errors.ts';
import type { MailingClient } from '../../../../src/service/client/index.ts';
import { createMovedError, type Connection } from '../../../../src/platform/connections/model.ts';
import { hashText } from '../../../../src/sync/fields/fields.ts';
import {
  SaveError,
  type AnyKind,
  type AnyPart,
  type AnyRecord,
  type DocumentAddress,
  type Fields,
} from '../../../../src/platform/documents/model.ts';
import type { Version } from '../../../../src/platform/documents/openDocument.ts';
import { OpenRecord } from '../../../../src/platform/documents/openRecord.ts';

/** The test record: two texts, each a document. */
export interface Letter {
  readonly id: number;
  readonly body: string;
  readonly style: string;
}
export type DocumentName = 'body' | 'style';

const createPart = (field: DocumentName, suffix: string): AnyPart => ({
  suffix,
  render: (record) => (record as Letter)[field],
  parse: (text) => (text === 'unreadable' ? Promise.reject(new Error('It can not be read.')) : { [field]: text }),
});
const parts = { body: createPart('body', '.html'), style: createPart('style', '.css') };

const letters: AnyKind = {
  collection: 'letters',
  noun: 'letter',
  parts: Object.values(parts),
  name: () => 'Letter',
  list: () => assert.fail('Letters are not listed.'),
  read: () => assert.fail('A stage reads.'),
  update: () => assert.fail('A stage updates.'),
  getField: (record, name) => (record as Letter)[name as keyof Letter],
  getReadOnlyReason: (record) => ((record as Letter).body === 'sealed' ? 'It is sealed.' : undefined),
};

/** Returns the address of a document. `baseName`: of its file, which may be out of date. */
export function getAddress(name: DocumentName, baseName = 'L'): DocumentAddress {
  const path = `/letters/1/${baseName}${parts[name].suffix}`;
  const uri = { toString: () => `mailing://one${path}`, path } as DocumentAddress['uri'];
  return { connection: 'one', id: 1, kind: letters, part: parts[name], uri };
}

/** Prompts and notifications: `conflict theirs`, `differently stored`, `late mine`. */
export type Prompted = readonly [what: 'conflict' | 'differently' | 'late', text: string];

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function flushTasks(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await tick();
}

/** Replaces the clock of the tests in a `describe`. */
export function useFakeTimers(): void {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
}

/** A service with one letter, and a window with an editor for each of its documents. */
export class Stage {
  /** The connection as it is now: a test can change its address. */
  connection: Connection = { id: 'one', name: 'One', baseUrl: 'https://one.example', profile: 'documented' };
  /** The record on the service; undefined after its deletion. */
  storedRecord: Letter | undefined = { id: 1, body: 'first', style: 'first' };
  readonly requests: ('read' | 'update')[] = [];
  readonly updates: Fields[] = [];
  readonly shownPrompts: Prompted[] = [];
  readonly changed: string[] = [];
  readonly bases = new Map<string, Version>();
  readonly editors = new Map<string, { text: string; isDirty: boolean; isUnsaved: boolean }>();
  /**
   * Results of the next requests. `lost`: nothing is stored and no response comes; `lostDone`: the request succeeds, but its response is
   * lost.
   */
  readonly faults: { readonly request: 'read' | 'update'; readonly end: 'lost' | 'lostDone' | 'refused' }[] = [];
  /** What updates, and the responses to reads sent now, wait for. */
  readonly gates: { update?: Promise<void>; read?: Promise<void> } = {};
  /** Returns the fields that the service stores, given the sent ones. */
  storeFields: (fields: Fields) => Fields = (fields) => fields;
  record = this.#openRecord();

  /** Opens documents. */
  static async open(...names: readonly DocumentName[]): Promise<Stage> {
    const stage = new Stage();
    for (const name of names) await stage.open(name);
    return stage;
  }

  /** Opens the body and types in it. */
  static async openEdited(): Promise<Stage> {
    const stage = await Stage.open('body');
    assert.equal(stage.state, 'clean');
    stage.edit('mine');
    return stage;
  }

  /** Simulates a restart of the window with the persisted state. */
  restart(): void {
    this.record.dispose();
    this.record = this.#openRecord();
    this.#document('body').handleOpen();
  }

  /** Holds updates, or the responses to reads sent now, until the returned function is called. */
  hold(request: 'update' | 'read'): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gates[request] = promise;
    return () => {
      delete this.gates[request];
      resolve();
    };
  }

  /** Sends a read whose response waits, then stores another user's body and reads it. Returns the late response. */
  async readLate(freshness: 'new' | 'shared'): Promise<AnyRecord> {
    const release = this.hold('read');
    const older = this.record.read({ freshness });
    await flushTasks();
    delete this.gates.read;
    this.write({ body: 'theirs' });
    await this.record.read();
    release();
    return older;
  }

  get state(): string {
    const { state } = this.#document('body');
    return this.record.uncertainWrites.hasPending && ['clean', 'dirty'].includes(state) ? 'unconfirmed' : state;
  }

  async open(name: DocumentName = 'body'): Promise<void> {
    const text = this.#show(name, await this.record.read({ freshness: 'recent', purpose: `read ${name}` }));
    this.editors.set(getAddress(name).uri.toString(), { text, isDirty: false, isUnsaved: false });
    this.#document(name).handleOpen();
  }

  /** Types in the body. */
  edit(text: string, state = 'dirty'): void {
    this.type(text);
    assert.equal(this.state, state);
  }

  /** Types text. Like VS Code, reports the change before the dirty state. */
  type(text: string, name: DocumentName = 'body'): void {
    const editor = this.editor(name);
    editor.text = text;
    this.#document(name).handleEdit(true);
    editor.isDirty = true;
    editor.isUnsaved = true;
    this.#document(name).handleEdit(false);
  }

  /** Saves. Returns true, or the error message. */
  async save(name: DocumentName = 'body'): Promise<true | string> {
    const address = getAddress(name);
    const editor = this.editor(name);
    const { text } = editor;
    this.record.beginSave(address);
    const error = await this.writeText(address, text);
    if (error !== undefined) return error;
    editor.isDirty = false;
    editor.isUnsaved = editor.text !== text;
    if (this.#document(name).endSave()) await this.reload(name);
    return true;
  }

  /** Writes a document and shows its prompts. Returns the error message. */
  async writeText(address: DocumentAddress, text: string): Promise<string | undefined> {
    try {
      const { record, storedDifferently } = await this.record.save(address, text);
      if (storedDifferently.length > 0) this.shownPrompts.push(['differently', address.part.render(record)]);
      return undefined;
    } catch (error) {
      if (error instanceof SaveError && error.details.conflict?.isNew)
        this.shownPrompts.push(['conflict', error.details.conflict.theirs]);
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Saves the body. */
  async saveBody(state: string): Promise<void> {
    assert.deepEqual([await this.save(), this.state], [true, state]);
  }

  /** Fails to save the body. Returns the error message. */
  async failToSave(state: string): Promise<string> {
    const message = await this.save();
    assert.notEqual(message, true);
    assert.equal(this.state, state);
    return String(message);
  }

  /** Chooses Overwrite in the newest prompt. */
  overwrite(): void {
    const [, theirs] =
      this.shownPrompts.findLast(([what]) => what === 'conflict') ?? assert.fail('There is no prompt.');
    this.#document('body').resolveConflict(hashText(theirs), 'overwrite');
    assert.equal(this.state, 'inConflict');
  }

  /** Returns to the window. */
  async recheck(): Promise<void> {
    void this.record.uncertainWrites.check();
    await this.wait(1);
    await flushTasks();
  }

  /** Checks the record on the service, the prompts and the number of updates, and closes the record. */
  end(stored: string, updates: number, ...prompts: readonly Prompted[]): void {
    assert.deepEqual([this.storedRecord?.body, this.shownPrompts, this.updates.length], [stored, prompts, updates]);
    this.record.dispose();
  }

  /** Reloads the editor. */
  async reload(name: DocumentName = 'body'): Promise<void> {
    const text = this.#show(name, await this.record.read({ freshness: 'shared' }));
    Object.assign(this.editor(name), { text, isDirty: false, isUnsaved: false });
    this.#document(name).handleEdit(true);
  }

  editor(name: DocumentName): { text: string; isDirty: boolean; isUnsaved: boolean } {
    return this.editors.get(getAddress(name).uri.toString()) ?? assert.fail(`${name} is not open.`);
  }

  /** Writes as another user. */
  write(fields: Partial<Letter>): void {
    this.storedRecord = { id: 1, body: '', style: '', ...this.storedRecord, ...fields };
  }

  /** Advances the clock. */
  async wait(ms: number): Promise<void> {
    for (let rest = ms; rest > 0; rest -= 1000) {
      mock.timers.tick(Math.min(rest, 1000));
      await tick();
      await tick();
    }
  }

  #document(name: DocumentName) {
    return this.record.getDocument(getAddress(name));
  }

  /** Passes a document's text to its editor, as the file system does. */
  #show(name: DocumentName, record: AnyRecord) {
    const text = parts[name].render(record);
    this.#document(name).recordVersion(text);
    this.#document(name).recordRead(text);
    return text;
  }

  #openRecord() {
    const kind: AnyKind = {
      ...letters,
      read: () => this.#request('read', () => this.storedRecord),
      update: async (_client, _record, fields) => {
        await this.gates.update;
        await this.#request('update', () => {
          this.updates.push(fields);
          this.write(this.storeFields(fields));
          return this.storedRecord;
        });
      },
    };
    return new OpenRecord(
      { connection: 'one', id: 1, kind },
      {
        get: () => this.connection,
        resolve: () => Promise.resolve(this.connection),
        run: ({ baseUrl }, operation) =>
          baseUrl === this.connection.baseUrl
            ? operation({} as MailingClient)
            : Promise.reject(createMovedError(this.connection.name, this.connection.baseUrl)),
      },
      {
        getEditor: (uri) => this.editors.get(uri),
        bases: {
          get: (uri) => this.bases.get(uri),
          set: (uri, base) => void (base === undefined ? this.bases.delete(uri) : this.bases.set(uri, base)),
        },
        handleRead: (_address, { changed }) => this.changed.push(...changed.map(({ uri }) => uri.toString())),
        handleLateSave: (_document, mine) => this.shownPrompts.push(['late', mine]),
      },
    );
  }

  async #request(request: 'read' | 'update', answer: () => Letter | undefined): Promise<AnyRecord> {
    this.requests.push(request);
    await tick();
    const at = this.faults.findIndex((fault) => fault.request === request);
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1);
    if (fault?.end === 'lostDone') answer();
    if (fault !== undefined) {
      const outcome = fault.end === 'refused' || request === 'read' ? 'refused' : 'unknown';
      const kind = fault.end === 'refused' ? 'invalid' : 'network';
      throw new ApiError({ kind, operation: request, outcome, message: 'The connection was lost.' });
    }
    const record = answer();
    if (request === 'read') await this.gates.read;
    if (record === undefined)
      throw new ApiError({ kind: 'notFound', operation: request, outcome: 'refused', message: 'Not found.' });
    return record;
  }
}
