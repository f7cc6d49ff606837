import { t } from '../../../../l10n.ts';
import { createChoiceGroup } from '../../../../ui/page/choices.ts';
import { createColorSample, createDefinitions, make } from '../../../../ui/page/dom.ts';
import { Channel } from '../../../../ui/page/channel.ts';
import type { TableRequests, TableRow } from '../../../../ui/page/table/protocol.ts';
import { TabTables, type TableStates } from '../../../../ui/page/table/table.ts';
import { makeButton } from '../../../../ui/page/toolkit.ts';
import { membershipNames, membershipTexts, subscriberColumns, type Membership } from '../../model.ts';
import type { FromPage, ListCard, ListsState, PanelRef, ToPage } from '../protocol.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
interface SubscribersPageState {
  readonly panel?: PanelRef;
  readonly tab?: Membership;
  readonly tables?: TableStates;
}

/** The lists of a panel, and the table of their current or former subscribers. */
export class SubscribersPage {
  readonly #channel = new Channel<ToPage, FromPage, SubscribersPageState, TableRequests<Membership>>();
  readonly #stored = this.#channel.getState() ?? {};
  readonly #header = make('header.lists');
  readonly #content = make('div.place', { id: 'members' });
  readonly #tabStrip = createChoiceGroup<Membership>(
    t({ message: 'Membership', comment: 'Accessible name of the tabs for current and former subscribers' }),
    membershipNames.map((value) => ({ value, label: membershipTexts()[value].label })),
    (selected) => {
      this.#tab = selected;
      this.#showTable();
    },
    this.#content,
  );
  readonly #tables = new TabTables<Membership>(this.#channel, () => this.#scheduleSave(), this.#stored.tables);
  #shown: Extract<ToPage, { type: 'show' }> | undefined;
  #tab = membershipNames.find((each) => each === this.#stored.tab) ?? 'subscribed';

  start(): void {
    document.body.append(make('main', this.#header, this.#tabStrip.element, this.#content));
    this.#channel.start({
      show: (message) => {
        this.#shown = message;
        this.#showTable();
      },
      lists: ({ lists }) => this.#showLists(lists),
    });
  }

  #readLists() {
    this.#channel.post({ type: 'readLists' });
  }

  #showLists(state: ListsState) {
    if (state.kind === 'loaded') this.#header.replaceChildren(...createListCards(state.lists));
    else if (state.kind === 'failed') {
      const text = make('span', t`Couldn't read the list: ${state.message}`);
      const retry = makeButton(t('Retry'), () => this.#readLists());
      this.#header.replaceChildren(make('div.failure', { role: 'alert' }, text, retry));
    } else if (this.#header.childElementCount === 0)
      this.#header.replaceChildren(make('p.quiet', t('Reading the list…')));
  }

  #showTable() {
    if (!this.#shown) return;
    const { panel, pageSize } = this.#shown;
    const tab = this.#tab;
    this.#tabStrip.show(tab);
    const refresh = makeButton(t('Refresh'), () => {
      this.#readLists();
      this.#tables.reload();
    });
    const options = {
      ...membershipTexts()[tab],
      columns: subscriberColumns(),
      pageSize,
      // The fields of the commands' arguments.
      getContext: ({ id, email }: TableRow) => ({
        webviewSection: tab,
        preventDefaultContextMenuItems: true,
        ...panel,
        id,
        email,
        emails: email ? [email] : [],
      }),
    };
    this.#tables.show(tab, this.#content, options, refresh);
    this.#scheduleSave();
  }

  #scheduleSave() {
    this.#channel.saveState(() => ({ panel: this.#shown?.panel, tab: this.#tab, tables: this.#tables.states }));
  }
}

function createListCards(lists: readonly ListCard[]) {
  const titles = lists.map(({ color, name, marks }) =>
    make('h1', createColorSample(color), make('span.name', name), ...marks.map((mark) => make('span.mark', mark))),
  );
  const cards = lists.map(({ name, details }) =>
    make('div.card', lists.length > 1 && make('h2', name), createDefinitions(details)),
  );
  const note = t(
    "Lists can't be changed here. Set the name, color and emails when you create a list, or change them on the service's website.",
  );
  return [
    make('div.titles', ...titles),
    make('details', make('summary', t('Details')), ...cards, make('p.quiet', note)),
  ];
}
