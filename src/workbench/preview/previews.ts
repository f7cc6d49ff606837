import * as vscode from 'vscode';
import { localSource } from './localSource.ts';
import type { PreviewSource } from './source.ts';
import { ToolbarStore } from './toolbarStore.ts';

/** Tells how a body document is shown, for a preview that comes back after a restart. Nothing where the document isn't of its room. */
export type PreviewResolver = (body: vscode.Uri) => Promise<PreviewSource | undefined>;

/** One open preview. */
export interface Preview {
  readonly source: PreviewSource;
  readonly panel: vscode.WebviewPanel;
}

/** Also the panel's type in `when` clauses: `activeWebviewPanelId == 'mailing.preview'`. */
const viewType = 'mailing.preview';

function bodyOf(state: unknown): vscode.Uri | undefined {
  const document = typeof state === 'object' && state !== null && 'document' in state ? state.document : undefined;
  return typeof document === 'string' ? vscode.Uri.parse(document) : undefined;
}

/** The open previews: one panel for each body document. */
export class Previews implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #toolbar: ToolbarStore;
  readonly #open = new Map<string, Preview>();
  readonly #resolvers = new Set<PreviewResolver>();
  /** Panels that came back, and whose room has not said yet how their document is shown. */
  readonly #homeless = new Map<vscode.WebviewPanel, vscode.Uri>();
  readonly #serializer: vscode.Disposable;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    this.#toolbar = new ToolbarStore(context.globalState);
    this.#serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => this.#restore(panel, bodyOf(state)),
    });
  }

  /** Opens the preview of a body, beside the editor unless told otherwise, or brings the open one to the front. The editor keeps the focus. */
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

  /** Rooms tell how their documents are shown. Local HTML files need no room. */
  registerResolver(resolver: PreviewResolver): vscode.Disposable {
    this.#resolvers.add(resolver);
    for (const [panel, body] of [...this.#homeless]) void this.#restore(panel, body);
    return new vscode.Disposable(() => this.#resolvers.delete(resolver));
  }

  dispose(): void {
    this.#serializer.dispose();
    for (const { panel } of [...this.#open.values()]) panel.dispose();
  }

  async #settle(panel: vscode.WebviewPanel, source: PreviewSource): Promise<Preview> {
    const key = source.body.toString();
    const preview: Preview = { source, panel };
    this.#open.set(key, preview);
    let disposed = false;
    let session: vscode.Disposable | undefined;
    panel.onDidDispose(() => {
      disposed = true;
      this.#open.delete(key);
      session?.dispose();
    });
    const { PreviewSession } = await import('./session.ts');
    if (!disposed) session = new PreviewSession(panel, source, this.#context.extensionUri, this.#toolbar, this.#log);
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
    return localSource(body);
  }
}
