import './page.css';
import { formatAmount } from '../../../../platform/ui/format.ts';
import { createColorSample, createDefinitions, createSpokenComma, make } from '../../../../platform/webview/dom.ts';
import { connectHost } from '../../../../platform/webview/host.ts';
import { button, makeButton, registerControls } from '../../../../platform/webview/toolkit.ts';
import type { FromPage, SubscriptionRow, ToPage } from '../protocol.ts';

const statusLabels: Readonly<Record<SubscriptionRow['status'], string>> = {
  subscribed: 'Subscribed',
  unsubscribed: 'Unsubscribed',
  other: 'Undefined',
};
const changeLabels = {
  subscribe: ['Subscribe…', 'Subscribe to'],
  unsubscribe: ['Unsubscribe…', 'Unsubscribe from'],
} as const;
const columnLabels = ['List', 'Status', 'Subscribed on', 'Unsubscribed on', 'Change'];

registerControls(button);
const host = connectHost<ToPage, FromPage>();
const heading = make('h1');
const about = make('p', { class: 'about' });
const problemText = make('p', { class: 'problem', role: 'alert' });
const summary = make('p', { class: 'summary', role: 'status' });
const body = make('tbody');
const actions = [
  makeButton('Subscribe to Other Lists…', () => host.post({ type: 'add' })),
  makeButton('Refresh', () => host.post({ type: 'refresh' })),
];
const table = make(
  'table',
  {},
  make('caption', { class: 'heard' }, 'Lists the user is or was subscribed to'),
  make('thead', {}, make('tr', {}, ...columnLabels.map((name) => make('th', { scope: 'col' }, name)))),
  body,
);
const main = make(
  'main',
  {},
  make('header', {}, make('div', {}, heading, about), make('div', { class: 'actions' }, ...actions)),
  problemText,
  summary,
  make('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': 'Subscriptions' }, table),
);
document.body.append(main);
host.start({ subscriptions: show });

/** Shows the subscriptions of a user. */
function show({ userId, email, service, rows, busy, problem }: ToPage): void {
  const focusedKey = document.activeElement?.getAttribute('data-key') ?? '';
  const open = new Set([...body.querySelectorAll('details[open]')].map((each) => each.getAttribute('data-id')));
  heading.textContent = email ?? `User #${userId}`;
  about.textContent = `${email === undefined ? 'Searching the address' : `User #${userId}`} on ${service}`;
  problemText.textContent = problem ?? '';
  problemText.hidden = problem === undefined;
  const subscribed = rows.filter(({ status }) => status === 'subscribed').length;
  const lists = formatAmount(rows.length, 'list');
  summary.textContent = `Subscribed to ${subscribed} of ${lists} shown. Lists that the user never joined are not included.`;
  body.replaceChildren(...rows.map((row) => createRow(row, busy, open.has(String(row.id)))));
  for (const action of actions) action.disabled = busy;
  main.ariaBusy = String(busy);
  body.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusedKey)}"]`)?.focus();
}

function createRow(row: SubscriptionRow, busy: boolean, isOpen: boolean): HTMLElement {
  const { id, name, color, marks, status, subscribed, unsubscribed, details } = row;
  const fields = make(
    'details',
    { 'data-id': id },
    make('summary', { 'data-key': `fields/${id}`, 'aria-label': `All fields of ${name}` }, 'All fields'),
    createDefinitions(details),
  );
  fields.open = isOpen;
  const kind = status === 'subscribed' ? 'unsubscribe' : 'subscribe';
  const [label, spoken] = changeLabels[kind];
  const attributes = { 'aria-label': `${spoken} ${name}`, 'data-key': `change/${id}` };
  const change = makeButton(label, () => host.post({ type: 'change', kind, listId: id }), attributes);
  change.disabled = busy;
  const notes = marks.flatMap((mark) => [createSpokenComma(), make('span', { class: 'note' }, mark)]);
  const list = make(
    'div',
    { class: 'list' },
    make('span', { class: 'name' }, createColorSample(color), name),
    ...notes,
  );
  const cells = [
    make('span', { class: `status ${status}` }, statusLabels[status]),
    subscribed || '–',
    unsubscribed || '–',
    change,
  ];
  return make('tr', {}, make('th', { scope: 'row' }, list, fields), ...cells.map((cell) => make('td', {}, cell)));
}
