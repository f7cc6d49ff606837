import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  formatOf,
  isPicture,
  largestPicture,
  largestPictures,
  mostPictures,
  type LeftOut,
  type LocalPicture,
} from '../protocol.ts';

/**
 * Pictures of a folder for the page, as `data:` addresses: the email's frame can't load files itself. They are told again when their
 * files change. What is outside of the folder, also by a link, is no picture of it.
 */
export class LocalPictures implements vscode.Disposable {
  readonly #root: vscode.Uri;
  readonly #tell: (pictures: readonly LocalPicture[]) => void;
  /** Bytes of each picture that was asked for, by its path below the root. */
  readonly #bytes = new Map<string, number>();
  #watcher: vscode.FileSystemWatcher | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(root: vscode.Uri, tell: (pictures: readonly LocalPicture[]) => void) {
    this.#root = root;
    this.#tell = tell;
  }

  /** Tells what pictures there are of some paths below the root, with slashes: now, and each time one of them changes. */
  want(paths: readonly string[]): Promise<void> {
    const wanted = paths.filter(isPicture).slice(0, mostPictures - this.#bytes.size);
    for (const path of wanted) this.#bytes.set(path, this.#bytes.get(path) ?? 0);
    if (wanted.length > 0) this.#watcher ??= this.#watch();
    return this.#read(wanted);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.dispose();
  }

  #watch(): vscode.FileSystemWatcher {
    // A folder that isn't open may be a large one: of that, the files beside the email are enough.
    const pattern = vscode.workspace.getWorkspaceFolder(this.#root) ? '**/*' : '*';
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(this.#root, pattern));
    const changed = (uri: vscode.Uri): void => {
      const path = uri.path.slice(this.#prefix.length);
      if (uri.path.startsWith(this.#prefix) && this.#bytes.has(path)) void this.#read([path]);
    };
    watcher.onDidChange(changed);
    watcher.onDidCreate(changed);
    watcher.onDidDelete(changed);
    return watcher;
  }

  get #prefix(): string {
    return `${this.#root.path.replace(/\/$/u, '')}/`;
  }

  /** One after the other: a picture that is read twice is told in order. */
  #read(paths: readonly string[]): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      const pictures: LocalPicture[] = [];
      for (const path of paths) {
        if (this.#isDisposed) return;
        pictures.push({ path, ...(await this.#picture(path)) });
      }
      if (pictures.length > 0 && !this.#isDisposed) this.#tell(pictures);
    });
    return this.#reading;
  }

  async #picture(path: string): Promise<Omit<LocalPicture, 'path'>> {
    this.#bytes.set(path, 0);
    try {
      const file = await this.#place(path);
      const { type, size } = file === undefined ? { type: undefined, size: 0 } : await vscode.workspace.fs.stat(file);
      if (file === undefined || type !== vscode.FileType.File) return {};
      const format = formatOf(path);
      const leftOut = format === undefined ? 'format' : this.#tooLarge(size);
      if (leftOut) return { leftOut };
      const bytes = await vscode.workspace.fs.readFile(file);
      // It may have grown meanwhile.
      const grown = this.#tooLarge(bytes.length);
      if (grown) return { leftOut: grown };
      this.#bytes.set(path, bytes.length);
      return { data: `data:${format ?? ''};base64,${Buffer.from(bytes).toString('base64')}` };
    } catch {
      // There is no such file, or it can't be read: nothing to be seen, as in a browser.
      return {};
    }
  }

  #tooLarge(size: number): LeftOut | undefined {
    if (size > largestPicture) return 'large';
    const all = [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    return all + size > largestPictures ? 'all' : undefined;
  }

  /** Where a file really is; undefined where that is outside of the root. */
  async #place(path: string): Promise<vscode.Uri | undefined> {
    const file = vscode.Uri.joinPath(this.#root, path);
    if (file.scheme !== 'file') return file.path.startsWith(this.#prefix) ? file : undefined;
    const [root, place] = (await Promise.all([realpath(this.#root.fsPath), realpath(file.fsPath)])).map((one) =>
      vscode.Uri.file(one),
    );
    return place?.path.startsWith(`${root?.path.replace(/\/$/u, '') ?? ''}/`) ? place : undefined;
  }
}
