import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { MAX_PAGE_SIZE, paginatePages, type FetchPage } from '../../../service/client/paginate.ts';
import { getFields, type CommandArgument } from '../commands.ts';
import { formatAmount, formatCount } from '../format.ts';
import { getFileName } from '../htmlFile.ts';
import type { TableFromPage } from '../../webview/table/protocol.ts';
import { showInfo, showWarning } from '../messages.ts';
import { withProgress } from '../progress.ts';
import { toSingleLine } from '../text.ts';
import {
  createBufferedDraft,
  createFileDraft,
  formatCell,
  formatCsv,
  getDefaultSeparator,
  isSeparator,
  separators,
  writeRecords,
  type ExportFormat,
  type Separator,
  type WrittenRecords,
} from './write.ts';

/** Limit for remote file systems, which VS Code can only write as a whole. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
/** Larger texts lose syntax highlighting. */
const MAX_EDITOR_BYTES = 5 * 1024 * 1024;

const formatLabels: Readonly<Record<ExportFormat, string>> = { csv: 'CSV', json: 'JSON' };

/** Arguments of an export command. */
export interface ExportArguments {
  readonly format?: ExportFormat | undefined;
  readonly uri?: vscode.Uri | undefined;
  /** For CSV. */
  readonly separator?: Separator | undefined;
  /** Expected number of records, for the progress only. */
  readonly expected?: number | undefined;
}

/** Parses the export arguments of a command. Throws if one has the wrong type. */
export function parseExportArguments(argument: CommandArgument): ExportArguments {
  const { format, uri, separator, expected } = getFields(argument);
  if (format !== undefined && format !== 'csv' && format !== 'json')
    throw new Error('“format” must be “csv” or “json”.');
  if (uri !== undefined && !(uri instanceof vscode.Uri)) throw new Error('“uri” must be a vscode.Uri.');
  if (separator !== undefined && !isSeparator(separator))
    throw new Error('“separator” must be a comma, a semicolon or a tab.');
  const isExpected = typeof expected === 'number' && Number.isSafeInteger(expected) && expected > 0;
  return { format, uri, separator, expected: isExpected ? expected : undefined };
}

interface Destination {
  readonly format: ExportFormat;
  /** For CSV. */
  readonly separator: Separator;
  /** Undefined for a new editor. */
  readonly uri: vscode.Uri | undefined;
}

interface ExportChoice extends vscode.QuickPickItem {
  readonly format: ExportFormat;
  readonly isEditor?: boolean;
  readonly separator?: Separator;
}

const defaultSeparator = getDefaultSeparator(vscode.env.language);

/** CSV with each separator, starting with the default of the user's language. */
const csvChoices: readonly ExportChoice[] = (Object.keys(separators) as Separator[])
  .toSorted((one, other) => Number(other === defaultSeparator) - Number(one === defaultSeparator))
  .map((separator) => ({
    ...(separator === defaultSeparator
      ? { label: '$(table) CSV file…', description: `separated by ${separators[separator]}` }
      : { label: `$(table) CSV file with ${separators[separator]}…` }),
    detail: 'For spreadsheets. Text that could run as a formula gets a leading apostrophe.',
    format: 'csv',
    separator,
  }));

const exportChoices: readonly ExportChoice[] = [
  ...csvChoices,
  {
    label: '$(json) JSON file…',
    detail: 'For programs. Contains every field as the service returns it.',
    format: 'json',
  },
  ...(['csv', 'json'] as const).map((format) => ({
    label: `$(new-file) ${formatLabels[format]} in a new editor`,
    detail: `Up to ${MAX_EDITOR_BYTES / 1024 / 1024} MB.`,
    format,
    isEditor: true,
  })),
];

/**
 * Prompts for missing arguments: format, separator and file. `fileName` (without extension) is the suggested name.
 * Undefined if the user cancels.
 */
export async function promptForDestination(
  title: string,
  fileName: string,
  given: ExportArguments,
): Promise<Destination | undefined> {
  const { uri, separator } = given;
  const extension = /\.(csv|json)$/iu.exec(uri?.path ?? '')?.[1]?.toLowerCase();
  const format = given.format ?? (extension === 'csv' || extension === 'json' ? extension : undefined);
  if (uri && format) return { format, separator: separator ?? defaultSeparator, uri };
  const offered = exportChoices.filter(
    (choice) =>
      (format === undefined || choice.format === format) &&
      (uri === undefined || !choice.isEditor) &&
      (separator === undefined || choice.separator === undefined || choice.separator === separator),
  );
  const options = { title, placeHolder: 'Select a format', ignoreFocusOut: true };
  const choice = await vscode.window.showQuickPick(offered, options);
  if (choice === undefined) return undefined;
  const chosen = { format: choice.format, separator: choice.separator ?? separator ?? defaultSeparator };
  if (choice.isEditor) return { ...chosen, uri: undefined };
  const file = uri ?? (await promptForFile(title, fileName, choice.format));
  return file && { ...chosen, uri: file };
}

function promptForFile(title: string, name: string, format: ExportFormat): Thenable<vscode.Uri | undefined> {
  const folder =
    vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`),
    filters: { [formatLabels[format]]: [format] },
    saveLabel: 'Export',
  });
}

interface ExportJob extends Destination {
  /** Progress title: "Exporting the subscribers of “Newsletter”". */
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  /** First fields of each record. */
  readonly fields: readonly string[];
  /** Expected number of records, for the progress only. */
  readonly expected?: number | undefined;
  readonly fetch: FetchPage<object>;
}

export interface ExportResult {
  readonly uri: vscode.Uri | undefined;
  readonly count: number;
  readonly format: ExportFormat;
}

/**
 * Exports all records, with progress and a Cancel button.
 *
 * Throws if the user cancels or if reading or writing fails; nothing is left behind then.
 */
export async function runExport(job: ExportJob): Promise<ExportResult> {
  const { title, nouns, uri, format, separator, fields, expected, fetch } = job;
  const draft = await createDraft(job);
  try {
    const written = await withProgress(title, (signal, report) => {
      // The page after the next one is requested early, so that the service is never idle.
      const pages = paginatePages(fetch, { pageSize: MAX_PAGE_SIZE, prefetch: 2, signal });
      let before = 0;
      return writeRecords(draft, pages, { format, fields, mark: uri !== undefined, separator }, (count) => {
        if (expected === undefined) return report(`${formatCount(count)} ${nouns}`);
        const now = Math.min(count, expected);
        const total = formatCount(Math.max(count, expected));
        report(`${formatCount(count)} of ${total} ${nouns}`, ((now - before) / expected) * 100);
        before = now;
      });
    });
    const editor = await draft.publish();
    void notifyExportResult(job, written);
    return { uri: uri ?? editor, count: written.count, format };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function createDraft({ uri, format }: Destination) {
  if (uri === undefined)
    return createBufferedDraft(MAX_EDITOR_BYTES, 'Export to a file instead.', (bytes) => showInEditor(bytes, format));
  if (uri.scheme === 'file') return createFileDraft(uri.fsPath);
  return createBufferedDraft(MAX_BUFFERED_BYTES, 'Choose a file on this machine.', async (bytes) => {
    await vscode.workspace.fs.writeFile(uri, bytes);
    return undefined;
  });
}

async function showInEditor(bytes: Uint8Array, format: ExportFormat): Promise<vscode.Uri> {
  const languages = await vscode.languages.getLanguages();
  const language = languages.includes(format) ? format : 'plaintext';
  const document = await vscode.workspace.openTextDocument({ language, content: new TextDecoder().decode(bytes) });
  await vscode.window.showTextDocument(document, { preview: false });
  return document.uri;
}

async function notifyExportResult(
  { uri, noun, nouns }: ExportJob,
  { count, omittedField }: WrittenRecords,
): Promise<void> {
  const omission =
    omittedField === undefined
      ? ''
      : ` Later ${nouns} have other fields, such as "${toSingleLine(omittedField, 40)}": export them as JSON.`;
  const target = uri === undefined ? 'a new editor' : getFileName(uri);
  const text = `Exported ${formatAmount(count, noun, nouns)} to ${target}.${omission}`;
  const open = 'Open File';
  const choice = await showInfo(text, ...(uri === undefined || uri.scheme === 'untitled' ? [] : [open]));
  if (choice === open) await vscode.commands.executeCommand('vscode.open', uri);
}

/** Copies rows to the clipboard as CSV, and reports their number. */
export async function copyRows({
  columns,
  rows,
  missing,
}: Extract<TableFromPage<string>, { type: 'copy' }>): Promise<void> {
  await vscode.env.clipboard.writeText(
    formatCsv([[...columns], ...rows.map((row) => columns.map((column) => formatCell(row[column])))]),
  );
  const copied = `${formatAmount(rows.length, 'row')} copied as CSV`;
  if (missing === 0) vscode.window.setStatusBarMessage(`$(check) ${copied}`, 4000);
  else
    void showWarning(
      `${copied}. ${formatAmount(missing, 'selected row is', 'selected rows are')} not loaded. Export the table to get all rows.`,
    );
}
