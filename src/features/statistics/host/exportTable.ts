import * as vscode from 'vscode';
import type { FetchPage } from '../../../service/client/paginate.ts';
import { getCampaignName } from '../../campaigns/wording.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import {
  promptForDestination,
  parseExportArguments,
  type ExportArguments,
} from '../../../platform/ui/export/destinations.ts';
import { runExport, type ExportResult } from '../../../platform/ui/export/run.ts';
import { toFileName } from '../../../platform/ui/text.ts';
import { tableTabs, type StatisticsRow, type TableTab } from '../model.ts';
import type { CampaignPicker } from './campaignPicker.ts';
import { CampaignSource } from './source.ts';
import { getFields, type CommandArgument } from '../../../platform/ui/commands.ts';

const exportTitle = 'Export Statistics';

interface ExportableTable {
  readonly label: string;
  readonly description: string;
  readonly noun: string;
  readonly nouns: string;
  /** The documented fields, in column order. */
  readonly fields: readonly string[];
  read(source: CampaignSource): FetchPage<StatisticsRow>;
}

const exportableTables: { readonly [Name in TableTab]: ExportableTable } = {
  recipients: {
    label: '$(account) Recipients',
    description: 'Each recipient with opens, bounces and unsubscribes',
    noun: 'recipient',
    nouns: 'recipients',
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
    read: (source) => source.recipients().fetchRows,
  },
  clicks: {
    label: '$(inspect) Clicks per user',
    description: 'Each recipient with the links clicked',
    noun: 'click record',
    nouns: 'click records',
    fields: ['user_id', 'email', 'url_id', 'url', 'click', 'date_click'],
    read: (source) => sliceRows((signal) => source.clicks(signal)),
  },
  links: {
    label: '$(link) Links',
    description: 'Each link with its clicks',
    noun: 'link',
    nouns: 'links',
    fields: ['id', 'name', 'total_click', 'unique_click', 'mail_name', 'mail_subject'],
    read: (source) => sliceRows((signal) => source.links(signal)),
  },
};

/**
 * Exports a complete table of a campaign's statistics. The argument is a campaign's node or
 * `{ connection, id, table?, format?, uri?, expected? }`. Asks for missing values.
 */
export async function exportTable(
  services: Pick<ExtensionServices, 'connections'>,
  choosing: CampaignPicker,
  argument: CommandArgument,
): Promise<ExportResult | undefined> {
  const options = parseExportArgument(argument);
  const ref = await choosing.pickOne(argument, exportTitle);
  if (ref === undefined) return undefined;
  const name = options.table ?? (options.uri === undefined ? await pickTable() : 'recipients');
  if (name === undefined) return undefined;
  const { noun, nouns, fields, read } = exportableTables[name];
  const source = new CampaignSource(services.connections, ref);
  // Fail for a missing campaign: its export would look like one without recipients.
  const campaign = getCampaignName((await source.campaign(new AbortController().signal)) ?? ref);
  const chosen = await promptForDestination(exportTitle, toFileName(`${campaign} ${nouns}`), options);
  if (chosen === undefined) return undefined;
  return runExport({
    title: `Exporting the ${nouns} of "${campaign}"`,
    noun,
    nouns,
    fields,
    ...chosen,
    expected: options.expected,
    fetch: read(source),
  });
}

/** Returns a page reader for an operation without pagination. All signals belong to the same export. */
function sliceRows(read: (signal: AbortSignal) => Promise<readonly StatisticsRow[]>): FetchPage<StatisticsRow> {
  let rows: Promise<readonly StatisticsRow[]> | undefined;
  return async ({ offset, limit }, { signal }) => {
    rows ??= read(signal).catch((error: unknown) => {
      rows = undefined;
      throw error;
    });
    return (await rows).slice(offset, offset + limit);
  };
}

async function pickTable(): Promise<TableTab | undefined> {
  const choices = tableTabs.map((table) => ({ table, ...exportableTables[table] }));
  return (
    await vscode.window.showQuickPick(choices, {
      title: exportTitle,
      placeHolder: 'Select a table to export',
      ignoreFocusOut: true,
    })
  )?.table;
}

function parseExportArgument(argument: CommandArgument): ExportArguments & { readonly table?: TableTab } {
  const { table } = getFields(argument);
  const name = tableTabs.find((tab) => tab === table);
  if (table !== undefined && name === undefined) throw new Error('“table” must be “recipients”, “clicks” or “links”.');
  return { ...parseExportArguments(argument), table: name };
}
