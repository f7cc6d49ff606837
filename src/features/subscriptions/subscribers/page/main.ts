import './subscribers.css';
import * as l10n from '@vscode/l10n';
import { ChoiceGroup } from '../../../../platform/webview/choices.ts';
import { createColorSample, createDefinitions, make } from '../../../../platform/webview/dom.ts';
import { connectHost } from '../../../../platform/webview/host.ts';
import { TabTables, type TableStates } from '../../../../platform/webview/table/table.ts';
import { button, checkbox, makeButton, registerControls, textField } from '../../../../platform/webview/toolkit.ts';
import { membershipNames, membershipTexts, subscriberColumns, type Membership } from '../../model.ts';
import type { FromPage, ListCard, ListsState, PanelRef, ToPage } from '../protocol.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
interface SubscribersPageState {
  readonly panel?: PanelRef;
  readonly tab?: Membership;
  readonly tables?: TableStates;
}

/** The page with lists and a table of their current or former subscribers. */
class SubscribersPage {
  readonly #host = connectHost<ToPage, FromPage, SubscribersPageState>();
  readonly #header = make('header', { class: 'lists' });
  readonly #content = make('div', { class: 'place', id: 'members' });
  readonly #tabStrip = new ChoiceGroup<Membership>(
    l10n.t({
      message: 'Membership',
      args: [],
      comment: 'Accessible name of the tabs for current and former subscribers',
    }),
    membershipNames.map((value) => ({ value, label: membershipTexts()[value].label })),
    (tab) => {
      this.#tab = tab;
      if (this.#panel) this.#show();
    },
    this.#content,
  );
  readonly #tables = new TabTables<Membership>(this.#host.post, () => this.#scheduleSave());
  #panel: PanelRef | undefined;
  #pageSize = 100;
  #tab: Membership = 'subscribed';

  constructor() {
    document.body.append(make('main', {}, this.#header, this.#tabStrip.element, this.#content));
    const { tab, tables } = this.#host.getState() ?? {};
    if (tab !== undefined && membershipNames.includes(tab)) this.#tab = tab;
    this.#tables.restore(tables);
    this.#host.start({
      show: ({ panel, pageSize }) => {
        this.#panel = panel;
        this.#pageSize = pageSize;
        this.#show();
      },
      lists: ({ lists }) => this.#showLists(lists),
      ...this.#tables.handlers,
    });
  }

  #showLists(state: ListsState): void {
    if (state.kind === 'loaded') this.#header.replaceChildren(...createListCards(state.lists));
    else if (state.kind === 'failed') {
      const text = make('span', {}, l10n.t`Couldn't read the list: ${state.message}`);
      const retry = makeButton(l10n.t('Retry'), () => this.#host.post({ type: 'readLists' }));
      this.#header.replaceChildren(make('div', { class: 'failure', role: 'alert' }, text, retry));
    } else if (this.#header.childElementCount === 0)
      this.#header.replaceChildren(make('p', { class: 'quiet' }, l10n.t('Reading the list…')));
  }

  #show(): void {
    const tab = this.#tab;
    this.#tabStrip.show(tab);
    const refresh = makeButton(l10n.t('Refresh'), () => {
      this.#host.post({ type: 'readLists' });
      this.#tables.reload();
    });
    const options = { ...membershipTexts()[tab], columns: subscriberColumns(), pageSize: this.#pageSize };
    this.#tables.show(tab, this.#content, options, refresh);
    this.#scheduleSave();
  }

  #scheduleSave(): void {
    this.#host.saveState(() => ({ panel: this.#panel, tab: this.#tab, tables: this.#tables.states }));
  }
}

function createListCards(lists: readonly ListCard[]): HTMLElement[] {
  const titles = lists.map(({ color, name, marks }) =>
    make(
      'h1',
      {},
      createColorSample(color),
      make('span', { class: 'name' }, name),
      ...marks.map((mark) => make('span', { class: 'mark' }, mark)),
    ),
  );
  const cards = lists.map(({ name, details }) =>
    make('div', { class: 'card' }, lists.length > 1 && make('h2', {}, name), createDefinitions(details)),
  );
  const note = l10n.t(
    "Lists can't be changed here. Set the name, color and emails when you create a list, or change them on the service's website.",
  );
  return [
    make('div', { class: 'titles' }, ...titles),
    make('details', {}, make('summary', {}, l10n.t('Details')), ...cards, make('p', { class: 'quiet' }, note)),
  ];
}

registerControls(button, textField, checkbox);
new SubscribersPage();
