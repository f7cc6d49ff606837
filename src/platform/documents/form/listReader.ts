import type * as vscode from 'vscode';
import type { MailingList } from '../../../service/client/index.ts';
import type { Connections } from '../../connections/connections.ts';
import type { FormListChoice, Lists } from '../../webview/form/protocol.ts';
import { readAllLists, isTruncated, truncatedListsMessage } from '../../../service/client/allLists.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';

/** Receives the lists, and defines how a form shows them. */
export interface ListConsumer {
  toChoices(lists: readonly MailingList[]): readonly FormListChoice[];
  onChange(lists: Lists): void;
}

/** Reads the lists of a service for a form. */
export class ListReader implements vscode.Disposable {
  readonly #connections: Pick<Connections, 'run'>;
  readonly #connection: string;
  readonly #consumer: ListConsumer;
  readonly #closed = new AbortController();
  #lists: Lists = { kind: 'loading' };
  #isReading = false;

  constructor(connections: Pick<Connections, 'run'>, connection: string, consumer: ListConsumer) {
    this.#connections = connections;
    this.#connection = connection;
    this.#consumer = consumer;
  }

  dispose(): void {
    this.#closed.abort();
  }

  /** Sends the current state to the consumer. */
  notify(): void {
    this.#consumer.onChange(this.#lists);
  }

  /** Reads all pages of lists. */
  async read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#set({ kind: 'loading' });
    try {
      const lists = await this.#connections.run(this.#connection, (client) =>
        readAllLists(client, this.#closed.signal),
      );
      this.#set({
        kind: 'loaded',
        lists: this.#consumer.toChoices(lists),
        incompleteNote: isTruncated(lists) ? truncatedListsMessage : undefined,
      });
    } catch (error) {
      if (!isCanceled(error)) this.#set({ kind: 'failed', message: errorText(error) });
    } finally {
      this.#isReading = false;
    }
  }

  #set(lists: Lists): void {
    this.#lists = lists;
    if (!this.#closed.signal.aborted) this.#consumer.onChange(lists);
  }
}
