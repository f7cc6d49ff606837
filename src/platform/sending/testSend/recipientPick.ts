import * as vscode from 'vscode';
import { readAllLists } from '../../../service/client/allLists.ts';
import type { MailingClient, MailingList } from '../../../service/client/index.ts';
import type { Connection } from '../../connections/model.ts';
import { showError } from '../../ui/messages.ts';
import type { RecentChoices } from '../../ui/recent.ts';
import { escapeMessage } from '../../ui/text.ts';
import {
  formatRecipients,
  parseAddresses,
  type TestRecipients,
  createListChoices,
  getReportedSize,
  isTestListName,
  readAddresses,
  type ListSize,
} from './model.ts';
import type { JsonObject } from '../../../service/client/shapes.ts';

/** If the service doesn't report list sizes, this many are counted, one request each. */
const MAX_COUNTED_LISTS = 30;
const CONCURRENT_COUNTS = 3;

interface RecipientItem extends vscode.QuickPickItem {
  readonly to?: TestRecipients;
  /** Why it can't be selected. */
  readonly refusal?: string;
}

export interface RecipientPickOptions {
  readonly connection: Connection;
  readonly title: string;
  readonly recent: RecentChoices;
  run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

/** Returns the key under which recent test recipients are stored. */
export function getRecentTestsKey({ id }: Connection): string {
  return `${id}/tests`;
}

/**
 * Prompts for the recipients of a test, previous ones first. Undefined if the user cancels or the lists can't be read,
 * which is reported.
 */
export function pickRecipients(question: RecipientPickOptions): Promise<TestRecipients | undefined> {
  return new RecipientPick(question).result;
}

class RecipientPick {
  readonly result: Promise<TestRecipients | undefined>;
  readonly #options: RecipientPickOptions;
  readonly #pick = vscode.window.createQuickPick<RecipientItem>();
  readonly #closed = new AbortController();
  readonly #limit = getMaxRecipients();
  readonly #sizes = new Map<number, ListSize>();
  #lists: readonly MailingList[] | undefined;

  constructor(question: RecipientPickOptions) {
    this.#options = question;
    const pick = this.#pick;
    pick.title = question.title;
    pick.matchOnDescription = true;
    pick.ignoreFocusOut = true;
    pick.busy = true;
    this.result = new Promise((resolve) => {
      pick.onDidChangeValue(() => this.#update());
      pick.onDidAccept(() => {
        const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
        if (chosen?.refusal !== undefined) pick.title = `${question.title}: "${chosen.label}" ${chosen.refusal}`;
        if (chosen?.to === undefined || chosen.refusal !== undefined) return;
        resolve(chosen.to);
        pick.hide();
      });
      pick.onDidHide(() => {
        this.#closed.abort();
        resolve(undefined);
        pick.dispose();
      });
    });
    this.#update();
    pick.show();
    void this.#load();
  }

  get #testListId(): number | undefined {
    return getTestListId(this.#options.connection);
  }

  #update(): void {
    const pick = this.#pick;
    const active = pick.activeItems[0]?.label;
    const typed = parseAddresses(pick.value);
    const rows = [
      ...(typed === undefined ? [] : [createAddressItem(typed, 'the addresses you typed')]),
      ...this.#previousItems(),
      ...this.#listItems(),
    ];
    pick.items = rows;
    const isActive = ({ label, kind }: RecipientItem): boolean =>
      kind !== vscode.QuickPickItemKind.Separator && label === active;
    const marked = typed === undefined ? rows.find(isActive) : rows[0];
    if (marked !== undefined) pick.activeItems = [marked];
    pick.placeholder = this.#placeholder();
  }

  #placeholder(): string {
    const or = 'Or type addresses';
    const [id, hasPrevious] = [this.#testListId, this.#previousItems().length > 0];
    const isDeleted = id !== undefined && this.#lists !== undefined && !this.#lists.some((list) => list.id === id);
    if (isDeleted) return `The test list #${id} was deleted. Select another list. ${or}`;
    return hasPrevious ? `Select recipients. ${or}` : `Select a list for tests, which will be remembered. ${or}`;
  }

  /** Previous recipients, newest first. */
  #previousItems(): readonly RecipientItem[] {
    const { connection, recent } = this.#options;
    const addresses = getTestRecipients(connection);
    const list = this.#listItem(this.#testListId, 'your test list');
    const rows = [
      ...(list === undefined ? [] : [{ kind: 'list', row: list }]),
      ...(addresses.length === 0 ? [] : [{ kind: 'addresses', row: createAddressItem(addresses, 'as before') }]),
    ];
    const order = recent.get(getRecentTestsKey(connection));
    const place = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length);
    return rows.toSorted((one, other) => place(one.kind) - place(other.kind)).map(({ row }) => row);
  }

  #listItems(): readonly RecipientItem[] {
    if (this.#lists === undefined) return [];
    const rows = createListChoices(this.#lists, this.#sizes, this.#limit)
      .filter(({ id }) => id !== this.#testListId)
      .map(({ id, name, description, refusal }): RecipientItem => ({
        label: escapeMessage(name),
        description: escapeMessage(description),
        iconPath: new vscode.ThemeIcon(refusal === undefined ? 'checklist' : 'circle-slash'),
        to: { kind: 'list', list: { id, name } },
        ...(refusal !== undefined && { refusal }),
      }));
    return rows.length === 0 ? [] : [{ label: 'Lists', kind: vscode.QuickPickItemKind.Separator }, ...rows];
  }

  /** Until the lists are loaded, a list has no name here but can be selected. */
  #listItem(id: number | undefined, words: string): RecipientItem | undefined {
    if (id === undefined) return undefined;
    const iconPath = new vscode.ThemeIcon('checklist');
    if (this.#lists === undefined)
      return { label: `List #${id}`, description: words, iconPath, to: { kind: 'list', list: { id, name: '' } } };
    const [choice] = createListChoices(
      this.#lists.filter((list) => list.id === id),
      this.#sizes,
      this.#limit,
    );
    return (
      choice && {
        label: escapeMessage(choice.name),
        description: escapeMessage(`${words} · ${choice.description}`),
        iconPath,
        to: { kind: 'list', list: { id, name: choice.name } },
      }
    );
  }

  async #load(): Promise<void> {
    const { connection, title, run } = this.#options;
    const { signal } = this.#closed;
    try {
      const lists = await run((client) => readAllLists(client, signal));
      for (const list of lists) this.#sizes.set(list.id, getReportedSize(list));
      this.#lists = lists;
      if (signal.aborted) return;
      this.#update();
      await this.#count(lists.filter(({ id }) => this.#sizes.get(id) === undefined));
    } catch (error) {
      if (signal.aborted) return;
      this.#pick.hide();
      void showError(error, { title, connection: connection.id });
    } finally {
      if (!signal.aborted) this.#pick.busy = false;
    }
  }

  /** Counts recipients up to the limit of a test. Lists that can't be counted are offered without a size. */
  async #count(lists: readonly MailingList[]): Promise<void> {
    const { signal } = this.#closed;
    const urgency = (list: MailingList): number => (list.id === this.#testListId ? 0 : isTestListName(list) ? 1 : 2);
    const waiting = lists.toSorted((one, other) => urgency(one) - urgency(other)).slice(0, MAX_COUNTED_LISTS);
    while (waiting.length > 0 && !signal.aborted) {
      const counted = waiting.splice(0, CONCURRENT_COUNTS).map(async ({ id }) => {
        const { run } = this.#options;
        const addresses = await run((client) => readAddresses(client, id, this.#limit, { signal })).catch(
          () => undefined,
        );
        if (addresses !== undefined) this.#sizes.set(id, addresses.length > this.#limit ? 'more' : addresses.length);
      });
      await Promise.all(counted);
      if (!signal.aborted) this.#update();
    }
  }
}

function createAddressItem(addresses: readonly string[], words: string): RecipientItem {
  return {
    label: addresses.map((address) => escapeMessage(address)).join(', '),
    description: addresses.length > 1 ? `${words} · ${formatRecipients(addresses.length)}` : words,
    iconPath: new vscode.ThemeIcon(addresses.length > 1 ? 'organization' : 'person'),
    alwaysShow: true,
    to: { kind: 'addresses', addresses },
  };
}

const DEFAULT_MAX_RECIPIENTS = 25;

/** Returns the id of the connection's test list. */
export function getTestListId({ id, testListId }: Connection): number | undefined {
  const stored = readTestSetting('testLists')[id];
  return typeof stored === 'number' ? stored : testListId;
}

/** Returns the addresses of the connection's last test. */
export function getTestRecipients({ id }: Connection): readonly string[] {
  const stored = readTestSetting('testRecipients')[id];
  return Array.isArray(stored)
    ? stored.filter((address): address is string => typeof address === 'string' && address.trim() !== '')
    : [];
}

export async function storeTestListId(connection: Connection, listId: number): Promise<void> {
  if (listId !== getTestListId(connection)) await writeSetting('testLists', connection, listId);
}

/** Removes a list that can't receive tests from the user settings, but not from workspace settings. */
export async function clearTestListId(connection: Connection, listId: number): Promise<void> {
  if (readUserSetting('testLists')[connection.id] === listId) await writeSetting('testLists', connection, undefined);
}

export async function storeTestRecipients(connection: Connection, addresses: readonly string[]): Promise<void> {
  if (JSON.stringify(addresses) !== JSON.stringify(getTestRecipients(connection)))
    await writeSetting('testRecipients', connection, addresses);
}

export function getMaxRecipients(): number {
  return vscode.workspace.getConfiguration('mailing').get<number>('test.maxRecipients') ?? DEFAULT_MAX_RECIPIENTS;
}

function readTestSetting(setting: string): Readonly<JsonObject> {
  return vscode.workspace.getConfiguration('mailing').get<JsonObject>(setting) ?? {};
}

/** Reads a user setting without workspace overrides. */
function readUserSetting(setting: string): Readonly<JsonObject> {
  return vscode.workspace.getConfiguration('mailing').inspect<JsonObject>(setting)?.globalValue ?? {};
}

async function writeSetting(setting: string, { id }: Connection, value: JsonObject[string]): Promise<void> {
  const { [id]: _before, ...others } = readUserSetting(setting);
  const all = value === undefined ? others : { ...others, [id]: value };
  await vscode.workspace.getConfiguration('mailing').update(setting, all, vscode.ConfigurationTarget.Global);
}
