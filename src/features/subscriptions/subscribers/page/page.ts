import { make } from '../../../../platform/webview/dom.ts';
import type { Host } from '../../../../platform/webview/host.ts';
import { dispatch, type Handlers } from '../../../../platform/webview/messages.ts';
import { RowTable, type TableState } from '../../../../platform/webview/table/table.ts';
import { TabStrip } from '../../../../platform/webview/tabs.ts';
import { makeButton } from '../../../../platform/webview/toolkit.ts';
import type { FromPage, PanelRef, Tab, ToPage } from '../protocol.ts';
import { subscriberColumns } from './columns.ts';
import { ListHeader } from './header.ts';

/** What outlives the page: which panel it is (the extension asks for it after a restart), and how it was looked at. */
export interface PageState {
  readonly panel?: PanelRef;
  readonly tab?: Tab;
  readonly tables?: Readonly<Partial<Record<Tab, TableState>>>;
}

interface TabLook {
  readonly label: string;
  readonly noun: string;
  readonly nouns: string;
  readonly empty: string;
}

const tabs: { readonly [Name in Tab]: TabLook } = {
  subscribed: { label: 'Subscribed', noun: 'subscriber', nouns: 'subscribers', empty: 'Nobody is subscribed.' },
  unsubscribed: {
    label: 'Unsubscribed',
    noun: 'unsubscribed user',
    nouns: 'unsubscribed users',
    empty: 'Nobody has unsubscribed.',
  },
};
const names = Object.keys(tabs) as Tab[];

/** The page: the lists, and a table of their subscribers or of who no longer is one. */
export class SubscribersPage {
  readonly elements: readonly HTMLElement[];
  readonly #host: Host<ToPage, FromPage, PageState>;
  readonly #header: ListHeader;
  readonly #place = make('div', { class: 'place', id: 'members' });
  readonly #strip = new TabStrip<Tab>({
    label: 'Who is shown',
    tabs: { subscribed: tabs.subscribed.label, unsubscribed: tabs.unsubscribed.label },
    panel: this.#place,
    choose: (tab) => this.#panel && this.#choose(tab),
  });
  readonly #handlers: Handlers<ToPage> = {
    show: ({ panel, pageSize }) => this.#begin(panel, pageSize),
    lists: ({ lists }) => this.#header.show(lists),
    rows: ({ turn, page, rows, ended }) => turn === this.#turn && this.#table?.arrived(page, rows, ended),
    failed: ({ turn, page, message }) => turn === this.#turn && this.#table?.failed(page, message),
    count: ({ turn, count, message }) => turn === this.#turn && this.#table?.counted(count, message),
  };
  readonly #tables = new Map<Tab, TableState>();
  #panel: PanelRef | undefined;
  #pageSize = 100;
  #tab: Tab = 'subscribed';
  #table: RowTable | undefined;
  #turn = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host<ToPage, FromPage, PageState>) {
    this.#host = host;
    this.#header = new ListHeader(() => host.post({ type: 'readLists' }));
    this.elements = [make('main', {}, this.#header.element, this.#strip.element, this.#place)];
  }

  start(): void {
    const kept = this.#host.state();
    if (kept?.tab !== undefined && Object.hasOwn(tabs, kept.tab)) this.#tab = kept.tab;
    for (const name of names) {
      const state = kept?.tables?.[name];
      if (state) this.#tables.set(name, state);
    }
    this.#host.listen((message) => dispatch(this.#handlers, message));
    this.#host.post({ type: 'ready' });
  }

  #begin(panel: PanelRef, pageSize: number): void {
    this.#panel = panel;
    this.#pageSize = pageSize;
    this.#show(this.#tab);
    this.#keepSoon();
  }

  /** Shows a table. The other one's rows are given up: what is not looked at takes no memory. */
  #show(tab: Tab): void {
    this.#keepTable();
    this.#tab = tab;
    this.#turn += 1;
    const { noun, nouns, empty } = tabs[tab];
    const table: RowTable = new RowTable({
      noun,
      nouns,
      empty,
      columns: subscriberColumns,
      pageSize: this.#pageSize,
      want: (pages) => this.#host.post({ type: 'want', turn: this.#turn, tab, pages }),
      copy: (columns, rows, missing) => this.#host.post({ type: 'copy', columns, rows, missing }),
      changed: () => table === this.#table && this.#keepSoon(),
    });
    table.actions.append(
      makeButton('Refresh', () => this.#reload()),
      makeButton('Export…', () => this.#host.post({ type: 'export', tab, expected: table.total })),
    );
    const state = this.#tables.get(tab);
    if (state) table.restore(state);
    this.#table = table;
    this.#strip.show(tab);
    this.#place.replaceChildren(table.element);
    table.start();
  }

  #reload(): void {
    this.#host.post({ type: 'readLists' });
    // What is still on its way belongs to what was shown before.
    this.#turn += 1;
    this.#table?.reload();
  }

  #choose(tab: Tab): void {
    this.#show(tab);
    this.#keepSoon();
  }

  #keepTable(): void {
    if (this.#table) this.#tables.set(this.#tab, this.#table.state);
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      this.#keepTable();
      if (this.#panel)
        this.#host.keep({ panel: this.#panel, tab: this.#tab, tables: Object.fromEntries(this.#tables) });
    }, 100);
  }
}
