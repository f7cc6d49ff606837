import { t } from '@vscode/l10n';
import { localized } from '../../l10n.ts';
import { sentCampaignPicking } from '../campaigns/picker.ts';
import { getCampaignName } from '../campaigns/wording.ts';
import type { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { exportTable, type ExportResult, type ExportTable } from '../../ui/export/run.ts';
import type { StatisticsRow } from '../../service/statistics/model.ts';
import type { TableTab } from './model.ts';
import { CampaignSource, type StatisticsConnections } from './source.ts';

const getExportTables = localized((): { readonly [Name in TableTab]: ExportTable } => ({
  recipients: {
    label: `$(account) ${t('Recipients')}`,
    description: t('Each recipient with opens, bounces and unsubscribes'),
    fields: [
      'user_id',
      'email',
      'mail_id',
      'send_date',
      'sent',
      'fail',
      'open',
      'open_date',
      'bounce',
      'bounce_rule',
      'unsubscribe',
      'tracking_sale',
      'currency',
      'device',
      'opened_with',
    ],
  },
  clicks: {
    label: `$(inspect) ${t('Clicks per user')}`,
    description: t('Each recipient with the links clicked'),
    fields: ['user_id', 'email', 'url_id', 'url', 'click', 'date_click'],
  },
  links: {
    label: `$(link) ${t('Links')}`,
    description: t('Each link with its clicks'),
    fields: ['id', 'name', 'total_click', 'unique_click', 'mail_name', 'mail_subject'],
  },
}));

/**
 * Exports a complete table of a campaign's statistics. The argument is a campaign's node or
 * `{ connection, id, table?, format?, uri?, expected? }`. Asks for missing values.
 */
export function exportStatistics(
  connections: StatisticsConnections,
  targets: TargetPicker,
  argument: CommandArgument,
): Promise<ExportResult | undefined> {
  const title = t('Export Statistics');
  return exportTable(argument, {
    title,
    placeHolder: t('Select a table to export'),
    field: 'table',
    tables: getExportTables(),
    pickTarget: async () => {
      const ref = await targets.pickRecord(argument, { ...sentCampaignPicking, title });
      return ref && new CampaignSource(connections, ref);
    },
    readNames: async (source) => [getCampaignName(await source.campaign())],
    open: (source, table) => {
      if (table === 'recipients') return source.recipients().fetchRows;
      // The operation has no pagination.
      let rows: Promise<readonly StatisticsRow[]> | undefined;
      return async ({ offset, limit }, { signal }) => {
        rows ??= source[table](signal);
        return (await rows).slice(offset, offset + limit);
      };
    },
  });
}
