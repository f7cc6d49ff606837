import { Buffer } from 'node:buffer';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { FetchPage } from '../../../service/client/paginate.ts';
import { sentCampaignPicking } from '../../campaigns/picker.ts';
import { getCampaignName } from '../../campaigns/wording.ts';
import type { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { getFields, type CommandArgument } from '../../../platform/ui/commands.ts';
import {
  promptForDestination,
  parseExportArguments,
  runExport,
  type ExportResult,
} from '../../../platform/ui/export/run.ts';
import { showInfo } from '../../../platform/ui/messages.ts';
import { toFileName } from '../../../platform/ui/text.ts';
import { tableTabs, type StatisticsRow, type TableTab } from '../model.ts';
import type { FromPage } from '../protocol.ts';
import { CampaignSource, type StatisticsConnections } from './source.ts';

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
  connections: StatisticsConnections,
  targets: TargetPicker,
  argument: CommandArgument,
): Promise<ExportResult | undefined> {
  const options = parseExportArguments(argument);
  const { table = options.uri && 'recipients' } = getFields(argument);
  const namedTable = tableTabs.find((tab) => tab === table);
  if (table !== undefined && namedTable === undefined)
    throw new Error('“table” must be “recipients”, “clicks” or “links”.');
  const ref = await targets.pickRecord(argument, { ...sentCampaignPicking, title: exportTitle });
  if (ref === undefined) return undefined;
  const name = namedTable ?? (await pickTable());
  if (name === undefined) return undefined;
  const { noun, nouns, fields, read } = exportableTables[name];
  const source = new CampaignSource(connections, ref);
  // Fail for a missing campaign: its export would resemble one without recipients.
  const campaign = getCampaignName(await source.campaign());
  const destination = await promptForDestination(exportTitle, toFileName(`${campaign} ${nouns}`), options);
  if (destination === undefined) return undefined;
  return runExport({
    title: `Exporting the ${nouns} of "${campaign}"`,
    noun,
    nouns,
    fields,
    ...destination,
    expected: options.expected,
    fetch: read(source),
  });
}

/** Returns a page reader for an operation without pagination. All signals belong to the same export. */
function sliceRows(read: (signal: AbortSignal) => Promise<readonly StatisticsRow[]>): FetchPage<StatisticsRow> {
  let rows: Promise<readonly StatisticsRow[]> | undefined;
  return async ({ offset, limit }, { signal }) => {
    rows ??= read(signal);
    return (await rows).slice(offset, offset + limit);
  };
}

async function pickTable(): Promise<TableTab | undefined> {
  const choices = tableTabs.map((table) => ({ table, ...exportableTables[table] }));
  const options = { title: exportTitle, placeHolder: 'Select a table to export', ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.table;
}

/** In characters of the page's message. */
const MAX_CHART_LENGTH = 20 * 1024 * 1024;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Decodes a chart; undefined if it isn't one. */
const chartDecoders = {
  // The page never draws scripts.
  svg: (content: string) =>
    /^\s*(?:<\?xml[^>]*\?>\s*)?<svg[\s>]/u.test(content) && !/<script|<foreignObject/iu.test(content)
      ? Buffer.from(content, 'utf8')
      : undefined,
  png: (content: string) => {
    const bytes = /^[\w+/]+={0,2}$/u.test(content) ? Buffer.from(content, 'base64') : undefined;
    return bytes?.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) === true ? bytes : undefined;
  },
};

/**
 * Asks for a file and writes a chart to it.
 *
 * Throws if the content is not a valid chart or writing fails.
 */
export async function saveChart({ name, format, content }: Extract<FromPage, { type: 'saveChart' }>): Promise<void> {
  const bytes = content.length <= MAX_CHART_LENGTH ? chartDecoders[format](content) : undefined;
  if (bytes === undefined) throw new Error('The chart can’t be saved: what the page gave is no picture.');
  const folder =
    vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  const uri = await vscode.window.showSaveDialog({
    title: 'Save Chart',
    defaultUri: vscode.Uri.joinPath(folder, `${toFileName(name) || 'chart'}.${format}`),
    filters: { [format.toUpperCase()]: [format] },
    saveLabel: 'Save',
  });
  if (uri === undefined) return;
  await vscode.workspace.fs.writeFile(uri, bytes);
  void offerToOpen(uri);
}

async function offerToOpen(uri: vscode.Uri): Promise<void> {
  const open = 'Open File';
  if ((await showInfo(`The chart was saved to ${uri.path.split('/').at(-1) ?? uri.path}.`, open)) === open)
    await vscode.commands.executeCommand('vscode.open', uri);
}
