import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import type { Rendering } from '../../../email/tags/index.ts';
import type { LinkHeat } from '../protocol.ts';
import { once } from '../../ui/once.ts';
import type { ProblemSource } from './problems.ts';
import type { Compose } from './sentComposer.ts';
import type { PreviewSession } from './session.ts';
import type { PreviewSource } from './source.ts';

/** Tells how a document's email is shown. Nothing where the document isn't of its room. */
export type PreviewResolver = (document: vscode.Uri) => Promise<PreviewSource | undefined>;

/** One open preview. */
export interface Preview {
  /** What it shows now. */
  readonly source: PreviewSource;
  readonly panel: vscode.WebviewPanel;
  /** It stays with its email. Any other preview follows the email in front. */
  readonly isLocked: boolean;
  /** What fills the panel; nothing where it was closed before that was loaded. */
  readonly session: Promise<PreviewSession | undefined>;
  /** For whom its tags are replaced; undefined where they are shown themselves. */
  rendering(): Rendering | undefined;
}

type OpenPreview = { -readonly [Key in keyof Preview]: Preview[Key] };

/** Also the panel's type in `when` clauses: `activeWebviewPanelId == 'mailing.preview'`. */
const PREVIEW_VIEW_TYPE = 'mailing.preview';

/** What the page kept of a preview. */
interface PersistedPreview {
  readonly body: vscode.Uri | undefined;
  readonly isLocked: boolean;
}

function readPersistedPreview(state: unknown): PersistedPreview {
  const { document, locked } = Object(state) as Readonly<Record<string, unknown>>;
  return { body: typeof document === 'string' ? vscode.Uri.parse(document) : undefined, isLocked: locked === true };
}

const getPanelTitle = ({ title }: PreviewSource, isLocked: boolean): string =>
  isLocked ? `[Preview] ${title}` : `Preview ${title}`;

/** The documents of the tab in front: of a diff both, the newer one first. */
export function getActiveEditorUris(): readonly vscode.Uri[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [];
}

/** The open previews: one that follows the email in front, and those that are locked to theirs. */
export class Previews implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  /** Loads what fills a panel. */
  readonly #loadSessionFactory: () => Promise<(preview: OpenPreview) => PreviewSession>;
  readonly #previews = new Set<OpenPreview>();
  readonly #resolvers = new Set<PreviewResolver>();
  /** Panels that came back, and whose room has not said yet how their document is shown. */
  readonly #unresolvedPanels = new Map<vscode.WebviewPanel, PersistedPreview>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #activeEditorKey = '';
  #problemSource: ProblemSource | undefined;

  readonly #personChanges = new vscode.EventEmitter<void>();
  /** Fires when a preview may be another person's. */
  readonly onDidChangePerson = this.#personChanges.event;

  constructor(
    context: vscode.ExtensionContext,
    log: vscode.LogOutputChannel,
    connections: Connections,
    compose: Compose,
  ) {
    this.#log = log;
    this.#loadSessionFactory = once(async () => {
      const [{ PreviewSession }, { ToolbarStore }] = await Promise.all([
        import('./session.ts'),
        import('./toolbarStore.ts'),
      ]);
      const services = {
        extensionUri: context.extensionUri,
        toolbarStore: new ToolbarStore(context.globalState),
        log,
        connections,
        compose,
        onPersonChange: () => this.#personChanges.fire(),
        getProblems: (body: vscode.Uri) => this.#problemSource?.getProblems(body),
      };
      return ({ panel, source, isLocked }: OpenPreview) => new PreviewSession(panel, source, isLocked, services);
    });
    this.#subscriptions = [
      vscode.window.registerWebviewPanelSerializer(PREVIEW_VIEW_TYPE, {
        deserializeWebviewPanel: (panel, state) => this.#restore(panel, readPersistedPreview(state)),
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#followActiveEditor()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.#followActiveEditor()),
    ];
  }

  /**
   * Shows the preview of a body: the open one of just this body, or the one that follows, or a new one (beside the editor unless told
   * otherwise). The editor keeps the focus.
   */
  async show(source: PreviewSource, column: vscode.ViewColumn = vscode.ViewColumn.Beside): Promise<Preview> {
    const open = this.find(source.body) ?? this.#followingPreview;
    if (open) {
      await this.#showSource(open, source);
      open.panel.reveal(undefined, true);
      return open;
    }
    const panel = vscode.window.createWebviewPanel(PREVIEW_VIEW_TYPE, getPanelTitle(source, false), {
      viewColumn: column,
      preserveFocus: true,
    });
    return this.#addPreview(panel, source, false);
  }

  /** The open preview of a body document. */
  find(body: vscode.Uri): Preview | undefined {
    const key = body.toString();
    return [...this.#previews].find(({ source }) => source.body.toString() === key);
  }

  /** The preview that the user looks at: the active one, or one that is to be seen. */
  get current(): Preview | undefined {
    const all = [...this.#previews];
    return all.find(({ panel }) => panel.active) ?? all.find(({ panel }) => panel.visible) ?? all[0];
  }

  /** Locks a preview to its email, or lets it follow again: then it is the only one that does. Gives whether it is locked. */
  async toggleLock(preview: Preview): Promise<boolean> {
    const open = [...this.#previews].find((each) => each === preview);
    if (!open) return preview.isLocked;
    if (open.isLocked) this.#followingPreview?.panel.dispose();
    open.isLocked = !open.isLocked;
    open.panel.title = getPanelTitle(open.source, open.isLocked);
    (await open.session)?.lock(open.isLocked);
    if (!open.isLocked) {
      // The active email may have come to the front while the preview was locked.
      this.#activeEditorKey = '';
      await this.#followActiveEditor();
    }
    return open.isLocked;
  }

  /** Whom the preview of a record's documents, or of a file, is for; undefined where it shows the tags themselves, or there is none. */
  getRendering(document: vscode.Uri): Rendering | undefined {
    const key = document.toString();
    const open = [...this.#previews].find(({ source }) =>
      [source.body, source.details?.uri].some((uri) => uri?.toString() === key),
    );
    return open?.rendering();
  }

  /** From now on the previews tell what is wrong with their emails. */
  setProblemSource(problems: ProblemSource): vscode.Disposable {
    this.#problemSource = problems;
    return problems.onDidChange(() => {
      for (const { session } of this.#previews) void session.then((open) => open?.postProblems());
    });
  }

  /** The document in front: of a text editor, a form, a comparison, or of the preview that has the focus. */
  get activeDocument(): vscode.Uri | undefined {
    return getActiveEditorUris()[0] ?? [...this.#previews].find(({ panel }) => panel.active)?.source.body;
  }

  /** Everybody whom the open preview of a body can be looked at as. */
  async getPeople(body: vscode.Uri): Promise<PreviewSession['people']> {
    return (await this.find(body)?.session)?.people ?? [];
  }

  /**
   * Lays the clicks on an email's links over the open preview of its body, in place of those that are there; `undefined` takes them
   * away. False where no preview of this body is open.
   */
  async showHeat(body: vscode.Uri, heat: LinkHeat | undefined): Promise<boolean> {
    const session = await this.find(body)?.session;
    session?.showHeat(heat);
    return session !== undefined;
  }

  /** Rooms tell how their documents are shown. Local HTML files need no room. */
  registerResolver(resolver: PreviewResolver): vscode.Disposable {
    this.#resolvers.add(resolver);
    for (const [panel, kept] of [...this.#unresolvedPanels]) void this.#restore(panel, kept);
    return new vscode.Disposable(() => this.#resolvers.delete(resolver));
  }

  /** How a document's email is shown; undefined where it belongs to none. */
  async resolve(document: vscode.Uri): Promise<PreviewSource | undefined> {
    for (const resolve of this.#resolvers) {
      try {
        const source = await resolve(document);
        if (source) return source;
      } catch (error) {
        this.#log.warn(`How ${document.toString()} is shown is not known now.`, error);
      }
    }
    return (await import('./localSource.ts')).getLocalSource(document);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#personChanges.dispose();
    for (const { panel } of [...this.#previews]) panel.dispose();
  }

  get #followingPreview(): OpenPreview | undefined {
    return [...this.#previews].find(({ isLocked }) => !isLocked);
  }

  /** Another tab came to the front. What is no email leaves the preview as it is. */
  async #followActiveEditor(): Promise<void> {
    const documents = getActiveEditorUris();
    const key = documents.join('\n');
    if (key === this.#activeEditorKey) return;
    this.#activeEditorKey = key;
    for (const document of this.#followingPreview ? documents : []) {
      const source = await this.resolve(document);
      const following = this.#followingPreview;
      if (!following || key !== this.#activeEditorKey) return;
      if (source) return this.#showSource(following, source);
    }
  }

  /** Turns an open preview to an email. */
  async #showSource(preview: OpenPreview, source: PreviewSource): Promise<void> {
    if (preview.source.body.toString() === source.body.toString()) return;
    preview.source = source;
    preview.panel.title = getPanelTitle(source, preview.isLocked);
    const session = await preview.session;
    if (preview.source === source) session?.show(source);
    this.#personChanges.fire();
  }

  async #addPreview(panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean): Promise<Preview> {
    let loadedSession: PreviewSession | undefined;
    const load = async (): Promise<PreviewSession | undefined> => {
      const open = await this.#loadSessionFactory();
      return (loadedSession = this.#previews.has(preview) ? open(preview) : undefined);
    };
    const preview: OpenPreview = {
      source,
      panel,
      isLocked,
      session: Promise.resolve(undefined),
      rendering: () => loadedSession?.rendering,
    };
    this.#previews.add(preview);
    panel.onDidDispose(() => {
      this.#previews.delete(preview);
      loadedSession?.dispose();
      this.#personChanges.fire();
    });
    preview.session = load();
    await preview.session;
    return preview;
  }

  /** Whether a restored panel would repeat an open one. A locked preview and the one that follows may show the same email. */
  #hasDuplicate({ body }: PreviewSource, { isLocked }: PersistedPreview): boolean {
    const duplicates = [...this.#previews].filter(({ source }) => source.body.toString() === body.toString());
    return isLocked
      ? duplicates.some((twin) => twin.isLocked)
      : this.#followingPreview !== undefined && duplicates.length > 0;
  }

  async #restore(panel: vscode.WebviewPanel, kept: PersistedPreview): Promise<void> {
    const source = kept.body && (await this.resolve(kept.body));
    if (source && !this.#hasDuplicate(source, kept)) {
      this.#unresolvedPanels.delete(panel);
      const isLocked = kept.isLocked || this.#followingPreview !== undefined;
      // VS Code's title may be older than the page's state.
      panel.title = getPanelTitle(source, isLocked);
      await this.#addPreview(panel, source, isLocked);
    } else if (source || !kept.body) {
      panel.dispose();
    } else {
      panel.webview.html =
        '<p>The document of this preview can’t be found. Close the preview, and open it again from its document.</p>';
      if (!this.#unresolvedPanels.has(panel)) panel.onDidDispose(() => this.#unresolvedPanels.delete(panel));
      this.#unresolvedPanels.set(panel, kept);
    }
  }
}
