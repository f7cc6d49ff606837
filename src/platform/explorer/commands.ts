import type { CommandRow } from '../ui/commands.ts';
import type { Handlers } from './actions.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.explorer.refresh', 'Refresh', 'refresh'],
  ['mailing.explorer.filter', 'Filter', 'filter'],
  ['mailing.explorer.clearFilter', 'Clear Filter', 'clearFilter'],
  ['mailing.explorer.copyId', 'Copy ID', 'copyId'],
  ['mailing.explorer.loadMore', 'Load More', 'loadMore'],
  ['mailing.explorer.retry', 'Retry', 'retry'],
];
