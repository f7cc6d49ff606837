import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { isSeparator, separatorOf, separators, type Separator } from './csv.ts';
import { collectedDrafts, fileDrafts, type Drafts } from './drafts.ts';
import type { ExportFormat } from './formats.ts';
import type { CommandArgument } from '../commands.ts';

/** Where an export goes. */
export interface Place {
  readonly drafts: Drafts;
  /** What it is called in sentences. */
  readonly name: string;
  /** Where it is afterwards; known only then for an editor. */
  uri(): vscode.Uri | undefined;
}

/** Most that is collected for a file system other than the machine's own, in bytes: VS Code writes files as a whole. */
const collectedLimit = 32 * 1024 * 1024;
/** Most that is put into an editor, in bytes. Larger texts lose their colours there, and more. */
const editorLimit = 5 * 1024 * 1024;

const names: Readonly<Record<ExportFormat, string>> = { csv: 'CSV', json: 'JSON' };

/** A file, as the user or a caller names it. */
function filePlace(uri: vscode.Uri): Place {
  const advice = 'Choose a file on this machine.';
  const drafts =
    uri.scheme === 'file'
      ? fileDrafts(uri.fsPath)
      : collectedDrafts(collectedLimit, advice, async (bytes) => vscode.workspace.fs.writeFile(uri, bytes));
  return { drafts, name: uri.path.split('/').at(-1) ?? uri.path, uri: () => uri };
}

/** A new untitled document. */
function editorPlace(format: ExportFormat): Place {
  let shown: vscode.Uri | undefined;
  const drafts = collectedDrafts(editorLimit, 'Export to a file instead.', async (bytes) => {
    const languages = await vscode.languages.getLanguages();
    const language = languages.includes(format) ? format : 'plaintext';
    const document = await vscode.workspace.openTextDocument({ language, content: new TextDecoder().decode(bytes) });
    await vscode.window.showTextDocument(document, { preview: false });
    shown = document.uri;
  });
  return { drafts, name: 'a new editor', uri: () => shown };
}

interface Choice extends vscode.QuickPickItem {
  readonly format: ExportFormat;
  readonly editor: boolean;
  /** Of a CSV file, where it is not the usual one. */
  readonly separator?: Separator;
}

const usualSeparator = separatorOf(vscode.env.language);

/** CSV files with each of the separators: first with the one that spreadsheets expect here. */
const tableFiles: readonly Choice[] = (Object.keys(separators) as Separator[])
  .toSorted((one, other) => Number(other === usualSeparator) - Number(one === usualSeparator))
  .map((separator) => ({
    label: separator === usualSeparator ? '$(table) CSV file…' : `$(table) CSV file with ${separators[separator]}…`,
    ...(separator === usualSeparator ? { description: `separated by ${separators[separator]}` } : {}),
    detail: 'For spreadsheets. What a spreadsheet would run as a formula begins with an apostrophe.',
    format: 'csv',
    editor: false,
    separator,
  }));

const choices: readonly Choice[] = [
  ...tableFiles,
  {
    label: '$(json) JSON file…',
    detail: 'For programs: every field as the service gives it.',
    format: 'json',
    editor: false,
  },
  {
    label: '$(new-file) CSV in a new editor',
    detail: `Up to ${editorLimit / 1024 / 1024} MB.`,
    format: 'csv',
    editor: true,
  },
  {
    label: '$(new-file) JSON in a new editor',
    detail: `Up to ${editorLimit / 1024 / 1024} MB.`,
    format: 'json',
    editor: true,
  },
];

/** What a caller of an export's command has named of it. `expected`: how many records there will be. */
export interface GivenExport {
  readonly format?: ExportFormat;
  readonly uri?: vscode.Uri;
  /** Of a CSV file. */
  readonly separator?: Separator;
  readonly expected?: number;
}

/**
 * Reads `{ format?, uri?, separator?, expected? }` of a command's argument, whatever else it is. Throws where one of them is of another
 * kind.
 */
export function givenExport(argument: CommandArgument): GivenExport {
  const { format, uri, separator, expected } = (argument ?? {}) as Readonly<Record<string, unknown>>;
  if (format !== undefined && format !== 'csv' && format !== 'json') throw new Error('“format” is “csv” or “json”.');
  if (uri !== undefined && !(uri instanceof vscode.Uri)) throw new Error('“uri” is a vscode.Uri.');
  if (separator !== undefined && !isSeparator(separator))
    throw new Error('“separator” is a comma, a semicolon or a tab.');
  return {
    ...(format === undefined ? {} : { format }),
    ...(uri === undefined ? {} : { uri }),
    ...(separator === undefined ? {} : { separator }),
    ...(typeof expected === 'number' && Number.isSafeInteger(expected) && expected > 0 ? { expected } : {}),
  };
}

/** What an export is written as, and where it goes. */
export interface Destination {
  readonly format: ExportFormat;
  /** Of a CSV file. */
  readonly separator: Separator;
  readonly place: Place;
}

/**
 * Asks for what was not given: the format with its separator, and the file with `fileName` (without an ending) as a proposal. Undefined
 * where the user cancels.
 */
export async function askPlace(title: string, fileName: string, known: GivenExport): Promise<Destination | undefined> {
  const { uri, separator } = known;
  const format = known.format ?? formatOf(uri);
  if (uri && format) return { format, separator: separator ?? usualSeparator, place: filePlace(uri) };
  const offered = choices.filter(
    (choice) =>
      (format === undefined || choice.format === format) &&
      (uri === undefined || !choice.editor) &&
      (separator === undefined || choice.separator === undefined || choice.separator === separator),
  );
  const choice = await vscode.window.showQuickPick(offered, { title, placeHolder: 'As what?', ignoreFocusOut: true });
  if (choice === undefined) return undefined;
  const chosen = { format: choice.format, separator: choice.separator ?? separator ?? usualSeparator };
  if (choice.editor) return { ...chosen, place: editorPlace(choice.format) };
  const file = uri ?? (await askFile(title, `${fileName}.${choice.format}`, choice.format));
  return file && { ...chosen, place: filePlace(file) };
}

function askFile(title: string, name: string, format: ExportFormat): Thenable<vscode.Uri | undefined> {
  const folder =
    vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { [names[format]]: [format] },
    saveLabel: 'Export',
  });
}

function formatOf(uri: vscode.Uri | undefined): ExportFormat | undefined {
  const ending = /\.(csv|json)$/iu.exec(uri?.path ?? '')?.[1]?.toLowerCase();
  return ending === 'csv' || ending === 'json' ? ending : undefined;
}
