import * as vscode from 'vscode';
import { localized, t } from '../../l10n.ts';
import type { Compose, Outbox, Sandbox, SandboxOptions } from '../../service/sandbox/index.ts';
import type { Connections } from './connections.ts';
import type { Endpoint } from './core.ts';
import type { Connection } from './model.ts';
import { sandboxId } from './settings.ts';

type Context = Pick<vscode.ExtensionContext, 'asAbsolutePath' | 'workspaceState'>;

/** Options of a start, such as a large collection. */
type SandboxStart = Pick<SandboxOptions, 'profile' | 'templates' | 'subscribers'>;

/** Set while the sandbox runs, so that it starts again after a reload of the window. */
const RUNNING_STATE_KEY = 'sandbox.running';

export const outboxScheme = 'mailing-outbox';

/** The connection before its service has started, after a reload of the window. */
const pendingConnection = localized((): Connection => ({
  id: sandboxId,
  name: t('Sandbox'),
  baseUrl: 'http://127.0.0.1',
  profile: 'documented',
  composing: 'acymailing',
  sandbox: true,
}));

/**
 * The embedded service of this window, whose messages are read-only documents. A command starts it, or the first use after a reload.
 */
export class SandboxHost implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #context: Context;
  readonly #connections: Connections;
  readonly #compose: Compose;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  #sandbox: Promise<Sandbox> | undefined;
  #registration: vscode.Disposable | undefined;

  readonly onDidChange = this.#changes.event;

  /** @param compose composes emails in a worker */
  constructor(context: Context, connections: Connections, compose: Compose) {
    this.#compose = compose;
    this.#context = context;
    this.#connections = connections;
    if (context.workspaceState.get<boolean>(RUNNING_STATE_KEY)) this.#register({});
  }

  /** Starts the service, or returns the running one. */
  async start(options: SandboxStart = {}): Promise<Connection> {
    const wasRegistered = this.#registration !== undefined;
    this.#register(options);
    try {
      const { connection } = await this.#endpoint(options);
      // Run through the connection, so that it gets its address and the state "connected".
      await this.#connections.run(this.#connections.getService(sandboxId), (client) => client.getLists({ limit: 1 }));
      await this.#context.workspaceState.update(RUNNING_STATE_KEY, true);
      return connection;
    } catch (error) {
      if (!wasRegistered) this.#unregister();
      throw error;
    }
  }

  /** Stops the service and discards its data. Returns false if it wasn't running. */
  async stop(): Promise<boolean> {
    const sandbox = this.#sandbox;
    const wasRegistered = this.#registration !== undefined;
    this.#sandbox = undefined;
    this.#unregister();
    await this.#context.workspaceState.update(RUNNING_STATE_KEY, undefined);
    await (await sandbox?.catch(() => undefined))?.close();
    this.#refreshMessages();
    return wasRegistered;
  }

  /** Restores the sample data. Returns false if the sandbox isn't running. */
  async reset(): Promise<boolean> {
    const sandbox = await this.#sandbox;
    sandbox?.reset();
    this.#refreshMessages();
    return sandbox !== undefined;
  }

  /** The outbox, or undefined if the sandbox isn't running. */
  async outbox(): Promise<Outbox | undefined> {
    return (await this.#sandbox)?.outbox;
  }

  async provideTextDocumentContent({ path }: vscode.Uri): Promise<string> {
    const id = Number(/^\/(\d+)\//.exec(path)?.[1]);
    const outbox = await this.outbox();
    const message = outbox?.get(id);
    if (!outbox || !message)
      return `${t('This message is no longer in the outbox, because the sandbox was stopped or reset.')}\n`;
    const { envelope, html, text, source } = await outbox.parts(id);
    if (path.endsWith('.json')) return JSON.stringify({ envelope, to: message.to, text });
    if (path.endsWith('.html')) return html;
    return path.endsWith('.txt') ? text : source;
  }

  dispose(): void {
    this.#registration?.dispose();
    this.#changes.dispose();
    void this.#sandbox?.then((sandbox) => sandbox.close()).catch(() => undefined);
  }

  /** A reset restarts the numbering. An open tab must not show another message with the same number. */
  #refreshMessages() {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === outboxScheme) this.#changes.fire(uri);
  }

  #register(options: SandboxStart) {
    this.#registration ??= this.#connections.register(pendingConnection(), () => this.#endpoint(options));
  }

  #unregister() {
    this.#registration?.dispose();
    this.#registration = undefined;
  }

  async #endpoint(options: SandboxStart): Promise<Endpoint> {
    const { baseUrl, apiKey, profile, testListId } = await (this.#sandbox ??= this.#open(options));
    return { connection: { ...pendingConnection(), baseUrl, profile, testListId }, apiKey };
  }

  #open(options: SandboxStart) {
    const opening = import('../../service/sandbox/index.ts').then(({ startSandbox }) =>
      startSandbox({
        assets: this.#context.asAbsolutePath('dist/starters'),
        compose: this.#compose,
        hasExtras: true,
        onDidDeliver: () => this.#refreshMessages(),
        ...options,
      }),
    );
    opening.catch(() => {
      if (this.#sandbox === opening) this.#sandbox = undefined;
    });
    return opening;
  }
}
