import { ApiError } from '../../../../src/service/client/errors.ts';
import type { AnyKind, AnyPart, AnyRecord, DocumentAddress, Fields } from '../../../../src/platform/documents/model.ts';
import type { EditorState, OpenDocument, Version } from '../../../../src/platform/documents/openDocument.ts';
import { OpenRecord } from '../../../../src/platform/documents/openRecord.ts';
import type { RecordHost } from '../../../../src/platform/documents/recordHost.ts';

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
  getCreationTime: () => undefined,
  list: () => {
    throw new Error('Letters are not listed.');
  },
  read: () => Promise.reject(new Error('The host reads.')),
  update: () => Promise.reject(new Error('The host updates.')),
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

/** A service with one letter, a window with an editor for each of its documents, and a manual clock. */
export class Stage {
  /** The record on the service; undefined after its deletion. */
  storedRecord: Letter | undefined = { id: 1, body: 'first', style: 'first' };
  readonly requests: ('read' | 'update')[] = [];
  readonly updates: Fields[] = [];
  readonly shownPrompts: Prompted[] = [];
  readonly conflicts: { readonly document: OpenDocument; readonly theirs: string }[] = [];
  readonly changed: string[] = [];
  readonly bases = new Map<string, Version>();
  readonly editors = new Map<string, { text: string; isDirty: boolean; isUnsaved: boolean }>();
  /**
   * Results of the next requests. `lost`: nothing is stored and no response comes; `lostDone`: the request succeeds, but its response is
   * lost.
   */
  readonly faults: { readonly request: 'read' | 'update'; readonly end: 'lost' | 'lostDone' | 'refused' }[] = [];
  /** If set, updates wait for it. */
  gate: Promise<void> | undefined;
  /** If set, responses to reads wait for it and are then outdated. */
  readGate: Promise<void> | undefined;
  /** Returns the fields that the service stores, given the sent ones. */
  storeFields: (fields: Fields) => Fields = (fields) => fields;
  #now = 0;
  #tasks: { readonly at: number; readonly run: () => void }[] = [];
  record: OpenRecord;

  constructor() {
    this.record = new OpenRecord(getAddress('body'), this.#host());
  }

  /** Simulates a restart of the window with the persisted state. */
  restart(): void {
    this.record.dispose();
    this.record = new OpenRecord(getAddress('body'), this.#host());
    for (const uri of this.editors.keys()) this.#document(uri).handleOpen();
  }

  get state(): string {
    return this.record.getState(getAddress('body'));
  }

  async open(name: DocumentName = 'body'): Promise<void> {
    const address = getAddress(name);
    const document = this.record.getDocument(address);
    const text = address.part.render(await this.record.readCachedOnce(`read ${name}`));
    document.recordVersion(text);
    document.recordRead(text);
    this.editors.set(address.uri.toString(), { text, isDirty: false, isUnsaved: false });
    document.handleOpen();
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
    try {
      await this.record.save(address, text);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const editor = this.editor(name);
    editor.isDirty = false;
    editor.isUnsaved = editor.text !== text;
    if (this.record.getDocument(address).endSave()) await this.reload(name);
    return true;
  }

  /** Reloads the editor. */
  async reload(name: DocumentName = 'body'): Promise<void> {
    const address = getAddress(name);
    const document = this.record.getDocument(address);
    const text = address.part.render(await this.record.read());
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

  /** Advances the clock. */
  async wait(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#tasks.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#now = next.at;
      next.run();
      await tick();
      await tick();
    }
    this.#now = end;
  }

  #document(uri: string): OpenDocument {
    return this.record.getDocument(getAddress(uri.endsWith('.html') ? 'body' : 'style'));
  }

  #host(): RecordHost {
    return {
      read: () => this.#request('read', () => this.storedRecord),
      update: async (_record, fields) => {
        await this.gate;
        await this.#request('update', () => {
          this.updates.push(fields);
          this.write(this.storeFields(fields));
          return this.storedRecord;
        });
      },
      getEditor: (uri): EditorState | undefined => this.editors.get(uri),
      bases: {
        get: (uri) => this.bases.get(uri),
        set: (uri, base) => void (base === undefined ? this.bases.delete(uri) : this.bases.set(uri, base)),
      },
      prompts: {
        showConflict: (document, theirs) => {
          this.shownPrompts.push(['conflict', theirs]);
          this.conflicts.push({ document, theirs });
        },
        showStoredDifferently: (_address, _fields, _sent, stored) => this.shownPrompts.push(['differently', stored]),
        showLateSave: (_document, mine) => this.shownPrompts.push(['late', mine]),
      },
      notifyChanged: (changed) => {
        for (const { uri } of changed) this.changed.push(uri.toString());
      },
      notifySaved: () => undefined,
      notifyRead: () => undefined,
      schedule: (ms, task) => {
        const entry = { at: this.#now + ms, run: task };
        this.#tasks.push(entry);
        return () => {
          this.#tasks = this.#tasks.filter((other) => other !== entry);
        };
      },
    };
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
    if (request === 'read') await this.readGate;
    if (record === undefined)
      throw new ApiError({ kind: 'notFound', operation: request, outcome: 'refused', message: 'Not found.' });
    return record;
  }
}
