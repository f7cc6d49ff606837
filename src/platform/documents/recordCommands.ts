import * as vscode from 'vscode';
import type { MailingClient } from '../../service/client/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { Connection } from '../connections/model.ts';
import type { RecordTarget, RecordRef } from '../connections/record.ts';
import { type CommandArgument, getFields } from '../ui/commands.ts';
import { showError } from '../ui/messages.ts';
import type { RecentChoices } from '../ui/recent.ts';
import { escapeMessage } from '../ui/text.ts';
import type { Documents } from './documents.ts';
import type { DocumentKind } from './model.ts';
import { parseUri } from './uri.ts';

/** What a first argument names: a tree node, a reference, or the URI of a document (of the collection, where one is asked for). */
export function parseArgument(argument: CommandArgument, collection?: string): RecordTarget {
  if (argument instanceof vscode.Uri) {
    const address = parseUri(argument);
    const isMeant = address !== undefined && (collection === undefined || address.collection === collection);
    return isMeant ? { connection: address.connection, id: address.id } : {};
  }
  const { connection, id, collection: own } = getFields(argument);
  // A node of another collection has an id of that collection.
  const isOther = collection !== undefined && typeof own === 'string' && own !== collection;
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  return {
    connection: typeof connection === 'string' ? connection : undefined,
    id: !isOther && typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined,
  };
}

/** The ids that an argument names: its `id`, or each of its `ids`. */
function parseIds(argument: CommandArgument, collection: string): readonly number[] {
  const { id } = parseArgument(argument, collection);
  if (id !== undefined) return [id];
  const { ids } = getFields(argument);
  return Array.isArray(ids) ? [...new Set(ids.filter((each): each is number => Number.isSafeInteger(each)))] : [];
}

/** A record offered in a quick pick. */
export interface RecordChoice extends vscode.QuickPickItem {
  readonly id: number;
  /** The heading that it stands under. Those of one group follow each other. */
  readonly group?: string;
  /** What it is remembered by, where that is more than its id. */
  readonly key?: string;
}

/** How a noun's records are offered to be picked. */
export interface RecordSource<Choice extends RecordChoice = RecordChoice> {
  /** Name of the collection in URIs, to take the record of a document. */
  readonly collection: string;
  readonly placeholder: string;
  search(client: MailingClient, text: string, signal: AbortSignal): Promise<readonly Choice[]>;
}

/** How a record is picked where a command was given none. */
export interface RecordPickOptions<Choice extends RecordChoice = RecordChoice> extends RecordSource<Choice> {
  readonly title: string;
  /** Whether the record of the active editor is meant where none is given: never for what deletes. */
  readonly fromEditor?: boolean;
}

/** How several records are picked. */
export interface RecordsPickOptions extends RecordSource {
  readonly title: string;
  /** Ids of those that are checked at first, and what an id is called until its record is found. */
  readonly initialSelection?: readonly RecordChoice[];
  /** Why so many can't be taken: shown in the title. */
  getRefusal?(count: number): string | undefined;
}

/** Some records of a connection. */
export interface RecordRefs {
  readonly connection: string;
  readonly ids: readonly number[];
}

const SEARCH_DEBOUNCE_MS = 200;

/** Finds out what a command is about: from its first argument, the active editor, or by asking. */
export class TargetPicker {
  readonly #connections: Pick<Connections, 'all' | 'get' | 'run'>;
  readonly #recent: RecentChoices | undefined;

  /** `recent`: what was picked before, to be offered first. */
  constructor(connections: Pick<Connections, 'all' | 'get' | 'run'>, recent?: RecentChoices) {
    this.#connections = connections;
    this.#recent = recent;
  }

  /** What the user calls a service. */
  getServiceName(connection: string): string {
    return this.#connections.get(connection)?.name ?? connection;
  }

  /** The connection of the argument, the only one there is, or the one picked; undefined where the user cancels. */
  async pickConnection(argument: CommandArgument, title: string): Promise<Connection | undefined> {
    const named = parseArgument(argument).connection;
    if (named !== undefined) return this.#getConnection(named);
    const { all } = this.#connections;
    if (all.length === 0) {
      const [connect, sandbox] = ['Connect a Service', 'Try the Sandbox'];
      const choice = await vscode.window.showInformationMessage('There is no mailing service yet.', connect, sandbox);
      if (choice !== undefined)
        await vscode.commands.executeCommand(choice === connect ? 'mailing.connection.add' : 'mailing.sandbox.start');
      return this.#connections.all.length === 1 ? this.#connections.all[0] : undefined;
    }
    if (all.length === 1) return all[0];
    const picked = await vscode.window.showQuickPick(
      all.map((connection) => ({
        label: escapeMessage(connection.name),
        description: escapeMessage(connection.baseUrl),
        connection,
      })),
      { title, placeHolder: 'Which service?' },
    );
    return picked?.connection;
  }

  /** The record of the argument, of the active editor, or the one picked; undefined where the user cancels. */
  async pickRecord(argument: CommandArgument, pick: RecordPickOptions): Promise<RecordRef | undefined> {
    const target = parseArgument(argument, pick.collection);
    const fromEditor =
      argument === undefined && pick.fromEditor === true ? this.#getActiveRecord(pick.collection) : undefined;
    if (fromEditor !== undefined) return fromEditor;
    const connection = await this.pickConnection(target, pick.title);
    if (connection === undefined) return undefined;
    const id = target.id ?? (await this.pick(connection.id, pick))?.id;
    return id === undefined ? undefined : { connection: connection.id, id };
  }

  /** The records of the argument (`id` or `ids`), or those picked; undefined where the user cancels or checks none. */
  async pickRecords(argument: CommandArgument, pick: RecordsPickOptions): Promise<RecordRefs | undefined> {
    const named = parseIds(argument, pick.collection);
    const connection = await this.pickConnection(argument, pick.title);
    if (connection === undefined) return undefined;
    const ids = named.length > 0 ? named : await this.#pickSeveral(connection.id, pick);
    return ids.length === 0 ? undefined : { connection: connection.id, ids };
  }

  /** One of the records that are found on a connection; undefined where the user cancels. What was picked before comes first. */
  async pick<Choice extends RecordChoice>(
    connection: string,
    pick: RecordPickOptions<Choice>,
  ): Promise<Choice | undefined> {
    const quickPick = vscode.window.createQuickPick<Choice | Heading>();
    const kind = `${connection}/${pick.collection}`;
    const picked = await this.#pickWithSearch(connection, pick, quickPick, {
      offer: (found) => (quickPick.items = groupWithHeadings(found, this.#recent?.get(kind) ?? [])),
      // The items may be replaced by those of a search while one is being chosen.
      accepted: () => [...quickPick.selectedItems, ...quickPick.activeItems].find((item) => 'id' in item),
    });
    if (picked !== undefined) this.#recent?.add(kind, getRecentKey(picked));
    return picked;
  }

  #getActiveRecord(collection: string): RecordRef | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uri =
      vscode.window.activeTextEditor?.document.uri ?? (input instanceof vscode.TabInputText ? input.uri : undefined);
    const { connection, id } = uri === undefined ? {} : parseArgument(uri, collection);
    return connection === undefined || id === undefined ? undefined : { connection, id };
  }

  #getConnection(id: string): Connection {
    const connection = this.#connections.get(id);
    if (connection === undefined) throw new Error(`There is no connection "${id}". Add it in the Mailing Studio view.`);
    return connection;
  }

  /** What is checked stays, whatever is searched for, and takes the name that was found. */
  async #pickSeveral(connection: string, pick: RecordsPickOptions): Promise<readonly number[]> {
    const quickPick = vscode.window.createQuickPick<RecordChoice>();
    quickPick.canSelectMany = true;
    let selected = pick.initialSelection ?? [];
    const offer = (found: readonly RecordChoice[]): void => {
      selected = selected.map((choice) => found.find(({ id }) => id === choice.id) ?? choice);
      quickPick.items = [...selected, ...found.filter(({ id }) => !selected.some((choice) => choice.id === id))];
      quickPick.selectedItems = selected;
    };
    quickPick.onDidChangeSelection((items) => {
      selected = items;
    });
    offer([]);
    const accepted = (): readonly number[] | undefined => {
      const refusal = pick.getRefusal?.(selected.length);
      if (refusal === undefined) return selected.map(({ id }) => id);
      quickPick.title = `${pick.title}: ${refusal}`;
      return undefined;
    };
    return (await this.#pickWithSearch(connection, pick, quickPick, { offer, accepted })) ?? [];
  }

  /**
   * Shows a quick pick that searches on the service while the user types. `accepted` gives what was picked, or undefined where the picker
   * is to stay. Resolves with undefined where the user cancels.
   */
  #pickWithSearch<T, Choice extends RecordChoice>(
    connection: string,
    { title, placeholder, search }: RecordSource<Choice> & { readonly title: string },
    quickPick: vscode.QuickPick<vscode.QuickPickItem>,
    { offer, accepted }: { readonly offer: (found: readonly Choice[]) => void; readonly accepted: () => T | undefined },
  ): Promise<T | undefined> {
    quickPick.title = title;
    quickPick.placeholder = placeholder;
    quickPick.matchOnDescription = true;
    let searching = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const find = async (text: string): Promise<void> => {
      searching.abort();
      const { signal } = (searching = new AbortController());
      quickPick.busy = true;
      try {
        const found = await this.#connections.run(connection, (client) => search(client, text, signal));
        if (!signal.aborted) offer(found);
      } catch (error) {
        if (signal.aborted) return;
        quickPick.hide();
        void showError(error, { title, connection });
      } finally {
        if (!signal.aborted) quickPick.busy = false;
      }
    };
    return new Promise((resolve) => {
      quickPick.onDidChangeValue((text) => {
        clearTimeout(timer);
        timer = setTimeout(() => void find(text), SEARCH_DEBOUNCE_MS);
      });
      quickPick.onDidAccept(() => {
        const picked = accepted();
        if (picked === undefined) return;
        resolve(picked);
        quickPick.hide();
      });
      quickPick.onDidHide(() => {
        clearTimeout(timer);
        searching.abort();
        resolve(undefined);
        quickPick.dispose();
      });
      quickPick.show();
      void find('');
    });
  }
}

interface Heading extends vscode.QuickPickItem {
  readonly kind: vscode.QuickPickItemKind.Separator;
}

function getRecentKey({ id, key }: RecordChoice): string {
  return key ?? String(id);
}

/** Records under their headings; those that were picked before come first. */
function groupWithHeadings<Choice extends RecordChoice>(
  found: readonly Choice[],
  recent: readonly string[],
): (Choice | Heading)[] {
  const used = recent.flatMap((key) => found.find((choice) => getRecentKey(choice) === key) ?? []);
  const others = found.filter((choice) => !used.includes(choice));
  const heading = (label: string): Heading => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const grouped = others.flatMap((choice, at) => {
    const group = choice.group ?? '';
    const isFirst = at === 0 ? group !== '' || used.length > 0 : group !== (others[at - 1]?.group ?? '');
    return isFirst ? [heading(group), choice] : [choice];
  });
  return used.length === 0 ? grouped : [heading('used last'), ...used, ...grouped];
}

/** What commands on records need of the extension. */
export interface RecordServices {
  readonly connections: Connections;
  readonly documents: Documents;
  readonly recent: RecentChoices;
  readonly explorer: { refresh(branch: { readonly connection: string; readonly collection: string }): void };
}

/** A record that a command opened, made or found, with the document that shows it. */
export interface FoundRecord extends RecordRef {
  readonly uri: vscode.Uri;
}

/** How records that can be made are picked: with their name as the service has it, by which one that was just made is found. */
interface NamedRecordSource extends RecordSource {
  search(
    client: MailingClient,
    text: string,
    signal: AbortSignal,
  ): Promise<readonly (RecordChoice & { readonly name: string | null })[]>;
}

/** What the commands on records of one kind share: finding the one that is meant, opening it, and telling the window of changes. */
export class RecordCommands<R extends { readonly id: number }, Services extends RecordServices = RecordServices> {
  readonly services: Services;
  readonly targets: TargetPicker;
  readonly kind: DocumentKind<R>;
  readonly source: NamedRecordSource;

  constructor(services: Services, kind: DocumentKind<R>, picking: NamedRecordSource) {
    this.services = services;
    this.targets = new TargetPicker(services.connections, services.recent);
    this.kind = kind;
    this.source = picking;
  }

  /** The record that is meant, from the argument, the active editor (unless it is to be asked for) or a quick pick. */
  choose(
    argument: CommandArgument,
    title: string,
    { fromEditor = true }: { fromEditor?: boolean } = {},
  ): Promise<RecordRef | undefined> {
    return this.targets.pickRecord(argument, { ...this.source, title, fromEditor });
  }

  run<T>({ connection }: Pick<RecordRef, 'connection'>, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.services.connections.run(connection, operation);
  }

  read(ref: RecordRef): Promise<R> {
    return this.run(ref, (client) => this.kind.read(client, ref.id, { connection: ref.connection }));
  }

  /** What the user calls the service of a record. */
  getServiceName({ connection }: Pick<RecordRef, 'connection'>): string {
    return this.targets.getServiceName(connection);
  }

  async open(ref: RecordRef, suffix: string): Promise<FoundRecord> {
    const uri = await this.services.documents.resolveUri(this.kind.collection, ref, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
    return { ...ref, uri };
  }

  /** Reads the branch of the tree again. */
  refreshTree({ connection }: Pick<RecordRef, 'connection'>): void {
    this.services.explorer.refresh({ connection, collection: this.kind.collection });
  }

  /** Shows in the tree and in open documents what has changed on the service. */
  async refresh(ref: RecordRef): Promise<void> {
    this.refreshTree(ref);
    await this.services.documents.read(this.kind.collection, ref);
  }
}
