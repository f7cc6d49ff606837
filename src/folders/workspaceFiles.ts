import * as vscode from 'vscode';
import { isUnsaved } from '../documents/unsaved.ts';
import { Place } from './place.ts';
import type { Files } from './templateFolder.ts';

/** Bytes of a file that is read, at most. */
const largest = 10 * 1024 * 1024;

/** The files of a workspace folder. */
export class WorkspaceFiles implements Files {
  readonly root: vscode.Uri;
  readonly #place: Place;

  constructor(root: vscode.Uri) {
    this.root = root;
    this.#place = new Place(root.fsPath);
  }

  uri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.root, ...path.split('/'));
  }

  /** The path of a file below the root, with slashes; undefined where it is elsewhere. */
  pathOf(uri: vscode.Uri): string | undefined {
    const prefix = `${this.root.path.replace(/\/$/u, '')}/`;
    const isBelow = uri.scheme === this.root.scheme && uri.authority === this.root.authority && uri.path.startsWith(prefix);
    return isBelow ? uri.path.slice(prefix.length) : undefined;
  }

  async read(path: string): Promise<string | undefined> {
    await this.#checkPlace(path);
    let bytes: Uint8Array;
    try {
      bytes = await vscode.workspace.fs.readFile(this.uri(path));
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
      throw error;
    }
    if (bytes.length > largest) throw new Error(`${path} is larger than 10 MB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  }

  async write(path: string, text: string): Promise<void> {
    await this.#checkPlace(path);
    const uri = this.uri(path);
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open !== undefined && isUnsaved(open)) throw new Error(`${path} has unsaved edits in an editor. Save or revert them first.`);
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }

  /** A link in the folder may lead out of it. Throws where it does. */
  async #checkPlace(path: string): Promise<void> {
    if (this.root.scheme !== 'file') return;
    await this.#place.check(this.uri(path).fsPath, path);
  }
}
