const countFormat = new Intl.NumberFormat();

/** How far the rows of a table are here. */
export interface LoadingFigures {
  readonly loaded: number;
  /** Absent: not known. */
  readonly total: number | undefined;
  readonly atLeast: number;
  /** Most rows that can be here at once. */
  readonly capacity: number;
  /** Whether many rows are being read. */
  readonly isLoading: boolean;
  /** How much of all rows is here meanwhile, 0 to 1. */
  readonly progress?: number | undefined;
  /** Why rows could not be read. */
  readonly failure?: string | undefined;
  /** Why they could not be read again: those that are shown are of before. */
  readonly reloadFailure?: string | undefined;
  /** Why they can't be counted. */
  readonly countFailure?: string | undefined;
}

/** What a table shows, in numbers. */
export interface TableFigures extends LoadingFigures {
  /** What the rows are: "subscriber", "subscribers". */
  readonly noun: string;
  readonly nouns: string;
  readonly selected: number;
  /** What is shown where that isn't every row: how many, and what made the choice. */
  readonly arranged?:
    | {
        readonly count: number;
        readonly isFound: boolean;
        readonly isSorted: boolean;
        readonly filter?: string | undefined;
      }
    | undefined;
}

/** "1,204 opened, sorted, only among the 3,000 loaded of 50,000 recipients · 2 selected" */
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
  const amount = (count: number): string => `${countFormat.format(count)} ${count === 1 ? noun : nouns}`;
  const known = total === undefined ? `At least ${amount(atLeast)}` : amount(total);
  const size =
    total === undefined && countFailure !== undefined ? `${known} (they can’t be counted: ${countFailure})` : known;
  const chosen = selected > 0 ? `${countFormat.format(selected)} selected` : '';
  const parts = arranged
    ? [`${formatArrangement(arranged)} ${formatScope(size, loaded, total)}`, chosen]
    : [size, `${countFormat.format(loaded)} loaded`, chosen];
  return parts.filter(Boolean).join(' · ');
}

function formatArrangement({ count, isFound, isSorted, filter }: NonNullable<TableFigures['arranged']>): string {
  const narrowed = [isFound ? 'found' : '', filter ?? ''].filter(Boolean);
  if (narrowed.length === 0) return 'Sorted';
  return `${countFormat.format(count)} ${narrowed.join(', ')}${isSorted ? ', sorted,' : ''}`;
}

function formatScope(size: string, loaded: number, total: number | undefined): string {
  return loaded === total
    ? `among all ${countFormat.format(loaded)}`
    : `only among the ${countFormat.format(loaded)} loaded of ${size.charAt(0).toLowerCase()}${size.slice(1)}`;
}

/** What can be done about what a table shows. */
export interface StatusActions {
  loadMore(): void;
  loadAll(): void;
  stop(): void;
  showAll(): void;
}

/** What is offered: where not all rows have room, more of them are all there is to have. */
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
