import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../../platform/services.ts';
import type { CommandArgument } from '../../../../platform/ui/commands.ts';
import { errorText } from '../../../../platform/ui/errors.ts';
import { copyRows } from '../../../../platform/ui/export/run.ts';
import { TablePages, type TableSource } from '../../../../platform/ui/tablePages.ts';
import { WebviewHost } from '../../../../platform/ui/webview.ts';
import type { MailingClient, MailingList } from '../../../../service/client/index.ts';
import { readRange } from '../../../../service/client/paginate.ts';
import { collection, countMembers, readList } from '../../../lists/model.ts';
import { createMemberReader, SUBSCRIBERS_VIEW_TYPE, type Membership } from '../../model.ts';
import { fromPage, type FromPage, type ListsState, type PanelRef, type ToPage } from '../protocol.ts';
import { createListCard, formatListsTitle } from './cards.ts';

/** The API document's default, which every service supports. */
const SUBSCRIBERS_PAGE_ROWS = 100;

/** An open panel. Reads the rows that its page requests; only the page stores them. */
class SubscribersSession implements TableSource<Membership>, vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #ref: PanelRef;
  readonly #services: ExtensionServices;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #tables = new TablePages<Membership>(this, (message) => this.#host.post(message));
  readonly #closed = new AbortController();
  #lists: Promise<readonly MailingList[]> = Promise.resolve([]);
  #listsState: ListsState = { kind: 'loading' };

  constructor(panel: vscode.WebviewPanel, ref: PanelRef, services: ExtensionServices) {
    this.#panel = panel;
    this.#ref = ref;
    this.#services = services;
    const options = { page: 'subscribers', title: l10n.t('Subscribers') };
    this.#host = new WebviewHost<FromPage, ToPage>(panel.webview, services.context.extensionUri, options, fromPage, {
      ready: () => this.#sendAll(),
      requestPages: (message) => this.#tables.request(message),
      readLists: () => this.#readLists(),
      copy: (copied) => copyRows(copied),
      export: ({ tab, expected }) => {
        const argument = { connection: ref.connection, ids: ref.listIds, status: tab, expected };
        void vscode.commands.executeCommand('mailing.list.exportSubscribers', argument);
      },
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) return;
      this.#host.suspend();
      this.#tables.stop();
    });
    // Don't wait for the page: the tab needs its title even while it is hidden.
    void this.#readLists();
  }

  dispose(): void {
    this.#closed.abort();
    this.#tables.stop();
    this.#host.dispose();
  }

  readPage(membership: Membership, page: number, signal: AbortSignal) {
    const range = { offset: page * SUBSCRIBERS_PAGE_ROWS, limit: SUBSCRIBERS_PAGE_ROWS };
    return this.#run((client) =>
      readRange(createMemberReader(client, membership, this.#ref.listIds), range, { signal }),
    );
  }

  /** Counts the members. For a single list, starts from the count in its record. */
  async count(membership: Membership, signal: AbortSignal): Promise<number> {
    const { listIds } = this.#ref;
    const [list, ...others] = await this.#lists.catch(() => []);
    const field = membership === 'subscribed' ? 'subscribers' : 'unsubscribed_users';
    const reportedCount = others.length === 0 ? list?.[field] : undefined;
    return this.#run((client) => countMembers(createMemberReader(client, membership, listIds), reportedCount, signal));
  }

  #sendAll(): void {
    const { connection } = this.#ref;
    this.#tables.stop();
    this.#host.post({
      type: 'show',
      panel: this.#ref,
      service: this.#services.connections.get(connection)?.name ?? connection,
      pageSize: SUBSCRIBERS_PAGE_ROWS,
    });
    this.#host.post({ type: 'lists', lists: this.#listsState });
  }

  async #readLists(): Promise<void> {
    const { signal } = this.#closed;
    this.#showLists({ kind: 'loading' });
    this.#lists = this.#run((client) => Promise.all(this.#ref.listIds.map((id) => readList(client, id, signal))));
    try {
      const lists = await this.#lists;
      if (!signal.aborted) this.#panel.title = formatListsTitle(lists);
      this.#showLists({ kind: 'loaded', lists: lists.map(createListCard) });
    } catch (error) {
      this.#showLists({ kind: 'failed', message: errorText(error) });
    }
  }

  #showLists(lists: ListsState): void {
    this.#listsState = lists;
    this.#host.post({ type: 'lists', lists });
  }

  #run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.#services.connections.run(this.#ref.connection, operation);
  }
}

/** A page's stored state. */
const stateSchema = v.object({
  panel: v.object({
    connection: v.string(),
    listIds: v.pipe(v.array(v.pipe(v.number(), v.safeInteger())), v.minLength(1)),
  }),
});

/** The open panels, one for each set of lists. */
export class SubscriberPanels {
  readonly #services: ExtensionServices;
  readonly #openPanels = new Map<string, vscode.WebviewPanel>();

  constructor(services: ExtensionServices) {
    this.#services = services;
    services.context.subscriptions.push(
      services.explorer.onDidDeleteRecord(({ collection: deleted, connection, id }) => {
        // Close the panel that shows only the deleted list.
        if (deleted === collection) this.#openPanels.get(getPanelKey({ connection, listIds: [id] }))?.dispose();
      }),
    );
  }

  /** Opens the panel of some lists, or reveals it. */
  show(ref: PanelRef): void {
    const open = this.#openPanels.get(getPanelKey(ref));
    if (open) open.reveal();
    else {
      const title = l10n.t('Subscribers');
      this.#fill(vscode.window.createWebviewPanel(SUBSCRIBERS_VIEW_TYPE, title, vscode.ViewColumn.Active), ref);
    }
  }

  /** Restores a panel after a restart. */
  restore(panel: vscode.WebviewPanel, state: CommandArgument): void {
    const stored = v.safeParse(stateSchema, state);
    if (!stored.success || this.#openPanels.has(getPanelKey(stored.output.panel))) panel.dispose();
    else this.#fill(panel, stored.output.panel);
  }

  #fill(panel: vscode.WebviewPanel, ref: PanelRef): void {
    const key = getPanelKey(ref);
    const session = new SubscribersSession(panel, ref, this.#services);
    this.#openPanels.set(key, panel);
    panel.onDidDispose(() => {
      this.#openPanels.delete(key);
      session.dispose();
    });
  }
}

function getPanelKey({ connection, listIds }: PanelRef): string {
  return JSON.stringify([connection, [...listIds].sort((one, other) => one - other)]);
}
