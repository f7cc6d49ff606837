import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import type { Rendering } from '../../../email/tags/index.ts';
import type { LinkHeat } from '../protocol.ts';
import { once } from '../../ui/once.ts';
import type { ProblemSource } from './problems.ts';
import type { Compose } from './sentMail.ts';
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
const viewType = 'mailing.preview';

/** What the page kept of a preview. */
interface Kept {
  readonly body: vscode.Uri | undefined;
  readonly isLocked: boolean;
}

function keptOf(state: unknown): Kept {
  const { document, locked } = Object(state) as Readonly<Record<string, unknown>>;
  return { body: typeof document === 'string' ? vscode.Uri.parse(document) : undefined, isLocked: locked === true };
}

const titleOf = ({ title }: PreviewSource, isLocked: boolean): string =>
  isLocked ? `[Preview] ${title}` : `Preview ${title}`;

/** The documents of the tab in front: of a diff both, the newer one first. */
export function documentsInFront(): readonly vscode.Uri[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [];
}

/** The open previews: one that follows the email in front, and those that are locked to theirs. */
export class Previews implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  /** Loads what fills a panel. */
  readonly #sessions: () => Promise<(preview: OpenPreview) => PreviewSession>;
  readonly #open = new Set<OpenPreview>();
  readonly #resolvers = new Set<PreviewResolver>();
  /** Panels that came back, and whose room has not said yet how their document is shown. */
  readonly #homeless = new Map<vscode.WebviewPanel, Kept>();
  readonly #subscriptions: readonly vscode.Disposable[];
  #front = '';
  #problems: ProblemSource | undefined;

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
    this.#sessions = once(async () => {
      const [{ PreviewSession }, { ToolbarStore }] = await Promise.all([
        import('./session.ts'),
        import('./toolbarStore.ts'),
      ]);
      const services = {
        extensionUri: context.extensionUri,
        toolbar: new ToolbarStore(context.globalState),
        log,
        connections,
        compose,
        personChanged: () => this.#personChanges.fire(),
        problemsOf: (body: vscode.Uri) => this.#problems?.problemsOf(body),
      };
      return ({ panel, source, isLocked }: OpenPreview) => new PreviewSession(panel, source, isLocked, services);
    });
    this.#subscriptions = [
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: (panel, state) => this.#restore(panel, keptOf(state)),
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#followFront()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.#followFront()),
    ];
  }

  /**
   * Shows the preview of a body: the open one of just this body, or the one that follows, or a new one (beside the editor unless told
   * otherwise). The editor keeps the focus.
   */
  async show(source: PreviewSource, column: vscode.ViewColumn = vscode.ViewColumn.Beside): Promise<Preview> {
    const open = this.find(source.body) ?? this.#following;
    if (open) {
      await this.#turn(open, source);
      open.panel.reveal(undefined, true);
      return open;
    }
    const panel = vscode.window.createWebviewPanel(viewType, titleOf(source, false), {
      viewColumn: column,
      preserveFocus: true,
    });
    return this.#settle(panel, source, false);
  }

  /** The open preview of a body document. */
  find(body: vscode.Uri): Preview | undefined {
    const key = body.toString();
    return [...this.#open].find(({ source }) => source.body.toString() === key);
  }

  /** The preview that the user looks at: the active one, or one that is to be seen. */
  get current(): Preview | undefined {
    const all = [...this.#open];
    return all.find(({ panel }) => panel.active) ?? all.find(({ panel }) => panel.visible) ?? all[0];
  }

  /** Locks a preview to its email, or lets it follow again: then it is the only one that does. Gives whether it is locked. */
  async toggleLock(preview: Preview): Promise<boolean> {
    const open = [...this.#open].find((each) => each === preview);
    if (!open) return preview.isLocked;
    if (open.isLocked) this.#following?.panel.dispose();
    open.isLocked = !open.isLocked;
    open.panel.title = titleOf(open.source, open.isLocked);
    (await open.session)?.lock(open.isLocked);
    if (!open.isLocked) {
      // The active email may have come to the front while the preview was locked.
      this.#front = '';
      await this.#followFront();
    }
    return open.isLocked;
  }

  /** Whom the preview of a record's documents, or of a file, is for; undefined where it shows the tags themselves, or there is none. */
  personOf(document: vscode.Uri): Rendering | undefined {
    const key = document.toString();
    const open = [...this.#open].find(({ source }) =>
      [source.body, source.details?.uri].some((uri) => uri?.toString() === key),
    );
    return open?.rendering();
  }

  /** From now on the previews tell what is wrong with their emails. */
  showProblems(problems: ProblemSource): vscode.Disposable {
    this.#problems = problems;
    return problems.onDidChange(() => {
      for (const { session } of this.#open) void session.then((open) => open?.showFound());
    });
  }

  /** The document in front: of a text editor, a form, a comparison, or of the preview that has the focus. */
  get documentInFront(): vscode.Uri | undefined {
    return documentsInFront()[0] ?? [...this.#open].find(({ panel }) => panel.active)?.source.body;
  }

  /** Everybody whom the open preview of a body can be looked at as. */
  async personsOf(body: vscode.Uri): Promise<PreviewSession['persons']> {
    return (await this.find(body)?.session)?.persons ?? [];
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
    for (const [panel, kept] of [...this.#homeless]) void this.#restore(panel, kept);
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
    return (await import('./localSource.ts')).localSource(document);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#personChanges.dispose();
    for (const { panel } of [...this.#open]) panel.dispose();
  }

  get #following(): OpenPreview | undefined {
    return [...this.#open].find(({ isLocked }) => !isLocked);
  }

  /** Another tab came to the front. What is no email leaves the preview as it is. */
  async #followFront(): Promise<void> {
    const documents = documentsInFront();
    const key = documents.join('\n');
    if (key === this.#front) return;
    this.#front = key;
    for (const document of this.#following ? documents : []) {
      const source = await this.resolve(document);
      const following = this.#following;
      if (!following || key !== this.#front) return;
      if (source) return this.#turn(following, source);
    }
  }

  /** Turns an open preview to an email. */
  async #turn(preview: OpenPreview, source: PreviewSource): Promise<void> {
    if (preview.source.body.toString() === source.body.toString()) return;
    preview.source = source;
    preview.panel.title = titleOf(source, preview.isLocked);
    const session = await preview.session;
    if (preview.source === source) session?.show(source);
    this.#personChanges.fire();
  }

  async #settle(panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean): Promise<Preview> {
    let shown: PreviewSession | undefined;
    const load = async (): Promise<PreviewSession | undefined> => {
      const open = await this.#sessions();
      return (shown = this.#open.has(preview) ? open(preview) : undefined);
    };
    const preview: OpenPreview = {
      source,
      panel,
      isLocked,
      session: Promise.resolve(undefined),
      rendering: () => shown?.rendering,
    };
    this.#open.add(preview);
    panel.onDidDispose(() => {
      this.#open.delete(preview);
      shown?.dispose();
      this.#personChanges.fire();
    });
    preview.session = load();
    await preview.session;
    return preview;
  }

  /** Whether a restored panel would repeat an open one. A locked preview and the one that follows may show the same email. */
  #hasTwin({ body }: PreviewSource, { isLocked }: Kept): boolean {
    const twins = [...this.#open].filter(({ source }) => source.body.toString() === body.toString());
    return isLocked ? twins.some((twin) => twin.isLocked) : this.#following !== undefined && twins.length > 0;
  }

  async #restore(panel: vscode.WebviewPanel, kept: Kept): Promise<void> {
    const source = kept.body && (await this.resolve(kept.body));
    if (source && !this.#hasTwin(source, kept)) {
      this.#homeless.delete(panel);
      const isLocked = kept.isLocked || this.#following !== undefined;
      // VS Code's title may be older than the page's state.
      panel.title = titleOf(source, isLocked);
      await this.#settle(panel, source, isLocked);
    } else if (source || !kept.body) {
      panel.dispose();
    } else {
      panel.webview.html =
        '<p>The document of this preview can’t be found. Close the preview, and open it again from its document.</p>';
      if (!this.#homeless.has(panel)) panel.onDidDispose(() => this.#homeless.delete(panel));
      this.#homeless.set(panel, kept);
    }
  }
}
