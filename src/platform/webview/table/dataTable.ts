import './dataTable.css';
import { make } from '../dom.ts';

export interface DataRow {
  readonly label: string;
  readonly cells: readonly (Node | string)[];
}

/** Creates a small table with row headers. It scrolls on its own if it is too wide. */
export function dataTable(caption: string, heads: readonly (Node | string)[], rows: readonly DataRow[]): HTMLElement {
  const table = make(
    'table',
    { class: 'data' },
    make('caption', { class: 'heard' }, caption),
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...heads.map((head, index) => make(index === 0 ? 'td' : 'th', index === 0 ? {} : { scope: 'col' }, head)),
      ),
    ),
    make(
      'tbody',
      {},
      ...rows.map(({ label, cells }) =>
        make('tr', {}, make('th', { scope: 'row' }, label), ...cells.map((cell) => make('td', {}, cell))),
      ),
    ),
  );
  return make('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': caption }, table);
}
