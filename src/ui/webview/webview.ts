import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { GenericSchema } from 'valibot';
import { escapeHtml } from '../../email/compose/compose.ts';
import { getDisplayLanguage } from '../../l10n.ts';
import { readMessage, type MessageHandlers, type TypedMessage } from '../protocol.ts';

/** Content security policy sources that a page may load besides its own script and style. */
interface PagePolicy {
  readonly images?: readonly string[];
  readonly styles?: readonly string[];
  readonly fonts?: readonly string[];
}

interface PageOptions {
  /** Name of the page's bundle in `dist/webviews`. */
  readonly page: string;
  readonly title: string;
  readonly policy?: PagePolicy;
  /** Folders whose files the page may load. */
  readonly roots?: readonly vscode.Uri[];
}

function createContentPolicy(webview: vscode.Webview, nonce: string, policy: PagePolicy = {}) {
  const source = webview.cspSource;
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${[source, "'unsafe-inline'", ...(policy.styles ?? [])].join(' ')}`,
    `img-src ${[source, 'data:', ...(policy.images ?? [])].join(' ')}`,
    `font-src ${[source, ...(policy.fonts ?? [])].join(' ')}`,
    "form-action 'none'",
  ].join('; ');
}

/**
 * The extension's side of a webview page: its HTML and typed messages. A page posts `ready` each time it is loaded (VS
 * Code unloads hidden pages) and then needs the full state. Earlier messages are dropped, because it would receive
 * them twice.
 */
export class WebviewHost<In extends TypedMessage, Out extends TypedMessage> implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #subscription: vscode.Disposable;
  readonly #bundles: vscode.Uri;
  #roots: string | undefined;
  #ready = false;

  /** `schema`: the valid messages of the page. Others are ignored. */
  constructor(
    webview: vscode.Webview,
    extensionUri: vscode.Uri,
    options: PageOptions,
    schema: GenericSchema<unknown, In>,
    handlers: MessageHandlers<In>,
    onError?: (error: unknown) => void,
  ) {
    this.#webview = webview;
    const bundles = vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
    this.#bundles = bundles;
    this.setRoots(options.roots ?? []);
    this.#subscription = webview.onDidReceiveMessage(async (posted) => {
      const message = readMessage(schema, posted);
      if (message === undefined) return;
      if (message.type === 'ready') this.#ready = true;
      try {
        await (handlers[message.type as In['type']] as (message: In) => unknown)(message);
      } catch (error) {
        if (!onError) throw error;
        onError(error);
      }
    });
    const { language, texts } = getDisplayLanguage();
    const nonce = randomBytes(16).toString('base64');
    const address = (extension: string) =>
      escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(bundles, `${options.page}.${extension}`)).toString());
    webview.html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(createContentPolicy(webview, nonce, options.policy))}">
<title>${escapeHtml(options.title)}</title>
<link rel="stylesheet" href="${address('css')}">
</head>
<body>
${texts ? `<script type="application/json" id="texts">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>` : ''}
<script type="module" nonce="${nonce}" src="${address('js')}"></script>
</body>
</html>`;
  }

  /**
   * Sets the folders whose files the page may load. If they change, VS Code reloads the page, which posts `ready`
   * again.
   */
  setRoots(roots: readonly vscode.Uri[]): void {
    const rootsKey = roots.join('\n');
    if (this.#roots === rootsKey) return;
    this.#roots = rootsKey;
    this.#ready = false;
    this.#webview.options = { enableScripts: true, localResourceRoots: [this.#bundles, ...roots] };
  }

  /** Call when the page is hidden: VS Code stops its script until it posts `ready` again. */
  suspend(): void {
    this.#ready = false;
  }

  post(message: Out): void {
    if (this.#ready) void this.#webview.postMessage(message);
  }

  dispose(): void {
    this.#ready = false;
    this.#subscription.dispose();
  }
}
