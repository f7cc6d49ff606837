import { formatAmount, formatCount } from '../../ui/format.ts';
import type { TableModel } from './model.ts';

/** Singular and plural of the rows: "subscriber", "subscribers". */
export interface RowNouns {
  readonly noun: string;
  readonly nouns: string;
}

/** Returns a status such as "1,204 opened, sorted, only among the 3,000 loaded of 50,000 recipients · 2 selected". */
export function formatTableStatus({ loader, arranged, arrangement, selected }: TableModel, words: RowNouns): string {
  const { loaded, total, atLeast } = loader.rows;
  const { find, filter, sorting } = arrangement;
  const amount = formatAmount(atLeast, words.noun, words.nouns);
  const uncounted = loader.countFailure === undefined ? '' : ` (they can’t be counted: ${loader.countFailure})`;
  const [start, size] = total === undefined ? ['At', ` least ${amount}${uncounted}`] : ['', amount];
  const chosen = selected.size > 0 ? ` · ${formatCount(selected.size)} selected` : '';
  if (!arranged) return `${start}${size} · ${formatCount(loaded)} loaded${chosen}`;
  const reasons = [find.trim() && 'found', filter?.label.toLowerCase()].filter(Boolean).join(', ');
  const what = reasons === '' ? 'Sorted' : `${formatCount(arranged.length)} ${reasons}${sorting ? ', sorted,' : ''}`;
  const scope =
    loaded === total
      ? `among all ${formatCount(loaded)}`
      : `only among the ${formatCount(loaded)} loaded of ${start.toLowerCase()}${size}`;
  return `${what} ${scope}${chosen}`;
}

/** The actions of a table's status line, with their labels. */
export const statusActions = {
  loadMore: 'Load More',
  loadAll: 'Load All',
  stop: 'Stop',
  showAll: 'Show All',
} as const;

export type StatusAction = keyof typeof statusActions;

/** Returns the available actions. If not all rows fit in memory, only some more can be loaded. */
export function getAvailableActions({ loader, arranged }: TableModel): StatusAction[] {
  const { loaded, total, capacity } = loader.rows;
  if (loader.isLoading) return ['stop'];
  if (!arranged) return [];
  if (loaded === total || loaded >= capacity) return ['showAll'];
  return [total !== undefined && total > capacity ? 'loadMore' : 'loadAll', 'showAll'];
}
