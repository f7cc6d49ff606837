import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isExcessivePicture } from '../../email/checks/pictureLimits.ts';
import {
  getPictureMediaType,
  isPicture,
  MAX_PICTURE_BYTES,
  MAX_TOTAL_PICTURE_BYTES,
  MAX_PICTURES,
  type OmissionReason,
  type LocalPicture,
} from '../../email/html/pictures.ts';

export type LocalPictures = ReturnType<typeof createLocalPictures>;

/**
 * Reads a folder's pictures as `data:` addresses, because the email's frame can't load files, and reports them again when their files change. Files
 * outside the folder, also through a symbolic link, are ignored.
 */
export function createLocalPictures(root: vscode.Uri, onPictures: (pictures: readonly LocalPicture[]) => void) {
  /** Bytes of each requested picture, by its path relative to the root. */
  const sizes = new Map<string, number>();
  let watcher: vscode.FileSystemWatcher | undefined;
  let queue: Promise<void> = Promise.resolve();
  let isDisposed = false;

  /** Reports the pictures at these paths (relative to the root, with slashes) now and after each change of their files. */
  function request(paths: readonly string[]) {
    const accepted = paths.filter(isPicture).slice(0, MAX_PICTURES - sizes.size);
    for (const path of accepted) sizes.set(path, sizes.get(path) ?? 0);
    if (accepted.length > 0) watcher ??= watch();
    return enqueue(accepted);
  }

  function dispose() {
    isDisposed = true;
    watcher?.dispose();
  }

  function watch() {
    // A folder outside the workspace may be large, so only the files beside the email are watched.
    const pattern = vscode.workspace.getWorkspaceFolder(root) ? '**/*' : '*';
    const created = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, pattern));
    const changed = (uri: vscode.Uri) => {
      const prefix = getPrefix(root);
      const path = uri.path.slice(prefix.length);
      if (uri.path.startsWith(prefix) && sizes.has(path)) void enqueue([path]);
    };
    for (const event of [created.onDidChange, created.onDidCreate, created.onDidDelete]) event(changed);
    return created;
  }

  /** Reads serially, so that two reads of a picture are reported in order. */
  function enqueue(paths: readonly string[]) {
    queue = queue.then(async () => {
      const pictures: LocalPicture[] = [];
      for (const path of paths) {
        if (isDisposed) return;
        pictures.push({ path, ...(await readPicture(path)) });
      }
      if (pictures.length > 0 && !isDisposed) onPictures(pictures);
    });
    return queue;
  }

  async function readPicture(path: string): Promise<Omit<LocalPicture, 'path'>> {
    sizes.set(path, 0);
    try {
      const file = await resolveFile(path);
      const stat = file && (await vscode.workspace.fs.stat(file));
      if (stat?.type !== vscode.FileType.File) return {};
      const format = getPictureMediaType(path);
      const reason = format === undefined ? 'format' : checkSize(stat.size);
      if (!file || reason) return { omissionReason: reason };
      const bytes = await vscode.workspace.fs.readFile(file);
      // The file may have grown since `stat`.
      const omissionReason = checkSize(bytes.length);
      if (omissionReason) return { omissionReason };
      const picture = Buffer.from(bytes);
      if (isExcessivePicture(format ?? '', picture.toString('latin1'))) return { omissionReason: 'excessive' };
      sizes.set(path, bytes.length);
      return { data: `data:${format};base64,${picture.toString('base64')}` };
    } catch {
      // A missing or unreadable file shows no picture, as in a browser.
      return {};
    }
  }

  function checkSize(size: number): OmissionReason | undefined {
    if (size > MAX_PICTURE_BYTES) return 'large';
    const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    return all + size > MAX_TOTAL_PICTURE_BYTES ? 'all' : undefined;
  }

  /** Returns the resolved location of a file, or undefined if it is outside the root. */
  async function resolveFile(path: string) {
    const file = vscode.Uri.joinPath(root, path);
    if (file.scheme !== 'file') return file.path.startsWith(getPrefix(root)) ? file : undefined;
    const [folder, place] = await Promise.all(
      [root, file].map(async ({ fsPath }) => vscode.Uri.file(await realpath(fsPath))),
    );
    return folder && place?.path.startsWith(getPrefix(folder)) ? place : undefined;
  }

  return { request, dispose };
}

/** Returns the path of a folder with a slash at its end. */
const getPrefix = ({ path }: vscode.Uri) => `${path.replace(/\/$/u, '')}/`;
