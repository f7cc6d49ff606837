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

/** An HTML file that uses parts. */
export interface PartsEmail {
  readonly uri: vscode.Uri;
  /** Folder of `mailing.json`. */
  readonly root: vscode.Uri;
  /** In the order of their marks, each before those in it. */
  readonly uses: readonly PartUse[];
}

/**
 * The linked parts of all workspace folders, and the HTML files that use them: mapped templates, the sources of built ones, and the `files` of
 * `checks`. Texts are those of editors, also unsaved. Keeps no text of an email. An email without an entry, or with a stale one, is read at
 * the next update.
 */
export class LinkedParts implements vscode.Disposable {
  readonly #services: Pick<ExtensionServices, 'log' | 'worker'>;
  readonly #emails = new Map<string, PartsEmail>();
  #stale = new Set<string>();
  readonly #texts = new Map<string, Promise<PartTexts>>();
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
      ...events.map((event) => event(this.#handleChange)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.languageId === 'html') this.#handleChange(document.uri);
      }),
      workspace.onDidCloseTextDocument(({ uri, languageId }) => languageId === 'html' && this.#handleChange(uri)),
      workspace.onDidChangeWorkspaceFolders(() => this.#schedule()),
    );
    this.#schedule();
  }

  /** The emails that use parts, as of the last update. */
  get emails(): readonly PartsEmail[] {
    return [...this.#emails.values()].filter(({ uses }) => uses.length > 0);
  }

  /** Returns the uses in an email, as of the last update. */
  getUses(uri: vscode.Uri): readonly PartUse[] {
    return this.#emails.get(uri.toString())?.uses ?? [];
  }

  /** Returns the emails that use a part, as of the last update. */
  findEmails(root: vscode.Uri, name: string): readonly PartsEmail[] {
    return this.emails.filter(
      (email) => email.root.toString() === root.toString() && email.uses.some((use) => use.name === name),
    );
  }

  /** Returns the texts of a folder's parts by name. */
  readTexts(root: vscode.Uri): Promise<PartTexts> {
    const key = root.toString();
    const texts = this.#texts.get(key) ?? readPartTexts(root);
    this.#texts.set(key, texts);
    return texts;
  }

  /** Checks the parts of a text in a worker thread. */
  async check(root: vscode.Uri, text: string): Promise<ReturnType<typeof checkParts>> {
    if (!mayHaveParts(text)) return { uses: [], findings: [] };
    const [worker, parts] = await Promise.all([this.#services.worker(), this.readTexts(root)]);
    return worker.run('parts', [text, parts]);
  }

  /** Reads the emails that changed since the last update. */
  update(): Promise<void> {
    return this.#queue.run(async () => {
      const found = await findEmails();
      for (const key of this.#emails.keys()) if (!found.has(key)) this.#emails.delete(key);
      // It may grow while emails are read.
      const stale = this.#stale;
      this.#stale = new Set();
      const hold = (await this.#services.worker()).hold();
      try {
        for (const [key, email] of found) {
          if (this.#emails.has(key) && !stale.has(key)) continue;
          const { uses } = await this.check(email.root, (await readFile(email.uri)) ?? '').catch((error: unknown) => {
            this.#services.log.warn("Couldn't read the parts of an email.", error);
            return { uses: [] };
          });
          this.#emails.set(key, { ...email, uses });
        }
      } finally {
        hold.dispose();
      }
      this.#changes.fire();
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  readonly #handleChange = (uri: vscode.Uri) => {
    if (findPartName(uri) === undefined) this.#stale.add(uri.toString());
    else {
      this.#texts.clear();
      for (const key of this.#emails.keys()) this.#stale.add(key);
    }
    this.#schedule();
  };

  #schedule() {
    this.#debouncer.run(() => void this.update());
  }
}

/** Longer documents get no features that run while the user types. */
const MAX_CHARS = 1024 * 1024;

/** The marks with an end in a document, each before those in it. */
export const readMarksOnce = oncePerVersion(
  () => undefined,
  (document) => {
    const text = document.getText();
    return text.length <= MAX_CHARS && document.uri.scheme !== 'mailing'
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

/** Returns the file of a part. */
export const getPartUri = (root: vscode.Uri, name: string): vscode.Uri =>
  vscode.Uri.joinPath(root, partsFolderName, `${name}.html`);

/** Returns the HTML files that can use parts, by their URIs. */
export async function findEmails(): Promise<ReadonlyMap<string, Omit<PartsEmail, 'uses'>>> {
  const uris = await Promise.all(Array.from((await findWorkspaceMails()).values(), findSources));
  const emails = uris
    .flat()
    .filter((uri) => findPartName(uri) === undefined)
    .flatMap((uri) => {
      const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
      return root ? [[uri.toString(), { uri, root }] as const] : [];
    });
  return new Map(emails);
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
