import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findChange } from '../../email/html/text.ts';
import { getOpenableLink } from '../../email/compose/safety.ts';
import { listSitePaths, readTagLanguage } from '../../email/tags/index.ts';
import { applyChanges, parseDetails } from '../../platform/documents/form/text.ts';
import { getTextColumn } from '../../platform/documents/unsaved.ts';
import { getPostAddress } from '../../platform/connections/sitePosts.ts';
import { describeMissing, isUnknown } from '../../email/sent/visualEditor.ts';
import { Debouncer } from '../../ui/async.ts';
import { confirm, showError, showInfo, showWarning } from '../../ui/messages.ts';
import { toSingleLine } from '../../service/text.ts';
import type { MessageHandlers } from '../../ui/protocol.ts';
import { WebviewPage } from '../../ui/webview/webview.ts';
import { fromPage, readToolbar, type FromPage, type LinkHeat, type SendingService, type ToPage } from './protocol.ts';
import { LiveEmail } from './liveEmail.ts';
import { LocalPictures } from './pictures.ts';
import { SentComposer, type SentParts } from './sent.ts';
import {
  getFolder,
  previewPage,
  toWebviewFolder,
  type MailProblems,
  type PreviewServices,
  type PreviewSource,
} from './source.ts';
import { ViewerSelection } from './viewerSelection.ts';

/** Debounces updates of cursor and details, so that they don't delay typing. */
const DEBOUNCE_MS = 80;

/** A page may take long to read a large image, or be reloaded. */
const SCALE_TIMEOUT_MS = 5000;

/** VS Code polls the focus of pages four times a second. */
const PAGE_FOCUS_MS = 500;

const TOOLBAR_STORAGE_KEY = 'mailing.preview.toolbar';
/** The sites that the user allowed to read posts from. */
const SITES_STORAGE_KEY = 'mailing.preview.sites';

type ScaledImage = Extract<FromPage, { type: 'imageScaled' }>;

function getPictureRoots({ body, folder = getFolder(body), root = folder }: PreviewSource) {
  return root ? [root] : [];
}

export interface SessionServices extends PreviewServices {
  getProblems(body: vscode.Uri): MailProblems | undefined;
}

/** An open preview: connects its page to the documents of its email. Before the email is read, only its title is posted, and nothing of the one before. */
export class PreviewSession implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  /** The person that the email is shown as. */
  readonly viewer: ViewerSelection;
  readonly #services: SessionServices;
  readonly #cursorDebouncer = new Debouncer(DEBOUNCE_MS);
  readonly #detailsDebouncer = new Debouncer(DEBOUNCE_MS);
  readonly #composer: SentComposer;
  readonly #page: WebviewPage<FromPage, ToPage>;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Receive scaled images, by the id of the request. */
  readonly #scalings: ((scaled: ScaledImage) => void)[] = [];
  #email: LiveEmail;
  /** The details of all emails that were shown, by their body: an edit may arrive after the next email is shown. */
  readonly #details = new Map<string, vscode.Uri | undefined>();
  #pictures: LocalPictures | undefined;
  /** The sent version that the page has: only changes are posted. */
  #posted: SentParts | undefined;
  #isLocked: boolean;
  #heat: Extract<ToPage, { type: 'heat' }> | undefined;

  constructor(panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean, services: SessionServices) {
    this.panel = panel;
    this.#services = services;
    this.#isLocked = isLocked;
    this.viewer = new ViewerSelection(services.connections, source.body, () => this.#postViewers());
    this.#composer = new SentComposer(services, (service, sent) => this.#postSent(service, sent));
    this.#page = new WebviewPage<FromPage, ToPage>(
      panel.webview,
      services.context.extensionUri,
      {
        ...previewPage,
        title: t('Preview'),
        roots: getPictureRoots(source),
        schema: fromPage,
        onError: (error) => {
          void showError(error, { title: t('Preview'), log: services.log });
          this.#showEmail();
        },
      },
      this.#createHandlers(),
    );
    this.#email = this.#open(source);
    this.#updateTitle();
    this.#subscriptions = [
      this.#page,
      this.viewer,
      this.#composer,
      this.#cursorDebouncer,
      this.#detailsDebouncer,
      panel.onDidChangeViewState(() => (panel.visible ? void this.#email.reopenUnread() : this.#page.suspend())),
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

  /** Shows another email. Until it is read, the page shows its title only. */
  show(source: PreviewSource): void {
    if (this.source.body.toString() === source.body.toString()) return;
    this.#cursorDebouncer.dispose();
    this.#detailsDebouncer.dispose();
    this.#email.dispose();
    this.#heat = undefined;
    this.viewer.setBody(source.body);
    this.#email = this.#open(source);
    this.#updateTitle();
    this.#page.setRoots(getPictureRoots(source));
    this.#showEmail();
  }

  /** Sets the lock, which the page stores for a restart. */
  setLocked(locked: boolean): void {
    this.#isLocked = locked;
    this.#updateTitle();
    this.#post({ type: 'locked', locked });
  }

  /** Shows a heat map until the user closes it. A page that is still loading shows it once it is ready. */
  showHeat(heat: LinkHeat): void {
    // The page stores the id, so ids must also differ across restarts.
    this.#heat = { type: 'heat', heatId: Date.now(), heat };
    this.#post(this.#heat);
  }

  /**
   * Scales an image to twice the width that it has at an offset of the body, if it is larger. Returns its shown size; undefined if the
   * page doesn't respond.
   */
  scaleImage(image: Uint8Array<ArrayBuffer>, format: string, at: number): Promise<ScaledImage | undefined> {
    const offset = this.#email.toShownOffset(at) ?? 0;
    return new Promise((resolve) => {
      this.#post({ type: 'scaleImage', id: this.#scalings.push(resolve) - 1, image, format, offset });
      setTimeout(() => resolve(undefined), this.panel.visible ? SCALE_TIMEOUT_MS : 0);
    });
  }

  /** Posts the current number of problems. */
  postProblems(): void {
    const { errors = 0, warnings = 0 } = this.#services.getProblems(this.source.body) ?? {};
    this.#post({ type: 'problems', errors, warnings });
  }

  /** Shows posts of the WordPress site in place of samples. Asks once for each site. Returns how many tags show posts. */
  async showSitePosts(): Promise<number | undefined> {
    const { globalState } = this.#services.context;
    const { connections } = this.#services;
    const connection = connections.get(this.source.connection ?? this.source.body.authority);
    if (!connection || connection.cms === 'joomla' || connection.sandbox)
      throw new Error(t('Only emails of a WordPress site can be previewed with its posts.'));
    const { baseUrl } = connection;
    const paths = listSitePaths(this.#email.text('body'), readTagLanguage(this.viewer.choices.tags));
    if (paths.length === 0) return void showInfo(t('This email has no tags for posts or pages of WordPress.'));
    const allowed = globalState.get<readonly string[]>(SITES_STORAGE_KEY, []);
    if (!allowed.includes(baseUrl)) {
      const addresses = paths.map((path) => getPostAddress(baseUrl, path));
      const detail = [t('The requests contain no API key and no cookies.'), ...addresses.slice(0, 10)];
      if (!(await confirm(t`Read posts from ${new URL(baseUrl).host}?`, detail, t('Read Posts')))) return undefined;
      await globalState.update(SITES_STORAGE_KEY, [...allowed, baseUrl]);
    }
    const posts = await connections.getSitePosts(connection, paths);
    const count = Object.keys(posts).length;
    if (count === 0) void showWarning(t`Couldn't read posts from ${new URL(baseUrl).host}. The preview shows samples.`);
    this.viewer.setPosts(posts);
    return count;
  }

  dispose(): void {
    this.#pictures?.dispose();
    this.#email.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #createHandlers(): MessageHandlers<FromPage> {
    return {
      ready: () => this.#showEmail(),
      pictures: ({ paths }) => this.#pictures?.request(paths),
      retry: () => this.#email.reopenUnread(),
      toolbar: ({ toolbar }) => {
        this.#composer.setVisible(toolbar.view !== 'authored');
        // A message has no authored version, so its view isn't meant for other emails.
        return this.source.message ?? this.#services.context.globalState.update(TOOLBAR_STORAGE_KEY, toolbar);
      },
      reveal: async ({ part, offset }) => {
        const uri = this.source[part];
        const at = part === 'body' ? this.#email.toOwnOffset(offset) : offset;
        if (uri && at !== undefined) this.#keepFocus(await reveal(uri, (document) => document.positionAt(at)));
      },
      revealProblem: async () => {
        const first = this.#services.getProblems(this.source.body)?.first;
        // Only the start: the range of a problem may reach to the end of the email.
        if (first) this.#keepFocus(await reveal(first.uri, () => first.range.start));
      },
      openLink: async ({ href }) => {
        const link = getOpenableLink(href);
        if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
        else void showInfo(t`Couldn't open "${toSingleLine(href, 80)}". The preview opens only web and email links.`);
      },
      // Like browsers, removes control characters: a line break would run a command when pasted into a terminal.
      copyLink: ({ href }) => vscode.env.clipboard.writeText(href.replace(/\p{Cc}+/gu, '').trim()),
      edit: (edit) => this.#edit(edit),
      imageScaled: (scaled) => this.#scalings[scaled.id]?.(scaled),
      selectPerson: ({ personId }) => this.viewer.choose(personId),
      heatClosed: () => {
        this.#heat = undefined;
      },
    };
  }

  /** Edits a field of an email's details, without saving. */
  async #edit({ document: body, field, text: value }: Extract<FromPage, { type: 'edit' }>) {
    const details = this.#details.get(body);
    if (!details) return;
    const document = await vscode.workspace.openTextDocument(details);
    const { permissions } = await vscode.workspace.fs.stat(details);
    const text = document.getText();
    if (permissions !== vscode.FilePermission.Readonly && parseDetails(text).kind === 'details') {
      const edit = new vscode.WorkspaceEdit();
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(details, whole, applyChanges(text, [{ path: [field], value }], []));
      await vscode.workspace.applyEdit(edit);
    } else {
      void showWarning(t('This email is read-only, or its details contain errors.'));
      this.#showEmail();
    }
  }

  #open(source: PreviewSource) {
    this.#details.set(source.body.toString(), source.details);
    const [root] = getPictureRoots(source);
    this.#pictures?.dispose();
    this.#pictures = root && new LocalPictures(root, (pictures) => this.#post({ type: 'pictures', pictures }));
    const email = new LiveEmail(source, this.#services.log, (update) => {
      if (update.type !== 'details') {
        this.#post(update);
        if (update.type !== 'readFailure') this.#composer.schedule();
        return;
      }
      this.#detailsDebouncer.run(() => {
        this.#post({ type: 'envelope', envelope: email.envelope, editable: email.editable });
        this.#composer.schedule();
      });
    });
    void email.open().then(() => email === this.#email && this.#showEmail());
    return email;
  }

  #updateTitle() {
    const { title } = this.source;
    this.panel.title = this.#isLocked ? t`[Preview] ${title}` : t`Preview ${title}`;
  }

  /** Before the initial content is posted, there is nothing to update. */
  #post(message: ToPage) {
    if (this.#email.isLoaded) this.#page.post(message);
  }

  #postViewers() {
    this.#post({ type: 'viewers', ...this.viewer.choices });
  }

  #showEmail() {
    const { source, envelope, editable, failure } = this.#email;
    if (!this.#email.isLoaded) return this.#page.post({ type: 'opening', title: source.title });
    const { webview } = this.panel;
    const { folder = getFolder(source.body) } = source;
    const stored = readToolbar(this.#services.context.globalState.get(TOOLBAR_STORAGE_KEY));
    const toolbar = source.message && stored.view === 'authored' ? { ...stored, view: 'sent' as const } : stored;
    this.#postViewers();
    this.postProblems();
    this.#post({
      type: 'show',
      document: source.body.toString(),
      title: source.title,
      locked: this.#isLocked,
      body: this.#email.text('body'),
      stylesheet: this.#email.text('stylesheet'),
      envelope,
      editable,
      recipient: source.message?.to,
      base: folder && toWebviewFolder(webview, folder),
      root: folder && toWebviewFolder(webview, source.root ?? folder),
      toolbar,
    });
    if (this.#heat) this.#post(this.#heat);
    this.#posted = undefined;
    this.#composer.setVisible(toolbar.view !== 'authored');
    this.#composer.restart(this.#email);
    this.#post({ type: 'readFailure', message: failure });
    for (const editor of vscode.window.visibleTextEditors) this.#followCursor(editor);
  }

  #postSent(service: SendingService, composed: SentParts | undefined) {
    const { html = '', text = '' } = this.#posted ?? {};
    const sent = isUnknown(composed?.missing) ? undefined : composed;
    this.#post({
      type: 'sent',
      service,
      note: describeMissing(composed?.missing),
      html: sent && findChange(html, sent.html),
      text: sent && findChange(text, sent.text),
    });
    // The page has none after a failure.
    this.#posted = sent;
  }

  /** VS Code notices the click in the page some time later, and may make the preview active again. */
  #keepFocus({ document, viewColumn }: vscode.TextEditor) {
    const focus = () => this.panel.active && void vscode.window.showTextDocument(document, { viewColumn });
    focus();
    const listener = this.panel.onDidChangeViewState(focus);
    setTimeout(() => listener.dispose(), PAGE_FOCUS_MS);
  }

  #followCursor(editor: vscode.TextEditor) {
    const { document } = editor;
    if (document.uri.toString() !== this.source.body.toString()) return;
    this.#cursorDebouncer.run(() => {
      const offset = this.#email.toShownOffset(document.offsetAt(editor.selection.active));
      this.#post({ type: 'cursor', offset });
    });
  }
}

/** Reveals a position of a document in its editor, and opens one if needed. */
async function reveal(uri: vscode.Uri, getPosition: (document: vscode.TextDocument) => vscode.Position) {
  const document = await vscode.workspace.openTextDocument(uri);
  const position = getPosition(document);
  const selection = new vscode.Range(position, position);
  const showsUri = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
  const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(showsUri));
  const viewColumn = group?.viewColumn ?? getTextColumn();
  const editor = await vscode.window.showTextDocument(document, { viewColumn, selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return editor;
}
