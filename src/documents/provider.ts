import * as vscode from 'vscode';
import { once } from '../ui/once.ts';

/** What a file system is asked to do. */
export type FileOperations = Omit<vscode.FileSystemProvider, 'onDidChangeFile' | 'watch' | 'copy'>;

/** The file system as VS Code is given it, at once. What it does is loaded when it is first asked for a file. */
export function providerOf(
  onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>,
  load: () => Promise<FileOperations>,
): vscode.FileSystemProvider {
  const loaded = once(load);
  return {
    onDidChangeFile,
    // Changes are noticed when records are read; the service has no way to tell of them.
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await loaded()).stat(uri),
    readFile: async (uri) => (await loaded()).readFile(uri),
    readDirectory: async (uri) => (await loaded()).readDirectory(uri),
    writeFile: async (uri, content, options) => (await loaded()).writeFile(uri, content, options),
    createDirectory: async (uri) => (await loaded()).createDirectory(uri),
    delete: async (uri, options) => (await loaded()).delete(uri, options),
    rename: async (from, to, options) => (await loaded()).rename(from, to, options),
  };
}
