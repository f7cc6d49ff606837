import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { findOpenDocument, isUnsaved } from './unsaved.ts';
import { checkSize, decodeUtf8, FileChangedError, type ExpectedFile, type Files, NodeFiles } from '../../sync/files.ts';
import { checkPath, lockName, mappingName } from '../../sync/paths.ts';

/** The files of a workspace folder, on disk or in a virtual file system. VS Code doesn't report the targets of links in the latter. */
export class WorkspaceFiles implements Files {
  readonly root: vscode.Uri;
  readonly #disk: NodeFiles | undefined;

  constructor(root: vscode.Uri) {
    this.root = root;
    this.#disk = root.scheme === 'file' ? new NodeFiles(root.fsPath) : undefined;
  }

  uri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.root, ...path.split('/'));
  }

  /** Returns the path of a file relative to the root, with slashes; undefined if it is outside. */
  relativePath(uri: vscode.Uri): string | undefined {
    const prefix = `${this.root.path.replace(/\/$/u, '')}/`;
    const isBelow =
      uri.scheme === this.root.scheme && uri.authority === this.root.authority && uri.path.startsWith(prefix);
    return isBelow ? uri.path.slice(prefix.length) : undefined;
  }

  async read(path: string): Promise<string | undefined> {
    if (this.#disk) return this.#disk.read(path);
    if (path !== mappingName && path !== lockName) checkPath(path);
    let bytes: Uint8Array;
    try {
      bytes = await vscode.workspace.fs.readFile(this.uri(path));
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
      throw error;
    }
    checkSize(path, bytes.length);
    return decodeUtf8(bytes);
  }

  async write(path: string, text: string, expected?: ExpectedFile): Promise<void> {
    const uri = this.uri(path);
    const open = findOpenDocument(uri);
    if (open && isUnsaved(open)) throw new Error(t`${path} has unsaved edits in an editor. Save or revert them first.`);
    if (this.#disk) return this.#disk.write(path, text, expected);
    if (path !== mappingName && path !== lockName) checkPath(path);
    if (expected && (await this.read(path)) !== expected.text) throw new FileChangedError(path);
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
}
