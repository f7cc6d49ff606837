import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { GenericSchema } from 'valibot';
import { escapeHtml } from '../../email/compose/compose.ts';
import { getDisplayLanguage } from '../../l10n.ts';
import { errorText } from '../errors.ts';
import {
  cancelSchema,
  readMessage,
  type MessageHandlers,
  type ResponseMessage,
  type TypedMessage,
} from '../protocol.ts';

/** Content security policy sources that a page may load besides its own script and style. */
interface PagePolicy {
  readonly images?: readonly string[];
  readonly styles?: readonly string[];
  readonly fonts?: readonly string[];
}

interface PageOptions<In extends TypedMessage> {
  /** Name of the page's bundle in `dist/webviews`. */
  readonly page: string;
  readonly title: string;
  readonly policy?: PagePolicy;
  /** Folders whose files the page may load. */
  readonly roots?: readonly vscode.Uri[];
  /** The valid messages of the page. Others are ignored. */
  readonly schema: GenericSchema<unknown, In>;
  /** Handles errors of messages that aren't requests. */
  readonly onError?: (error: unknown) => void;
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
 * them twice. A page that isn't ready has no requests.
 */
export class WebviewPage<In extends TypedMessage, Out extends TypedMessage> implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #subscription: vscode.Disposable;
  readonly #bundles: vscode.Uri;
  /** The page's requests that have no response yet, by id. */
  readonly #requests = new Map<number, AbortController>();
  #roots: string | undefined;
  #ready = false;

  /** Handlers of messages with a `requestId` return its result. */
  constructor(
    webview: vscode.Webview,
    extensionUri: vscode.Uri,
    { page, title, policy, roots = [], schema, onError }: PageOptions<In>,
    handlers: MessageHandlers<In>,
  ) {
    this.#webview = webview;
    const bundles = vscode.Uri.joinPath(extensionUri, 'dist', 'webviews');
    this.#bundles = bundles;
    this.setRoots(roots);
    this.#subscription = webview.onDidReceiveMessage(async (posted) => {
      const canceled = readMessage(cancelSchema, posted)?.requestId ?? -1;
      this.#requests.get(canceled)?.abort();
      this.#requests.delete(canceled);
      const message = readMessage(schema, posted);
      if (message === undefined) return;
      if (message.type === 'ready') {
        // A page that is loaded again numbers its requests from the start.
        this.cancelRequests();
        this.#ready = true;
      }
      const { requestId } = message as { readonly requestId?: number };
      const request = new AbortController();
      if (requestId !== undefined) this.#requests.set(requestId, request);
      try {
        const handler = handlers[message.type as In['type']] as (message: In, signal: AbortSignal) => unknown;
        const result = await handler(message, request.signal);
        this.#respond(requestId, request, { result });
      } catch (error) {
        if (requestId !== undefined) this.#respond(requestId, request, { error: errorText(error) });
        else if (onError) onError(error);
        else throw error;
      }
    });
    const { language, texts } = getDisplayLanguage();
    const nonce = randomBytes(16).toString('base64');
    const address = (extension: string) =>
      escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(bundles, `${page}.${extension}`)).toString());
    webview.html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(createContentPolicy(webview, nonce, policy))}">
<title>${escapeHtml(title)}</title>
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
    this.suspend();
    this.#webview.options = { enableScripts: true, localResourceRoots: [this.#bundles, ...roots] };
  }

  /** Call when the page is hidden: VS Code stops its script until it posts `ready` again. */
  suspend(): void {
    this.#ready = false;
    this.cancelRequests();
  }

  /** Cancels the page's requests. With a message, the page gets it as their error. */
  cancelRequests(error?: string): void {
    for (const [requestId, request] of this.#requests) {
      request.abort();
      if (error !== undefined) this.#respond(requestId, request, { error });
    }
    this.#requests.clear();
  }

  post(message: Out | ResponseMessage): void {
    if (this.#ready) void this.#webview.postMessage(message);
  }

  dispose(): void {
    this.suspend();
    this.#subscription.dispose();
  }

  /** Responds to a request that is neither canceled nor has a response. */
  #respond(
    requestId: number | undefined,
    request: AbortController,
    response: Pick<ResponseMessage, 'result' | 'error'>,
  ) {
    if (requestId === undefined || this.#requests.get(requestId) !== request) return;
    this.#requests.delete(requestId);
    this.post({ type: 'response', requestId, ...response });
  }
}
