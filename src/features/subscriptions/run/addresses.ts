import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../platform/services.ts';
import { formatAmount, formatCount, joinParts } from '../../../platform/ui/format.ts';
import { getFileName } from '../../../platform/ui/htmlFile.ts';
import { confirm } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { parseAddressCells, parseAddressText, type ParsedAddresses } from './parseAddresses.ts';
import { listCells, parseTable, type AddressTable } from './parseTable.ts';

/** A text with addresses, and its display name. */
export interface SourceText {
  readonly text: string;
  readonly name: string;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_PREVIEWED_ADDRESSES = 50;

const formatAddressCount = (count: number): string => formatAmount(count, 'address', 'addresses');

/** Asks for the source of the addresses; undefined if the user cancels. Offers `lastSource`, which was read but not sent. */
export async function pickSource(title: string, lastSource: SourceText | undefined): Promise<SourceText | undefined> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor && readEditor(editor);
  const selectedLabel = editor?.selection.isEmpty
    ? '$(file) All of the editor'
    : '$(list-selection) The selection in the editor';
  const present = (label: string, source: SourceText | undefined) =>
    source ? [{ label, description: escapeMessage(source.name), load: () => source }] : [];
  const picked = await vscode.window.showQuickPick(
    [
      ...present('$(history) The addresses read last', lastSource),
      ...present(selectedLabel, selected),
      {
        label: '$(clippy) From the clipboard',
        description: 'Addresses, or cells copied from a spreadsheet',
        load: async () => ({ text: await vscode.env.clipboard.readText(), name: 'the clipboard' }),
      },
      { label: '$(edit) Type or paste…', description: 'A few addresses', load: () => promptForText(title) },
      {
        label: '$(folder-opened) From a CSV or text file…',
        description: 'You select the column and review the addresses',
        load: () => pickFile(title),
      },
    ],
    { title, placeHolder: 'Where are the addresses?', matchOnDescription: true, ignoreFocusOut: true },
  );
  return picked?.load();
}

/** Reads a file: the selection or all text if it is in the active editor, or else the file on disk. */
export async function readSource(uri: vscode.Uri): Promise<SourceText> {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === uri.toString() ? readEditor(editor) : readTextFile(uri);
}

/**
 * Reads a text file: as UTF-8 if it is valid, or else with the encoding that VS Code detects or is configured to use. If that doesn't fit
 * either, uses Windows-1252.
 *
 * Throws if the file can't be read or is too large.
 */
async function readTextFile(uri: vscode.Uri): Promise<SourceText> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_FILE_BYTES) throw new Error('The file is larger than 64 MB: it can hardly be a list of addresses.');
  const bytes = await vscode.workspace.fs.readFile(uri);
  // Zero bytes are valid in UTF-8, but the text is UTF-16 then.
  const isUtf8Text = isUtf8(bytes) && !bytes.includes(0);
  const text = isUtf8Text ? new TextDecoder().decode(bytes) : await vscode.workspace.decode(bytes, { uri });
  const isInvalid = !isUtf8Text && text.includes('\uFFFD');
  return {
    text: isInvalid ? await vscode.workspace.decode(bytes, { encoding: 'windows1252' }) : text,
    name: getFileName(uri),
  };
}

function readEditor({ document, selections }: vscode.TextEditor): SourceText {
  const file = getFileName(document.uri);
  const selected = selections.filter(({ isEmpty }) => !isEmpty);
  if (selected.length === 0) return { text: document.getText(), name: file };
  // Don't count a line at whose start the selection ends.
  const lines = selected.reduce(
    (sum, { start, end }) => sum + end.line - start.line + (end.character === 0 && end.line > start.line ? 0 : 1),
    0,
  );
  return {
    text: selected.map((range) => document.getText(range)).join('\n'),
    name: `${formatAmount(lines, 'line')} of ${file}`,
  };
}

async function promptForText(title: string): Promise<SourceText | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt:
      'Separated by commas, semicolons or spaces. Many are better pasted into an editor, or taken from the clipboard.',
    placeHolder: 'ann@example.com, Bob <bob@example.com>',
    ignoreFocusOut: true,
    validateInput: (value) => (value.includes('@') ? undefined : 'There is no email address yet.'),
  });
  return text === undefined ? undefined : { text, name: 'what you typed' };
}

async function pickFile(title: string): Promise<SourceText | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: 'Read Addresses',
      filters: { 'Tables and text': ['csv', 'tsv', 'txt'], 'All files': ['*'] },
    })) ?? [];
  return uri && readTextFile(uri);
}

/**
 * Parses a text and lets the user pick the column of a table, preview the addresses, and confirm that invalid entries are left out. Returns
 * undefined if the user cancels.
 */
export async function reviewAddresses(
  services: ExtensionServices,
  source: SourceText,
  title: string,
): Promise<readonly string[] | undefined> {
  const name = escapeMessage(source.name);
  const table = await withProgress(`Reading ${name}`, (signal) => parseTable(source.text, signal));
  for (;;) {
    const column = table && (await pickColumn(table, title));
    if (table !== undefined && column === undefined) return undefined;
    const parsed = await withProgress(`Reading ${name}`, (signal) =>
      table === undefined
        ? parseAddressText(source.text, signal)
        : parseAddressCells(listCells(table, column?.index), signal),
    );
    if (parsed.addresses.length === 0) throw new Error(`There is no email address in ${name}. Nothing was sent.`);
    const choice = await previewAddresses(services, parsed, title, name, column?.label);
    if (choice === undefined) return undefined;
    if (choice === 'continue') return confirmLeavingOut(services, parsed);
  }
}

/** Validates a command's addresses and asks to leave out invalid entries. Returns undefined if the user cancels. */
export async function validateAddresses(
  services: ExtensionServices,
  emails: readonly string[],
): Promise<readonly string[] | undefined> {
  const parsed = await parseAddressCells(emails);
  if (parsed.addresses.length === 0) throw new Error('No email addresses found. Nothing was sent.');
  return confirmLeavingOut(services, parsed);
}

/** Opens lines in a read-only document. */
export async function showLines(services: ExtensionServices, name: string, lines: readonly string[]): Promise<void> {
  const uri = services.documents.snapshots.add(name, `${lines.join('\n')}\n`);
  await vscode.window.showTextDocument(uri, { preview: false, preserveFocus: true });
}

/** Returns the addresses, or undefined if the user doesn't agree to leave out the invalid entries. */
async function confirmLeavingOut(
  services: ExtensionServices,
  { addresses, malformed }: ParsedAddresses,
): Promise<readonly string[] | undefined> {
  if (malformed.length === 0) return addresses;
  await showLines(services, 'Not an address.txt', malformed);
  const some = `${formatCount(malformed.length)} of ${formatAmount(addresses.length + malformed.length, 'entry', 'entries')}`;
  const agreed = await confirm(
    malformed.length === 1
      ? `${some} is not an email address. Leave it out?`
      : `${some} are not email addresses. Leave them out?`,
    [
      'They are shown in the document "Not an address.txt".',
      `${formatAddressCount(addresses.length)} will be left. You are asked again before anything is sent.`,
    ],
    'Leave Out',
  );
  return agreed ? addresses : undefined;
}

interface ColumnChoice extends vscode.QuickPickItem {
  /** Undefined for all columns. */
  readonly index?: number;
}

function pickColumn({ columns, rows }: AddressTable, title: string): Thenable<ColumnChoice | undefined> {
  const choices: ColumnChoice[] = columns.map(({ index, name, addresses, samples }) => ({
    label: escapeMessage(name),
    description: addresses === 0 ? 'no addresses' : formatAddressCount(addresses),
    detail: escapeMessage(samples.join(' · ')),
    index,
  }));
  if (columns.filter(({ addresses }) => addresses > 0).length > 1)
    choices.push({ label: 'All columns', description: 'every cell that holds an @' });
  return vscode.window.showQuickPick(choices, {
    title,
    placeHolder: `A table of ${formatAmount(rows.length, 'row')}. Which column holds the addresses?`,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
}

interface PreviewChoice extends vscode.QuickPickItem {
  readonly choice?: 'continue' | 'show' | 'column';
}

/** Shows the parsed addresses and asks how to continue. `column` is the label of the table's column. */
async function previewAddresses(
  services: ExtensionServices,
  { addresses, malformed, duplicates, heading }: ParsedAddresses,
  title: string,
  name: string,
  column: string | undefined,
): Promise<'continue' | 'column' | undefined> {
  const count = formatAddressCount(addresses.length);
  const hiddenCount = addresses.length - MAX_PREVIEWED_ADDRESSES;
  const notes = joinParts([
    column !== undefined && `column "${column}"`,
    heading !== undefined && `heading "${escapeMessage(heading)}" left out`,
    duplicates > 0 && `${formatAmount(duplicates, 'repetition')} left out`,
    malformed.length > 0 &&
      `${formatAmount(malformed.length, 'entry', 'entries')} that ${malformed.length === 1 ? 'is no address' : 'are no addresses'}`,
  ]);
  const choices: PreviewChoice[] = [
    { label: `$(check) Go on with ${count}`, description: notes, choice: 'continue' },
    { label: '$(go-to-file) Show them in a document', choice: 'show' },
  ];
  if (column !== undefined) choices.push({ label: '$(table) Take another column…', choice: 'column' });
  choices.push({ label: 'Addresses', kind: vscode.QuickPickItemKind.Separator });
  for (const address of addresses.slice(0, MAX_PREVIEWED_ADDRESSES)) choices.push({ label: escapeMessage(address) });
  if (hiddenCount > 0) choices.push({ label: `… and ${formatCount(hiddenCount)} more`, choice: 'show' });
  for (;;) {
    const placeHolder = `${count} in ${name}`;
    const picked = await vscode.window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
    if (picked === undefined) return undefined;
    if (picked.choice === 'show') await showLines(services, 'Addresses.txt', addresses);
    else if (picked.choice !== undefined) return picked.choice;
  }
}
