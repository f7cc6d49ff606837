import { make } from '../../../../platform/webview/dom.ts';
import type { Host } from '../../../../platform/webview/host.ts';
import type { MessageHandlers } from '../../../../platform/webview/messages.ts';
import { RowTable, type TableState } from '../../../../platform/webview/table/table.ts';
import { TabStrip } from '../../../../platform/webview/tabs.ts';
import { makeButton } from '../../../../platform/webview/toolkit.ts';
import type { FromPage, PanelRef, SubscribersTab, ToPage } from '../protocol.ts';
import { subscriberColumns } from './columns.ts';
import { ListHeader } from './header.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
export interface SubscribersPageState {
  readonly panel?: PanelRef;
  readonly tab?: SubscribersTab;
  readonly tables?: Readonly<Partial<Record<SubscribersTab, TableState>>>;
}

interface TabDefinition {
  readonly label: string;
  readonly noun: string;
  readonly nouns: string;
  readonly empty: string;
}

const tabDefinitions: { readonly [Name in SubscribersTab]: TabDefinition } = {
  subscribed: { label: 'Subscribed', noun: 'subscriber', nouns: 'subscribers', empty: 'Nobody is subscribed.' },
  unsubscribed: {
    label: 'Unsubscribed',
    noun: 'unsubscribed user',
    nouns: 'unsubscribed users',
    empty: 'Nobody has unsubscribed.',
  },
};
const tabNames = Object.keys(tabDefinitions) as SubscribersTab[];

/** The page with lists and a table of their current or former subscribers. */
export class SubscribersPage {
  readonly elements: readonly HTMLElement[];
  readonly #host: Host<ToPage, FromPage, SubscribersPageState>;
  readonly #header: ListHeader;
  readonly #content = make('div', { class: 'place', id: 'members' });
  readonly #tabStrip = new TabStrip<SubscribersTab>({
    label: 'Who is shown',
    tabs: { subscribed: tabDefinitions.subscribed.label, unsubscribed: tabDefinitions.unsubscribed.label },
    panel: this.#content,
    onSelect: (tab) => this.#panel && this.#selectTab(tab),
  });
  readonly #handlers: MessageHandlers<ToPage> = {
    show: ({ panel, pageSize }) => this.#begin(panel, pageSize),
    lists: ({ lists }) => this.#header.show(lists),
    rows: ({ generation, page, rows, isLast }) =>
      generation === this.#generation && this.#table?.addPage(page, rows, isLast),
    failed: ({ generation, page, message }) =>
      generation === this.#generation && this.#table?.setFailure(page, message),
    count: ({ generation, count, message }) => generation === this.#generation && this.#table?.setTotal(count, message),
  };
  readonly #tableStates = new Map<SubscribersTab, TableState>();
  #panel: PanelRef | undefined;
  #pageSize = 100;
  #tab: SubscribersTab = 'subscribed';
  #table: RowTable | undefined;
  #generation = 0;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host<ToPage, FromPage, SubscribersPageState>) {
    this.#host = host;
    this.#header = new ListHeader(() => host.post({ type: 'readLists' }));
    this.elements = [make('main', {}, this.#header.element, this.#tabStrip.element, this.#content)];
  }

  start(): void {
    const storedState = this.#host.getState();
    if (storedState?.tab !== undefined && Object.hasOwn(tabDefinitions, storedState.tab)) this.#tab = storedState.tab;
    for (const name of tabNames) {
      const state = storedState?.tables?.[name];
      if (state) this.#tableStates.set(name, state);
    }
    this.#host.start(this.#handlers);
  }

  #begin(panel: PanelRef, pageSize: number): void {
    this.#panel = panel;
    this.#pageSize = pageSize;
    this.#show(this.#tab);
    this.#scheduleSave();
  }

  /** Shows the table of a tab and drops the rows of the other one to save memory. */
  #show(tab: SubscribersTab): void {
    this.#saveTableState();
    this.#tab = tab;
    this.#generation += 1;
    const { noun, nouns, empty } = tabDefinitions[tab];
    const table: RowTable = new RowTable({
      noun,
      nouns,
      empty,
      columns: subscriberColumns,
      pageSize: this.#pageSize,
      requestPages: (pages) => this.#host.post({ type: 'requestPages', generation: this.#generation, tab, pages }),
      copy: (columns, rows, missing) => this.#host.post({ type: 'copy', columns, rows, missing }),
      onStateChange: () => table === this.#table && this.#scheduleSave(),
    });
    table.actions.append(
      makeButton('Refresh', () => this.#reload()),
      makeButton('Export…', () => this.#host.post({ type: 'export', tab, expected: table.total })),
    );
    const state = this.#tableStates.get(tab);
    if (state) table.restore(state);
    this.#table = table;
    this.#tabStrip.show(tab);
    this.#content.replaceChildren(table.element);
    table.start();
  }

  #reload(): void {
    this.#host.post({ type: 'readLists' });
    // Ignore responses to earlier requests.
    this.#generation += 1;
    this.#table?.reload();
  }

  #selectTab(tab: SubscribersTab): void {
    this.#show(tab);
    this.#scheduleSave();
  }

  #saveTableState(): void {
    if (this.#table) this.#tableStates.set(this.#tab, this.#table.state);
  }

  #scheduleSave(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => {
      this.#saveTableState();
      if (this.#panel)
        this.#host.setState({ panel: this.#panel, tab: this.#tab, tables: Object.fromEntries(this.#tableStates) });
    }, 100);
  }
}
