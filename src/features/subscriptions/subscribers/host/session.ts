import * as vscode from 'vscode';
import type { MailingList } from '../../../../service/client/index.ts';
import type { ExtensionServices } from '../../../../platform/services.ts';
import type { MessageHandlers } from '../../../../platform/webview/messages.ts';
import {
  fromPage,
  type FromPage,
  type ListsState,
  type PanelRef,
  type SubscribersTab,
  type ToPage,
} from '../protocol.ts';
import { copyRows } from '../../../../platform/ui/export/copy.ts';
import { WebviewHost } from '../../../../platform/ui/webview.ts';
import { errorText, isCanceled } from '../../../../platform/ui/errors.ts';
import { readList } from '../../../lists/model.ts';
import { createListCard, formatListsTitle } from './cards.ts';
import { countListMembers, readMembers } from './members.ts';

/** The API document's default, which every service supports. */
const SUBSCRIBERS_PAGE_ROWS = 100;

/** An open panel. Reads the rows that its page requests; only the page stores them. */
export class SubscribersSession implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #ref: PanelRef;
  readonly #services: ExtensionServices;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #handlers: MessageHandlers<FromPage> = {
    ready: () => this.#sendAll(),
    requestPages: ({ generation, tab, pages }) => this.#requestPages(generation, tab, pages),
    readLists: () => this.#readLists(),
    copy: (copied) => copyRows(copied),
    export: ({ tab, expected }) => this.#export(tab, expected),
  };
  readonly #pendingPages = new Map<number, AbortController>();
  #generation = -1;
  readonly #closed = new AbortController();
  /** Aborts the counting of the page's current generation. */
  #generationAbort = new AbortController();
  #lists: Promise<readonly MailingList[]> | undefined;
  #listsState: ListsState = { kind: 'loading' };

  constructor(panel: vscode.WebviewPanel, ref: PanelRef, services: ExtensionServices) {
    this.#panel = panel;
    this.#ref = ref;
    this.#services = services;
    this.#host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      services.context.extensionUri,
      { page: 'subscribers', title: 'Subscribers' },
      fromPage,
      this.#handlers,
    );
    this.#subscriptions.push(
      this.#host,
      panel.onDidChangeViewState(() => {
        if (panel.visible) return;
        this.#host.suspend();
        this.#stop();
      }),
    );
    // Don't wait for the page: the tab needs its title even while it is hidden.
    void this.#readLists();
  }

  dispose(): void {
    this.#closed.abort();
    this.#stop();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #sendAll(): void {
    const { connection } = this.#ref;
    this.#stop();
    this.#host.post({
      type: 'show',
      panel: this.#ref,
      service: this.#services.connections.get(connection)?.name ?? connection,
      pageSize: SUBSCRIBERS_PAGE_ROWS,
    });
    this.#host.post({ type: 'lists', lists: this.#listsState });
  }

  async #readLists(): Promise<void> {
    const { connection, listIds } = this.#ref;
    const updateLists = (lists: ListsState): void => {
      this.#listsState = lists;
      if (!this.#closed.signal.aborted) this.#host.post({ type: 'lists', lists });
    };
    updateLists({ kind: 'loading' });
    const { signal } = this.#closed;
    const reading = this.#services.connections.run(connection, (client) =>
      Promise.all(listIds.map((id) => readList(client, id, signal))),
    );
    this.#lists = reading;
    try {
      const lists = await reading;
      if (!this.#closed.signal.aborted) this.#panel.title = formatListsTitle(lists);
      updateLists({ kind: 'loaded', lists: lists.map(createListCard) });
    } catch (error) {
      updateLists({ kind: 'failed', message: errorText(error) });
    }
  }

  #requestPages(generation: number, tab: SubscribersTab, pages: readonly number[]): void {
    if (generation !== this.#generation) {
      this.#stop();
      this.#generation = generation;
      this.#generationAbort = new AbortController();
    }
    for (const [page, controller] of this.#pendingPages) {
      if (pages.includes(page)) continue;
      controller.abort();
      this.#pendingPages.delete(page);
    }
    for (const page of pages) if (!this.#pendingPages.has(page)) void this.#read(generation, tab, page);
  }

  async #read(generation: number, tab: SubscribersTab, page: number): Promise<void> {
    const { connection, listIds } = this.#ref;
    const controller = new AbortController();
    this.#pendingPages.set(page, controller);
    const { signal } = controller;
    try {
      const { records, isLast } = await this.#services.connections.run(connection, (client) =>
        readMembers(
          client,
          { listIds, membership: tab },
          { offset: page * SUBSCRIBERS_PAGE_ROWS, limit: SUBSCRIBERS_PAGE_ROWS },
          signal,
        ),
      );
      if (signal.aborted) return;
      this.#host.post({ type: 'rows', generation, page, rows: records, isLast });
      // If the first page is the last one, no counting is needed.
      if (page === 0 && !isLast) void this.#count(generation, tab, this.#generationAbort.signal);
    } catch (error) {
      if (!signal.aborted) this.#host.post({ type: 'failed', generation, page, message: errorText(error) });
    } finally {
      if (this.#pendingPages.get(page) === controller) this.#pendingPages.delete(page);
    }
  }

  /** Counts the rows of the table while its first page is shown. */
  async #count(generation: number, tab: SubscribersTab, signal: AbortSignal): Promise<void> {
    const { connection, listIds } = this.#ref;
    try {
      const lists = (await this.#lists?.catch(() => undefined)) ?? [];
      const count = await this.#services.connections.run(connection, (client) =>
        countListMembers(client, { listIds, membership: tab }, lists, signal),
      );
      if (!signal.aborted) this.#host.post({ type: 'count', generation, count });
    } catch (error) {
      if (!isCanceled(error) && !signal.aborted)
        this.#host.post({ type: 'count', generation, message: errorText(error) });
    }
  }

  async #export(tab: SubscribersTab, expected: number | undefined): Promise<void> {
    const { connection, listIds } = this.#ref;
    await vscode.commands.executeCommand('mailing.list.exportSubscribers', {
      connection,
      ids: listIds,
      status: tab,
      expected,
    });
  }

  #stop(): void {
    for (const controller of this.#pendingPages.values()) controller.abort();
    this.#pendingPages.clear();
    this.#generationAbort.abort();
    this.#generation = -1;
  }
}
