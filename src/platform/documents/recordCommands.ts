import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { Connections } from '../connections/connections.ts';
import { toServiceRef, type Connection, type RecordRef, type ServiceRef } from '../connections/model.ts';
import { Debouncer } from '../../ui/async.ts';
import { type CommandArgument, getFields } from '../../ui/commands.ts';
import type { RecentChoices } from '../../ui/recent.ts';
import { escapeMessage } from '../../service/text.ts';
import type { Documents } from './documents.ts';
import type { DocumentKind } from './model.ts';
import { getActiveEditorUris, getTextColumn } from './unsaved.ts';
import { parseUri } from './uri.ts';

/**
 * Returns the record that a command's first argument names: a tree node, a reference, or a document's URI. With `collection`, only records
 * of that collection.
 */
export function parseArgument(argument: CommandArgument, collection?: string): Partial<RecordRef> {
  if (argument instanceof vscode.Uri) {
    const address = parseUri(argument);
    const isMatch = address !== undefined && (collection === undefined || address.collection === collection);
    return isMatch ? { connection: address.connection, id: address.id } : {};
  }
  const { connection, baseUrl, id, collection: itsCollection } = getFields(argument);
  const isOther = collection !== undefined && typeof itsCollection === 'string' && itsCollection !== collection;
  const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
  return {
    connection: typeof connection === 'string' ? connection : undefined,
    baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined,
    id: !isOther && typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined,
  };
}

export interface RecordChoice extends vscode.QuickPickItem {
  readonly id: number;
  /** Heading above the item. Items of one group are adjacent. */
  readonly group?: string;
  /** Key in the list of recent picks. Default: the id. */
  readonly key?: string;
}

/** How records of one type are searched and shown in a picker. */
export interface RecordSource<Choice extends RecordChoice = RecordChoice> {
  /** Name of the collection in URIs. */
  readonly collection: string;
  readonly placeholder: string;
  search(client: MailingClient, text: string, signal: AbortSignal): Promise<readonly Choice[]>;
}

interface RecordPickOptions<Choice extends RecordChoice = RecordChoice> extends RecordSource<Choice> {
  readonly title: string;
  /** Whether a command without argument uses the record of the active editor. Never set for commands that delete. */
  readonly fromEditor?: boolean;
}

interface RecordsPickOptions extends RecordSource {
  readonly title: string;
  /** Items that are checked at first. Their labels are replaced when a search finds the records. */
  readonly initialSelection?: readonly RecordChoice[];
  /** Returns why this number of records isn't allowed, shown in the title. */
  getRefusal?(count: number): string | undefined;
}

type PickConnections = Pick<Connections, 'all' | 'get' | 'resolve' | 'run'>;

const SEARCH_DEBOUNCE_MS = 200;

/** Finds the target of a command: from its first argument, from the active editor, or with a picker. */
export class TargetPicker {
  readonly #connections: PickConnections;
  readonly #recent: RecentChoices | undefined;

  /** @param recent recent picks, offered first */
  constructor(connections: PickConnections, recent?: RecentChoices) {
    this.#connections = connections;
    this.#recent = recent;
  }

  /** Returns the connection's name. */
  getServiceName(connection: string): string {
    return this.#connections.get(connection)?.name ?? connection;
  }

  /** Returns the connection of the argument, the only connection, or the picked one; undefined if the user cancels. */
  async pickConnection(argument: CommandArgument, title: string): Promise<Connection | undefined> {
    const { connection, baseUrl } = parseArgument(argument);
    if (connection !== undefined) return this.#connections.resolve({ connection, baseUrl });
    const { all } = this.#connections;
    if (all.length === 0) {
      const [connect, sandbox] = [t('Connect a Service'), t('Try the Sandbox')];
      const text = t('No mailing service is connected.');
      const choice = await vscode.window.showInformationMessage(text, connect, sandbox);
      if (choice !== undefined)
        await vscode.commands.executeCommand(
          choice === connect ? 'mailing.connection.add' : 'mailing.sandbox.start',
          {},
        );
    }
    const options = { title, placeHolder: t('Select a service') };
    const [only, ...others] = this.#connections.all;
    if (all.length === 0 && others.length > 0) return undefined;
    const picked = others.length === 0 ? only : await showConnectionPick(all, options);
    return picked && this.#connections.resolve(toServiceRef(picked));
  }

  /** Returns the record of the argument, of the active editor, or the picked one; undefined if the user cancels. */
  async pickRecord(argument: CommandArgument, pick: RecordPickOptions): Promise<RecordRef | undefined> {
    const active = argument === undefined && pick.fromEditor ? getActiveEditorUris()[0] : argument;
    const target = parseArgument(active, pick.collection);
    const connection = await this.pickConnection(target, pick.title);
    if (!connection) return undefined;
    const service = toServiceRef(connection);
    const id = target.id ?? (await this.pick(service, pick))?.id;
    return id === undefined ? undefined : { ...service, id };
  }

  /** Returns the records of the argument (`id` or `ids`), or the picked ones; undefined if the user cancels or picks none. */
  async pickRecords(argument: CommandArgument, pick: RecordsPickOptions) {
    const { id } = parseArgument(argument, pick.collection);
    const { ids } = getFields(argument);
    const listed = Array.isArray(ids) ? ids.filter((each): each is number => Number.isSafeInteger(each)) : [];
    const named = id === undefined ? [...new Set(listed)] : [id];
    const connection = await this.pickConnection(argument, pick.title);
    if (!connection) return undefined;
    const service = toServiceRef(connection);
    const chosen = named.length > 0 ? named : await this.#pickSeveral(service, pick);
    return chosen.length === 0 ? undefined : { ...service, ids: chosen };
  }

  /** Lets the user pick a record. Recent picks come first. Resolves with undefined if the user cancels. */
  async pick<Choice extends RecordChoice>(
    service: ServiceRef,
    pick: RecordPickOptions<Choice>,
  ): Promise<Choice | undefined> {
    const quickPick = vscode.window.createQuickPick<Choice | Heading>();
    const kind = `${service.connection}/${pick.collection}`;
    const shown = new Set<string>();
    // Items stay in their places: VS Code reports the focused one by its place, so Enter could take the one that replaced it, or none.
    const showItems = (found: readonly Choice[]) => {
      const added = found.filter((choice) => !shown.has(getChoiceKey(choice)));
      if (added.length === 0) return;
      for (const choice of added) shown.add(getChoiceKey(choice));
      quickPick.items = [...quickPick.items, ...groupWithHeadings(added, this.#recent?.get(kind) ?? [])];
    };
    const getResult = () => [...quickPick.selectedItems, ...quickPick.activeItems].find((item) => 'id' in item);
    const picked = await this.#pickWithSearch(service, pick, quickPick, showItems, getResult);
    if (picked !== undefined) this.#recent?.add(kind, getChoiceKey(picked));
    return picked;
  }

  /**
   * Records stay in the list, and in their places, during later searches: what the user checks while the list is replaced would get lost, or
   * check the record that took its place.
   */
  async #pickSeveral(service: ServiceRef, pick: RecordsPickOptions): Promise<readonly number[]> {
    const quickPick = vscode.window.createQuickPick<RecordChoice>();
    quickPick.canSelectMany = true;
    let selected = pick.initialSelection ?? [];
    const shown = new Map<number, RecordChoice>();
    const showItems = (found: readonly RecordChoice[]) => {
      if (found.every(({ id, label }) => shown.get(id)?.label === label)) return;
      for (const choice of found) shown.set(choice.id, choice);
      selected = selected.flatMap(({ id }) => shown.get(id) ?? []);
      const isFirst = quickPick.items.length === 0;
      quickPick.items = [...shown.values()];
      quickPick.selectedItems = selected;
      if (isFirst && selected.length === 0) quickPick.activeItems = quickPick.items.slice(0, 1);
    };
    quickPick.onDidChangeSelection((items) => {
      selected = items;
    });
    showItems(selected);
    const getResult = (): readonly number[] | undefined => {
      const chosen = getChecked(quickPick);
      // The user may not have noticed the row that has the focus at first.
      if (quickPick.selectedItems.length === 0 && quickPick.value === '' && chosen[0] === quickPick.items[0]) {
        quickPick.selectedItems = selected = chosen;
        return undefined;
      }
      const refusal = pick.getRefusal?.(chosen.length);
      if (refusal === undefined) return chosen.length > 0 ? chosen.map(({ id }) => id) : undefined;
      quickPick.title = [pick.title, refusal].join(' · ');
      return undefined;
    };
    return (await this.#pickWithSearch(service, pick, quickPick, showItems, getResult)) ?? [];
  }

  /**
   * Shows a Quick Pick that searches the service while the user types. If `getResult` returns undefined, it stays open. Resolves with
   * undefined if the user cancels. Rejects if a search fails.
   */
  #pickWithSearch<T, Choice extends RecordChoice>(
    service: ServiceRef,
    { title, placeholder, search }: RecordSource<Choice> & { readonly title: string },
    quickPick: vscode.QuickPick<vscode.QuickPickItem>,
    showItems: (found: readonly Choice[]) => void,
    getResult: () => T | undefined,
  ) {
    quickPick.title = title;
    quickPick.placeholder = placeholder;
    quickPick.matchOnDescription = true;
    // A page that opens the picker may take the focus back.
    quickPick.ignoreFocusOut = true;
    const debouncer = new Debouncer(SEARCH_DEBOUNCE_MS);
    let currentSearch = new AbortController();
    const find = async (text: string, fail: (error: unknown) => void) => {
      currentSearch.abort();
      const { signal } = (currentSearch = new AbortController());
      quickPick.busy = true;
      try {
        const found = await this.#connections.run(service, (client) => search(client, text, signal));
        if (signal.aborted) return;
        showItems(found);
        quickPick.busy = false;
      } catch (error) {
        if (!signal.aborted) fail(error);
      }
    };
    const picked = showPick(quickPick, getResult, (fail) => {
      quickPick.onDidChangeValue((text) => debouncer.run(() => find(text, fail)));
      void find('', fail);
    });
    return picked.finally(() => {
      debouncer.dispose();
      currentSearch.abort();
    });
  }
}

/** Lets the user pick a connection. Resolves with undefined if the user cancels. */
export async function showConnectionPick(
  connections: readonly Connection[],
  options: vscode.QuickPickOptions,
): Promise<Connection | undefined> {
  const items = connections.map((connection) => ({
    label: escapeMessage(connection.name),
    description: escapeMessage(connection.baseUrl),
    connection,
  }));
  return (await vscode.window.showQuickPick(items, options))?.connection;
}

/**
 * Shows a Quick Pick until `getResult` returns a value for what the user accepts. Resolves with undefined if the user cancels.
 * @param load fills the shown Quick Pick. Its `fail` closes it and rejects
 */
export function showPick<T>(
  quickPick: vscode.QuickPick<vscode.QuickPickItem>,
  getResult: () => T | undefined,
  load?: (fail: (error: unknown) => void) => void,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    quickPick.onDidAccept(() => {
      const result = getResult();
      if (result === undefined) return;
      resolve(result);
      quickPick.hide();
    });
    quickPick.onDidHide(() => {
      resolve(undefined);
      quickPick.dispose();
    });
    quickPick.show();
    load?.((error) => {
      reject(error);
      quickPick.hide();
    });
  });
}

/**
 * Lets the user check items. Enter takes the focused item if none is checked, unless some were checked at first: the user unchecked them.
 * Resolves with undefined if the user cancels.
 */
export function showMultiPick<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  options: Pick<vscode.QuickPick<Item>, 'title' | 'placeholder'>,
): Promise<readonly Item[] | undefined> {
  const quickPick = vscode.window.createQuickPick<Item>();
  const checked = items.filter(({ picked }) => picked);
  Object.assign(quickPick, options, { items, canSelectMany: true, matchOnDescription: true, ignoreFocusOut: true });
  quickPick.selectedItems = checked;
  return showPick(quickPick, () => (checked.length > 0 ? quickPick.selectedItems : getChecked(quickPick)));
}

/** Returns the checked items, or else the focused one. */
function getChecked<Item extends vscode.QuickPickItem>({ selectedItems, activeItems }: vscode.QuickPick<Item>) {
  return selectedItems.length > 0 ? selectedItems : activeItems;
}

interface Heading extends vscode.QuickPickItem {
  readonly kind: vscode.QuickPickItemKind.Separator;
}

function getChoiceKey({ id, key }: RecordChoice) {
  return key ?? String(id);
}

/** Groups records under their headings, with recent picks first. */
function groupWithHeadings<Choice extends RecordChoice>(
  found: readonly Choice[],
  recent: readonly string[],
): (Choice | Heading)[] {
  const used = recent.flatMap((key) => found.find((choice) => getChoiceKey(choice) === key) ?? []);
  const others = found.filter((choice) => !used.includes(choice));
  const heading = (label: string): Heading => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const grouped = others.flatMap((choice, at) => {
    const group = choice.group ?? '';
    const isFirst = at === 0 ? group !== '' || used.length > 0 : group !== (others[at - 1]?.group ?? '');
    return isFirst ? [heading(group), choice] : [choice];
  });
  return used.length === 0 ? grouped : [heading(t('recently used')), ...used, ...grouped];
}

interface RecordServices {
  readonly connections: Connections;
  readonly documents: Documents;
  readonly recent: RecentChoices;
  readonly explorer: { refresh(branch: { readonly connection: string; readonly collection: string }): void };
}

/** A record that a command opened, created or found, with its document. */
export interface FoundRecord extends RecordRef {
  readonly uri: vscode.Uri;
}

/** Includes the records' names, to find a record that was just created. */
type NamedRecordSource = RecordSource<RecordChoice & { readonly name: string | null }>;

/** Base of the commands on records of one type: picking a target, opening it, and refreshing views after changes. */
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

  /** Returns the record from the argument, the active editor (if allowed) or a picker. */
  choose(
    argument: CommandArgument,
    title: string,
    { fromEditor = true }: { fromEditor?: boolean } = {},
  ): Promise<RecordRef | undefined> {
    return this.targets.pickRecord(argument, { ...this.source, title, fromEditor });
  }

  run<T>(service: ServiceRef, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.services.connections.run(service, operation);
  }

  read(ref: RecordRef): Promise<R> {
    return this.run(ref, (client) => this.kind.read(client, ref.id, ref));
  }

  /** Returns the name of a record's connection. */
  getServiceName({ connection }: Pick<ServiceRef, 'connection'>): string {
    return this.targets.getServiceName(connection);
  }

  /** @param preview whether the next preview replaces the tab */
  async open(ref: RecordRef, suffix: string, preview = false): Promise<FoundRecord> {
    const uri = await this.services.documents.resolveUri(this.kind.collection, ref, suffix);
    await vscode.commands.executeCommand('vscode.open', uri, { preview, viewColumn: getTextColumn() });
    return { ...ref, uri };
  }

  refreshTree({ connection }: Pick<ServiceRef, 'connection'>): void {
    this.services.explorer.refresh({ connection, collection: this.kind.collection });
  }

  /** Refreshes the tree and the open documents of a changed record. */
  async refresh(ref: RecordRef): Promise<void> {
    this.refreshTree(ref);
    await (await this.services.documents.getRecord(this.kind.collection, ref)).read();
  }
}
