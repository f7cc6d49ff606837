import './subscribers.css';
import { t } from '@vscode/l10n';
import { createChoiceGroup } from '../../../../ui/page/choices.ts';
import { createColorSample, createDefinitions, make } from '../../../../ui/page/dom.ts';
import { connectHost } from '../../../../ui/page/channel.ts';
import type { TableRow } from '../../../../ui/page/table/protocol.ts';
import { createTabTables, type TableStates } from '../../../../ui/page/table/table.ts';
import { button, checkbox, makeButton, registerControls, textField } from '../../../../ui/page/toolkit.ts';
import { membershipNames, membershipTexts, subscriberColumns, type Membership } from '../../model.ts';
import type { FromPage, ListCard, ListsState, PanelRef, ToPage } from '../protocol.ts';

/** The page's stored state. The extension reads `panel` after a restart. */
interface SubscribersPageState {
  readonly panel?: PanelRef;
  readonly tab?: Membership;
  readonly tables?: TableStates;
}

registerControls(button, textField, checkbox);
const host = connectHost<ToPage, FromPage, SubscribersPageState>();
const stored = host.getState() ?? {};
const header = make('header.lists');
const content = make('div.place', { id: 'members' });
const tabStrip = createChoiceGroup<Membership>(
  t({ message: 'Membership', comment: 'Accessible name of the tabs for current and former subscribers' }),
  membershipNames.map((value) => ({ value, label: membershipTexts()[value].label })),
  (selected) => {
    tab = selected;
    if (panel) showTable(panel);
  },
  content,
);
const tables = createTabTables<Membership>(host.post, scheduleSave, stored.tables);
let panel: PanelRef | undefined;
let pageSize = 100;
let tab = membershipNames.find((each) => each === stored.tab) ?? 'subscribed';

document.body.append(make('main', header, tabStrip.element, content));
host.start({
  ...tables.handlers,
  show: (message) => {
    ({ panel, pageSize } = message);
    showTable(panel);
  },
  lists: ({ lists }) => showLists(lists),
});

function showLists(state: ListsState) {
  if (state.kind === 'loaded') header.replaceChildren(...createListCards(state.lists));
  else if (state.kind === 'failed') {
    const text = make('span', t`Couldn't read the list: ${state.message}`);
    const retry = makeButton(t('Retry'), () => host.post({ type: 'readLists' }));
    header.replaceChildren(make('div.failure', { role: 'alert' }, text, retry));
  } else if (header.childElementCount === 0) header.replaceChildren(make('p.quiet', t('Reading the list…')));
}

function showTable({ connection, listIds }: PanelRef) {
  tabStrip.show(tab);
  const refresh = makeButton(t('Refresh'), () => {
    host.post({ type: 'readLists' });
    tables.reload();
  });
  const options = {
    ...membershipTexts()[tab],
    columns: subscriberColumns(),
    pageSize,
    // The fields of the commands' arguments.
    getContext: ({ id, email }: TableRow) => ({
      webviewSection: tab,
      preventDefaultContextMenuItems: true,
      connection,
      listIds,
      id,
      email,
      emails: email ? [email] : [],
    }),
  };
  tables.show(tab, content, options, refresh);
  scheduleSave();
}

function scheduleSave() {
  host.saveState(() => ({ panel, tab, tables: tables.getStates() }));
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
