import './subscribers.css';
import { ChoiceGroup } from '../../../../platform/webview/choices.ts';
import { make } from '../../../../platform/webview/dom.ts';
import { connectHost, type Host } from '../../../../platform/webview/host.ts';
import type { MessageHandlers } from '../../../../platform/webview/messages.ts';
import { TabTables, type TableState } from '../../../../platform/webview/table/table.ts';
import { button, checkbox, makeButton, registerControls, textField } from '../../../../platform/webview/toolkit.ts';
import { membershipNames, memberships, subscriberColumns, type Membership } from '../../model.ts';
import type { FromPage, ListCard, ListsState, PanelRef, ToPage } from '../protocol.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
interface SubscribersPageState {
  readonly panel?: PanelRef;
  readonly tab?: Membership;
  readonly tables?: Readonly<Partial<Record<Membership, TableState>>>;
}

/** The page with lists and a table of their current or former subscribers. */
class SubscribersPage {
  readonly element: HTMLElement;
  readonly #host: Host<ToPage, FromPage, SubscribersPageState>;
  readonly #header = make('header', { class: 'lists' });
  readonly #content = make('div', { class: 'place', id: 'members' });
  readonly #tabStrip = new ChoiceGroup<Membership>(
    'Membership',
    membershipNames.map((value) => ({ value, label: memberships[value].label })),
    (tab) => {
      this.#tab = tab;
      if (!this.#panel) return;
      this.#show(tab);
      this.#scheduleSave();
    },
    this.#content,
  );
  readonly #tables: TabTables<Membership>;
  #panel: PanelRef | undefined;
  #pageSize = 100;
  #tab: Membership = 'subscribed';

  constructor(host: Host<ToPage, FromPage, SubscribersPageState>) {
    this.#host = host;
    this.#tables = new TabTables(
      (message) => host.post(message),
      () => this.#scheduleSave(),
    );
    this.element = make('main', {}, this.#header, this.#tabStrip.element, this.#content);
  }

  start(): void {
    const { tab, tables } = this.#host.getState() ?? {};
    if (tab !== undefined && Object.hasOwn(memberships, tab)) this.#tab = tab;
    this.#tables.restore(tables);
    const handlers: MessageHandlers<ToPage> = {
      show: ({ panel, pageSize }) => {
        this.#panel = panel;
        this.#pageSize = pageSize;
        this.#show(this.#tab);
        this.#scheduleSave();
      },
      lists: ({ lists }) => this.#showLists(lists),
      ...this.#tables.handlers,
    };
    this.#host.start(handlers);
  }

  #showLists(state: ListsState): void {
    if (state.kind === 'loaded') this.#header.replaceChildren(...createListCards(state.lists));
    else if (state.kind === 'failed') {
      const text = make('span', {}, `The list can’t be read: ${state.message}`);
      const retry = makeButton('Retry', () => this.#host.post({ type: 'readLists' }));
      this.#header.replaceChildren(make('div', { class: 'failure', role: 'alert' }, text, retry));
    } else if (this.#header.childElementCount === 0)
      this.#header.replaceChildren(make('p', { class: 'quiet' }, 'Reading the list…'));
  }

  #show(tab: Membership): void {
    this.#tab = tab;
    this.#tabStrip.show(tab);
    const { noun, nouns, empty } = memberships[tab];
    const options = { noun, nouns, empty, columns: subscriberColumns, pageSize: this.#pageSize };
    const refresh = makeButton('Refresh', () => {
      this.#host.post({ type: 'readLists' });
      this.#tables.reload();
    });
    this.#tables.show(tab, this.#content, options, refresh);
  }

  #scheduleSave(): void {
    this.#host.saveState(() => ({ panel: this.#panel, tab: this.#tab, tables: this.#tables.states }));
  }
}

const READ_ONLY_NOTE =
  'Lists can’t be changed here: set the name, color and emails when you create a list, or change them on the website of the service.';

function createListCards(lists: readonly ListCard[]): HTMLElement[] {
  const titles = lists.map(({ color, name, marks }) => {
    const swatch = make('span', { class: 'swatch', 'aria-hidden': 'true' });
    if (color) swatch.style.background = color;
    return make(
      'h1',
      {},
      swatch,
      make('span', { class: 'name' }, name),
      ...marks.map((mark) => make('span', { class: 'mark' }, mark)),
    );
  });
  const cards = lists.map(({ name, details }) => {
    const rows = details.flatMap(([label, value]) => [make('dt', {}, label), make('dd', {}, value)]);
    const heading = lists.length > 1 ? [make('h2', {}, name)] : [];
    return make('div', { class: 'card' }, ...heading, make('dl', {}, ...rows));
  });
  return [
    make('div', { class: 'titles' }, ...titles),
    make('details', {}, make('summary', {}, 'Details'), ...cards, make('p', { class: 'quiet' }, READ_ONLY_NOTE)),
  ];
}

registerControls(button, textField, checkbox);
const page = new SubscribersPage(connectHost<ToPage, FromPage, SubscribersPageState>());
document.body.append(page.element);
page.start();
