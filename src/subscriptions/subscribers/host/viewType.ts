/** Type of the panels of subscribers. Also for `when` clauses: `activeWebviewPanelId == 'mailing.subscribers'`. */
export const viewType = 'mailing.subscribers';
