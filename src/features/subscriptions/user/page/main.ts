import './page.css';
import { make, createSpokenComma } from '../../../../platform/webview/dom.ts';
import { connectHost, type Host } from '../../../../platform/webview/host.ts';
import { button, makeButton, registerControls, type ButtonElement } from '../../../../platform/webview/toolkit.ts';
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

/** The page with the subscriptions of a user. */
class SubscriptionsPage {
  readonly element = make('main', {});
  readonly #host: Host<ToPage, FromPage, never>;
  readonly #heading = make('h1', {});
  readonly #about = make('p', { class: 'about' });
  readonly #problem = make('p', { class: 'problem', role: 'alert' });
  readonly #body = make('tbody', {});
  readonly #summary = make('p', { class: 'summary', role: 'status' });
  readonly #actions: readonly ButtonElement[];

  constructor(host: Host<ToPage, FromPage, never>) {
    this.#host = host;
    this.#actions = [
      makeButton('Subscribe to Other Lists…', () => host.post({ type: 'add' })),
      makeButton('Refresh', () => host.post({ type: 'refresh' })),
    ];
    const table = make(
      'table',
      {},
      make('caption', { class: 'heard' }, 'Lists the user is or was subscribed to'),
      make('thead', {}, make('tr', {}, ...columnLabels.map((name) => make('th', { scope: 'col' }, name)))),
      this.#body,
    );
    this.element.append(
      make(
        'header',
        {},
        make('div', {}, this.#heading, this.#about),
        make('div', { class: 'actions' }, ...this.#actions),
      ),
      this.#problem,
      this.#summary,
      make('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Subscriptions' }, table),
    );
  }

  start(): void {
    this.#host.start({ subscriptions: (message) => this.#show(message) });
  }

  #show({ userId, email, service, rows, busy, problem }: ToPage): void {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['key'] : undefined;
    const open = new Set([...this.#body.querySelectorAll('details[open]')].map((each) => each.getAttribute('data-id')));
    this.#heading.textContent = email ?? `User #${userId}`;
    this.#about.textContent = `${email === undefined ? 'Searching the address' : `User #${userId}`} on ${service}`;
    this.#problem.textContent = problem ?? '';
    this.#problem.hidden = problem === undefined;
    this.#summary.textContent = describeSubscriptions(rows);
    this.#body.replaceChildren(...rows.map((row) => this.#row(row, busy, open.has(String(row.id)))));
    for (const action of this.#actions) action.disabled = busy;
    this.element.setAttribute('aria-busy', String(busy));
    if (focused !== undefined) this.#body.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #row(row: SubscriptionRow, busy: boolean, isOpen: boolean): HTMLElement {
    const { id, name, color, notes, status, subscribed, unsubscribed, fields } = row;
    const swatch = make('i', { class: 'swatch', 'aria-hidden': 'true' });
    if (color !== undefined) swatch.style.background = color;
    const details = make(
      'details',
      { 'data-id': String(id) },
      make('summary', { 'data-key': `fields/${id}`, 'aria-label': `All fields of ${name}` }, 'All fields'),
      make('dl', {}, ...fields.flatMap(([field, value]) => [make('dt', {}, field), make('dd', {}, value)])),
    );
    details.open = isOpen;
    const kind = status === 'subscribed' ? 'unsubscribe' : 'subscribe';
    const [label, spoken] = changeLabels[kind];
    const attributes = { 'aria-label': `${spoken} ${name}`, 'data-key': `change/${id}` };
    const change = makeButton(label, () => this.#host.post({ type: 'change', kind, listId: id }), attributes);
    change.disabled = busy;
    const marks = notes.flatMap((note) => [createSpokenComma(), make('span', { class: 'note' }, note)]);
    const list = make('div', { class: 'list' }, make('span', { class: 'name' }, swatch, name), ...marks);
    const cells = [
      make('span', { class: `status ${status}` }, statusLabels[status]),
      subscribed || '–',
      unsubscribed || '–',
      change,
    ];
    return make('tr', {}, make('th', { scope: 'row' }, list, details), ...cells.map((cell) => make('td', {}, cell)));
  }
}

function describeSubscriptions(rows: readonly SubscriptionRow[]): string {
  const subscribed = rows.filter(({ status }) => status === 'subscribed').length;
  const shown = `${rows.length} ${rows.length === 1 ? 'list' : 'lists'} shown`;
  return `Subscribed to ${subscribed} of ${shown}. Lists that the user never joined are not included.`;
}

registerControls(button);
const page = new SubscriptionsPage(connectHost<ToPage, FromPage, never>());
document.body.append(page.element);
page.start();
