import * as vscode from 'vscode';
import { formatAmount } from '../../../platform/ui/format.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { detectEncoding } from './encoding.ts';

/** A text with addresses, and its display name. */
export interface SourceText {
  readonly text: string;
  readonly name: string;
}

interface SourceItem extends vscode.QuickPickItem {
  load?(): Promise<SourceText | undefined>;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Asks for the source of the addresses; undefined if the user cancels. Offers `lastSource`, which was read but not sent. */
export async function pickSource(title: string, lastSource: SourceText | undefined): Promise<SourceText | undefined> {
  const sources: SourceItem[] = [
    ...(lastSource === undefined
      ? []
      : [
          {
            label: '$(history) The addresses read last',
            description: escapeMessage(lastSource.name),
            load: async () => lastSource,
          },
        ]),
    ...createEditorItems(),
    {
      label: '$(clippy) From the clipboard',
      description: 'Addresses, or cells copied from a spreadsheet',
      load: readClipboard,
    },
    { label: '$(edit) Type or paste…', description: 'A few addresses', load: () => promptForText(title) },
    {
      label: '$(folder-opened) From a CSV or text file…',
      description: 'You select the column and review the addresses',
      load: () => pickFile(title),
    },
  ];
  const picked = await vscode.window.showQuickPick(sources, {
    title,
    placeHolder: 'Where are the addresses?',
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.load?.();
}

/** Reads a file: the selection or all text if it is in the active editor, or else the file on disk. */
export async function readSource(uri: vscode.Uri): Promise<SourceText> {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.toString() === uri.toString() ? readEditor(editor) : readTextFile(uri);
}

/**
 * Reads a text file with the detected encoding, or else the one configured in VS Code. If that is a Unicode encoding, which detection has
 * ruled out, uses Windows-1252.
 *
 * Throws if the file can't be read or is too large.
 */
async function readTextFile(uri: vscode.Uri): Promise<SourceText> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_FILE_BYTES) throw new Error('The file is larger than 64 MB: it can hardly be a list of addresses.');
  const bytes = await vscode.workspace.fs.readFile(uri);
  const configuredEncoding = vscode.workspace.getConfiguration('files', uri).get<string>('encoding', 'utf8');
  const encoding = detectEncoding(bytes) ?? (configuredEncoding.startsWith('utf') ? 'windows1252' : configuredEncoding);
  return { text: await vscode.workspace.decode(bytes, { encoding }), name: uri.path.split('/').at(-1) ?? '' };
}

function createEditorItems(): SourceItem[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return [];
  const { name } = readEditor(editor);
  const label = editor.selection.isEmpty
    ? '$(file) All of the editor'
    : '$(list-selection) The selection in the editor';
  return [{ label, description: escapeMessage(name), load: async () => readEditor(editor) }];
}

function readEditor({ document, selections }: vscode.TextEditor): SourceText {
  const file = document.uri.path.split('/').at(-1) ?? '';
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

async function readClipboard(): Promise<SourceText> {
  return { text: await vscode.env.clipboard.readText(), name: 'the clipboard' };
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
