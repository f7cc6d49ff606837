import type { CommandRow } from '../../platform/ui/commands.ts';

/** Id of the view in the side panel. Also for `when` clauses: `view == mailing.statistics`. */
export const viewId = 'mailing.statistics';
/** Type of the statistics in editor tabs. Also for `when` clauses: `activeWebviewPanelId == 'mailing.statisticsPanel'`. */
export const panelType = 'mailing.statisticsPanel';

/** All commands on statistics. */
export const commands: readonly CommandRow<
  'show' | 'refresh' | 'openInEditor' | 'compare' | 'export' | 'copyMarkdown'
>[] = [
  ['mailing.campaign.showStatistics', 'Show Statistics', 'show'],
  ['mailing.statistics.show', 'Show Statistics', 'show'],
  ['mailing.statistics.refresh', 'Refresh Statistics', 'refresh'],
  ['mailing.statistics.openInEditor', 'Open Statistics in Editor', 'openInEditor'],
  ['mailing.statistics.compare', 'Compare Statistics', 'compare'],
  ['mailing.statistics.export', 'Export Statistics', 'export'],
  ['mailing.statistics.copyMarkdown', 'Copy Statistics as Markdown', 'copyMarkdown'],
];
