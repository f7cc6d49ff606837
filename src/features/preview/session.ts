import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findChange } from '../../email/html/text.ts';
import { getOpenableLink } from '../../email/compose/safety.ts';
import type { Sent } from '../../email/sent/index.ts';
import { listSitePaths, readTagLanguage } from '../../email/tags/index.ts';
import { getPostAddress } from '../../platform/connections/sitePosts.ts';
import { describeMissing, isUnknown } from '../../email/sent/visualEditor.ts';
import { Debouncer } from '../../ui/async.ts';
import { confirm, showInfo, showWarning } from '../../ui/messages.ts';
import { toSingleLine } from '../../service/text.ts';
import { WebviewHost } from '../../ui/webview/webview.ts';
import { fromPage, readToolbar, type FromPage, type LinkHeat, type SendingService, type ToPage } from './protocol.ts';
import { LiveEmail } from './liveEmail.ts';
import { createLocalPictures, type LocalPictures } from './pictures.ts';
import { createSentComposer } from './sent.ts';
import {
  getFolder,
  previewPage,
  toWebviewFolder,
  type MailProblems,
  type PreviewServices,
  type PreviewSource,
} from './source.ts';
import { createViewerSelection } from './viewerSelection.ts';

/** Debounces updates of cursor and details, so that they don't delay typing. */
const DEBOUNCE_MS = 80;

/** A page may take long to read a large image, or be reloaded. */
const SCALE_TIMEOUT_MS = 5000;

const TOOLBAR_STORAGE_KEY = 'mailing.preview.toolbar';
/** The sites that the user allowed to read posts from. */
const SITES_STORAGE_KEY = 'mailing.preview.sites';

const emptySnapshot = { html: '', text: '' };

type ScaledImage = Extract<FromPage, { type: 'imageScaled' }>;

function getPictureRoots({ body, root = getFolder(body) }: PreviewSource) {
  return root ? [root] : [];
}

interface SessionServices extends PreviewServices {
  getProblems(body: vscode.Uri): MailProblems | undefined;
}

export type PreviewSession = ReturnType<typeof createPreviewSession>;

/** Creates an open preview, which connects its page to the documents of its email. */
export function createPreviewSession(
  panel: vscode.WebviewPanel,
  initialSource: PreviewSource,
  startsLocked: boolean,
  services: SessionServices,
) {
  const cursorDebouncer = new Debouncer(DEBOUNCE_MS);
  const detailsDebouncer = new Debouncer(DEBOUNCE_MS);
  /** The sent version that the page has: only changes are posted. */
  let lastPosted = emptySnapshot;
  let pictures: LocalPictures | undefined;
  let isLocked = startsLocked;
  let heat: Extract<ToPage, { type: 'heat' }> | undefined;
  const scalings: ((scaled: ScaledImage) => void)[] = [];
  /** The person that the email is shown as. */
  const viewer = createViewerSelection(services.connections, initialSource.body, () =>
    post({ type: 'viewers', ...viewer.getChoices() }),
  );
  const sentComposer = createSentComposer(services, () => email, postSent);
  const host = new WebviewHost<FromPage, ToPage>(
    panel.webview,
    services.context.extensionUri,
    {
      ...previewPage,
      title: t('Preview'),
      roots: getPictureRoots(initialSource),
    },
    fromPage,
    {
      ready: showEmail,
      pictures: ({ paths }) => pictures?.request(paths),
      retry: () => email.reopenUnread(),
      toolbar: ({ toolbar }) => {
        sentComposer.setVisible(toolbar.view !== 'authored');
        return services.context.globalState.update(TOOLBAR_STORAGE_KEY, toolbar);
      },
      reveal: async ({ part, offset }) => {
        const uri = email.source[part];
        if (uri) await reveal(uri, (document) => document.positionAt(offset));
      },
      revealProblem: async () => {
        const first = services.getProblems(email.source.body)?.first;
        // Only the start: the range of a problem may reach to the end of the email.
        if (first) await reveal(first.uri, () => first.range.start);
      },
      openLink: async ({ href }) => {
        const link = getOpenableLink(href);
        if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
        else void showInfo(t`Couldn't open "${toSingleLine(href, 80)}". The preview opens only web and email links.`);
      },
      // Like browsers, removes control characters: a line break would run a command when pasted into a terminal.
      copyLink: ({ href }) => vscode.env.clipboard.writeText(href.replace(/\p{Cc}+/gu, '').trim()),
      imageScaled: (scaled) => scalings[scaled.id]?.(scaled),
      selectPerson: ({ personId }) => viewer.choose(personId),
      heatClosed: () => {
        heat = undefined;
      },
    },
  );
  let email = openEmail(initialSource);
  updateTitle();
  const subscriptions: readonly vscode.Disposable[] = [
    host,
    viewer,
    sentComposer,
    cursorDebouncer,
    detailsDebouncer,
    panel.onDidChangeViewState(() => (panel.visible ? void email.reopenUnread() : host.suspend())),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => followCursor(textEditor)),
    vscode.window.onDidChangeActiveTextEditor((editor) => editor && followCursor(editor)),
  ];

  /** Shows another email. The current one stays visible until the new one is read. */
  function show(source: PreviewSource) {
    if (email.source.body.toString() === source.body.toString()) return;
    cursorDebouncer.dispose();
    detailsDebouncer.dispose();
    email.dispose();
    heat = undefined;
    viewer.setBody(source.body);
    email = openEmail(source);
    updateTitle();
    host.setRoots(getPictureRoots(source));
  }

  /** Sets the lock, which the page stores for a restart. */
  function setLocked(locked: boolean) {
    isLocked = locked;
    updateTitle();
    post({ type: 'locked', locked });
  }

  /** Shows a heat map until the user closes it. A page that is still loading shows it once it is ready. */
  function showHeat(linkHeat: LinkHeat) {
    // The page stores the id, so ids must also differ across restarts.
    heat = { type: 'heat', heatId: Date.now(), heat: linkHeat };
    post(heat);
  }

  /**
   * Scales an image to twice the width that it has at an offset of the body, if it is larger. Returns its shown size; undefined if the
   * page doesn't respond.
   */
  function scaleImage(
    image: Uint8Array<ArrayBuffer>,
    format: string,
    offset: number,
  ): Promise<ScaledImage | undefined> {
    return new Promise((resolve) => {
      post({ type: 'scaleImage', id: scalings.push(resolve) - 1, image, format, offset });
      setTimeout(() => resolve(undefined), panel.visible ? SCALE_TIMEOUT_MS : 0);
    });
  }

  /** Posts the current number of problems. */
  function postProblems() {
    const { errors = 0, warnings = 0 } = services.getProblems(email.source.body) ?? {};
    post({ type: 'problems', errors, warnings });
  }

  function dispose() {
    pictures?.dispose();
    email.dispose();
    for (const subscription of subscriptions) subscription.dispose();
  }

  function openEmail(source: PreviewSource) {
    const [root] = getPictureRoots(source);
    pictures?.dispose();
    pictures = root && createLocalPictures(root, (read) => post({ type: 'pictures', pictures: read }));
    const opened = new LiveEmail(source, services.log, (update) => {
      if (update.type !== 'details') {
        post(update);
        if (update.type !== 'readFailure') sentComposer.schedule();
        return;
      }
      detailsDebouncer.run(() => {
        post({ type: 'envelope', envelope: opened.envelope });
        sentComposer.schedule();
      });
    });
    void opened.open().then(() => opened === email && showEmail());
    return opened;
  }

  function updateTitle() {
    const { title } = email.source;
    panel.title = isLocked ? t`[Preview] ${title}` : t`Preview ${title}`;
  }

  /** Before the initial content is posted, there is nothing to update. */
  function post(message: ToPage) {
    if (email.isLoaded) host.post(message);
  }

  function showEmail() {
    if (!email.isLoaded) return;
    const { source, envelope, failure } = email;
    const folder = getFolder(source.body);
    const toolbar = readToolbar(services.context.globalState.get(TOOLBAR_STORAGE_KEY));
    post({ type: 'viewers', ...viewer.getChoices() });
    post({
      type: 'show',
      document: source.body.toString(),
      title: source.title,
      locked: isLocked,
      body: email.text('body'),
      stylesheet: email.text('stylesheet'),
      envelope,
      base: folder && toWebviewFolder(panel.webview, folder),
      root: folder && toWebviewFolder(panel.webview, source.root ?? folder),
      toolbar,
    });
    if (heat) post(heat);
    postProblems();
    lastPosted = emptySnapshot;
    sentComposer.setVisible(toolbar.view !== 'authored');
    sentComposer.restart();
    post({ type: 'readFailure', message: failure });
    for (const editor of vscode.window.visibleTextEditors) followCursor(editor);
  }

  function postSent(service: SendingService, composed: Sent | undefined) {
    const { html, text } = lastPosted;
    const sent = isUnknown(composed?.missing) ? undefined : composed;
    post({
      type: 'sent',
      service,
      note: describeMissing(composed?.missing),
      html: sent && findChange(html, sent.html),
      text: sent && findChange(text, sent.text),
    });
    // The page has none after a failure.
    lastPosted = sent ?? emptySnapshot;
  }

  /** Shows posts of the WordPress site in place of samples. Asks once for each site. Returns how many tags show posts. */
  async function showSitePosts() {
    const { globalState } = services.context;
    const { connection: id = email.source.body.authority } = email.source;
    const connection = services.connections.get(id);
    if (!connection || connection.cms === 'joomla' || connection.sandbox)
      throw new Error(t('Only emails of a WordPress site can be previewed with its posts.'));
    const { baseUrl } = connection;
    const paths = listSitePaths(email.email.body, readTagLanguage(viewer.getChoices().tags));
    if (paths.length === 0) return void showInfo(t('This email has no tags for posts or pages of WordPress.'));
    const allowed = globalState.get<readonly string[]>(SITES_STORAGE_KEY, []);
    if (!allowed.includes(baseUrl)) {
      const addresses = paths.map((path) => getPostAddress(baseUrl, path));
      const detail = [t('The requests contain no API key and no cookies.'), ...addresses.slice(0, 10)];
      if (!(await confirm(t`Read posts from ${new URL(baseUrl).host}?`, detail, t('Read Posts')))) return undefined;
      await globalState.update(SITES_STORAGE_KEY, [...allowed, baseUrl]);
    }
    const posts = await services.connections.getSitePosts(connection, paths);
    const count = Object.keys(posts).length;
    if (count === 0) void showWarning(t`Couldn't read posts from ${new URL(baseUrl).host}. The preview shows samples.`);
    viewer.setPosts(posts);
    return count;
  }

  function followCursor(editor: vscode.TextEditor) {
    const { document } = editor;
    if (document.uri.toString() !== email.source.body.toString()) return;
    cursorDebouncer.run(() => post({ type: 'cursor', offset: document.offsetAt(editor.selection.active) }));
  }

  /** Reveals a position of a document in its editor, and opens one if needed. */
  async function reveal(uri: vscode.Uri, getPosition: (document: vscode.TextDocument) => vscode.Position) {
    const document = await vscode.workspace.openTextDocument(uri);
    const position = getPosition(document);
    const selection = new vscode.Range(position, position);
    const editor = await vscode.window.showTextDocument(document, { viewColumn: findColumn(uri), selection });
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  function findColumn(uri: vscode.Uri) {
    const showsUri = (tab: vscode.Tab) =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    const group = vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(showsUri));
    if (group) return group.viewColumn;
    return panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
  }

  return {
    panel,
    viewer,
    get source() {
      return email.source;
    },
    /** A locked preview keeps its email. The other one follows the active editor. */
    get isLocked() {
      return isLocked;
    },
    show,
    setLocked,
    showHeat,
    postProblems,
    scaleImage,
    showSitePosts,
    dispose,
  };
}
