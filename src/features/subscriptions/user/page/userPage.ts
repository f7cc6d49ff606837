import { formatNumber, localized, plural, t } from '../../../../l10n.ts';
import { createColorSample, createDefinitions, createSpokenComma, make } from '../../../../ui/page/dom.ts';
import type { Channel } from '../../../../ui/page/channel.ts';
import { makeButton } from '../../../../ui/page/toolkit.ts';
import type { FromPage, SubscriptionRow, ToPage } from '../protocol.ts';

const statusLabels = localized(() => ({
  subscribed: t({ message: 'Subscribed', comment: 'Status of a user' }),
  unsubscribed: t({ message: 'Unsubscribed', comment: 'Status of a user' }),
  other: t({ message: 'Unknown', comment: 'Status of a user' }),
}));

/** The narrow layout repeats them in each row. */
const getDateLabels = localized(() => [undefined, t('Subscribed on'), t('Unsubscribed on')]);

/** Shows the current and former subscriptions of a user. */
export function openUserPage(channel: Channel<ToPage, FromPage>): void {
  const heading = make('h1');
  const about = make('p.about');
  const problemText = make('p.problem', { role: 'alert' });
  const summary = make('p.summary', { role: 'status' });
  const body = make('tbody');
  const actions = [
    makeButton(t('Subscribe to Other Lists…'), () => channel.post({ type: 'add' })),
    makeButton(t('Refresh'), () => channel.post({ type: 'refresh' })),
  ];
  const columnLabels = [
    t('List'),
    t('Status'),
    ...getDateLabels().slice(1),
    t({ message: 'Change', comment: 'Column of buttons that change a subscription' }),
  ];
  const table = make(
    'table',
    make('caption.heard', t('Current and former lists of the user')),
    make('thead', make('tr', ...columnLabels.map((name) => make('th', { scope: 'col' }, name)))),
    body,
  );
  const main = make(
    'main',
    make('header', make('div', heading, about), make('div.actions', ...actions)),
    problemText,
    summary,
    make('div.scroller', { tabindex: 0, role: 'region', 'aria-label': t('Subscriptions') }, table),
  );
  document.body.append(main);

  channel.start({
    subscriptions: ({ userId, email, service, rows, busy, problem }) => {
      const focusedKey = document.activeElement?.getAttribute('data-key') ?? '';
      const open = new Set([...body.querySelectorAll('details[open]')].map((each) => each.getAttribute('data-id')));
      heading.textContent = email ?? t`User #${userId}`;
      about.textContent =
        email === undefined ? t`Searching for the address on ${service}` : t`User #${userId} on ${service}`;
      problemText.textContent = problem ?? '';
      problemText.hidden = problem === undefined;
      const subscribed = rows.filter(({ status }) => status === 'subscribed').length;
      const text = plural(
        rows.length,
        t('Subscribed to {1} of {0} list shown.'),
        t('Subscribed to {1} of {0} lists shown.'),
        formatNumber(subscribed),
      );
      summary.textContent = `${text} ${t('Lists that the user never joined are not included.')}`;
      body.replaceChildren(...rows.map((row) => createRow(channel, row, busy, open.has(String(row.id)))));
      for (const action of actions) action.disabled = busy;
      main.ariaBusy = String(busy);
      body.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusedKey)}"]`)?.focus();
    },
  });
}

function createRow(channel: Channel<ToPage, FromPage>, row: SubscriptionRow, busy: boolean, isOpen: boolean) {
  const { id, name, color, marks, status, subscribed, unsubscribed, details } = row;
  const fields = make(
    'details',
    { 'data-id': id },
    make('summary', { 'data-key': `fields/${id}`, 'aria-label': t`All fields of ${name}` }, t('All fields')),
    createDefinitions(details),
  );
  fields.open = isOpen;
  const kind = status === 'subscribed' ? 'unsubscribe' : 'subscribe';
  const [label, spoken] =
    kind === 'subscribe'
      ? [t('Subscribe…'), t`Subscribe to ${name}`]
      : [t('Unsubscribe…'), t`Unsubscribe from ${name}`];
  const attributes = { 'aria-label': spoken, 'data-key': `change/${id}` };
  const change = makeButton(label, () => channel.post({ type: 'change', kind, listId: id }), attributes);
  change.disabled = busy;
  const notes = marks.flatMap((mark) => [createSpokenComma(), make('span.note', mark)]);
  const list = make('div.list', make('span.name', createColorSample(color), name), ...notes);
  const dateLabels = getDateLabels();
  const cells = [make(`span.status.${status}`, statusLabels()[status]), subscribed, unsubscribed, change];
  return make(
    'tr',
    make('th', { scope: 'row' }, list, fields),
    ...cells.map((cell, index) =>
      make(cell === '' ? 'td.none' : 'td', { 'data-label': dateLabels[index] }, cell || '–'),
    ),
  );
}
