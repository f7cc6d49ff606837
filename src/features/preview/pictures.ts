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

/**
 * Reads a folder's pictures as `data:` addresses, because the email's frame can't load files, and reports them again when their files change. Files
 * outside the folder, also through a symbolic link, are never read.
 */
export class LocalPictures implements vscode.Disposable {
  readonly #root: vscode.Uri;
  readonly #onPictures: (pictures: readonly LocalPicture[]) => void;
  /** Bytes of each requested picture, by its path relative to the root. */
  readonly #sizes = new Map<string, number>();
  #watcher: vscode.FileSystemWatcher | undefined;
  #queue: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(root: vscode.Uri, onPictures: (pictures: readonly LocalPicture[]) => void) {
    this.#root = root;
    this.#onPictures = onPictures;
  }

  /** Reports the pictures at these paths (relative to the root, with slashes) now and after each change of their files. */
  request(paths: readonly string[]): Promise<void> {
    const accepted = paths.filter(isPicture).slice(0, MAX_PICTURES - this.#sizes.size);
    for (const path of accepted) this.#sizes.set(path, this.#sizes.get(path) ?? 0);
    if (accepted.length > 0) this.#watcher ??= this.#watch();
    return this.#enqueue(accepted);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.dispose();
  }

  #watch() {
    // A folder outside the workspace may be large, so only the files beside the email are watched.
    const pattern = vscode.workspace.getWorkspaceFolder(this.#root) ? '**/*' : '*';
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#root, pattern));
    const prefix = getPrefix(this.#root);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      event(({ path }) => {
        const changed = path.slice(prefix.length);
        if (path.startsWith(prefix) && this.#sizes.has(changed)) void this.#enqueue([changed]);
      });
    return watcher;
  }

  /** Reads serially, so that two reads of a picture are reported in order. */
  #enqueue(paths: readonly string[]) {
    return (this.#queue = this.#queue.then(async () => {
      const pictures: LocalPicture[] = [];
      for (const path of paths) {
        if (this.#isDisposed) return;
        pictures.push({ path, ...(await this.#read(path)) });
      }
      if (pictures.length > 0 && !this.#isDisposed) this.#onPictures(pictures);
    }));
  }

  async #read(path: string): Promise<Omit<LocalPicture, 'path'>> {
    this.#sizes.set(path, 0);
    try {
      const file = await this.#resolve(path);
      const stat = file && (await vscode.workspace.fs.stat(file));
      if (stat?.type !== vscode.FileType.File) return {};
      const format = getPictureMediaType(path);
      const reason = format === undefined ? 'format' : this.#checkSize(stat.size);
      if (!file || reason) return { omissionReason: reason };
      const bytes = await vscode.workspace.fs.readFile(file);
      // The file may have grown since `stat`.
      const omissionReason = this.#checkSize(bytes.length);
      if (omissionReason) return { omissionReason };
      const picture = Buffer.from(bytes);
      if (isExcessivePicture(format ?? '', picture.toString('latin1'))) return { omissionReason: 'excessive' };
      this.#sizes.set(path, bytes.length);
      return { data: `data:${format};base64,${picture.toString('base64')}` };
    } catch {
      // A missing or unreadable file shows no picture, as in a browser.
      return {};
    }
  }

  #checkSize(size: number): OmissionReason | undefined {
    if (size > MAX_PICTURE_BYTES) return 'large';
    const all = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    return all + size > MAX_TOTAL_PICTURE_BYTES ? 'all' : undefined;
  }

  /** Returns the resolved location of a file, or undefined if it is outside the root. */
  async #resolve(path: string) {
    const file = vscode.Uri.joinPath(this.#root, path);
    if (file.scheme !== 'file') return file.path.startsWith(getPrefix(this.#root)) ? file : undefined;
    const [folder, place] = await Promise.all(
      [this.#root, file].map(async ({ fsPath }) => vscode.Uri.file(await realpath(fsPath))),
    );
    return folder && place?.path.startsWith(getPrefix(folder)) ? place : undefined;
  }
}

/** Returns the path of a folder with a slash at its end. */
const getPrefix = ({ path }: vscode.Uri) => `${path.replace(/\/$/u, '')}/`;
