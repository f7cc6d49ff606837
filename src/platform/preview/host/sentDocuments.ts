import * as vscode from 'vscode';
import { Debouncer } from '../../ui/async.ts';
import type { CommandArgument } from '../../ui/commands.ts';
import { getActiveEditorUris, type Previews } from './activeEditorPreviews.ts';
import { LiveEmail } from './liveEmail.ts';
import { getSendingService } from './sent.ts';
import { sentScheme, type PreviewSource } from './source.ts';

/** Delay after a change before the document of the sent version is composed again. */
const SENT_DOCUMENT_DEBOUNCE_MS = 300;

/** Read-only documents of the sent versions of emails, updated while they are open. Their URIs: `mailing-sent:/Welcome.html?<body URI>`. */
export class SentDocuments implements vscode.Disposable {
  readonly #previews: Previews;
  readonly #changes: vscode.EventEmitter<vscode.Uri>;
  readonly #emails = new Map<string, { readonly email: LiveEmail; readonly debouncer: Debouncer }>();
  readonly #closeListener: vscode.Disposable;

  /** `changes` fires when a document's content changed. */
  constructor(previews: Previews, changes: vscode.EventEmitter<vscode.Uri>) {
    this.#previews = previews;
    this.#changes = changes;
    this.#closeListener = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri.toString()));
  }

  /** Compares a body with its sent version, for the given document, the active editor or the current preview. Returns both URIs. */
  async compare(argument: CommandArgument): Promise<{ readonly authored: vscode.Uri; readonly sent: vscode.Uri }> {
    const source = await this.#findSource(argument);
    if (!source) throw new Error('Open an HTML file, a template or a campaign to compare it with its sent version.');
    const { title, body } = source;
    const path = `/${title.replace(/\.html?$/i, '')}.html`;
    const sent = vscode.Uri.from({ scheme: sentScheme, path, query: body.toString() });
    await vscode.commands.executeCommand('vscode.diff', body, sent, `${title}: authored ↔ as sent`);
    return { authored: body, sent };
  }

  async provide(uri: vscode.Uri): Promise<string> {
    const { services } = this.#previews;
    const source = await this.#previews.resolve(vscode.Uri.parse(uri.query, true));
    if (!source) return 'The document of this email can’t be found.\n';
    const { failure, email } = await this.#open(uri, source);
    if (failure !== undefined) return `${failure}\n`;
    return (await services.compose(email, getSendingService(source, services))).html;
  }

  dispose(): void {
    this.#closeListener.dispose();
    for (const key of this.#emails.keys()) this.#close(key);
  }

  async #findSource(argument: CommandArgument): Promise<PreviewSource | undefined> {
    for (const document of argument instanceof vscode.Uri ? [argument] : getActiveEditorUris()) {
      const source = await this.#previews.resolve(document);
      if (source) return source;
    }
    return argument instanceof vscode.Uri ? undefined : this.#previews.current?.source;
  }

  async #open(uri: vscode.Uri, source: PreviewSource): Promise<LiveEmail> {
    const key = uri.toString();
    const existing = this.#emails.get(key)?.email;
    if (existing?.isLoaded) return existing;
    this.#close(key);
    const debouncer = new Debouncer(SENT_DOCUMENT_DEBOUNCE_MS);
    const email = new LiveEmail(source, this.#previews.services.log, () =>
      debouncer.run(() => this.#changes.fire(uri)),
    );
    this.#emails.set(key, { email, debouncer });
    await email.open();
    return email;
  }

  #close(key: string): void {
    this.#emails.get(key)?.email.dispose();
    this.#emails.get(key)?.debouncer.dispose();
    this.#emails.delete(key);
  }
}
