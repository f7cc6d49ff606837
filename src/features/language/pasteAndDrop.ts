import { posix } from 'node:path';
import * as vscode from 'vscode';
import { escapeHtml } from '../../email/compose/compose.ts';
import { t } from '../../l10n.ts';
import { canonicalName } from '../../sync/paths.ts';
import type { ExtensionServices } from '../services.ts';
import { showError, showInfo } from '../../ui/messages.ts';
import { toFileName } from '../../service/text.ts';
import { readImageInfo } from './imageHovers.ts';
import { findMapping } from './mailDocuments.ts';

const imageKind = vscode.DocumentDropOrPasteEditKind.Empty.append('html', 'emailImage');
const emailKind = vscode.DocumentDropOrPasteEditKind.Empty.append('html', 'email');
const html = { language: 'html' };
const mimeTypes = ['image/*', 'files'];
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** Most emails have this width. */
const EMAIL_WIDTH_PX = 600;

/** Inserts images that the user pastes or drops. Offers HTML of the clipboard as HTML for emails. */
export function registerInsertions({ previews, worker }: ExtensionServices): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerDocumentDropEditProvider(
      html,
      {
        provideDocumentDropEdits: (document, position, transfer) =>
          insertImages(previews, document, position, transfer),
      },
      { dropMimeTypes: mimeTypes, providedDropEditKinds: [imageKind] },
    ),
    vscode.languages.registerDocumentPasteEditProvider(
      html,
      {
        async provideDocumentPasteEdits(document, [range], transfer) {
          const image = range && (await insertImages(previews, document, range.start, transfer));
          return image && [image];
        },
      },
      { pasteMimeTypes: mimeTypes, providedPasteEditKinds: [imageKind] },
    ),
    vscode.languages.registerDocumentPasteEditProvider(html, createHtmlPasteProvider(worker), {
      pasteMimeTypes: ['text/html'],
      providedPasteEditKinds: [emailKind],
    }),
  );
}

/** Offers copied HTML as HTML for emails, and converts it when the user chooses it. Plain text stays the default. */
export const createHtmlPasteProvider = (worker: ExtensionServices['worker']) => ({
  provideDocumentPasteEdits(_document: unknown, _ranges: unknown, transfer: vscode.DataTransfer) {
    const item = transfer.get('text/html');
    // What VS Code copies is code with its colors.
    if (!item || transfer.get('vscode-editor-data')) return [];
    const edit = new vscode.DocumentPasteEdit('', t('Paste as Email HTML'), emailKind);
    return [Object.assign(edit, { item, yieldTo: [vscode.DocumentDropOrPasteEditKind.Text] })];
  },
  /** VS Code shows errors. */
  async resolveDocumentPasteEdit(edit: vscode.DocumentPasteEdit & { item: vscode.DataTransferItem }) {
    const html = await edit.item.asString();
    return Object.assign(edit, { insertText: await (await worker()).run('paste', { html }) });
  },
});

/**
 * Returns the edit that inserts the images of a transfer and creates their files. Shows why they can't be inserted. Word adds a picture
 * to copied text, which stays text.
 */
export async function insertImages(
  previews: Pick<ExtensionServices['previews'], 'find'>,
  document: vscode.TextDocument,
  position: vscode.Position,
  transfer: vscode.DataTransfer,
): Promise<vscode.DocumentPasteEdit | undefined> {
  const images = [...transfer].flatMap(([type, item]) => (type.startsWith('image/') && item.asFile()) || []);
  if (images.length === 0 || transfer.get('text/plain')) return undefined;
  try {
    const folder = await findAssets(document.uri);
    const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
    const names = new Set(entries.map(([name]) => canonicalName(name)));
    const [, alt = ''] =
      /<img\s[^<>]*\balt="([^"]*)"/iu.exec((await transfer.get('text/html')?.asString()) ?? '') ?? [];
    const [snippet, additionalEdit] = [new vscode.SnippetString(), new vscode.WorkspaceEdit()];
    for (const image of images) {
      const bytes = new Uint8Array(await image.data());
      const info = bytes.length > MAX_IMAGE_BYTES ? undefined : readImageInfo(bytes);
      if (!info) throw new Error(t`"${image.name}" isn't a PNG, JPEG or GIF image of at most 20 MB.`);
      const scaled = await previews.find(document.uri)?.scaleImage(bytes, info.type, document.offsetAt(position));
      if (!scaled && info.width > EMAIL_WIDTH_PX)
        void showInfo(t('The image has its full size. To scale images to their column, open the preview first.'));
      // In URLs, other characters would be escaped.
      const wanted = (alt || image.name.replace(/\.\w*$/u, '')).normalize('NFKD').replace(/[^ -~]/gu, '');
      const name = toFileName(wanted) || 'image';
      let file = `${name}.${info.type}`;
      for (let count = 2; names.has(canonicalName(file)); count += 1) file = `${name}-${count}.${info.type}`;
      names.add(canonicalName(file));
      const uri = vscode.Uri.joinPath(folder, file);
      additionalEdit.createFile(uri, { contents: scaled?.image ?? bytes });
      const { width, height } = scaled ?? info;
      snippet.appendText(`<img src="${escapeHtml(getRelativePath(document.uri, uri))}" alt="`).appendPlaceholder(alt);
      snippet.appendText(`" width="${width}" height="${height}">`);
    }
    return Object.assign(new vscode.DocumentPasteEdit(snippet, t('Insert Image'), imageKind), { additionalEdit });
  } catch (error) {
    void showError(error, { title: t("Couldn't insert the image") });
    return undefined;
  }
}

const getRelativePath = (document: vscode.Uri, { path }: vscode.Uri) =>
  posix.relative(posix.dirname(document.path), path);

/** Returns the image folder that is nearest to a document. @throws if there is none, or a link leads to it */
async function findAssets(document: vscode.Uri) {
  const root = vscode.workspace.getWorkspaceFolder(document)?.uri;
  const folders = root ? (await findMapping(document)).assets.map(([path]) => vscode.Uri.joinPath(root, path)) : [];
  const [nearest] = folders.toSorted(
    (one, other) => getRelativePath(document, one).length - getRelativePath(document, other).length,
  );
  if (!root || !nearest)
    throw new Error(t('It needs a public address. Edit the email in a mapped folder with "assets" in mailing.json.'));
  for (let at = nearest; at.path.length > root.path.length; at = vscode.Uri.joinPath(at, '..')) {
    const stat = await Promise.resolve(vscode.workspace.fs.stat(at)).catch(() => undefined);
    if ((stat?.type ?? 0) & vscode.FileType.SymbolicLink)
      throw new Error(t`"${at.path}" is a symbolic link. Use a folder.`);
  }
  return nearest;
}
