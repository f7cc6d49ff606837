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

/** The numbers in a table's status line. */
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
export function formatTableStatus({
  noun,
  nouns,
  loaded,
  total,
  atLeast,
  countFailure,
  selected,
  arranged,
}: TableFigures): string {
  const amount = (count: number): string => `${rowCountFormat.format(count)} ${count === 1 ? noun : nouns}`;
  const amountText = total === undefined ? `At least ${amount(atLeast)}` : amount(total);
  const size =
    total === undefined && countFailure !== undefined
      ? `${amountText} (they can’t be counted: ${countFailure})`
      : amountText;
  const chosen = selected > 0 ? `${rowCountFormat.format(selected)} selected` : '';
  const parts = arranged
    ? [`${formatArrangement(arranged)} ${formatScope(size, loaded, total)}`, chosen]
    : [size, `${rowCountFormat.format(loaded)} loaded`, chosen];
  return parts.filter(Boolean).join(' · ');
}

function formatArrangement({ count, isFound, isSorted, filter }: NonNullable<TableFigures['arranged']>): string {
  const narrowed = [isFound ? 'found' : '', filter ?? ''].filter(Boolean);
  if (narrowed.length === 0) return 'Sorted';
  return `${rowCountFormat.format(count)} ${narrowed.join(', ')}${isSorted ? ', sorted,' : ''}`;
}

function formatScope(size: string, loaded: number, total: number | undefined): string {
  return loaded === total
    ? `among all ${rowCountFormat.format(loaded)}`
    : `only among the ${rowCountFormat.format(loaded)} loaded of ${size.charAt(0).toLowerCase()}${size.slice(1)}`;
}

/** The actions of a table's status line. */
export interface StatusActions {
  loadMore(): void;
  loadAll(): void;
  stop(): void;
  showAll(): void;
}

/** Returns the available actions. If not all rows fit in memory, only some more can be loaded. */
export function getAvailableActions({
  loaded,
  total,
  capacity,
  isLoading,
  arranged,
}: TableFigures): (keyof StatusActions)[] {
  if (isLoading) return ['stop'];
  if (!arranged) return [];
  if (loaded === total || loaded >= capacity) return ['showAll'];
  return [total !== undefined && total > capacity ? 'loadMore' : 'loadAll', 'showAll'];
}
