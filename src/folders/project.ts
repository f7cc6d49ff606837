import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { Connections } from '../connections/connections.ts';
import type { Documents } from '../documents/documents.ts';
import type { AnyRecord } from '../documents/model.ts';
import { errorText, isCancelled } from '../ui/words.ts';
import type { Texts } from './fields.ts';
import type { History } from './history.ts';
import { Lock } from './lock.ts';
import { readMapping, type MappedTemplate, type Mapping } from './mapping.ts';
import { lockName, mappingName, textsOf, type MappedKind } from './model.ts';
import { Sync, type LockFile, type Look, type ServiceSide, type Target } from './sync.ts';
import { TemplateFolder } from './templateFolder.ts';
import { Turns } from './turns.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** So many templates of a connection are read one by one; of more, the service is asked for pages of all. */
const readSingly = 10;

/** What is needed of the rest of the extension. */
export interface FolderParts {
  readonly connections: Connections;
  readonly documents: Documents;
  readonly history: History;
  readonly mapped: MappedKind;
}

/** What is known of a template on one connection. */
export type Known =
  | { readonly kind: 'looked'; readonly look: Look }
  /** It was deleted on the service, or never was there. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly message: string };

/** A template of a folder, whatever services it is mapped to. */
export interface InFolder {
  readonly project: FolderProject;
  readonly template: MappedTemplate;
}

/** A workspace folder with a `mailing.json`. */
export class FolderProject implements vscode.Disposable {
  readonly files: WorkspaceFiles;
  readonly folder: TemplateFolder;
  readonly sync: Sync;
  readonly #parts: FolderParts;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something is known anew. */
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<string, Known>();
  /** What each template was last seen to be on its service; nothing after a read that failed, or an answer that was lost. */
  readonly #remote = new Map<string, Texts>();
  #text: string | undefined;
  #mapping: Mapping = readMapping('{}');
  #paths: ReadonlySet<string> = new Set();

  constructor(root: vscode.Uri, parts: FolderParts) {
    this.#parts = parts;
    this.files = new WorkspaceFiles(root);
    this.folder = new TemplateFolder(this.files, parts.mapped.layout, () => this.#mapping.assets);
    this.sync = new Sync(this.folder, this.#service(), lockIn(this.files), parts.history);
  }

  get mapping(): Mapping {
    return this.#mapping;
  }

  /** The text of `mailing.json` that the mapping was read from; undefined where there is none. */
  get mappingText(): string | undefined {
    return this.#text;
  }

  /** Whether a file is one that fields of a mapped template are in. */
  hasFields(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Every template on every connection that it is mapped to, and that is known here. */
  get targets(): readonly Target[] {
    return this.#mapping.templates.flatMap((template) => Object.entries(template.ids)
      .filter(([connection]) => this.#parts.connections.get(connection) !== undefined)
      .map(([connection, id]) => ({ template, connection, id })));
  }

  /** Whether every push to a connection is asked about. */
  isProtected(connection: string): boolean {
    return this.#mapping.connections[connection]?.protected === true;
  }

  known(target: Target): Known | undefined {
    return this.#known.get(keyOf(target));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Reads `mailing.json` again. */
  async readMapping(): Promise<void> {
    this.#text = await this.files.read(mappingName);
    this.#mapping = readMapping(this.#text ?? '{}');
    this.#paths = new Set(this.#mapping.templates.flatMap((template) => this.folder.paths(template)));
    const keys = new Set(this.targets.map(keyOf));
    for (const kept of [this.#known, this.#remote]) for (const key of kept.keys()) if (!keys.has(key)) kept.delete(key);
    this.#changed.fire();
  }

  /** Looks at both sides of all templates, or of some. What can't be read is told for itself. */
  async refresh(targets: readonly Target[] = this.targets, signal?: AbortSignal): Promise<void> {
    const connections = [...new Set(targets.map(({ connection }) => connection))];
    await Promise.all(connections.map(async (connection) => {
      const wanted = targets.filter((target) => target.connection === connection);
      const records = await this.#recordsOf(connection, wanted, signal);
      for (const target of wanted) {
        const record = records?.get(target.id);
        await this.#look(target, record && this.#textsOf(record), signal);
      }
    }));
    this.#changed.fire();
  }

  /** Compares the files with what was read of the services last. */
  async compareAgain(targets: readonly Target[] = this.targets): Promise<void> {
    for (const target of targets.filter((one) => this.isRead(one))) await this.#look(target, this.#remote.get(keyOf(target)));
    this.#changed.fire();
  }

  /** Whether it is known what a service has. */
  isRead(target: Target): boolean {
    return this.#remote.has(keyOf(target));
  }

  /** The text that a file would have, were it as on the service. */
  async original(target: Target, field: string): Promise<string> {
    const known = this.known(target);
    return known?.kind === 'looked' ? this.folder.asFile(target.template, field, known.look.remote) : '';
  }

  /** What pages of all templates say of those that are wanted; undefined where these are few enough to be read one by one. */
  async #recordsOf(
    connection: string, wanted: readonly Target[], signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, AnyRecord> | undefined> {
    if (wanted.length <= readSingly) return undefined;
    const { connections, mapped } = this.#parts;
    const missing = new Set(wanted.map(({ id }) => id));
    const found = new Map<number, AnyRecord>();
    try {
      await connections.run(connection, async (client) => {
        for await (const record of mapped.kind.list(client, { signal })) {
          // A service may give less of a record in its pages: that one is read by itself.
          if (missing.delete(record.id) && mapped.layout.texts.every(({ field }) => field in record)) found.set(record.id, record);
          if (missing.size === 0) break;
        }
      });
    } catch (error) {
      if (isCancelled(error)) throw error;
      // Why it fails is told for each template.
    }
    return found;
  }

  async #look(target: Target, remote: Texts | undefined, signal?: AbortSignal): Promise<void> {
    if (remote !== undefined) this.#remote.set(keyOf(target), remote);
    try {
      const look = await this.sync.look(target, remote, signal);
      this.#known.set(keyOf(target), { kind: 'looked', look });
    } catch (error) {
      if (isCancelled(error)) throw error;
      const isGone = isApiError(error) && error.kind === 'notFound';
      this.#known.set(keyOf(target), isGone ? { kind: 'gone' } : { kind: 'failed', message: errorText(error) });
    }
  }

  #textsOf(record: AnyRecord): Texts {
    return textsOf(this.#parts.mapped, record);
  }

  #service(): ServiceSide {
    const { documents, mapped } = this.#parts;
    const { collection } = mapped.kind;
    return {
      read: (target) => this.#noted(target, () => documents.read(collection, target)),
      store: (target, fieldsFor) =>
        this.#noted(target, () => documents.store(collection, target, (record) => fieldsFor(this.#textsOf(record)))),
    };
  }

  async #noted(target: Target, ask: () => Promise<AnyRecord>): Promise<Texts> {
    this.#remote.delete(keyOf(target));
    const texts = this.#textsOf(await ask());
    this.#remote.set(keyOf(target), texts);
    return texts;
  }
}

export function keyOf({ template, connection, id }: Target): string {
  return JSON.stringify([template.folder, connection, id]);
}

/** `mailing.lock.json` of a folder. Changes follow each other. */
function lockIn(files: WorkspaceFiles): LockFile {
  const turns = new Turns();
  const read = async (): Promise<Lock> => Lock.read(await files.read(lockName));
  return {
    read,
    change: (change) => turns.next(async () => {
      const before = await read();
      const text = change(before).toString();
      if (text !== before.toString()) await files.write(lockName, text);
    }),
  };
}
