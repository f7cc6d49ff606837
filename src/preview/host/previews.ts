import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import type { Rendering } from '../../tags/index.ts';
import type { LinkHeat } from '../protocol.ts';
import { once } from '../../ui/once.ts';
import type { PreviewSession } from './session.ts';
import type { PreviewSource } from './source.ts';

/** Tells how a body document is shown, for a preview that comes back after a restart. Nothing where the document isn't of its room. */
export type PreviewResolver = (body: vscode.Uri) => Promise<PreviewSource | undefined>;

/** One open preview. */
export interface Preview {
  readonly source: PreviewSource;
  readonly panel: vscode.WebviewPanel;
  /** What fills the panel; nothing where it was closed before that was loaded. */
  readonly session: Promise<PreviewSession | undefined>;
  /** For whom its tags are replaced; undefined where they are shown themselves. */
  rendering(): Rendering | undefined;
}

/** Also the panel's type in `when` clauses: `activeWebviewPanelId == 'mailing.preview'`. */
const viewType = 'mailing.preview';

function bodyOf(state: unknown): vscode.Uri | undefined {
  const document = typeof state === 'object' && state !== null && 'document' in state ? state.document : undefined;
  return typeof document === 'string' ? vscode.Uri.parse(document) : undefined;
}

/** The open previews: one panel for each body document. */
export class Previews implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  /** Loads what fills a panel. */
  readonly #sessions: () => Promise<(panel: vscode.WebviewPanel, source: PreviewSource) => PreviewSession>;
  readonly #open = new Map<string, Preview>();
  readonly #resolvers = new Set<PreviewResolver>();
  /** Panels that came back, and whose room has not said yet how their document is shown. */
  readonly #homeless = new Map<vscode.WebviewPanel, vscode.Uri>();
  readonly #serializer: vscode.Disposable;

  readonly #personChanges = new vscode.EventEmitter<void>();
  /** Fires when a preview may be another person's. */
  readonly onDidChangePerson = this.#personChanges.event;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, connections: Connections) {
    this.#log = log;
    this.#sessions = once(async () => {
      const [{ PreviewSession }, { ToolbarStore }] = await Promise.all([import('./session.ts'), import('./toolbarStore.ts')]);
      const toolbar = new ToolbarStore(context.globalState);
      const personChanged = (): void => this.#personChanges.fire();
      return (panel: vscode.WebviewPanel, source: PreviewSource) =>
        new PreviewSession(panel, source, context.extensionUri, toolbar, log, connections, personChanged);
    });
    this.#serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => this.#restore(panel, bodyOf(state)),
    });
  }

  /**
   * Opens the preview of a body, beside the editor unless told otherwise, or brings the open one to the front. The editor keeps the focus.
   */
  async show(source: PreviewSource, column: vscode.ViewColumn = vscode.ViewColumn.Beside): Promise<Preview> {
    const open = this.find(source.body);
    if (open) {
      open.panel.reveal(undefined, true);
      return open;
    }
    const panel = vscode.window.createWebviewPanel(viewType, `Preview ${source.title}`, { viewColumn: column, preserveFocus: true });
    return this.#settle(panel, source);
  }

  /** The open preview of a body document. */
  find(body: vscode.Uri): Preview | undefined {
    return this.#open.get(body.toString());
  }

  /** Whom the preview of a record's documents, or of a file, is for; undefined where it shows the tags themselves, or there is none. */
  personOf(document: vscode.Uri): Rendering | undefined {
    const key = document.toString();
    const open = [...this.#open.values()].find(({ source }) => [source.body, source.details?.uri].some((uri) => uri?.toString() === key));
    return open?.rendering();
  }

  /** The preview that is in front. */
  get active(): Preview | undefined {
    return [...this.#open.values()].find(({ panel }) => panel.active);
  }

  /** Everybody whom the open preview of a body can be looked at as. */
  async personsOf(body: vscode.Uri): Promise<PreviewSession['persons']> {
    return (await this.find(body)?.session)?.persons ?? [];
  }

  /**
   * Lays the clicks on an e-mail's links over the open preview of its body, in place of those that are there; `undefined` takes them
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
    for (const [panel, body] of [...this.#homeless]) void this.#restore(panel, body);
    return new vscode.Disposable(() => this.#resolvers.delete(resolver));
  }

  dispose(): void {
    this.#serializer.dispose();
    this.#personChanges.dispose();
    for (const { panel } of [...this.#open.values()]) panel.dispose();
  }

  async #settle(panel: vscode.WebviewPanel, source: PreviewSource): Promise<Preview> {
    const key = source.body.toString();
    let disposed = false;
    let shown: PreviewSession | undefined;
    panel.onDidDispose(() => {
      disposed = true;
      this.#open.delete(key);
      shown?.dispose();
      this.#personChanges.fire();
    });
    const session = this.#sessions().then((open) => (shown = disposed ? undefined : open(panel, source)));
    const preview: Preview = { source, panel, session, rendering: () => shown?.rendering };
    this.#open.set(key, preview);
    await session;
    return preview;
  }

  async #restore(panel: vscode.WebviewPanel, body: vscode.Uri | undefined): Promise<void> {
    const source = body && (await this.#resolve(body));
    if (source && !this.find(source.body)) {
      this.#homeless.delete(panel);
      await this.#settle(panel, source);
    } else if (source || !body) {
      panel.dispose();
    } else {
      panel.webview.html = '<p>The document of this preview can’t be found. Close the preview, and open it again from its document.</p>';
      if (!this.#homeless.has(panel)) panel.onDidDispose(() => this.#homeless.delete(panel));
      this.#homeless.set(panel, body);
    }
  }

  async #resolve(body: vscode.Uri): Promise<PreviewSource | undefined> {
    for (const resolve of this.#resolvers) {
      try {
        const source = await resolve(body);
        if (source) return source;
      } catch (error) {
        this.#log.warn(`The preview of ${body.toString()} can’t be restored now.`, error);
      }
    }
    return (await import('./localSource.ts')).localSource(body);
  }
}
