import { Buffer } from 'node:buffer';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { showInfo } from '../../../platform/ui/messages.ts';
import { toFileName } from '../../../platform/ui/text.ts';
import type { FromPage } from '../protocol.ts';

export type ChartFile = Extract<FromPage, { type: 'saveChart' }>;

/** In characters of the page's message. */
const MAX_CHART_LENGTH = 20 * 1024 * 1024;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const chartFormats: {
  readonly [Format in ChartFile['format']]: { readonly name: string; bytes(content: string): Uint8Array | undefined };
} = {
  svg: {
    name: 'SVG',
    // The page never draws scripts.
    bytes: (content) =>
      /^\s*(?:<\?xml[^>]*\?>\s*)?<svg[\s>]/u.test(content) && !/<script|<foreignObject/iu.test(content)
        ? Buffer.from(content, 'utf8')
        : undefined,
  },
  png: {
    name: 'PNG',
    bytes: (content) => {
      if (!/^[\w+/]+={0,2}$/u.test(content)) return undefined;
      const bytes = Buffer.from(content, 'base64');
      return PNG_SIGNATURE.every((byte, index) => bytes[index] === byte) ? bytes : undefined;
    },
  },
};

/**
 * Asks for a file and writes a chart to it. Returns undefined if the user cancels.
 *
 * Throws if the content is not a valid chart or writing fails.
 */
export async function saveChart({ name, format, content }: ChartFile): Promise<vscode.Uri | undefined> {
  const chartFormat = Object.hasOwn(chartFormats, format) ? chartFormats[format] : undefined;
  const bytes =
    typeof content === 'string' && content.length <= MAX_CHART_LENGTH ? chartFormat?.bytes(content) : undefined;
  if (chartFormat === undefined || bytes === undefined)
    throw new Error('The chart can’t be saved: what the page gave is no picture.');
  const folder =
    vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  const defaultUri = vscode.Uri.joinPath(folder, `${toFileName(name) || 'chart'}.${format}`);
  const uri = await vscode.window.showSaveDialog({
    title: 'Save Chart',
    defaultUri,
    filters: { [chartFormat.name]: [format] },
    saveLabel: 'Save',
  });
  if (uri === undefined) return undefined;
  await vscode.workspace.fs.writeFile(uri, bytes);
  void offerToOpen(uri);
  return uri;
}

async function offerToOpen(uri: vscode.Uri): Promise<void> {
  const open = 'Open File';
  if ((await showInfo(`The chart was saved to ${uri.path.split('/').at(-1) ?? uri.path}.`, open)) === open)
    await vscode.commands.executeCommand('vscode.open', uri);
}
