import * as vscode from 'vscode';
import { findChange } from '../../../email/html/text.ts';
import { getOpenableLink } from '../../../email/compose/safety.ts';
import type { Sent } from '../../../email/sent/index.ts';
import { Debouncer } from '../../ui/async.ts';
import { showInfo } from '../../ui/messages.ts';
import { toSingleLine } from '../../ui/text.ts';
import { WebviewHost } from '../../ui/webview.ts';
import {
  fromPage,
  readToolbar,
  type FromPage,
  type LinkHeat,
  type SendingService,
  type ToolbarState,
  type ToPage,
} from '../protocol.ts';
import { LiveEmail } from './liveEmail.ts';
import { LocalPictures } from './pictures.ts';
import { SentComposer } from './sent.ts';
import { getFolder, type MailProblems, type PreviewServices, type PreviewSource } from './source.ts';
import { ViewerSelection } from './viewerSelection.ts';

/** Debounces updates of cursor and details, so that they don't delay typing. */
const DEBOUNCE_MS = 80;

const TOOLBAR_STORAGE_KEY = 'mailing.preview.toolbar';

const remoteSources = ['https:', 'http:'];

const emptySnapshot = { html: '', text: '' };

function getPictureRoots({ body, root = getFolder(body) }: PreviewSource): readonly vscode.Uri[] {
  return root ? [root] : [];
}

interface SessionServices extends PreviewServices {
  /** The preview may show another person. */
  onPersonChange(): void;
  getProblems(body: vscode.Uri): MailProblems | undefined;
}

/** An open preview: connects its page to the documents of its email. */
export class PreviewSession implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  /** The person that the email is shown as. */
  readonly viewer: ViewerSelection;
  readonly #services: SessionServices;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #sentComposer: SentComposer;
  readonly #cursorDebouncer = new Debouncer(DEBOUNCE_MS);
  readonly #detailsDebouncer = new Debouncer(DEBOUNCE_MS);
  readonly #subscriptions: readonly vscode.Disposable[];
  /** The sent version that the page has: only changes are posted. */
  #lastPosted = emptySnapshot;
  #email: LiveEmail;
  #pictures: LocalPictures | undefined;
  #isLocked: boolean;
  #heat: Extract<ToPage, { type: 'heat' }> | undefined;

  constructor(panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean, services: SessionServices) {
    this.panel = panel;
    this.#isLocked = isLocked;
    this.#services = services;
    this.viewer = new ViewerSelection(services.connections, source.body, () => {
      this.#post({ type: 'viewers', ...this.viewer.choices });
      services.onPersonChange();
    });
    this.#sentComposer = new SentComposer(
      services,
      () => this.#email,
      (service, sent) => this.#postSent(service, sent),
    );
    this.#host = new WebviewHost<FromPage, ToPage>(
      panel.webview,
      services.context.extensionUri,
      {
        page: 'preview',
        title: 'Preview',
        policy: { images: remoteSources, styles: remoteSources, fonts: ['data:', ...remoteSources] },
        roots: getPictureRoots(source),
      },
      fromPage,
      {
        ready: () => this.#showEmail(),
        pictures: ({ paths }) => this.#pictures?.request(paths),
        retry: () => this.#email.reopenUnread(),
        toolbar: ({ toolbar }) => {
          this.#sentComposer.setVisible(toolbar.view !== 'authored');
          return services.context.globalState.update(TOOLBAR_STORAGE_KEY, toolbar);
        },
        reveal: async ({ part, offset }) => {
          const uri = this.#email.source[part];
          if (uri) await this.#reveal(uri, (document) => document.positionAt(offset));
        },
        revealProblem: async () => {
          const first = services.getProblems(this.source.body)?.first;
          // Only the start: the range of a problem may reach to the end of the email.
          if (first) await this.#reveal(first.uri, () => first.range.start);
        },
        openLink: async ({ href }) => {
          const link = getOpenableLink(href);
          if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
          else
            void showInfo(`Only links to the web and to email addresses are opened, not “${toSingleLine(href, 200)}”.`);
        },
        // Like browsers, removes control characters: a line break would run a command when pasted into a terminal.
        copyLink: ({ href }) => vscode.env.clipboard.writeText(href.replace(/\p{Cc}+/gu, '').trim()),
        selectPerson: ({ personId }) => this.viewer.choose(personId),
        heatClosed: () => {
          this.#heat = undefined;
        },
      },
    );
    this.#email = this.#openEmail(source);
    this.#updateTitle();
    this.#subscriptions = [
      this.#host,
      this.viewer,
      this.#sentComposer,
      this.#cursorDebouncer,
      this.#detailsDebouncer,
      panel.onDidChangeViewState(() => (panel.visible ? void this.#email.reopenUnread() : this.#host.suspend())),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#followCursor(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#followCursor(editor)),
    ];
  }

  get source(): PreviewSource {
    return this.#email.source;
  }

  /** A locked preview keeps its email. The other one follows the active editor. */
  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** Shows another email. The current one stays visible until the new one is read. */
  show(source: PreviewSource): void {
    if (this.source.body.toString() === source.body.toString()) return;
    this.#cursorDebouncer.dispose();
    this.#detailsDebouncer.dispose();
    this.#email.dispose();
    this.#heat = undefined;
    this.viewer.setBody(source.body);
    this.#email = this.#openEmail(source);
    this.#updateTitle();
    this.#host.setRoots(getPictureRoots(source));
    this.#services.onPersonChange();
  }

  /** Sets the lock, which the page stores for a restart. */
  setLocked(isLocked: boolean): void {
    this.#isLocked = isLocked;
    this.#updateTitle();
    this.#post({ type: 'locked', locked: isLocked });
  }

  /** Shows a heat map until the user closes it. A page that is still loading shows it once it is ready. */
  showHeat(heat: LinkHeat): void {
    // The page stores the id, so ids must also differ across restarts.
    this.#heat = { type: 'heat', heatId: Date.now(), heat };
    this.#post(this.#heat);
  }

  /** Posts the current number of problems. */
  postProblems(): void {
    const { errors = 0, warnings = 0 } = this.#services.getProblems(this.source.body) ?? {};
    this.#post({ type: 'problems', errors, warnings });
  }

  dispose(): void {
    this.#pictures?.dispose();
    this.#email.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #openEmail(source: PreviewSource): LiveEmail {
    const [root] = getPictureRoots(source);
    this.#pictures?.dispose();
    this.#pictures = root && new LocalPictures(root, (pictures) => this.#post({ type: 'pictures', pictures }));
    const email = new LiveEmail(source, this.#services.log, (update) => {
      if (update.type !== 'details') {
        this.#post(update);
        if (update.type !== 'readFailure') this.#sentComposer.schedule();
        return;
      }
      this.#detailsDebouncer.run(() => {
        this.#post({ type: 'envelope', envelope: this.#email.envelope });
        this.#sentComposer.schedule();
      });
    });
    void email.open().then(() => email === this.#email && this.#showEmail());
    return email;
  }

  #updateTitle(): void {
    this.panel.title = `${this.#isLocked ? '[Preview]' : 'Preview'} ${this.source.title}`;
  }

  /** Before the initial content is posted, there is nothing to update. */
  #post(message: ToPage): void {
    if (this.#email.isLoaded) this.#host.post(message);
  }

  #showEmail(): void {
    if (!this.#email.isLoaded) return;
    const { source, envelope, failure } = this.#email;
    const folder = getFolder(source.body);
    const toolbar = this.#toolbar;
    this.#post({ type: 'viewers', ...this.viewer.choices });
    this.#post({
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
    if (this.#heat) this.#post(this.#heat);
    this.postProblems();
    this.#lastPosted = emptySnapshot;
    this.#sentComposer.setVisible(toolbar.view !== 'authored');
    this.#sentComposer.restart();
    this.#post({ type: 'readFailure', message: failure });
    for (const editor of vscode.window.visibleTextEditors) this.#followCursor(editor);
  }

  get #toolbar(): ToolbarState {
    return readToolbar(this.#services.context.globalState.get(TOOLBAR_STORAGE_KEY));
  }

  #toWebviewUri(folder: vscode.Uri): string {
    return `${this.panel.webview.asWebviewUri(folder).toString().replace(/\/$/u, '')}/`;
  }

  #postSent(service: SendingService, sent: Sent | undefined): void {
    const { html, text } = this.#lastPosted;
    this.#post({
      type: 'sent',
      service,
      html: sent && findChange(html, sent.html),
      text: sent && findChange(text, sent.text),
    });
    // The page has none after a failure.
    this.#lastPosted = sent ?? emptySnapshot;
  }

  #followCursor(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (document.uri.toString() !== this.source.body.toString()) return;
    this.#cursorDebouncer.run(() => this.#post({ type: 'cursor', offset: document.offsetAt(editor.selection.active) }));
  }

  /** Reveals a position of a document in its editor, and opens one if needed. */
  async #reveal(uri: vscode.Uri, getPosition: (document: vscode.TextDocument) => vscode.Position): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const position = getPosition(document);
    const selection = new vscode.Range(position, position);
    const editor = await vscode.window.showTextDocument(document, { viewColumn: this.#findColumn(uri), selection });
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #findColumn(uri: vscode.Uri): vscode.ViewColumn {
    const showsUri = (tab: vscode.Tab): boolean =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(showsUri));
    if (group) return group.viewColumn;
    return this.panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }
}
