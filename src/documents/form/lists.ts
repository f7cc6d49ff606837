import type * as vscode from 'vscode';
import type { MailingList } from '../../api/index.ts';
import type { Connections } from '../../connections/connections.ts';
import type { ListChoice, Lists } from '../../webviews/form/protocol.ts';
import { allLists, hasMore, moreLists } from '../../api/allLists.ts';
import { formatAmount, joinParts } from '../../ui/format.ts';
import { plain } from '../../ui/text.ts';
import { errorText, isCancelled } from '../../ui/words.ts';

/** The lists of a service, read for a form that chooses of them. */
export class ListReader implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #connection: string;
  readonly #told: (lists: Lists) => void;
  readonly #closed = new AbortController();
  #lists: Lists = { kind: 'loading' };
  #isReading = false;

  constructor(connections: Connections, connection: string, told: (lists: Lists) => void) {
    this.#connections = connections;
    this.#connection = connection;
    this.#told = told;
  }

  dispose(): void {
    this.#closed.abort();
  }

  /** Tells what is known so far. */
  tell(): void {
    this.#told(this.#lists);
  }

  /** Reads the lists, all pages of them. */
  async read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#set({ kind: 'loading' });
    try {
      const lists = await this.#connections.run(this.#connection, (client) => allLists(client, this.#closed.signal));
      const choices = lists.toSorted((one, other) => rank(one) - rank(other)).map(choiceOf);
      this.#set({ kind: 'known', lists: choices, ...(hasMore(lists) ? { more: moreLists } : {}) });
    } catch (error) {
      if (!isCancelled(error)) this.#set({ kind: 'failed', message: errorText(error) });
    } finally {
      this.#isReading = false;
    }
  }

  #set(lists: Lists): void {
    this.#lists = lists;
    if (!this.#closed.signal.aborted) this.#told(lists);
  }
}

/** Lists that are seldom meant come last. */
function rank({ type, active, visible }: MailingList): number {
  return type === 'followup' ? 3 : active === 0 ? 2 : visible === 0 ? 1 : 0;
}

function choiceOf(list: MailingList): ListChoice {
  const { id, color } = list;
  const note = joinParts([
    list.active === 0 && 'inactive',
    list.visible === 0 && 'invisible',
    list.type === 'followup' && 'of a follow-up',
  ]);
  return {
    id,
    name: plain(list.name || list.display_name || '') || `List ${id}`,
    ...(/^#[\da-f]{6}$/iu.test(color ?? '') && color ? { color } : {}),
    ...(typeof list.subscribers === 'number' ? { subscribers: formatAmount(list.subscribers, 'subscriber') } : {}),
    ...(note === '' ? {} : { note }),
  };
}
