import { posix } from 'node:path';
import * as vscode from 'vscode';
import { formatKilobytes } from '../../email/compose/compose.ts';
import { findRangeAt } from '../../email/html/text.ts';
import { t } from '../../l10n.ts';
import { isRelative, type FindImages } from '../../sync/mapping/assets.ts';
import { NodeFiles } from '../../sync/files.ts';
import type { ExtensionServices } from '../services.ts';
import type { MailTexts } from './mailDocuments.ts';

/** VS Code shortens a longer hover than 100,000 characters. */
const MAX_SHOWN_BYTES = 64 * 1024;

/**
 * Shows the picture, dimensions and size of images, without requests.
 * @param remoteSizes sizes in bytes by URL; 0 if unknown
 */
export const registerImageHovers = (worker: ExtensionServices['worker'], remoteSizes: ReadonlyMap<string, number>) =>
  vscode.languages.registerHoverProvider(['html', 'css'], {
    async provideHover(document, position) {
      const format = document.languageId === 'css' ? 'css' : 'html';
      const images = await (await worker()).run('images', { text: document.getText(), format });
      const { value = '' } = findRangeAt(images, document.offsetAt(position)) ?? {};
      const file = await findLocalImage(document.uri, value)?.read();
      const bytes = file?.length ?? remoteSizes.get(value);
      const info = file && readImageInfo(file);
      // Hovers would load any other address.
      const picture = info && file.length <= MAX_SHOWN_BYTES ? Buffer.from(file).toString('base64') : '';
      const lines = [
        picture && `![](data:image/${info?.type};base64,${picture})`,
        info && t('{0} × {1} pixels', info.width, info.height),
        bytes && formatKilobytes(bytes),
      ].filter(Boolean);
      return lines.length === 0 ? undefined : new vscode.Hover(new vscode.MarkdownString(lines.join('\n\n')));
    },
  });

/** Finds an image that needs no request: one in a `data:` address, or a file of the workspace. Follows no link out of it. */
function findLocalImage(document: vscode.Uri, address: string) {
  const [, data] = /^\s*data:[^,]*;base64,(.*)$/isu.exec(address) ?? [];
  if (data !== undefined) {
    const bytes = Buffer.from(data, 'base64');
    return { read: () => bytes, readSize: () => bytes.length };
  }
  if (!isRelative(address) || document.scheme !== 'file') return undefined;
  const root = vscode.workspace.getWorkspaceFolder(document)?.uri ?? vscode.Uri.joinPath(document, '..');
  const path = posix.join(posix.relative(root.path, document.path), '..', address.replace(/[?#{].*$/su, ''));
  const files = new NodeFiles(root.fsPath);
  return {
    read: () => files.readBytes(path).catch(() => undefined),
    readSize: () => files.readSize(path).catch(() => undefined),
  };
}

/**
 * Returns the sizes of an email's images in bytes, without requests; 0 for those that aren't known.
 * @param remoteSizes sizes by URL; 0 if unknown
 */
export async function weighImages(texts: MailTexts, findImages: FindImages, remoteSizes: ReadonlyMap<string, number>) {
  const sizes = new Map<string, number>();
  for (const [part, { text, uri }] of Object.entries(texts))
    for (const { value } of await findImages(text, part === 'body' ? 'html' : 'css'))
      if (!sizes.has(value))
        sizes.set(value, remoteSizes.get(value) || (await findLocalImage(uri, value)?.readSize()) || 0);
  return [...sizes.values()];
}

/** Reads the header of an image; undefined for formats that mail clients don't show, and for broken files. */
export function readImageInfo(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const signature = view.getUint32(0);
    if (signature === 0x89504e47) return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) };
    if (signature === 0x47494638)
      return { type: 'gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (signature >>> 16 !== 0xffd8) return undefined;
    for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
      const marker = view.getUint16(at);
      if (marker >= 0xffc0 && marker <= 0xffc2)
        return { type: 'jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  } catch {
    // The header is incomplete.
  }
  return undefined;
}
