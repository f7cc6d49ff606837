import * as vscode from 'vscode';
import { difference } from '../../../email/html/changes.ts';
import { openableLink } from '../../../email/compose/safety.ts';
import { dispatch, type Handlers } from '../../webview/messages.ts';
import { fromPage, type FromPage, type LinkHeat, type Part, type SentBy, type ToPage } from '../protocol.ts';
import { showInfo } from '../../ui/messages.ts';
import { plain } from '../../ui/text.ts';
import { WebviewHost } from '../../ui/webview.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Sent } from '../../../email/sent/index.ts';
import type { Rendering } from '../../../email/tags/index.ts';
import { FollowedMail } from './followedMail.ts';
import { folderOf } from './localSource.ts';
import { LocalPictures } from './pictures.ts';
import type { MailProblems } from './problems.ts';
import type { PreviewSource } from './source.ts';
import type { ToolbarStore } from './toolbarStore.ts';
import { SentMail, sentBy, type Compose } from './sentMail.ts';
import { Viewers } from './viewers.ts';

/** Milliseconds that the cursor, and the details, must rest before the page hears of them: typing goes first. */
const REST = 80;

const outside = ['https:', 'http:'];

/** What every preview is made with. */
export interface PreviewServices {
  readonly extensionUri: vscode.Uri;
  readonly toolbar: ToolbarStore;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly compose: Compose;
  /** The preview may be another person's. */
  readonly personChanged: () => void;
  /** What is wrong with the email of a body document. */
  readonly problemsOf: (body: vscode.Uri) => MailProblems | undefined;
}

/** One open preview: follows the documents of its source, and does what the page asks for. */
export class PreviewSession implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PreviewServices;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #viewers: Viewers;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #handlers: Handlers<FromPage> = {
    ready: () => this.#show(),
    resync: ({ part }) => this.#host.post({ type: 'text', part, text: this.#mail.text(part) }),
    pictures: ({ paths }) => this.#pictures?.want(paths),
    retry: () => this.#mail.readMissing(),
    toolbar: ({ toolbar }) => {
      this.#sent.watch(toolbar.view !== 'authored');
      return this.#services.toolbar.set(toolbar);
    },
    reveal: ({ part, offset }) => this.#reveal(part, offset),
    revealFound: () => this.#revealFound(),
    openLink: ({ href }) => this.#openLink(href),
    // As browsers copy them: line ends would press Enter where it is pasted into a terminal.
    copyLink: ({ href }) => vscode.env.clipboard.writeText(href.replace(/\p{Cc}+/gu, '').trim()),
    as: ({ as }) => this.#viewers.choose(as),
    heatClosed: () => {
      this.#heat = undefined;
    },
  };
  readonly #sent: SentMail;
  /** What the page has of what is sent: it is told what changes in that. */
  #told = nothingTold;
  #mail: FollowedMail;
  #pictures: LocalPictures | undefined;
  #isLocked: boolean;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  #detailsTimer: ReturnType<typeof setTimeout> | undefined;
  #heat: Extract<ToPage, { type: 'heat' }> | undefined;

  constructor(panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean, services: PreviewServices) {
    this.#panel = panel;
    this.#isLocked = isLocked;
    this.#services = services;
    this.#viewers = new Viewers(services.connections, source.body, () => {
      this.#post({ type: 'viewers', ...this.#viewers.choices });
      services.personChanged();
    });
    this.#mail = this.#follow(source);
    this.#sent = new SentMail({
      compose: services.compose,
      email: () => this.#mail.email,
      by: () => sentBy(this.#mail.source.body, services.connections),
      composed: (sent, by) => this.#tellSent(sent, by),
    });
    this.#host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      services.extensionUri,
      {
        page: 'preview',
        title: 'Preview',
        policy: { images: outside, styles: outside, fonts: ['data:', ...outside] },
        roots: rootsOf(source),
      },
      fromPage,
      (message) => dispatch(this.#handlers, message),
    );
    this.#subscriptions.push(
      this.#host,
      this.#viewers,
      this.#sent,
      panel.onDidChangeViewState(() => (panel.visible ? void this.#mail.readMissing() : this.#host.suspend())),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#followCursor(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#followCursor(editor)),
    );
    void this.#read(this.#mail);
  }

  /** For whom the tags are replaced; undefined where they are shown themselves. */
  get rendering(): Rendering | undefined {
    return this.#viewers.rendering;
  }

  /** Everybody whom it can be looked at as. */
  get persons(): Viewers['persons'] {
    return this.#viewers.persons;
  }

  /** Shows another email from now on. What is shown stays until that was read. */
  show(source: PreviewSource): void {
    this.#clearTimers();
    this.#mail.dispose();
    this.#heat = undefined;
    this.#mail = this.#follow(source);
    this.#viewers.see(source.body);
    this.#host.setRoots(rootsOf(source));
    void this.#read(this.#mail);
  }

  /** The page keeps it, for when the preview comes back after a restart. */
  lock(isLocked: boolean): void {
    this.#isLocked = isLocked;
    this.#post({ type: 'locked', locked: isLocked });
  }

  /** Lays clicks over the email, until the user or `undefined` takes them away. A page that is not there yet shows them once it is. */
  showHeat(heat: LinkHeat | undefined): void {
    // The page compares turns with those it kept: they differ over restarts, too.
    const message = { type: 'heat', turn: Date.now(), ...(heat ? { heat } : {}) } as const;
    this.#heat = heat && message;
    this.#post(message);
  }

  /** The checks know another thing of the email. */
  showFound(): void {
    const { errors = 0, warnings = 0 } = this.#services.problemsOf(this.#mail.source.body) ?? {};
    this.#post({ type: 'found', errors, warnings });
  }

  dispose(): void {
    this.#clearTimers();
    this.#pictures?.dispose();
    this.#mail.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #clearTimers(): void {
    clearTimeout(this.#cursorTimer);
    clearTimeout(this.#detailsTimer);
  }

  #follow(source: PreviewSource): FollowedMail {
    const [root] = rootsOf(source);
    this.#pictures?.dispose();
    this.#pictures = root && new LocalPictures(root, (pictures) => this.#post({ type: 'pictures', pictures }));
    return new FollowedMail(source, this.#services.log, {
      changed: (part, changes, length) => {
        this.#post({ type: 'change', part, changes, length });
        this.#sent.changed();
      },
      replaced: (part, text) => {
        this.#post({ type: 'text', part, text });
        this.#sent.changed();
      },
      detailsChanged: () => {
        clearTimeout(this.#detailsTimer);
        this.#detailsTimer = setTimeout(() => {
          this.#post({ type: 'envelope', ...this.#envelope });
          this.#sent.changed();
        }, REST);
      },
      failed: () => this.#tellFailure(),
    });
  }

  async #read(mail: FollowedMail): Promise<void> {
    await mail.open();
    if (mail === this.#mail) this.#show();
  }

  /** Until the page was shown everything, there is nothing to change in it. */
  #post(message: ToPage): void {
    if (this.#mail.isRead) this.#host.post(message);
  }

  get #envelope(): Pick<Extract<ToPage, { type: 'envelope' }>, 'envelope'> {
    const { envelope } = this.#mail;
    return envelope ? { envelope } : {};
  }

  #show(): void {
    if (!this.#mail.isRead) return;
    const { source } = this.#mail;
    const folder = folderOf(source.body);
    this.#host.post({ type: 'viewers', ...this.#viewers.choices });
    this.#host.post({
      type: 'show',
      document: source.body.toString(),
      title: source.title,
      locked: this.#isLocked,
      body: this.#mail.text('body'),
      stylesheet: this.#mail.text('stylesheet'),
      ...this.#envelope,
      ...(folder ? { base: this.#address(folder), root: this.#address(source.root ?? folder) } : {}),
      toolbar: this.#services.toolbar.get(),
    });
    if (this.#heat) this.#host.post(this.#heat);
    this.showFound();
    this.#told = nothingTold;
    this.#sent.watch(this.#services.toolbar.get().view !== 'authored');
    this.#sent.restart();
    this.#tellFailure();
    const editor = vscode.window.visibleTextEditors.find(({ document }) => this.#isBody(document));
    if (editor) this.#followCursor(editor);
  }

  #address(folder: vscode.Uri): string {
    return `${this.#panel.webview.asWebviewUri(folder).toString().replace(/\/$/u, '')}/`;
  }

  #tellSent(sent: Sent | undefined, by: SentBy): void {
    if (!sent) return this.#post({ type: 'sent', by });
    const { html, text } = sent;
    this.#post({ type: 'sent', by, html: difference(this.#told.html, html), text: difference(this.#told.text, text) });
    this.#told = { html, text };
  }

  #tellFailure(): void {
    const { failure } = this.#mail;
    this.#host.post({ type: 'problem', ...(failure === undefined ? {} : { message: failure }) });
  }

  #isBody(document: vscode.TextDocument): boolean {
    return document.uri.toString() === this.#mail.source.body.toString();
  }

  #followCursor(editor: vscode.TextEditor): void {
    if (!this.#isBody(editor.document)) return;
    clearTimeout(this.#cursorTimer);
    this.#cursorTimer = setTimeout(
      () => this.#post({ type: 'cursor', offset: editor.document.offsetAt(editor.selection.active) }),
      REST,
    );
  }

  /** Puts the editor's cursor at a place of a part: in the editor that has it open, or a new one. */
  async #reveal(part: Part, offset: number): Promise<void> {
    const uri = this.#mail.uri(part);
    if (!uri) return;
    const position = (await vscode.workspace.openTextDocument(uri)).positionAt(offset);
    await this.#revealRange(uri, new vscode.Range(position, position));
  }

  async #revealFound(): Promise<void> {
    const first = this.#services.problemsOf(this.#mail.source.body)?.first;
    // The beginning: what is wrong may go on to the end of the email.
    if (first) await this.#revealRange(first.uri, new vscode.Range(first.range.start, first.range.start));
  }

  async #revealRange(uri: vscode.Uri, selection: vscode.Range): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { viewColumn: this.#columnOf(uri), selection });
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #columnOf(uri: vscode.Uri): vscode.ViewColumn {
    const holds = (tab: vscode.Tab): boolean =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(holds));
    if (group) return group.viewColumn;
    return this.#panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }

  async #openLink(href: string): Promise<void> {
    const link = openableLink(href);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
    else void showInfo(`Only links to the web and to email addresses are opened, not “${plain(href, 200)}”.`);
  }
}

const nothingTold = { html: '', text: '' };

/** Folders whose pictures the page may show. */
function rootsOf({ body, root }: PreviewSource): vscode.Uri[] {
  const folder = root ?? folderOf(body);
  return folder ? [folder] : [];
}
