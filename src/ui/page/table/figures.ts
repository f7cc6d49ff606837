import { formatNumber, localized, plural, t } from '../../../l10n.ts';
import { joinParts } from '../../../service/format.ts';
import type { TableModel } from './model.ts';

/** Returns a status such as "1,204 matches in loaded rows · sorted · 3,000 of 50,000 rows loaded · 2 selected". */
export function formatTableStatus({ loader, arranged, arrangement, selected }: TableModel): string {
  const { loaded, total, atLeast } = loader.rows;
  const { find, filter, sorting } = arrangement;
  const isComplete = loaded === total;
  const isNarrowed = arranged !== undefined && (filter !== undefined || find.trim() !== '');
  return joinParts([
    isNarrowed && formatMatches(arranged.length, isComplete),
    arranged &&
      sorting &&
      (isNarrowed || isComplete
        ? t({ message: 'sorted', comment: 'State of the rows of a table' })
        : t('only loaded rows sorted')),
    isComplete ? plural(loaded, t('{0} row'), t('{0} rows')) : formatLoaded(loaded, total, atLeast),
    selected.size > 0 &&
      t({ message: '{0} selected', args: [formatNumber(selected.size)], comment: 'Rows of a table' }),
    loader.countFailure !== undefined && total === undefined && t`Couldn't count the rows: ${loader.countFailure}`,
  ]);
}

function formatMatches(count: number, isComplete: boolean) {
  return isComplete
    ? plural(
        count,
        t({ message: '{0} match', comment: 'Rows that match a filter or search' }),
        t({ message: '{0} matches', comment: 'Rows that match a filter or search' }),
      )
    : plural(count, t('{0} match in loaded rows'), t('{0} matches in loaded rows'));
}

function formatLoaded(loaded: number, total: number | undefined, atLeast: number) {
  const shown = formatNumber(loaded);
  return total === undefined
    ? t`${shown} of at least ${formatNumber(atLeast)} rows loaded`
    : t`${shown} of ${formatNumber(total)} rows loaded`;
}

/** Returns the actions of a table's status line, with their labels. */
export const getActionLabels = localized(() => ({
  loadMore: t('Load More'),
  loadAll: t('Load All'),
  stop: t('Stop'),
  showAll: t('Show All'),
}));

export type StatusAction = keyof ReturnType<typeof getActionLabels>;

/** Returns the available actions. If not all rows fit in memory, only some more can be loaded. */
export function getAvailableActions({ loader, arranged }: TableModel): StatusAction[] {
  const { loaded, total, capacity } = loader.rows;
  if (loader.isLoading) return ['stop'];
  if (!arranged) return [];
  if (loaded === total || loaded >= capacity) return ['showAll'];
  return [total !== undefined && total > capacity ? 'loadMore' : 'loadAll', 'showAll'];
}
