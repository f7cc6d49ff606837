import * as vscode from 'vscode';
import type { NamedPerson } from '../../../email/tags/index.ts';
import { parsePeople } from './peopleFile.ts';

const PEOPLE_FILE_GLOB = '**/mailing.people.json';
const MAX_FILES = 10;
const MAX_FILE_BYTES = 1024 * 1024;

/** The people in the workspace's `mailing.people.json` files, kept up to date. */
export class TeamPeople implements vscode.Disposable {
  readonly #watcher = vscode.workspace.createFileSystemWatcher(PEOPLE_FILE_GLOB);
  readonly #onChange: () => void;
  #people: readonly NamedPerson[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const read = (): unknown => this.#read();
    this.#watcher.onDidChange(read);
    this.#watcher.onDidCreate(read);
    this.#watcher.onDidDelete(read);
    void this.#read();
  }

  get all(): readonly NamedPerson[] {
    return this.#people;
  }

  dispose(): void {
    this.#watcher.dispose();
  }

  async #read(): Promise<void> {
    const files = await vscode.workspace.findFiles(PEOPLE_FILE_GLOB, '**/node_modules/**', MAX_FILES);
    const read = await Promise.all(files.toSorted((one, other) => (one.path < other.path ? -1 : 1)).map(readPeople));
    this.#people = read.flat().map((person, index) => ({ ...person, id: `team:${index}` }));
    this.#onChange();
  }
}

/** Returns no people if the file can't be read. */
async function readPeople(file: vscode.Uri): Promise<NamedPerson[]> {
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    return bytes.length > MAX_FILE_BYTES ? [] : parsePeople(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
}
