const rowCountFormat = new Intl.NumberFormat();

/** The loading state of a table's rows. */
export interface LoadingFigures {
  readonly loaded: number;
  /** Undefined if unknown. */
  readonly total: number | undefined;
  readonly atLeast: number;
  /** Maximum number of rows in memory. */
  readonly capacity: number;
  /** Whether many rows are being loaded. */
  readonly isLoading: boolean;
  /** Share of all rows loaded so far, 0 to 1. */
  readonly progress?: number | undefined;
  /** Why rows could not be read. */
  readonly failure?: string | undefined;
  /** Why a reload failed. The shown rows are then out of date. */
  readonly reloadFailure?: string | undefined;
  /** Why the rows can't be counted. */
  readonly countFailure?: string | undefined;
}

/** The state of a table. */
export interface TableFigures extends LoadingFigures {
  /** Singular and plural of the rows: "subscriber", "subscribers". */
  readonly noun: string;
  readonly nouns: string;
  readonly selected: number;
  /** The number of shown rows if not all are shown, and the reasons. */
  readonly arranged?:
    | {
        readonly count: number;
        readonly isFound: boolean;
        readonly isSorted: boolean;
        readonly filter?: string | undefined;
      }
    | undefined;
}

/** Returns a status such as "1,204 opened, sorted, only among the 3,000 loaded of 50,000 recipients · 2 selected". */
export function formatTableStatus(figures: TableFigures): string {
  const { noun, nouns, loaded, total, atLeast, countFailure, selected, arranged } = figures;
  const format = (count: number): string => rowCountFormat.format(count);
  const amount = total ?? atLeast;
  const amountText = `${format(amount)} ${amount === 1 ? noun : nouns}`;
  const uncounted = countFailure === undefined ? '' : ` (they can’t be counted: ${countFailure})`;
  const [start, size] = total === undefined ? ['At', ` least ${amountText}${uncounted}`] : ['', amountText];
  const chosen = selected > 0 ? ` · ${format(selected)} selected` : '';
  if (!arranged) return `${start}${size} · ${format(loaded)} loaded${chosen}`;
  const { count, isFound, isSorted, filter } = arranged;
  const reasons = [...(isFound ? ['found'] : []), ...(filter === undefined ? [] : [filter])].join(', ');
  const what = reasons === '' ? 'Sorted' : `${format(count)} ${reasons}${isSorted ? ', sorted,' : ''}`;
  const scope =
    loaded === total
      ? `among all ${format(loaded)}`
      : `only among the ${format(loaded)} loaded of ${start.toLowerCase()}${size}`;
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
export function getAvailableActions({ loaded, total, capacity, isLoading, arranged }: TableFigures): StatusAction[] {
  if (isLoading) return ['stop'];
  if (!arranged) return [];
  if (loaded === total || loaded >= capacity) return ['showAll'];
  return [total !== undefined && total > capacity ? 'loadMore' : 'loadAll', 'showAll'];
}
