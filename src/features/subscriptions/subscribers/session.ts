import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../l10n.ts';
import type { ExtensionServices } from '../../services.ts';
import type { CommandArgument } from '../../../ui/commands.ts';
import { errorText } from '../../../ui/errors.ts';
import { copyRows } from '../../../ui/export/run.ts';
import { createTableHandlers } from '../../../ui/webview/tablePages.ts';
import { WebviewPage } from '../../../ui/webview/webview.ts';
import type { MailingClient, MailingList } from '../../../service/client/index.ts';
import { readRange } from '../../../service/client/paginate.ts';
import { collection, countMembers, readList } from '../../lists/model.ts';
import { createMemberReader, SUBSCRIBERS_VIEW_TYPE, type Membership } from '../model.ts';
import { fromPage, type FromPage, type ListsState, type PanelRef, type ToPage } from './protocol.ts';
import { createListCard, formatListsTitle } from './cards.ts';

/** The API document's default, which every service supports. */
const SUBSCRIBERS_PAGE_ROWS = 100;

/** Fills a panel. Reads the rows that its page requests; only the page stores them. Returns what ends it. */
function openSession(panel: vscode.WebviewPanel, ref: PanelRef, services: ExtensionServices) {
  const { connection, listIds } = ref;
  const { connections, context } = services;
  const closed = new AbortController();
  const { signal } = closed;
  let lists: Promise<readonly MailingList[]> = Promise.resolve([]);
  let listsState: ListsState = { kind: 'loading' };
  const run = async <T>(operation: (client: MailingClient) => Promise<T>) =>
    connections.run(connections.getService(connection), operation);
  const source = {
    readPage: (membership: Membership, page: number, aborted: AbortSignal) => {
      const range = { offset: page * SUBSCRIBERS_PAGE_ROWS, limit: SUBSCRIBERS_PAGE_ROWS };
      return run((client) => readRange(createMemberReader(client, membership, listIds), range, { signal: aborted }));
    },
    /** Counts the members. For a single list, starts from the count in its record. */
    count: async (membership: Membership, aborted: AbortSignal) => {
      const [list, ...others] = await lists.catch(() => []);
      const field = membership === 'subscribed' ? 'subscribers' : 'unsubscribed_users';
      const reportedCount = others.length === 0 ? list?.[field] : undefined;
      return run((client) => countMembers(createMemberReader(client, membership, listIds), reportedCount, aborted));
    },
  };
  const options = { page: 'subscribers', title: t('Subscribers') };
  const page = new WebviewPage<FromPage, ToPage>(
    panel.webview,
    context.extensionUri,
    { ...options, schema: fromPage },
    {
      ready: () => {
        const service = connections.get(connection)?.name ?? connection;
        page.post({ type: 'show', panel: ref, service, pageSize: SUBSCRIBERS_PAGE_ROWS });
        page.post({ type: 'lists', lists: listsState });
      },
      ...createTableHandlers(() => source),
      readLists,
      copy: copyRows,
      export: ({ tab, expected }) => {
        const argument = { connection, ids: listIds, status: tab, expected };
        void vscode.commands.executeCommand('mailing.list.exportSubscribers', argument);
      },
    },
  );
  panel.onDidChangeViewState(() => {
    if (!panel.visible) page.suspend();
  });
  // Don't wait for the page: the tab needs its title even while it is hidden.
  void readLists();

  async function readLists() {
    showLists({ kind: 'loading' });
    lists = run((client) => Promise.all(listIds.map((id) => readList(client, id, signal))));
    try {
      const read = await lists;
      if (!signal.aborted) panel.title = formatListsTitle(read);
      showLists({ kind: 'loaded', lists: read.map(createListCard) });
    } catch (error) {
      showLists({ kind: 'failed', message: errorText(error) });
    }
  }

  function showLists(shown: ListsState) {
    listsState = shown;
    page.post({ type: 'lists', lists: shown });
  }

  return () => {
    closed.abort();
    page.dispose();
  };
}

/** A page's stored state. */
const stateSchema = v.object({
  panel: v.object({
    connection: v.string(),
    listIds: v.pipe(v.array(v.pipe(v.number(), v.safeInteger())), v.minLength(1)),
  }),
});

/** The panels of subscribers: at most one for each set of lists. */
export class SubscriberPanels {
  readonly #services: ExtensionServices;
  readonly #panels = new Map<string, vscode.WebviewPanel>();

  constructor(services: ExtensionServices) {
    this.#services = services;
    services.context.subscriptions.push(
      services.explorer.onDidDeleteRecord(({ collection: deleted, connection, id }) => {
        // Close the panel that shows only the deleted list.
        if (deleted === collection) this.#panels.get(getPanelKey({ connection, listIds: [id] }))?.dispose();
      }),
    );
  }

  /** Opens the panel of some lists, or reveals it. */
  show(ref: PanelRef): void {
    const open = this.#panels.get(getPanelKey(ref));
    const title = t('Subscribers');
    if (open) open.reveal();
    else this.#fill(vscode.window.createWebviewPanel(SUBSCRIBERS_VIEW_TYPE, title, vscode.ViewColumn.Active), ref);
  }

  /** Restores a panel after a restart. */
  restore(panel: vscode.WebviewPanel, state: CommandArgument): void {
    const stored = v.safeParse(stateSchema, state);
    if (!stored.success || this.#panels.has(getPanelKey(stored.output.panel))) panel.dispose();
    else this.#fill(panel, stored.output.panel);
  }

  #fill(panel: vscode.WebviewPanel, ref: PanelRef) {
    const key = getPanelKey(ref);
    const close = openSession(panel, ref, this.#services);
    this.#panels.set(key, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(key);
      close();
    });
  }
}

function getPanelKey({ connection, listIds }: PanelRef) {
  return JSON.stringify([connection, [...listIds].sort((one, other) => one - other)]);
}
