import { t } from '@vscode/l10n';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { readAllLists } from '../../../service/client/allLists.ts';
import type { MailingClient, MailingList } from '../../../service/client/index.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import { showPick } from '../../../platform/documents/recordCommands.ts';
import type { RecentChoices } from '../../../ui/recent.ts';
import { escapeMessage } from '../../../service/text.ts';
import {
  formatRecipients,
  parseAddresses,
  type TestRecipients,
  createListChoices,
  isTestListName,
  readAddresses,
  type ListSize,
  type TestList,
} from './recipients.ts';
import type { JsonObject } from '../../../service/client/shapes.ts';

/** If the service doesn't report list sizes, this many are counted, one request each. */
const MAX_COUNTED_LISTS = 30;
const CONCURRENT_COUNTS = 3;

interface RecipientItem extends vscode.QuickPickItem {
  readonly to?: TestRecipients;
  /** Why it can't be selected. */
  readonly refusal?: string;
}

interface RecipientPickOptions {
  readonly connection: Connection;
  readonly title: string;
  readonly recent: RecentChoices;
  run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

/** Returns the key under which recent test recipients are stored. */
export function getRecentTestsKey({ id }: Connection): string {
  return `${id}/tests`;
}

/** A Quick Pick of recipients. Its items always show what the user typed first, and are complete once the lists are counted. */
export class RecipientPick {
  readonly #options: RecipientPickOptions;
  readonly #closed = new AbortController();
  readonly #limit = getMaxRecipients();
  readonly #testListId: number | undefined;
  readonly #sizes = new Map<number, ListSize>();
  /** Undefined until they are loaded. */
  #lists: readonly MailingList[] | undefined;
  readonly #pick = vscode.window.createQuickPick<RecipientItem>();

  constructor(options: RecipientPickOptions) {
    const { title, connection } = options;
    this.#options = options;
    this.#testListId = getTestListId(connection);
    Object.assign(this.#pick, { title, matchOnDescription: true, ignoreFocusOut: true, busy: true });
    this.#pick.onDidChangeValue(() => this.#update(true));
    this.#update();
  }

  /** Prompts for the recipients, previous ones first. Resolves with undefined if the user cancels. */
  show(): Promise<TestRecipients | undefined> {
    const getResult = () => {
      const chosen = this.#pick.selectedItems[0] ?? this.#pick.activeItems[0];
      if (chosen?.refusal === undefined) return chosen?.to;
      this.#pick.title = [this.#options.title, chosen.refusal].join(' · ');
      return undefined;
    };
    return showPick(this.#pick, getResult, (fail) => this.#load(fail)).finally(() => this.#closed.abort());
  }

  #update(hasTyped = false) {
    const pick = this.#pick;
    const active = pick.activeItems[0]?.label;
    const previous = this.#createPreviousItems();
    const rows = [...createTypedItems(pick.value), ...previous, ...this.#createListItems()];
    pick.items = rows;
    const isActive = ({ label, to }: RecipientItem) => to !== undefined && label === active;
    // Enter takes what the user just typed, even if it isn't complete, and not previous recipients.
    const marked = hasTyped && pick.value.includes('@') ? rows[0] : rows.find(isActive);
    if (marked !== undefined) pick.activeItems = [marked];
    const testListId = this.#testListId;
    const isDeleted = testListId !== undefined && this.#lists?.some(({ id }) => id === testListId) === false;
    pick.placeholder = isDeleted
      ? t`The test list #${testListId} was deleted. Select another list or type addresses`
      : previous.length > 0
        ? t('Select recipients or type addresses')
        : t('Select a list to use for all tests, or type addresses');
  }

  /** Previous recipients, newest first. Until the lists are loaded, the test list has no name but can be selected. */
  #createPreviousItems(): readonly RecipientItem[] {
    const { connection, recent } = this.#options;
    const testListId = this.#testListId;
    const addresses = getTestRecipients(connection);
    const note = t('your test list');
    const own =
      this.#lists === undefined && testListId !== undefined
        ? [createListItem({ id: testListId, name: '' }, t`List ${testListId}`, note)]
        : this.#createChoices((id) => id === testListId).map((choice) =>
            createListItem(choice, choice.name, `${note} · ${choice.description}`),
          );
    const rows = [...own, ...(addresses.length === 0 ? [] : [createAddressItem(addresses, t('last recipients'))])];
    const order = recent.get(getRecentTestsKey(connection));
    const getPlace = ({ to }: RecipientItem) => {
      const place = order.indexOf(to?.kind ?? '');
      return place < 0 ? order.length : place;
    };
    return rows.toSorted((one, other) => getPlace(one) - getPlace(other));
  }

  #createListItems(): readonly RecipientItem[] {
    const rows = this.#createChoices((id) => id !== this.#testListId).map((choice) => ({
      ...createListItem(choice, choice.name, choice.description, choice.refusal && 'circle-slash'),
      refusal: choice.refusal,
    }));
    return rows.length === 0 ? [] : [{ label: t('Lists'), kind: vscode.QuickPickItemKind.Separator }, ...rows];
  }

  #createChoices(isIncluded: (id: number) => boolean) {
    return createListChoices(this.#lists?.filter(({ id }) => isIncluded(id)) ?? [], this.#sizes, this.#limit);
  }

  async #load(fail: (error: unknown) => void) {
    const { signal } = this.#closed;
    try {
      const found = await this.#options.run((client) => readAllLists(client, signal));
      for (const { id, subscribers } of found) if (typeof subscribers === 'number') this.#sizes.set(id, subscribers);
      this.#lists = found;
      if (signal.aborted) return;
      this.#update();
      await this.#countSubscribers(found.filter(({ id }) => !this.#sizes.has(id)));
    } catch (error) {
      if (!signal.aborted) fail(error);
    } finally {
      if (!signal.aborted) this.#pick.busy = false;
    }
  }

  /** Counts recipients up to the limit of a test. Lists that can't be counted are offered without a size. */
  async #countSubscribers(uncounted: readonly MailingList[]) {
    const { signal } = this.#closed;
    const urgency = (list: MailingList): number => (list.id === this.#testListId ? 0 : isTestListName(list) ? 1 : 2);
    const waiting = uncounted.toSorted((one, other) => urgency(one) - urgency(other)).slice(0, MAX_COUNTED_LISTS);
    while (waiting.length > 0 && !signal.aborted) {
      const counted = waiting.splice(0, CONCURRENT_COUNTS).map(async ({ id }) => {
        const reading = this.#options.run((client) => readAddresses(client, id, this.#limit, { signal }));
        const addresses = await reading.catch(() => undefined);
        if (addresses !== undefined) this.#sizes.set(id, addresses.length > this.#limit ? 'more' : addresses.length);
      });
      await Promise.all(counted);
      if (!signal.aborted) this.#update();
    }
  }
}

/** Shows that addresses can be typed, until they are complete. */
function createTypedItems(text: string): readonly RecipientItem[] {
  const typed = parseAddresses(text);
  if (typed !== undefined) return [createAddressItem(typed, t('the addresses you typed'))];
  const refusal = t('Enter a complete email address');
  return text.includes('@') ? [{ label: escapeMessage(text), description: refusal, alwaysShow: true, refusal }] : [];
}

function createListItem(
  { id, name }: TestList,
  label: string,
  description: string,
  codicon = 'checklist',
): RecipientItem {
  return {
    label: escapeMessage(label),
    description: escapeMessage(description),
    iconPath: new vscode.ThemeIcon(codicon),
    to: { kind: 'list', list: { id, name } },
  };
}

function createAddressItem(addresses: readonly string[], words: string): RecipientItem {
  const isSeveral = addresses.length > 1;
  return {
    label: addresses.map((address) => escapeMessage(address)).join(', '),
    description: isSeveral ? `${words} · ${formatRecipients(addresses.length)}` : words,
    iconPath: new vscode.ThemeIcon(isSeveral ? 'organization' : 'person'),
    alwaysShow: true,
    to: { kind: 'addresses', addresses },
  };
}

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
  if (!isDeepStrictEqual(addresses, getTestRecipients(connection)))
    await writeSetting('testRecipients', connection, addresses);
}

export function getMaxRecipients(): number {
  return vscode.workspace.getConfiguration('mailing').get('test.maxRecipients', 25);
}

function readTestSetting(setting: string): Readonly<JsonObject> {
  return vscode.workspace.getConfiguration('mailing').get<JsonObject>(setting) ?? {};
}

/** Reads a user setting without workspace overrides. */
function readUserSetting(setting: string): Readonly<JsonObject> {
  return vscode.workspace.getConfiguration('mailing').inspect<JsonObject>(setting)?.globalValue ?? {};
}

/** Writes a user setting, where undefined removes the connection's value. */
async function writeSetting(setting: string, { id }: Connection, value: JsonObject[string]) {
  const all = { ...readUserSetting(setting), [id]: value };
  await vscode.workspace.getConfiguration('mailing').update(setting, all, vscode.ConfigurationTarget.Global);
}
