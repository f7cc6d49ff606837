import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { formatList, formatNumber, localized, plural, quote, t } from '../../l10n.ts';
import { MAX_PAGE_SIZE, paginatePages, type FetchPage } from '../../service/client/paginate.ts';
import { getFields, type CommandArgument } from '../commands.ts';
import { getFileName } from './htmlFile.ts';
import type { TableFromPage } from '../page/table/protocol.ts';
import { showInfo, showWarning, withProgress } from '../messages.ts';
import { toFileName, toSingleLine } from '../../service/text.ts';
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

/** A table of records to export, and how it is offered. */
export interface ExportTable {
  /** "$(person) Subscribers". Also names the file. */
  readonly label: string;
  readonly description: string;
  /** First fields of each record. */
  readonly fields: readonly string[];
}

interface ExportCommand<Name extends string, Target> {
  readonly title: string;
  /** Asks for the table. */
  readonly placeHolder: string;
  /** Name of the argument that contains the name of the table. */
  readonly field: string;
  /** The first one is exported if the argument contains only a file. */
  readonly tables: Readonly<Record<Name, ExportTable>>;
  pickTarget(): Promise<Target | undefined>;
  /** Reads the names of the records to which the table belongs. Throws if one is missing, because its export would resemble an empty one. */
  readNames(target: Target): Promise<readonly string[]>;
  /** Returns a reader of a table. */
  open(target: Target, table: Name): FetchPage<object>;
}

export interface ExportResult {
  /** The file or the editor. Undefined if the editor was not created. */
  readonly uri: vscode.Uri | undefined;
  readonly count: number;
  readonly format: ExportFormat;
}

/**
 * Exports a complete table, with progress and a Cancel button. The argument may contain the table, and `format`, `uri`, `separator` (for CSV)
 * and `expected` (number of records, for the progress). Asks for missing values. Returns undefined if the user cancels then.
 *
 * Throws if an argument has the wrong type, if the user cancels the export, or if reading or writing fails; nothing is left behind then.
 */
export async function exportTable<Name extends string, Target>(
  argument: CommandArgument,
  { title, placeHolder, field, tables, pickTarget, readNames, open }: ExportCommand<Name, Target>,
): Promise<ExportResult | undefined> {
  const given = parseArguments(argument);
  const names = Object.keys(tables) as Name[];
  const { [field]: wanted = given.uri && names[0] } = getFields(argument);
  const named = names.find((name) => name === wanted);
  if (wanted !== undefined && named === undefined)
    throw new Error(`"${field}" must be one of ${names.map((name) => `"${name}"`).join(', ')}.`);
  const target = await pickTarget();
  if (target === undefined) return undefined;
  const choices = names.map((name) => ({ ...tables[name], name }));
  const name =
    named ?? (await vscode.window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true }))?.name;
  if (name === undefined) return undefined;
  const owners = await readNames(target);
  const table = tables[name];
  const label = table.label.replace(/^\$\([\w-]+\) /u, '');
  const ownerText = owners.length > 2 ? plural(owners.length, t('{0} list'), t('{0} lists')) : formatList(owners);
  const destination = await promptForDestination(title, toFileName(`${ownerText} ${label}`), given);
  if (!destination) return undefined;
  return runExport({
    ...table,
    ...destination,
    title: t({
      message: 'Exporting "{0}" from {1}',
      args: [label, formatList(owners.map(quote))],
      comment: '{0} is a table, such as Subscribers. {1} names the lists or the campaign to which it belongs.',
    }),
    expected: given.expected,
    fetch: open(target, name),
  });
}

function parseArguments(argument: CommandArgument) {
  const { format, uri, separator, expected } = getFields(argument);
  if (format !== undefined && format !== 'csv' && format !== 'json')
    throw new Error('"format" must be "csv" or "json".');
  if (uri !== undefined && !(uri instanceof vscode.Uri)) throw new Error('"uri" must be a vscode.Uri.');
  if (separator !== undefined && !isSeparator(separator))
    throw new Error('"separator" must be a comma, a semicolon or a tab.');
  const isExpected = typeof expected === 'number' && Number.isSafeInteger(expected) && expected > 0;
  return { format, uri, separator, expected: isExpected ? expected : undefined } as const;
}

interface ExportChoice extends vscode.QuickPickItem {
  readonly format: ExportFormat;
  readonly isEditor?: boolean;
  readonly separator?: Separator;
}

const defaultSeparator = getDefaultSeparator(vscode.env.language);

/** The separator of a CSV file, as the default and as another choice. */
const separatorTexts = localized(() => ({
  ',': { description: t('separated by commas'), label: t('CSV file with commas…') },
  ';': { description: t('separated by semicolons'), label: t('CSV file with semicolons…') },
  '\t': { description: t('separated by tabs'), label: t('CSV file with tabs…') },
}));

/** CSV with each separator, starting with the default of the user's language, JSON, and both in an editor. */
const exportChoices = localized((): readonly ExportChoice[] => [
  ...separators
    .toSorted((one, other) => Number(other === defaultSeparator) - Number(one === defaultSeparator))
    .map((separator) => ({
      ...(separator === defaultSeparator
        ? { label: `$(table) ${t('CSV file…')}`, description: separatorTexts()[separator].description }
        : { label: `$(table) ${separatorTexts()[separator].label}` }),
      detail: t('For spreadsheets. Text that could run as a formula gets a leading apostrophe.'),
      format: 'csv' as const,
      separator,
    })),
  {
    label: `$(json) ${t('JSON file…')}`,
    detail: t('For programs. Contains every field as the service returns it.'),
    format: 'json',
  },
  ...(['csv', 'json'] as const).map((format) => ({
    label: `$(new-file) ${t`${format.toUpperCase()} in a new editor`}`,
    detail: t`Up to ${formatNumber(MAX_EDITOR_BYTES / 1024 / 1024)} MB.`,
    format,
    isEditor: true,
  })),
]);

interface Destination {
  readonly format: ExportFormat;
  readonly separator: Separator;
  /** Undefined for a new editor. */
  readonly uri: vscode.Uri | undefined;
}

/** Asks for missing arguments. `fileName` (without extension) is the suggested name. Undefined if the user cancels. */
async function promptForDestination(
  title: string,
  fileName: string,
  { uri, separator, ...given }: ReturnType<typeof parseArguments>,
): Promise<Destination | undefined> {
  const extension = /\.(csv|json)$/iu.exec(uri?.path ?? '')?.[1]?.toLowerCase();
  const format = given.format ?? (extension === 'csv' || extension === 'json' ? extension : undefined);
  if (uri && format) return { format, separator: separator ?? defaultSeparator, uri };
  const offered = exportChoices().filter(
    (choice) =>
      (format === undefined || choice.format === format) &&
      (uri === undefined || !choice.isEditor) &&
      (separator === undefined || choice.separator === undefined || choice.separator === separator),
  );
  const placeHolder = t('Select a format');
  const choice = await vscode.window.showQuickPick(offered, { title, placeHolder, ignoreFocusOut: true });
  if (!choice) return undefined;
  const chosen = { format: choice.format, separator: choice.separator ?? separator ?? defaultSeparator };
  if (choice.isEditor) return { ...chosen, uri: undefined };
  const file = uri ?? (await promptForFile({ title, saveLabel: t('Export') }, fileName, choice.format));
  return file && { ...chosen, uri: file };
}

/** Asks where to save a file, starting in the workspace or else in the home folder. */
export function promptForFile(
  options: vscode.SaveDialogOptions,
  name: string,
  format: string,
): Thenable<vscode.Uri | undefined> {
  const folder =
    vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    ...options,
    defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`),
    filters: { [format.toUpperCase()]: [format] },
  });
}

interface ExportJob extends Destination, ExportTable {
  /** Progress title: `Exporting "Subscribers" from "Newsletter"`. */
  readonly title: string;
  /** Expected number of records. */
  readonly expected: number | undefined;
  readonly fetch: FetchPage<object>;
}

async function runExport(job: ExportJob): Promise<ExportResult> {
  const { title, uri, format, expected, fetch } = job;
  const draft = await createDraft(job);
  try {
    const written = await withProgress(title, (signal, report) => {
      // The page after the next one is requested early, so that the service is never idle.
      const pages = paginatePages(fetch, { pageSize: MAX_PAGE_SIZE, prefetch: 2, signal });
      let before = 0;
      return writeRecords(draft, pages, { ...job, mark: uri !== undefined }, (count) => {
        if (expected === undefined) return report(plural(count, t('{0} row'), t('{0} rows')));
        const now = Math.min(count, expected);
        const shown = formatNumber(count);
        const text = plural(Math.max(count, expected), t('{1} of {0} row'), t('{1} of {0} rows'), shown);
        report(text, ((now - before) / expected) * 100);
        before = now;
      });
    });
    const editor = await draft.publish();
    reportExport(job, written);
    return { uri: uri ?? editor, count: written.count, format };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

async function createDraft({ uri, format }: Destination) {
  if (!uri)
    return createBufferedDraft(MAX_EDITOR_BYTES, t('Export to a file instead.'), async (bytes) => {
      const languages = await vscode.languages.getLanguages();
      const language = languages.includes(format) ? format : 'plaintext';
      const document = await vscode.workspace.openTextDocument({ language, content: new TextDecoder().decode(bytes) });
      await vscode.window.showTextDocument(document, { preview: false });
      return document.uri;
    });
  if (uri.scheme === 'file') return createFileDraft(uri.fsPath);
  return createBufferedDraft(MAX_BUFFERED_BYTES, t('Choose a file on this computer.'), async (bytes) => {
    await vscode.workspace.fs.writeFile(uri, bytes);
    return undefined;
  });
}

function reportExport({ uri }: ExportJob, { count, omittedField }: WrittenRecords) {
  const exported = uri
    ? plural(count, t('Exported {0} row to {1}.'), t('Exported {0} rows to {1}.'), getFileName(uri))
    : plural(count, t('Exported {0} row to a new editor.'), t('Exported {0} rows to a new editor.'));
  const omission =
    omittedField === undefined
      ? ''
      : ` ${t`Later rows have more fields, such as "${toSingleLine(omittedField, 40)}": export as JSON to include them.`}`;
  const text = `${exported}${omission}`;
  void (!uri || uri.scheme === 'untitled' ? showInfo(text) : offerToOpen(text, uri));
}

/** Reports a saved file, with a button to open it. */
export async function offerToOpen(
  text: string,
  uri: vscode.Uri,
  show: (uri: vscode.Uri) => PromiseLike<unknown> = (file) => vscode.commands.executeCommand('vscode.open', file),
): Promise<void> {
  const open = t('Open File');
  if ((await showInfo(text, open)) === open) await show(uri);
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
  const copied = plural(rows.length, t('{0} row copied as CSV.'), t('{0} rows copied as CSV.'));
  if (missing === 0) {
    vscode.window.setStatusBarMessage(`$(check) ${copied}`, 4000);
    return;
  }
  const notLoaded = plural(
    missing,
    t("{0} selected row isn't loaded: export the table to get all rows."),
    t("{0} selected rows aren't loaded: export the table to get all rows."),
  );
  void showWarning(`${copied} ${notLoaded}`);
}
