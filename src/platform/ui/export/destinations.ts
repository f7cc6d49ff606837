import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { isSeparator, getDefaultSeparator, separators, type Separator } from './csv.ts';
import { createBufferedDraft, createFileDraft, type ExportDraft } from './drafts.ts';
import type { ExportFormat } from './write.ts';
import { getFields, type CommandArgument } from '../commands.ts';

export interface ExportTarget {
  /** Name in sentences. */
  readonly name: string;
  createDraft(): Promise<ExportDraft>;
  /** Returns the result's URI; an editor has none before the export. */
  getUri(): vscode.Uri | undefined;
}

/** Limit for remote file systems, which VS Code can only write as a whole. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
/** Larger texts lose syntax highlighting. */
const MAX_EDITOR_BYTES = 5 * 1024 * 1024;

const formatLabels: Readonly<Record<ExportFormat, string>> = { csv: 'CSV', json: 'JSON' };

function createFileTarget(uri: vscode.Uri): ExportTarget {
  const advice = 'Choose a file on this machine.';
  return {
    name: uri.path.split('/').at(-1) ?? uri.path,
    createDraft: async () =>
      uri.scheme === 'file'
        ? createFileDraft(uri.fsPath)
        : createBufferedDraft(MAX_BUFFERED_BYTES, advice, async (bytes) => vscode.workspace.fs.writeFile(uri, bytes)),
    getUri: () => uri,
  };
}

function createEditorTarget(format: ExportFormat): ExportTarget {
  let shown: vscode.Uri | undefined;
  const show = async (bytes: Uint8Array): Promise<void> => {
    const languages = await vscode.languages.getLanguages();
    const language = languages.includes(format) ? format : 'plaintext';
    const document = await vscode.workspace.openTextDocument({ language, content: new TextDecoder().decode(bytes) });
    await vscode.window.showTextDocument(document, { preview: false });
    shown = document.uri;
  };
  return {
    name: 'a new editor',
    createDraft: async () => createBufferedDraft(MAX_EDITOR_BYTES, 'Export to a file instead.', show),
    getUri: () => shown,
  };
}

interface ExportChoice extends vscode.QuickPickItem {
  readonly format: ExportFormat;
  readonly editor: boolean;
  /** Set unless it is the default. */
  readonly separator?: Separator;
}

const defaultSeparator = getDefaultSeparator(vscode.env.language);

/** CSV with each separator, starting with the default of the user's language. */
const tableFiles: readonly ExportChoice[] = (Object.keys(separators) as Separator[])
  .toSorted((one, other) => Number(other === defaultSeparator) - Number(one === defaultSeparator))
  .map((separator) => ({
    label: separator === defaultSeparator ? '$(table) CSV file…' : `$(table) CSV file with ${separators[separator]}…`,
    ...(separator === defaultSeparator ? { description: `separated by ${separators[separator]}` } : {}),
    detail: 'For spreadsheets. Text that could run as a formula gets a leading apostrophe.',
    format: 'csv',
    editor: false,
    separator,
  }));

const exportChoices: readonly ExportChoice[] = [
  ...tableFiles,
  {
    label: '$(json) JSON file…',
    detail: 'For programs. Contains every field as the service returns it.',
    format: 'json',
    editor: false,
  },
  {
    label: '$(new-file) CSV in a new editor',
    detail: `Up to ${MAX_EDITOR_BYTES / 1024 / 1024} MB.`,
    format: 'csv',
    editor: true,
  },
  {
    label: '$(new-file) JSON in a new editor',
    detail: `Up to ${MAX_EDITOR_BYTES / 1024 / 1024} MB.`,
    format: 'json',
    editor: true,
  },
];

/** Arguments of an export command. `expected`: expected number of records. */
export interface ExportArguments {
  readonly format?: ExportFormat;
  readonly uri?: vscode.Uri;
  /** For CSV. */
  readonly separator?: Separator;
  readonly expected?: number;
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

export interface Destination {
  readonly format: ExportFormat;
  /** For CSV. */
  readonly separator: Separator;
  readonly target: ExportTarget;
}

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
  const format = given.format ?? getFormatFromUri(uri);
  if (uri && format) return { format, separator: separator ?? defaultSeparator, target: createFileTarget(uri) };
  const offered = exportChoices.filter(
    (choice) =>
      (format === undefined || choice.format === format) &&
      (uri === undefined || !choice.editor) &&
      (separator === undefined || choice.separator === undefined || choice.separator === separator),
  );
  const choice = await vscode.window.showQuickPick(offered, {
    title,
    placeHolder: 'Select a format',
    ignoreFocusOut: true,
  });
  if (choice === undefined) return undefined;
  const chosen = { format: choice.format, separator: choice.separator ?? separator ?? defaultSeparator };
  if (choice.editor) return { ...chosen, target: createEditorTarget(choice.format) };
  const file = uri ?? (await promptForFile(title, `${fileName}.${choice.format}`, choice.format));
  return file && { ...chosen, target: createFileTarget(file) };
}

function promptForFile(title: string, name: string, format: ExportFormat): Thenable<vscode.Uri | undefined> {
  const folder =
    vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [formatLabels[format]]: [format] },
    saveLabel: 'Export',
  });
}

function getFormatFromUri(uri: vscode.Uri | undefined): ExportFormat | undefined {
  const ending = /\.(csv|json)$/iu.exec(uri?.path ?? '')?.[1]?.toLowerCase();
  return ending === 'csv' || ending === 'json' ? ending : undefined;
}
