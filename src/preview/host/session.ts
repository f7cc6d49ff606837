import * as vscode from 'vscode';
import { openableLink } from '../../email/safety.ts';
import { dispatch, type Handlers } from '../../webviews/messages.ts';
import { fromPage, type FromPage, type LinkHeat, type Part, type ToPage } from '../protocol.ts';
import { showInfo } from '../../ui/messages.ts';
import { plain } from '../../ui/text.ts';
import { WebviewHost } from '../../ui/webview.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Rendering } from '../../tags/index.ts';
import { FollowedDocument } from './followedDocument.ts';
import { folderOf } from './localSource.ts';
import type { PreviewSource } from './source.ts';
import type { ToolbarStore } from './toolbarStore.ts';
import { Viewers } from './viewers.ts';

/** Milliseconds that the cursor, and the details, must rest before the page hears of them: typing goes first. */
const REST = 80;

const outside = ['https:', 'http:'];

/** One open preview: follows the documents of its source, and does what the page asks for. */
export class PreviewSession implements vscode.Disposable {
  readonly source: PreviewSource;
  readonly #panel: vscode.WebviewPanel;
  readonly #toolbar: ToolbarStore;
  readonly #log: vscode.LogOutputChannel;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #parts = new Map<Part, FollowedDocument>();
  readonly #details: FollowedDocument | undefined;
  readonly #viewers: Viewers;
  readonly #failures = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #handlers: Handlers<FromPage> = {
    ready: () => this.#show(),
    resync: ({ part }) => this.#host.post({ type: 'text', part, text: this.#text(part) }),
    retry: () => this.#readMissing(),
    toolbar: ({ toolbar }) => this.#toolbar.set(toolbar),
    reveal: ({ part, offset }) => this.#reveal(part, offset),
    openLink: ({ href }) => this.#openLink(href),
    // As browsers copy them: line ends would press Enter where it is pasted into a terminal.
    copyLink: ({ href }) => vscode.env.clipboard.writeText(href.replace(/\p{Cc}+/gu, '').trim()),
    as: ({ as }) => this.#viewers.choose(as),
    heatClosed: () => {
      this.#heat = undefined;
    },
  };
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  #detailsTimer: ReturnType<typeof setTimeout> | undefined;
  /** False until every document was read once: the page is to show the e-mail at once, not in parts. */
  #read = false;
  #waiting = false;
  #heat: Extract<ToPage, { type: 'heat' }> | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    source: PreviewSource,
    extensionUri: vscode.Uri,
    toolbar: ToolbarStore,
    log: vscode.LogOutputChannel,
    connections: Connections,
    personChanged: () => void,
  ) {
    this.#panel = panel;
    this.source = source;
    this.#toolbar = toolbar;
    this.#log = log;
    this.#viewers = new Viewers(connections, source.body, () => {
      this.#post({ type: 'viewers', ...this.#viewers.choices });
      personChanged();
    });
    const folder = folderOf(source.body);
    this.#follow('body', source.body);
    if (source.stylesheet) this.#follow('stylesheet', source.stylesheet);
    if (source.details) this.#details = this.#followDetails(source.details.uri);
    this.#host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      extensionUri,
      {
        page: 'preview',
        title: source.title,
        policy: { images: outside, styles: outside, fonts: ['data:', ...outside] },
        roots: folder ? [folder] : [],
      },
      fromPage,
      (message) => dispatch(this.#handlers, message),
    );
    this.#subscriptions.push(
      this.#host,
      this.#viewers,
      panel.onDidChangeViewState(() => (panel.visible ? void this.#readMissing() : this.#host.suspend())),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#followCursor(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#followCursor(editor)),
    );
    void this.#readAll();
  }

  /** For whom the tags are replaced; undefined where they are shown themselves. */
  get rendering(): Rendering | undefined {
    return this.#viewers.rendering;
  }

  /** Everybody whom it can be looked at as. */
  get persons(): Viewers['persons'] {
    return this.#viewers.persons;
  }

  /** Lays clicks over the e-mail, until the user or `undefined` takes them away. A page that is not there yet shows them once it is. */
  showHeat(heat: LinkHeat | undefined): void {
    // The page compares turns with those it kept: they differ over restarts, too.
    const message = { type: 'heat', turn: Date.now(), ...(heat ? { heat } : {}) } as const;
    this.#heat = heat && message;
    this.#post(message);
  }

  dispose(): void {
    clearTimeout(this.#cursorTimer);
    clearTimeout(this.#detailsTimer);
    for (const document of this.#documents) document.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  get #documents(): FollowedDocument[] {
    return [...this.#parts.values(), ...(this.#details ? [this.#details] : [])];
  }

  async #readAll(): Promise<void> {
    await Promise.all(this.#documents.map((document) => document.open()));
    this.#read = true;
    if (this.#waiting) this.#show();
  }

  /** What could not be read may be there by now: a service that was started, a key that was given. */
  async #readMissing(): Promise<void> {
    if (this.#read) await Promise.all(this.#documents.filter((document) => !document.isKnown).map((document) => document.open()));
  }

  #follow(part: Part, uri: vscode.Uri): void {
    this.#parts.set(
      part,
      new FollowedDocument(uri, {
        changed: (changes, length) => this.#post({ type: 'change', part, changes, length }),
        replaced: (text) => this.#post({ type: 'text', part, text }),
        failed: (error) => this.#failed(part, error),
      }),
    );
  }

  #followDetails(uri: vscode.Uri): FollowedDocument {
    const tell = (): void => {
      clearTimeout(this.#detailsTimer);
      this.#detailsTimer = setTimeout(() => this.#post({ type: 'envelope', ...this.#envelope() }), REST);
    };
    return new FollowedDocument(uri, { changed: tell, replaced: tell, failed: (error) => this.#failed('details', error) });
  }

  /** Until the page was shown everything, there is nothing to change in it. */
  #post(message: ToPage): void {
    if (this.#read) this.#host.post(message);
  }

  #text(part: Part): string {
    return this.#parts.get(part)?.text ?? '';
  }

  #envelope(): Pick<Extract<ToPage, { type: 'envelope' }>, 'envelope'> {
    return this.source.details && this.#details ? { envelope: this.source.details.read(this.#details.text) } : {};
  }

  #show(): void {
    this.#waiting = !this.#read;
    if (this.#waiting) return;
    const folder = folderOf(this.source.body);
    this.#host.post({ type: 'viewers', ...this.#viewers.choices });
    this.#host.post({
      type: 'show',
      document: this.source.body.toString(),
      title: this.source.title,
      body: this.#text('body'),
      stylesheet: this.#text('stylesheet'),
      ...this.#envelope(),
      ...(folder ? { base: `${this.#panel.webview.asWebviewUri(folder).toString()}/` } : {}),
      toolbar: this.#toolbar.get(),
    });
    if (this.#heat) this.#host.post(this.#heat);
    this.#tellFailures();
    const editor = vscode.window.visibleTextEditors.find(({ document }) => this.#isBody(document));
    if (editor) this.#followCursor(editor);
  }

  #failed(what: string, error: unknown): void {
    if (error === undefined) this.#failures.delete(what);
    else {
      this.#log.warn(`Preview of ${this.source.body.toString()}: the ${what} can’t be read.`, error);
      this.#failures.set(what, error instanceof Error ? error.message : String(error));
    }
    if (this.#read) this.#tellFailures();
  }

  #tellFailures(): void {
    const sentences = [...this.#failures].map(([what, message]) => `The ${what} can’t be read: ${message}`);
    this.#host.post({ type: 'problem', ...(sentences.length > 0 ? { message: sentences.join(' ') } : {}) });
  }

  #isBody(document: vscode.TextDocument): boolean {
    return document.uri.toString() === this.source.body.toString();
  }

  #followCursor(editor: vscode.TextEditor): void {
    if (!this.#isBody(editor.document)) return;
    clearTimeout(this.#cursorTimer);
    this.#cursorTimer = setTimeout(() => this.#post({ type: 'cursor', offset: editor.document.offsetAt(editor.selection.active) }), REST);
  }

  /** Puts the editor's cursor at a place of a part: in the editor that has it open, or a new one. */
  async #reveal(part: Part, offset: number): Promise<void> {
    const uri = this.#parts.get(part)?.uri;
    if (!uri) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const position = document.positionAt(offset);
    const viewColumn = this.#columnOf(uri);
    const editor = await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(position, position) });
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #columnOf(uri: vscode.Uri): vscode.ViewColumn {
    const holds = (tab: vscode.Tab): boolean => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(holds));
    if (group) return group.viewColumn;
    return this.#panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }

  async #openLink(href: string): Promise<void> {
    const link = openableLink(href);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
    else void showInfo(`Only links to the web and to e-mail addresses are opened, not “${plain(href, 200)}”.`);
  }
}
