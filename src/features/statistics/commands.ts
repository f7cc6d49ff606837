import type { CommandRow } from '../../platform/ui/commands.ts';

/** Id of the view in the secondary side bar. Used in `when` clauses: `view == mailing.statistics`. */
export const viewId = 'mailing.statistics';
/** View type of editor tabs. Used in `when` clauses: `activeWebviewPanelId == 'mailing.statisticsPanel'`. */
export const panelType = 'mailing.statisticsPanel';

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
