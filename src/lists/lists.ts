import * as vscode from 'vscode';
import type { MailingClient, MailingList } from '../api/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { Rooms } from '../rooms.ts';
import { allLists, findList, hasMore, moreLists } from '../api/allLists.ts';
import { formatAmount, joinParts } from '../ui/format.ts';
import { given } from '../documents/parseArgument.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';
import { Targets } from '../documents/targets.ts';
import { inMessage } from '../ui/text.ts';
import { marksOf, nameOf } from './looks.ts';

export { marksOf, nameOf } from './looks.ts';

export const collection = 'lists';

/** Some lists of a service. */
export interface ListsRef {
  readonly connection: string;
  readonly ids: readonly number[];
}

const pageSize = 100;

/** What the commands on lists share: finding those that are meant, and telling the window of changes. */
export class Lists {
  readonly rooms: Rooms;
  readonly targets: Targets;

  constructor(rooms: Rooms) {
    this.rooms = rooms;
    this.targets = new Targets(rooms.connections);
  }

  /** The lists of the argument (`id` or `ids`), or those picked; undefined where the user cancels. */
  async choose(argument: unknown, title: string): Promise<ListsRef | undefined> {
    const { id } = given(argument, collection);
    const ids = id === undefined ? givenIds(argument) : [id];
    const { connection: named } = given(argument);
    const connection = await this.targets.connection(named === undefined ? undefined : { connection: named }, title);
    if (connection === undefined) return undefined;
    const chosen = ids.length > 0 ? ids : await this.#pickMany(connection.id, title);
    return chosen && { connection: connection.id, ids: chosen };
  }

  /** The one list of the argument, or the one picked; undefined where the user cancels. */
  chooseOne(argument: unknown, title: string): Promise<RecordRef | undefined> {
    return this.targets.record(argument, {
      collection,
      title,
      placeholder: 'Which list? Type to search names on the service',
      search: async (client, text, signal) =>
        (await client.getLists({ limit: pageSize, ...(text === '' ? {} : { filters: { name: text } }) }, { signal })).map((list) => ({
          id: list.id,
          ...pickOf(list),
        })),
    });
  }

  /** What the user calls a service. */
  service(connection: string): string {
    return this.rooms.connections.get(connection)?.name ?? connection;
  }

  /** Shows in the tree what has changed on the service. */
  changed(connection: string): void {
    this.rooms.explorer.refresh({ connection, collection });
  }

  /** Several lists, whose subscribers are to be seen together. */
  async #pickMany(connection: string, title: string): Promise<readonly number[] | undefined> {
    const lists = await withProgress('Reading the lists', (signal) =>
      this.rooms.connections.run(connection, (client) => allLists(client, signal)),
    );
    const picked = await vscode.window.showQuickPick(lists.map((list) => ({ ...pickOf(list), id: list.id })), {
      title,
      placeHolder: `Which lists? Several are shown together${hasMore(lists) ? `. ${moreLists}` : ''}`,
      canPickMany: true,
      matchOnDescription: true,
    });
    return picked === undefined || picked.length === 0 ? undefined : picked.map(({ id }) => id);
  }
}

/**
 * One list. The service has no operation for it, so it is looked for by its id where the service filters, else among all. `anew`: as the
 * service has it from now on.
 *
 * Throws `ApiError`, of kind `notFound` where there is none.
 */
export async function readList(
  client: MailingClient, id: number, signal: AbortSignal, options?: { readonly anew: boolean },
): Promise<MailingList> {
  const filtered = (await client.getLists({ limit: pageSize, filters: { id } }, { signal })).find((list) => list.id === id);
  // Those of follow-ups come without a filter alone.
  return filtered ?? findList(client, id, signal, options);
}

/** Lists of exactly this name. Throws `ApiError`. */
export async function listsNamed(
  connections: Connections, connection: string, name: string, signal: AbortSignal,
): Promise<readonly MailingList[]> {
  const lists = await connections.run(connection, (client) => client.getLists({ limit: pageSize, filters: { name } }, { signal }));
  return lists.filter((list) => list.name === name);
}

function pickOf(list: MailingList): vscode.QuickPickItem {
  const subscribers = typeof list.subscribers === 'number' ? formatAmount(list.subscribers, 'subscriber') : undefined;
  return { label: inMessage(nameOf(list)), description: joinParts([`#${list.id}`, subscribers, ...marksOf(list)]) };
}

function givenIds(argument: unknown): readonly number[] {
  const { ids } = (typeof argument === 'object' && argument !== null ? argument : {}) as { readonly ids?: unknown };
  return Array.isArray(ids) ? [...new Set(ids.filter((id) => Number.isSafeInteger(id)))] : [];
}
