import * as vscode from 'vscode';
import { listMarks, mayHaveParts, type checkParts, type PartUse } from '../../sync/parts/check.ts';
import { parseMarks, type Marked } from '../../sync/parts/marks.ts';
import { SerialQueue } from '../../sync/exclusive.ts';
import { mappingName, partsFolderName } from '../../sync/paths.ts';
import { Debouncer } from '../../ui/async.ts';
import type { ExtensionServices } from '../services.ts';
import {
  findPartName,
  findWorkspaceMails,
  readFile,
  readPartTexts,
  type MailDocuments,
  type PartTexts,
} from '../language/mailDocuments.ts';
import { oncePerVersion } from '../language/tags/tagProviders.ts';

/** Emails are read again when typing and builds pause. */
const UPDATE_DEBOUNCE_MS = 500;

/** An HTML file that can use parts. */
export interface PartsEmail {
  readonly uri: vscode.Uri;
  /** Folder of `mailing.json`. */
  readonly root: vscode.Uri;
  /** In the order of their marks, each before those in it. */
  uses: readonly PartUse[];
  isStale?: boolean;
}

/**
 * The linked parts of all workspace folders, and the HTML files that can use them: mapped templates, the sources of built ones, and the
 * `files` of `checks`. Texts are those of editors, also unsaved. Keeps no text of an email. What changes is stale until the next update.
 */
export class LinkedParts implements vscode.Disposable {
  readonly #services: Pick<ExtensionServices, 'log' | 'worker'>;
  /** All files, until one is created, changed or deleted. */
  #found: ReturnType<typeof findEmails> | undefined;
  readonly #emails = new Map<string, PartsEmail>();
  readonly #queue = new SerialQueue();
  readonly #debouncer = new Debouncer(UPDATE_DEBOUNCE_MS);
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  /** Fires after an update. */
  readonly onDidChange = this.#changes.event;

  constructor(services: Pick<ExtensionServices, 'log' | 'worker'>) {
    const { workspace } = vscode;
    this.#services = services;
    const files = workspace.createFileSystemWatcher(`**/{*.html,*.htm,${mappingName}}`);
    const events = [files.onDidCreate, files.onDidChange, files.onDidDelete];
    this.#subscriptions = vscode.Disposable.from(
      this.#changes,
      this.#debouncer,
      files,
      ...events.map((event) =>
        event((uri) => {
          this.#found = undefined;
          this.#handleChange(uri);
        }),
      ),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.languageId === 'html') this.#handleChange(document.uri);
      }),
      workspace.onDidCloseTextDocument(({ uri, languageId }) => languageId === 'html' && this.#handleChange(uri)),
    );
    this.#schedule();
  }

  /** Returns the uses in an email, as of the last update. */
  getUses(uri: vscode.Uri): readonly PartUse[] {
    return this.#emails.get(uri.toString())?.uses ?? [];
  }

  /** The emails that use parts, as of the last update. */
  get emails(): readonly PartsEmail[] {
    return [...this.#emails.values()].filter(({ uses }) => uses.length > 0);
  }

  /** Returns the emails that use a part, as of the last update. */
  findEmails(root: vscode.Uri, name: string): readonly PartsEmail[] {
    return this.emails.filter(
      (email) => email.root.toString() === root.toString() && email.uses.some((use) => use.name === name),
    );
  }

  /** Checks the parts of a text in a worker thread. */
  async check(root: vscode.Uri, text = '', texts = readPartTexts(root)): Promise<ReturnType<typeof checkParts>> {
    if (!mayHaveParts(text)) return { uses: [], findings: [] };
    return (await this.#services.worker()).run('parts', [text, await texts]);
  }

  /** Reads the emails that changed since the last update. */
  update(): Promise<void> {
    return this.#queue.run(async () => {
      const found = await (this.#found ??= findEmails());
      for (const key of this.#emails.keys()) if (!found.has(key)) this.#emails.delete(key);
      const texts = new Map<string, Promise<PartTexts>>();
      const hold = (await this.#services.worker()).hold();
      for (const [key, email] of found) {
        const { uses, isStale = true } = this.#emails.get(key) ?? email;
        if (!isStale) continue;
        const read = { ...email, uses, isStale: false };
        this.#emails.set(key, read);
        const root = email.root.toString();
        const parts = texts.get(root) ?? readPartTexts(email.root);
        texts.set(root, parts);
        const checked = readFile(email.uri).then((text) => this.check(email.root, text, parts));
        read.uses = (await checked.catch(this.#logError))?.uses ?? [];
      }
      hold.dispose();
      this.#changes.fire();
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  readonly #logError = (error: unknown) => {
    this.#services.log.warn("Couldn't read the parts of emails.", error);
    return undefined;
  };

  readonly #handleChange = (uri: vscode.Uri) => {
    const emails = findPartName(uri) === undefined ? [this.#emails.get(uri.toString())] : this.#emails.values();
    for (const email of emails) if (email) email.isStale = true;
    this.#schedule();
  };

  #schedule() {
    this.#debouncer.run(() => this.update().catch(this.#logError));
  }
}

/** Longer documents get no features that run while the user types. */
const MAX_CHARS = 1024 * 1024;

/** The marks with an end in a file, each before those in it. Documents of services, and views of other documents, have no parts. */
export const readMarksOnce = oncePerVersion(
  () => undefined,
  (document) => {
    const text = document.getText();
    return text.length <= MAX_CHARS && !document.uri.scheme.startsWith('mailing')
      ? readMarks(text, findPartName(document.uri))
      : [];
  },
);

/**
 * Returns the marks with an end in a text, each before those in it.
 * @param ownName the name of the part whose text it is
 */
export const readMarks = (text: string, ownName: string | undefined): readonly Marked[] =>
  mayHaveParts(text) ? listMarks(parseMarks(text, ownName !== undefined).children) : [];

/** Returns the uses of parts in a document, each before those in it. */
export const readUsesOnce = (document: vscode.TextDocument): readonly Marked[] =>
  readMarksOnce(document).filter(({ kind }) => kind === 'part');

/** Returns the folder whose parts a file can use. */
export const getRoot = (uri: vscode.Uri): vscode.Uri =>
  vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');

/** Returns the file of a part. */
export const getPartUri = (root: vscode.Uri, name: string): vscode.Uri =>
  vscode.Uri.joinPath(root, partsFolderName, `${name}.html`);

/** Returns the HTML files that can use parts, by their URIs, in the order of their paths. */
export async function findEmails(): Promise<ReadonlyMap<string, PartsEmail>> {
  const uris = await Promise.all(Array.from((await findWorkspaceMails()).values(), findSources));
  const emails = uris.flat().filter((uri) => findPartName(uri) === undefined);
  emails.sort((one, other) => (one.path < other.path ? -1 : 1));
  return new Map(emails.map((uri) => [uri.toString(), { uri, root: getRoot(uri), uses: [] }]));
}

/** Returns the files that a user writes an email in: its body, or the HTML files that it is built from. */
async function findSources({ local, uris: { body } }: MailDocuments): Promise<readonly vscode.Uri[]> {
  const { output, source = [] } = local?.template ?? {};
  const root = output === undefined ? undefined : vscode.workspace.getWorkspaceFolder(body);
  if (!root) return [body];
  const found = source.map((path) =>
    vscode.workspace.findFiles(new vscode.RelativePattern(root, `{${path},${path}/**/*}`), '**/{node_modules,.git}/**'),
  );
  return (await Promise.all(found)).flat().filter(({ path }) => /\.html?$/iu.test(path));
}
