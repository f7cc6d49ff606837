import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../../services.ts';
import { formatNumber, plural, t } from '../../../l10n.ts';
import { joinParts } from '../../../service/format.ts';
import { getFileName } from '../../../ui/export/htmlFile.ts';
import { confirm, withProgress } from '../../../ui/messages.ts';
import { escapeMessage } from '../../../service/text.ts';
import { parseAddressCells, parseAddressText, type ParsedAddresses } from './parseAddresses.ts';
import { listCells, parseTable, type AddressTable } from './parseTable.ts';

/** A text with addresses, and its display name. */
export interface SourceText {
  readonly text: string;
  readonly name: string;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_PREVIEWED_ADDRESSES = 50;

const formatAddressCount = (count: number) => plural(count, t('{0} address'), t('{0} addresses'));

/** Asks for the source of the addresses; undefined if the user cancels. Offers `lastSource`, which was read but not sent. */
export async function pickSource(title: string, lastSource: SourceText | undefined): Promise<SourceText | undefined> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor && readEditor(editor);
  const selectedLabel = editor?.selection.isEmpty
    ? `$(file) ${t('All text in the editor')}`
    : `$(list-selection) ${t('Selection in the editor')}`;
  const present = (label: string, source: SourceText | undefined) =>
    source ? [{ label, description: escapeMessage(source.name), load: () => source }] : [];
  const picked = await vscode.window.showQuickPick(
    [
      ...present(`$(history) ${t('Last read addresses')}`, lastSource),
      ...present(selectedLabel, selected),
      {
        label: `$(clippy) ${t('Clipboard')}`,
        description: t('Addresses, or cells copied from a spreadsheet'),
        load: async () => ({ text: await vscode.env.clipboard.readText(), name: t('Clipboard') }),
      },
      {
        label: `$(edit) ${t('Type or paste…')}`,
        description: t('A few addresses'),
        load: () => promptForText(title),
      },
      {
        label: `$(folder-opened) ${t('CSV or text file…')}`,
        description: t('Select the column and review the addresses'),
        load: () => pickFile(title),
      },
    ],
    {
      title,
      placeHolder: t('Select the source of the addresses'),
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
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
  if (size > MAX_FILE_BYTES)
    throw new Error(t`The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Select a smaller file.`);
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
    name: plural(lines, t('{0} line of {1}'), t('{0} lines of {1}'), file),
  };
}

async function promptForText(title: string): Promise<SourceText | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: t(
      'Separate addresses with commas, semicolons or spaces. For many addresses, use the clipboard, an editor or a file.',
    ),
    placeHolder: 'ann@example.com, Bob <bob@example.com>',
    ignoreFocusOut: true,
    validateInput: (value) => (value.includes('@') ? undefined : t('Enter at least one email address.')),
  });
  return text === undefined ? undefined : { text, name: t('Typed text') };
}

async function pickFile(title: string): Promise<SourceText | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: t('Read Addresses'),
      filters: { [t('Tables and text')]: ['csv', 'tsv', 'txt'], [t('All files')]: ['*'] },
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
  const progressTitle = t`Reading addresses: ${name}`;
  const table = await withProgress(progressTitle, (signal) => parseTable(source.text, signal));
  for (;;) {
    const column = table && (await pickColumn(table, title));
    if (table && !column) return undefined;
    const parsed = await withProgress(progressTitle, (signal) =>
      table ? parseAddressCells(listCells(table, column?.index), signal) : parseAddressText(source.text, signal),
    );
    if (parsed.addresses.length === 0) throw new Error(t('No email addresses found. Nothing was sent.'));
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
  if (parsed.addresses.length === 0) throw new Error(t('No email addresses found. Nothing was sent.'));
  return confirmLeavingOut(services, parsed);
}

/** Opens lines in a read-only document. */
export async function showLines(services: ExtensionServices, name: string, lines: readonly string[]): Promise<void> {
  const uri = services.documents.snapshots.add(name, `${lines.join('\n')}\n`);
  await vscode.window.showTextDocument(uri, { preview: false, preserveFocus: true });
}

/** Returns the addresses, or undefined if the user doesn't agree to leave out the invalid entries. */
async function confirmLeavingOut(services: ExtensionServices, { addresses, malformed }: ParsedAddresses) {
  if (malformed.length === 0) return addresses;
  await showLines(services, t({ message: 'Not an address.txt', comment: 'File name. Keep the extension.' }), malformed);
  const total = formatNumber(addresses.length + malformed.length);
  const agreed = await confirm(
    plural(
      malformed.length,
      t('{0} of {1} entries is not an email address. Leave it out?'),
      t('{0} of {1} entries are not email addresses. Leave them out?'),
      total,
    ),
    [
      t('The editor shows what is left out.'),
      plural(addresses.length, t('{0} address remains.'), t('{0} addresses remain.')),
      t('You are asked again before anything is sent.'),
    ],
    t('Leave Out'),
  );
  return agreed ? addresses : undefined;
}

interface ColumnChoice extends vscode.QuickPickItem {
  /** Undefined for all columns. */
  readonly index?: number;
}

function pickColumn({ columns, rows }: AddressTable, title: string) {
  const choices: ColumnChoice[] = columns.map(({ index, name, addresses, samples }) => ({
    label: escapeMessage(name),
    description: addresses === 0 ? t('no addresses') : formatAddressCount(addresses),
    detail: escapeMessage(samples.join(' · ')),
    index,
  }));
  if (columns.filter(({ addresses }) => addresses > 0).length > 1)
    choices.push({ label: t('All columns'), description: t`All cells that contain ${'@'}` });
  return vscode.window.showQuickPick(choices, {
    title,
    placeHolder: plural(
      rows.length,
      t('Select the column with the addresses ({0} row)'),
      t('Select the column with the addresses ({0} rows)'),
    ),
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
) {
  const hiddenCount = addresses.length - MAX_PREVIEWED_ADDRESSES;
  const notes = joinParts([
    column !== undefined && t`column "${column}"`,
    heading !== undefined && t`without the heading "${escapeMessage(heading)}"`,
    duplicates > 0 && plural(duplicates, t('{0} duplicate'), t('{0} duplicates')),
    malformed.length > 0 && plural(malformed.length, t('{0} invalid entry'), t('{0} invalid entries')),
  ]);
  const goOn = plural(addresses.length, t('Continue with {0} address'), t('Continue with {0} addresses'));
  const choices: PreviewChoice[] = [
    { label: `$(check) ${goOn}`, description: notes, choice: 'continue' },
    { label: `$(go-to-file) ${t('Show in Editor')}`, choice: 'show' },
  ];
  if (column !== undefined) choices.push({ label: `$(table) ${t('Select Another Column…')}`, choice: 'column' });
  choices.push({ label: t('Addresses'), kind: vscode.QuickPickItemKind.Separator });
  for (const address of addresses.slice(0, MAX_PREVIEWED_ADDRESSES)) choices.push({ label: escapeMessage(address) });
  if (hiddenCount > 0) choices.push({ label: t`…and ${formatNumber(hiddenCount)} more`, choice: 'show' });
  for (;;) {
    const placeHolder = joinParts([name, formatAddressCount(addresses.length)]);
    const picked = await vscode.window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
    if (!picked) return undefined;
    if (picked.choice === 'show')
      await showLines(services, t({ message: 'Addresses.txt', comment: 'File name. Keep the extension.' }), addresses);
    else if (picked.choice !== undefined) return picked.choice;
  }
}
