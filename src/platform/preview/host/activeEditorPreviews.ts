import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import type { Rendering } from '../../../email/tags/index.ts';
import type { LinkHeat } from '../protocol.ts';
import { once } from '../../ui/async.ts';
import type { Compose } from './sent.ts';
import type { PreviewSession } from './session.ts';
import type { PreviewSource, ProblemSource } from './source.ts';

/** Returns the preview source of a document, why it can't be previewed now, or undefined if another feature handles the document. */
export type PreviewResolver = (document: vscode.Uri) => Promise<PreviewSource | string | undefined>;

export interface Preview {
  readonly source: PreviewSource;
  readonly panel: vscode.WebviewPanel;
  /** A locked preview keeps its email. The other one follows the active editor. */
  readonly isLocked: boolean;
  /** Undefined if the panel was closed before the session was loaded. */
  readonly session: Promise<PreviewSession | undefined>;
  /** The person that tags are replaced for. Undefined if raw tags are shown. */
  rendering(): Rendering | undefined;
}

type OpenPreview = { -readonly [Key in keyof Preview]: Preview[Key] };

/** Also used in `when` clauses: `activeWebviewPanelId == 'mailing.preview'`. */
const PREVIEW_VIEW_TYPE = 'mailing.preview';

/** The state that the page stored for a reload of the window. */
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

/** Returns the documents of the active tab. For a diff both, the newer one first. */
export function getActiveEditorUris(): readonly vscode.Uri[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [];
}

/** The open previews: at most one follows the active editor, the others are locked to their email. */
export class Previews implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  /** Loads the session module with the first preview. */
  readonly #loadSessionFactory: () => Promise<(preview: OpenPreview) => PreviewSession>;
  readonly #previews = new Set<OpenPreview>();
  readonly #resolvers = new Set<PreviewResolver>();
  /** Restored panels whose document no resolver recognized yet. */
  readonly #unresolvedPanels = new Map<vscode.WebviewPanel, PersistedPreview>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #activeEditorKey = '';
  #problemSource: ProblemSource | undefined;

  readonly #personChanges = new vscode.EventEmitter<void>();
  /** Fires when a preview may show another person. */
  readonly onDidChangePerson = this.#personChanges.event;

  constructor(
    context: vscode.ExtensionContext,
    log: vscode.LogOutputChannel,
    connections: Connections,
    compose: Compose,
  ) {
    this.#log = log;
    this.#loadSessionFactory = once(async () => {
      const { PreviewSession } = await import('./session.ts');
      const services = {
        extensionUri: context.extensionUri,
        storage: context.globalState,
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
   * Shows a body in its open preview, in the preview that follows the active editor, or in a new one beside the editor. The editor keeps the focus.
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

  /** Returns the open preview of a body document. */
  find(body: vscode.Uri): Preview | undefined {
    const key = body.toString();
    return [...this.#previews].find(({ source }) => source.body.toString() === key);
  }

  /** The active preview, or else a visible one. */
  get current(): Preview | undefined {
    const all = [...this.#previews];
    return all.find(({ panel }) => panel.active) ?? all.find(({ panel }) => panel.visible) ?? all[0];
  }

  /** Toggles the lock of a preview. Unlocking closes another preview that follows the active editor. Returns whether it is now locked. */
  async toggleLock(preview: Preview): Promise<boolean> {
    const open = [...this.#previews].find((each) => each === preview);
    if (!open) return preview.isLocked;
    if (open.isLocked) this.#followingPreview?.panel.dispose();
    open.isLocked = !open.isLocked;
    open.panel.title = getPanelTitle(open.source, open.isLocked);
    (await open.session)?.lock(open.isLocked);
    if (!open.isLocked) {
      // The active editor may have changed while the preview was locked.
      this.#activeEditorKey = '';
      await this.#followActiveEditor();
    }
    return open.isLocked;
  }

  /** Returns the rendering of the preview that shows a document, or undefined if it shows raw tags or isn't open. */
  getRendering(document: vscode.Uri): Rendering | undefined {
    const key = document.toString();
    const open = [...this.#previews].find(({ source }) =>
      [source.body, source.details?.uri].some((uri) => uri?.toString() === key),
    );
    return open?.rendering();
  }

  /** Shows the problems of this source in all previews. */
  setProblemSource(problems: ProblemSource): vscode.Disposable {
    this.#problemSource = problems;
    return problems.onDidChange(() => {
      for (const { session } of this.#previews) void session.then((open) => open?.postProblems());
    });
  }

  /** The document of the active editor, form, comparison or preview. */
  get activeDocument(): vscode.Uri | undefined {
    return getActiveEditorUris()[0] ?? [...this.#previews].find(({ panel }) => panel.active)?.source.body;
  }

  /** Returns the people that the open preview of a body can be shown as. */
  async getPeople(body: vscode.Uri): Promise<PreviewSession['people']> {
    return (await this.find(body)?.session)?.people ?? [];
  }

  /** Shows a heat map over the open preview of a body, or closes it if `heat` is undefined. Returns false if no preview of the body is open. */
  async showHeat(body: vscode.Uri, heat: LinkHeat | undefined): Promise<boolean> {
    const session = await this.find(body)?.session;
    session?.showHeat(heat);
    return session !== undefined;
  }

  /** Registers a feature's resolver. Local HTML files need none. */
  registerResolver(resolver: PreviewResolver): vscode.Disposable {
    this.#resolvers.add(resolver);
    for (const [panel, state] of [...this.#unresolvedPanels]) void this.#restore(panel, state);
    return new vscode.Disposable(() => this.#resolvers.delete(resolver));
  }

  /** Returns the preview source of a document, or undefined if it can't be previewed. */
  async resolve(document: vscode.Uri): Promise<PreviewSource | undefined> {
    const found = await this.#resolve(document);
    return typeof found === 'string' ? undefined : found;
  }

  /** Returns the preview source of a document. Throws if it can't be previewed. */
  async require(document: vscode.Uri): Promise<PreviewSource> {
    const found =
      (await this.#resolve(document)) ??
      'Only HTML files and the documents of templates and campaigns can be previewed.';
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  /** If a resolver knows why the email can't be shown now, a local file is still shown as it is. */
  async #resolve(document: vscode.Uri): Promise<PreviewSource | string | undefined> {
    let reason: string | undefined;
    for (const resolve of this.#resolvers) {
      try {
        const found = await resolve(document);
        if (typeof found === 'object') return found;
        reason ??= found;
      } catch (error) {
        this.#log.warn(`Couldn’t find the email of ${document.toString()}.`, error);
      }
    }
    return (await import('./source.ts')).getLocalSource(document) ?? reason;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#personChanges.dispose();
    for (const { panel } of [...this.#previews]) panel.dispose();
  }

  get #followingPreview(): OpenPreview | undefined {
    return [...this.#previews].find(({ isLocked }) => !isLocked);
  }

  /** Shows the active editor's email. Other documents leave the preview unchanged. */
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

  /** Shows another email in an open preview. */
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

  /** Returns whether a restored panel would duplicate an open one. A locked and an unlocked preview may show the same email. */
  #hasDuplicate({ body }: PreviewSource, { isLocked }: PersistedPreview): boolean {
    const duplicates = [...this.#previews].filter(({ source }) => source.body.toString() === body.toString());
    return isLocked
      ? duplicates.some((twin) => twin.isLocked)
      : this.#followingPreview !== undefined && duplicates.length > 0;
  }

  async #restore(panel: vscode.WebviewPanel, state: PersistedPreview): Promise<void> {
    const source = state.body && (await this.resolve(state.body));
    if (source && !this.#hasDuplicate(source, state)) {
      this.#unresolvedPanels.delete(panel);
      const isLocked = state.isLocked || this.#followingPreview !== undefined;
      // The title that VS Code restored may be older than the page's state.
      panel.title = getPanelTitle(source, isLocked);
      await this.#addPreview(panel, source, isLocked);
    } else if (source || !state.body) {
      panel.dispose();
    } else {
      panel.webview.html =
        '<p>The document of this preview can’t be found. Close the preview, and open it again from its document.</p>';
      if (!this.#unresolvedPanels.has(panel)) panel.onDidDispose(() => this.#unresolvedPanels.delete(panel));
      this.#unresolvedPanels.set(panel, state);
    }
  }
}
