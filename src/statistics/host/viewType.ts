/** Id of the view in the side panel. Also for `when` clauses: `view == mailing.statistics`. */
export const viewId = 'mailing.statistics';
/** Type of the statistics in editor tabs. Also for `when` clauses: `activeWebviewPanelId == 'mailing.statisticsPanel'`. */
export const panelType = 'mailing.statisticsPanel';
