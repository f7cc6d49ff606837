import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { getComposingProfile } from '../../connections/model.ts';
import type { Email, Sent, SentOptions } from '../../../email/sent/index.ts';
import type { SendingService } from '../protocol.ts';
import { LiveEmail } from './liveEmail.ts';
import { sentScheme, type PreviewSource } from './source.ts';

/** Composes the sent version of an email in a worker thread. */
export type Compose = (email: Email, options: SentOptions) => Promise<Sent>;

/** Delay after a change while the sent version is hidden. It is composed anyway because the toolbar shows its size. */
const HIDDEN_COMPOSE_DEBOUNCE_MS = 400;
/** Delay after a change before the document of the sent version is composed again. */
const SENT_DOCUMENT_DEBOUNCE_MS = 300;

/** Returns the service that sends a body. Local files are shown as AcyMailing would send them. */
function getSendingService(body: vscode.Uri, connections: Connections): SendingService {
  if (body.scheme !== 'mailing') return { profile: 'acymailing', isAssumed: true };
  const connection = connections.get(body.authority);
  return { profile: getComposingProfile(connection), isAssumed: false, site: connection?.baseUrl };
}

/** Composes the sent version after each change of the email: one at a time, always the newest. */
export class SentComposer implements vscode.Disposable {
  readonly #compose: Compose;
  readonly #connections: Connections;
  readonly #getEmail: () => LiveEmail;
  readonly #onComposed: (sent: Sent | undefined, service: SendingService) => void;
  #isVisible = false;
  #isBusy = false;
  #isStale = false;
  #generation = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onComposed` is called without a sent version if composing failed. */
  constructor(
    compose: Compose,
    connections: Connections,
    getEmail: () => LiveEmail,
    onComposed: (sent: Sent | undefined, service: SendingService) => void,
  ) {
    this.#compose = compose;
    this.#connections = connections;
    this.#getEmail = getEmail;
    this.#onComposed = onComposed;
  }

  /** Sets whether the sent version is visible. If so, it follows each keystroke. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible && this.#timer) void this.#run();
  }

  schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isVisible) void this.#run();
    else this.#timer = setTimeout(() => void this.#run(), HIDDEN_COMPOSE_DEBOUNCE_MS);
  }

  /** Composes another email and discards a result that is still pending. */
  restart(): void {
    this.#generation += 1;
    void this.#run();
  }

  dispose(): void {
    this.#generation += 1;
    this.#isStale = false;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStale = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    const generation = this.#generation;
    const { source, email } = this.#getEmail();
    const service = getSendingService(source.body, this.#connections);
    const sent = await this.#compose(email, service).catch(() => undefined);
    this.#isBusy = false;
    if (generation === this.#generation) this.#onComposed(sent, service);
    if (this.#isStale) void this.#run();
  }
}

/** Returns the URI of an email's sent version: `mailing-sent:/Welcome.html?<body URI>`. */
export const getSentUri = ({ title, body }: PreviewSource): vscode.Uri =>
  vscode.Uri.from({ scheme: sentScheme, path: `/${title.replace(/\.html?$/i, '')}.html`, query: body.toString() });

interface SentDocumentsOptions {
  /** Returns the preview source of a document, or undefined if it can't be previewed. */
  readonly resolve: (document: vscode.Uri) => Promise<PreviewSource | undefined>;
  readonly connections: Connections;
  readonly compose: Compose;
  readonly log: vscode.LogOutputChannel;
  /** The document's content changed. */
  readonly onChange: (uri: vscode.Uri) => void;
}

/** Read-only documents of the sent versions of emails, updated while they are open. */
export class SentDocuments implements vscode.Disposable {
  readonly #options: SentDocumentsOptions;
  readonly #emails = new Map<string, LiveEmail>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #closeListener: vscode.Disposable;

  constructor(options: SentDocumentsOptions) {
    this.#options = options;
    this.#closeListener = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === sentScheme) this.#closeEmail(uri.toString());
    });
  }

  async provide(uri: vscode.Uri): Promise<string> {
    const { resolve, connections, compose } = this.#options;
    const source = await resolve(vscode.Uri.parse(uri.query, true));
    if (!source) return 'The document of this email can’t be found.\n';
    const mail = await this.#openEmail(uri, source);
    if (mail.failure !== undefined) return `${mail.failure}\n`;
    return (await compose(mail.email, getSendingService(source.body, connections))).html;
  }

  dispose(): void {
    this.#closeListener.dispose();
    for (const key of [...this.#emails.keys()]) this.#closeEmail(key);
  }

  async #openEmail(uri: vscode.Uri, source: PreviewSource): Promise<LiveEmail> {
    const key = uri.toString();
    const existing = this.#emails.get(key);
    if (existing?.isLoaded) return existing;
    const mail = new LiveEmail(source, this.#options.log, () => {
      clearTimeout(this.#timers.get(key));
      this.#timers.set(
        key,
        setTimeout(() => this.#options.onChange(uri), SENT_DOCUMENT_DEBOUNCE_MS),
      );
    });
    existing?.dispose();
    this.#emails.set(key, mail);
    await mail.open();
    return mail;
  }

  #closeEmail(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#emails.get(key)?.dispose();
    this.#emails.delete(key);
  }
}
