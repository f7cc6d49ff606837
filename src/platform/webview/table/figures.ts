import * as l10n from '@vscode/l10n';
import { formatNumber, localized, plural } from '../../../l10n.ts';
import { joinParts } from '../../ui/format.ts';
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
        ? l10n.t({ message: 'sorted', comment: 'State of the rows of a table' })
        : l10n.t('only loaded rows sorted')),
    isComplete ? plural(loaded, l10n.t('{0} row'), l10n.t('{0} rows')) : formatLoaded(loaded, total, atLeast),
    selected.size > 0 &&
      l10n.t({ message: '{0} selected', args: [formatNumber(selected.size)], comment: 'Rows of a table' }),
    loader.countFailure !== undefined && total === undefined && l10n.t`Couldn't count the rows: ${loader.countFailure}`,
  ]);
}

function formatMatches(count: number, isComplete: boolean): string {
  return isComplete
    ? plural(
        count,
        l10n.t({ message: '{0} match', comment: 'Rows that match a filter or search' }),
        l10n.t({ message: '{0} matches', comment: 'Rows that match a filter or search' }),
      )
    : plural(count, l10n.t('{0} match in loaded rows'), l10n.t('{0} matches in loaded rows'));
}

function formatLoaded(loaded: number, total: number | undefined, atLeast: number): string {
  const shown = formatNumber(loaded);
  return total === undefined
    ? l10n.t`${shown} of at least ${formatNumber(atLeast)} rows loaded`
    : l10n.t`${shown} of ${formatNumber(total)} rows loaded`;
}

/** Returns the actions of a table's status line, with their labels. */
export const getActionLabels = localized(() => ({
  loadMore: l10n.t('Load More'),
  loadAll: l10n.t('Load All'),
  stop: l10n.t('Stop'),
  showAll: l10n.t('Show All'),
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
