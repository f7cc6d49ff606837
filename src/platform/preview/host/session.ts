import * as vscode from 'vscode';
import { findChange } from '../../../email/html/text.ts';
import { getOpenableLink } from '../../../email/compose/safety.ts';
import type { MessageHandlers } from '../../webview/messages.ts';
import {
  fromPage,
  readToolbar,
  type FromPage,
  type LinkHeat,
  type Part,
  type SendingService,
  type ToolbarState,
  type ToPage,
} from '../protocol.ts';
import { showInfo } from '../../ui/messages.ts';
import { toSingleLine } from '../../ui/text.ts';
import { WebviewHost } from '../../ui/webview.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Sent } from '../../../email/sent/index.ts';
import type { Rendering } from '../../../email/tags/index.ts';
import { LiveEmail } from './liveEmail.ts';
import { LocalPictures } from './pictures.ts';
import { SentComposer, type Compose } from './sent.ts';
import { getFolder, type MailProblems, type PreviewSource } from './source.ts';
import { ViewerSelection } from './viewerSelection.ts';

/** Debounces updates of cursor and details, so that they don't delay typing. */
const DEBOUNCE_MS = 80;

const TOOLBAR_STORAGE_KEY = 'mailing.preview.toolbar';

const remoteSources = ['https:', 'http:'];

/** The dependencies of every preview. */
export interface PreviewServices {
  readonly extensionUri: vscode.Uri;
  /** Stores the toolbar settings across previews and restarts. */
  readonly storage: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly compose: Compose;
  /** The preview may show another person. */
  readonly onPersonChange: () => void;
  readonly getProblems: (body: vscode.Uri) => MailProblems | undefined;
}

/** Connects one preview page to the documents of its email. */
export class PreviewSession implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #services: PreviewServices;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #viewerSelection: ViewerSelection;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #handlers: MessageHandlers<FromPage> = {
    ready: () => this.#show(),
    resync: ({ part }) => this.#host.post({ type: 'text', part, text: this.#email.text(part) }),
    pictures: ({ paths }) => this.#pictures?.request(paths),
    retry: () => this.#email.reopenUnread(),
    toolbar: ({ toolbar }) => {
      this.#sentComposer.setVisible(toolbar.view !== 'authored');
      return this.#services.storage.update(TOOLBAR_STORAGE_KEY, toolbar);
    },
    reveal: ({ part, offset }) => this.#reveal(part, offset),
    revealProblem: () => this.#revealFirstProblem(),
    openLink: ({ href }) => this.#openLink(href),
    // Like browsers, removes control characters: a line break would run a command when pasted into a terminal.
    copyLink: ({ href }) => vscode.env.clipboard.writeText(href.replace(/\p{Cc}+/gu, '').trim()),
    selectPerson: ({ personId }) => this.#viewerSelection.choose(personId),
    heatClosed: () => {
      this.#heat = undefined;
    },
  };
  readonly #sentComposer: SentComposer;
  /** The sent version that the page has: only changes are posted. */
  #lastPosted = emptySnapshot;
  #email: LiveEmail;
  #pictures: LocalPictures | undefined;
  #isLocked: boolean;
  #cursorTimer: ReturnType<typeof setTimeout> | undefined;
  #detailsTimer: ReturnType<typeof setTimeout> | undefined;
  #heat: Extract<ToPage, { type: 'heat' }> | undefined;

  constructor(panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean, services: PreviewServices) {
    this.#panel = panel;
    this.#isLocked = isLocked;
    this.#services = services;
    this.#viewerSelection = new ViewerSelection(services.connections, source.body, () => {
      this.#post({ type: 'viewers', ...this.#viewerSelection.choices });
      services.onPersonChange();
    });
    this.#email = this.#openEmail(source);
    this.#sentComposer = new SentComposer(
      services.compose,
      services.connections,
      () => this.#email,
      (sent, service) => this.#postSent(sent, service),
    );
    this.#host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      services.extensionUri,
      {
        page: 'preview',
        title: 'Preview',
        policy: { images: remoteSources, styles: remoteSources, fonts: ['data:', ...remoteSources] },
        roots: getPictureRoots(source),
      },
      fromPage,
      this.#handlers,
    );
    this.#subscriptions.push(
      this.#host,
      this.#viewerSelection,
      this.#sentComposer,
      panel.onDidChangeViewState(() => (panel.visible ? void this.#email.reopenUnread() : this.#host.suspend())),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#followCursor(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#followCursor(editor)),
    );
    void this.#load(this.#email);
  }

  /** The person that tags are replaced for. Undefined if raw tags are shown. */
  get rendering(): Rendering | undefined {
    return this.#viewerSelection.rendering;
  }

  /** The people that the email can be previewed as. */
  get people(): ViewerSelection['people'] {
    return this.#viewerSelection.people;
  }

  /** Shows another email. The current one stays visible until the new one is read. */
  show(source: PreviewSource): void {
    this.#clearTimers();
    this.#email.dispose();
    this.#heat = undefined;
    this.#email = this.#openEmail(source);
    this.#viewerSelection.setBody(source.body);
    this.#host.setRoots(getPictureRoots(source));
    void this.#load(this.#email);
  }

  /** Sets the lock, which the page stores for a restart. */
  lock(isLocked: boolean): void {
    this.#isLocked = isLocked;
    this.#post({ type: 'locked', locked: isLocked });
  }

  /** Shows a heat map until the user or `undefined` closes it. A page that is still loading shows it once it is ready. */
  showHeat(heat: LinkHeat | undefined): void {
    // The page stores the id, so ids must also differ across restarts.
    const message = { type: 'heat', heatId: Date.now(), heat } as const;
    this.#heat = heat && message;
    this.#post(message);
  }

  /** Posts the current number of problems. */
  postProblems(): void {
    const { errors = 0, warnings = 0 } = this.#services.getProblems(this.#email.source.body) ?? {};
    this.#post({ type: 'problems', errors, warnings });
  }

  dispose(): void {
    this.#clearTimers();
    this.#pictures?.dispose();
    this.#email.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #clearTimers(): void {
    clearTimeout(this.#cursorTimer);
    clearTimeout(this.#detailsTimer);
  }

  #openEmail(source: PreviewSource): LiveEmail {
    const [root] = getPictureRoots(source);
    this.#pictures?.dispose();
    this.#pictures = root && new LocalPictures(root, (pictures) => this.#post({ type: 'pictures', pictures }));
    return new LiveEmail(source, this.#services.log, (update) => {
      if (update.type !== 'details') {
        this.#post(update);
        if (update.type !== 'readFailure') this.#sentComposer.schedule();
        return;
      }
      clearTimeout(this.#detailsTimer);
      this.#detailsTimer = setTimeout(() => {
        this.#post({ type: 'envelope', envelope: this.#email.envelope });
        this.#sentComposer.schedule();
      }, DEBOUNCE_MS);
    });
  }

  async #load(email: LiveEmail): Promise<void> {
    await email.open();
    if (email === this.#email) this.#show();
  }

  /** Before the initial content is posted, there is nothing to update. */
  #post(message: ToPage): void {
    if (this.#email.isLoaded) this.#host.post(message);
  }

  #show(): void {
    if (!this.#email.isLoaded) return;
    const { source, envelope } = this.#email;
    const folder = getFolder(source.body);
    const toolbar = this.#toolbar;
    this.#host.post({ type: 'viewers', ...this.#viewerSelection.choices });
    this.#host.post({
      type: 'show',
      document: source.body.toString(),
      title: source.title,
      locked: this.#isLocked,
      body: this.#email.text('body'),
      stylesheet: this.#email.text('stylesheet'),
      envelope,
      base: folder && this.#toWebviewUri(folder),
      root: folder && this.#toWebviewUri(source.root ?? folder),
      toolbar,
    });
    if (this.#heat) this.#host.post(this.#heat);
    this.postProblems();
    this.#lastPosted = emptySnapshot;
    this.#sentComposer.setVisible(toolbar.view !== 'authored');
    this.#sentComposer.restart();
    this.#host.post({ type: 'readFailure', message: this.#email.failure });
    const editor = vscode.window.visibleTextEditors.find(({ document }) => this.#isBody(document));
    if (editor) this.#followCursor(editor);
  }

  get #toolbar(): ToolbarState {
    return readToolbar(this.#services.storage.get(TOOLBAR_STORAGE_KEY));
  }

  #toWebviewUri(folder: vscode.Uri): string {
    return `${this.#panel.webview.asWebviewUri(folder).toString().replace(/\/$/u, '')}/`;
  }

  #postSent(sent: Sent | undefined, service: SendingService): void {
    if (!sent) return this.#post({ type: 'sent', service });
    const { html, text } = sent;
    this.#post({
      type: 'sent',
      service,
      html: findChange(this.#lastPosted.html, html),
      text: findChange(this.#lastPosted.text, text),
    });
    this.#lastPosted = { html, text };
  }

  #isBody(document: vscode.TextDocument): boolean {
    return document.uri.toString() === this.#email.source.body.toString();
  }

  #followCursor(editor: vscode.TextEditor): void {
    if (!this.#isBody(editor.document)) return;
    clearTimeout(this.#cursorTimer);
    this.#cursorTimer = setTimeout(
      () => this.#post({ type: 'cursor', offset: editor.document.offsetAt(editor.selection.active) }),
      DEBOUNCE_MS,
    );
  }

  /** Reveals an offset of a part in its editor, and opens one if needed. */
  async #reveal(part: Part, offset: number): Promise<void> {
    const uri = this.#email.uri(part);
    if (!uri) return;
    const position = (await vscode.workspace.openTextDocument(uri)).positionAt(offset);
    await this.#revealRange(uri, new vscode.Range(position, position));
  }

  async #revealFirstProblem(): Promise<void> {
    const first = this.#services.getProblems(this.#email.source.body)?.first;
    // Only the start: the range of a problem may reach to the end of the email.
    if (first) await this.#revealRange(first.uri, new vscode.Range(first.range.start, first.range.start));
  }

  async #revealRange(uri: vscode.Uri, selection: vscode.Range): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { viewColumn: this.#findColumn(uri), selection });
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #findColumn(uri: vscode.Uri): vscode.ViewColumn {
    const showsUri = (tab: vscode.Tab): boolean =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(showsUri));
    if (group) return group.viewColumn;
    return this.#panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }

  async #openLink(href: string): Promise<void> {
    const link = getOpenableLink(href);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
    else void showInfo(`Only links to the web and to email addresses are opened, not “${toSingleLine(href, 200)}”.`);
  }
}

const emptySnapshot = { html: '', text: '' };

function getPictureRoots({ body, root }: PreviewSource): vscode.Uri[] {
  const folder = root ?? getFolder(body);
  return folder ? [folder] : [];
}
