import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ApiError } from '../../../../src/service/client/errors.ts';
import type { MailingClient } from '../../../../src/service/client/index.ts';
import { hashText } from '../../../../src/sync/fields.ts';
import {
  SaveError,
  type AnyKind,
  type AnyPart,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type Fields,
} from '../../../../src/platform/documents/model.ts';
import type { EditorState, OpenDocument, Version } from '../../../../src/platform/documents/openDocument.ts';
import { OpenRecord, type RecordWindow } from '../../../../src/platform/documents/openRecord.ts';

/** The test record: two texts, each a document. */
export interface Letter {
  readonly id: number;
  readonly body: string;
  readonly style: string;
}

const createPart = (field: 'body' | 'style', suffix: string): AnyPart => ({
  suffix,
  render: (record) => (record as Letter)[field],
  parse: (text) => (text === 'unreadable' ? Promise.reject(new Error('It can not be read.')) : { [field]: text }),
});

const letters: AnyKind = {
  collection: 'letters',
  noun: 'letter',
  parts: [createPart('body', '.html'), createPart('style', '.css')],
  name: () => 'Letter',
  list: () => {
    throw new Error('Letters are not listed.');
  },
  read: () => Promise.reject(new Error('A stage reads.')),
  update: () => Promise.reject(new Error('A stage updates.')),
  getField: (record, name) => (record as Letter)[name as keyof Letter],
  getReadOnlyReason: (record) => ((record as Letter).body === 'sealed' ? 'It is sealed.' : undefined),
};

export type DocumentName = 'body' | 'style';

export function getAddress(name: DocumentName): DocumentAddress {
  const part = letters.parts[name === 'body' ? 0 : 1] as AnyPart;
  const uri = {
    toString: () => `mailing://one/letters/1/L${part.suffix}`,
    path: `/letters/1/L${part.suffix}`,
  } as DocumentAddress['uri'];
  return { connection: 'one', id: 1, kind: letters, part, uri };
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

/** Returns a promise and the function that resolves it. */
function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A service with one letter, and a window with an editor for each of its documents. */
export class Stage {
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
  #updateGate: Promise<void> | undefined;
  #readGate: Promise<void> | undefined;
  /** Returns the fields that the service stores, given the sent ones. */
  storeFields: (fields: Fields) => Fields = (fields) => fields;
  record = this.#openRecord();

  /** Opens the body and types in it. */
  static async openEdited(): Promise<Stage> {
    const stage = new Stage();
    await stage.open();
    assert.equal(stage.state, 'clean');
    stage.edit('mine');
    return stage;
  }

  /** Simulates a restart of the window with the persisted state. */
  restart(): void {
    this.record.dispose();
    this.record = this.#openRecord();
    for (const uri of this.editors.keys()) this.#document(uri).handleOpen();
  }

  /** Lets updates wait until the returned function is called. */
  holdUpdates(): () => void {
    const { opened, open } = createGate();
    this.#updateGate = opened;
    return () => {
      this.#updateGate = undefined;
      open();
    };
  }

  /** Delays the responses to reads sent now, until the returned function is called. */
  holdReads(): () => void {
    const { opened, open } = createGate();
    this.#readGate = opened;
    return open;
  }

  /** Answers later reads at once. */
  releaseReads(): void {
    this.#readGate = undefined;
  }

  get state(): string {
    const { state } = this.record.getDocument(getAddress('body'));
    return this.record.isUnconfirmed && ['clean', 'dirty'].includes(state) ? 'unconfirmed' : state;
  }

  async open(name: DocumentName = 'body'): Promise<void> {
    const address = getAddress(name);
    const document = this.record.getDocument(address);
    const text = address.part.render(await this.record.read({ freshness: 'recent', purpose: `read ${name}` }));
    document.recordVersion(text);
    document.recordRead(text);
    this.editors.set(address.uri.toString(), { text, isDirty: false, isUnsaved: false });
    document.handleOpen();
  }

  /** Types in the body. */
  edit(text: string, state = 'dirty'): void {
    this.type(text);
    assert.equal(this.state, state);
  }

  /** Types text. Like VS Code, reports the change before the dirty state. */
  type(text: string, name: DocumentName = 'body'): void {
    const editor = this.editor(name);
    const document = this.record.getDocument(getAddress(name));
    editor.text = text;
    document.handleEdit(true);
    editor.isDirty = true;
    editor.isUnsaved = true;
    document.handleEdit(false);
  }

  /** Saves. Returns true, or the error message. */
  async save(name: DocumentName = 'body'): Promise<true | string> {
    const address = getAddress(name);
    const { text } = this.editor(name);
    this.record.beginSave(address);
    const error = await this.writeText(address, text);
    if (error !== undefined) return error;
    const editor = this.editor(name);
    editor.isDirty = false;
    editor.isUnsaved = editor.text !== text;
    if (this.record.getDocument(address).endSave()) await this.reload(name);
    return true;
  }

  /** Writes a document and shows its prompts. Returns the error message. */
  async writeText(address: DocumentAddress, text: string): Promise<string | undefined> {
    try {
      const { record, storedDifferently } = await this.record.save(address, text);
      if (storedDifferently.length > 0) this.shownPrompts.push(['differently', address.part.render(record)]);
      return undefined;
    } catch (error) {
      if (error instanceof SaveError && error.conflict?.isNew)
        this.shownPrompts.push(['conflict', error.conflict.theirs]);
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Saves the body. */
  async saveBody(state: string): Promise<void> {
    assert.equal(await this.save(), true);
    assert.equal(this.state, state);
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
    this.record.getDocument(getAddress('body')).resolveConflict(hashText(theirs), 'overwrite');
    assert.equal(this.state, 'inConflict');
  }

  /** Returns to the window. */
  async recheck(): Promise<void> {
    this.record.recheckUncertainWrites();
    await this.wait(1);
    await flushTasks();
  }

  /** Checks the record on the service, the prompts and the number of updates, and closes the record. */
  end(stored: string, updates: number, ...prompts: readonly Prompted[]): void {
    assert.equal(this.storedRecord?.body, stored);
    assert.deepEqual(this.shownPrompts, prompts);
    assert.equal(this.updates.length, updates);
    this.record.dispose();
  }

  /** Reloads the editor. */
  async reload(name: DocumentName = 'body'): Promise<void> {
    const address = getAddress(name);
    const document = this.record.getDocument(address);
    const text = address.part.render(await this.record.read({ freshness: 'shared' }));
    document.recordVersion(text);
    document.recordRead(text);
    const editor = this.editor(name);
    Object.assign(editor, { text, isDirty: false, isUnsaved: false });
    document.handleEdit(true);
  }

  editor(name: DocumentName): { text: string; isDirty: boolean; isUnsaved: boolean } {
    const editor = this.editors.get(getAddress(name).uri.toString());
    if (editor === undefined) throw new Error(`${name} is not open.`);
    return editor;
  }

  /** Writes as another user. */
  write(fields: Partial<Letter>): void {
    this.storedRecord = { id: 1, body: '', style: '', ...this.storedRecord, ...fields };
  }

  /** Advances the clock by seconds. */
  async wait(ms: number): Promise<void> {
    for (let rest = ms; rest > 0; rest -= 1000) {
      mock.timers.tick(Math.min(rest, 1000));
      await tick();
      await tick();
    }
  }

  #document(uri: string): OpenDocument {
    return this.record.getDocument(getAddress(uri.endsWith('.html') ? 'body' : 'style'));
  }

  #openRecord(): OpenRecord {
    const kind: AnyKind = {
      ...letters,
      read: () => this.#request('read', () => this.storedRecord),
      update: async (_client, _record, fields) => {
        await this.#updateGate;
        await this.#request('update', () => {
          this.updates.push(fields);
          this.write(this.storeFields(fields));
          return this.storedRecord;
        });
      },
    };
    const connections: DocumentConnections = {
      get: () => undefined,
      run: (_connection, operation) => operation({} as MailingClient),
    };
    const window: RecordWindow = {
      getEditor: (uri): EditorState | undefined => this.editors.get(uri),
      bases: {
        get: (uri) => this.bases.get(uri),
        set: (uri, base) => void (base === undefined ? this.bases.delete(uri) : this.bases.set(uri, base)),
      },
      handleRead: (_address, { changed }) => this.changed.push(...changed.map(({ uri }) => uri.toString())),
      handleLateSave: (_document, mine) => this.shownPrompts.push(['late', mine]),
    };
    return new OpenRecord({ connection: 'one', id: 1, kind }, connections, window);
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
    if (request === 'read') await this.#readGate;
    if (record === undefined)
      throw new ApiError({ kind: 'notFound', operation: request, outcome: 'refused', message: 'Not found.' });
    return record;
  }
}
