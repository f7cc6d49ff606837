import * as vscode from 'vscode';
import { composeBlockPage, expandSnippet, type Block } from '../../email/compose/blocks.ts';
import { localized, t } from '../../l10n.ts';
import { escapeMessage } from '../../service/text.ts';
import { createUncheckedResult } from '../../sync/mapping/placedFindings.ts';
import type { ExtensionServices } from '../services.ts';
import { getCheckOptions } from './checks/checkOptions.ts';

type BlockServices = Pick<ExtensionServices, 'connections' | 'worker'>;

/** The blocks in `media/blocks`, as JSON. The build replaces this name. */
declare const MEDIA_BLOCKS: string;

/** Limits of a workspace folder. */
const MAX_BLOCKS = 100;
const MAX_BLOCK_BYTES = 64 * 1024;

const getOwnBlocks = localized(() =>
  (JSON.parse(MEDIA_BLOCKS) as readonly Required<Block>[]).map((block) => ({ ...block, title: t(block.title) })),
);

/** Returns the blocks of trusted workspace folders, and those of the extension. Ignores links, because they may point anywhere. */
async function listBlocks(): Promise<readonly Block[]> {
  const { fs, isTrusted, workspaceFolders = [] } = vscode.workspace;
  const { Directory, File } = vscode.FileType;
  const blocks: Block[] = [];
  for (const { uri } of isTrusted ? workspaceFolders : [])
    try {
      const folder = vscode.Uri.joinPath(uri, 'mailing-blocks');
      const entries = (await fs.stat(folder)).type === Directory ? await fs.readDirectory(folder) : [];
      for (const [fileName, type] of entries.slice(0, MAX_BLOCKS)) {
        const name = fileName.replace(/\.html$/u, '');
        const file = vscode.Uri.joinPath(folder, fileName);
        if (name === fileName || type !== File || (await fs.stat(file)).size > MAX_BLOCK_BYTES) continue;
        blocks.push({ name, snippet: new TextDecoder().decode(await fs.readFile(file)).trimEnd() });
      }
    } catch {
      // The folder is missing or can't be read.
    }
  return [...blocks, ...getOwnBlocks()];
}

export const provideBlockPage = async (): Promise<string> => composeBlockPage(await listBlocks());

/** Returns whether a position is between elements: not in a tag, a comment or a stylesheet. */
function isContent(document: vscode.TextDocument, { line, character }: vscode.Position) {
  const before = document.getText(new vscode.Range(0, 0, line, character));
  const isOpen = (start: string, end: string) => before.lastIndexOf(start) > before.lastIndexOf(end);
  return !isOpen('<', '>') && !isOpen('<!--', '-->') && !isOpen('<style', '</style');
}

/** Suggests blocks by their names. Reads the workspace's blocks each time: a file watcher would miss changes while it starts. */
export async function completeBlocks(document: vscode.TextDocument, position: vscode.Position) {
  if (!isContent(document, position)) return [];
  const start = document.getWordRangeAtPosition(position, /!?[\w-]+|!/u)?.start ?? position;
  return (await listBlocks()).map(({ name, title, snippet }) => {
    const label = { label: escapeMessage(`!${name}`), description: title };
    const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Snippet);
    item.range = new vscode.Range(start, position);
    item.insertText = new vscode.SnippetString(snippet);
    item.documentation = new vscode.MarkdownString().appendCodeblock(expandSnippet(snippet), 'html');
    return item;
  });
}

async function pickBlock(
  { connections, worker }: BlockServices,
  blocks: readonly Block[],
  uri: vscode.Uri,
  isWrapping: boolean,
) {
  const { rules, ...given } = await getCheckOptions(connections, uri);
  const options = { profile: 'acymailing', ...given, rules: { ...rules, unsubscribe: 'off' } } as const;
  const items = blocks.map(async (block) => {
    const { name, title, snippet } = block;
    const email = { body: expandSnippet(snippet) };
    // Tests check the extension's own blocks.
    const { findings } = title
      ? { findings: [] }
      : await (await worker()).run('check', { email, options }).catch(createUncheckedResult);
    const problems = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
    const detail = problems.map(({ message }) => `$(warning) ${escapeMessage(message, 300)}`).join(' ');
    return { label: escapeMessage(title ?? name), description: escapeMessage(`!${name}`), detail, block };
  });
  const all = { label: `$(open-preview) ${t('Show All Blocks')}`, block: undefined };
  const picked = await vscode.window.showQuickPick(Promise.all([...items, all]), {
    title: isWrapping ? t('Wrap with Block') : t('Insert Block'),
    placeHolder: t('Select a block'),
    matchOnDescription: true,
  });
  if (picked === all)
    await vscode.commands.executeCommand('mailing.preview', vscode.Uri.parse('mailing-blocks:/blocks.html'));
  return picked?.block;
}

/** Inserts a block in place of the selections, or around them. The argument may be the name of a block. */
export async function insertBlock(services: BlockServices, argument: unknown, isWrapping: boolean): Promise<boolean> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'html' || !isContent(editor.document, editor.selection.start))
    throw new Error(
      t('Place the cursor between elements in the HTML of an email, not in a tag, comment or stylesheet.'),
    );
  const blocks = (await listBlocks()).filter(({ snippet }) => !isWrapping || snippet.includes('TM_SELECTED_TEXT'));
  const named = blocks.find(({ name }) => name === argument);
  const block = named ?? (await pickBlock(services, blocks, editor.document.uri, isWrapping));
  return block !== undefined && editor.insertSnippet(new vscode.SnippetString(block.snippet));
}
