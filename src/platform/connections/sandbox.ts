import * as vscode from 'vscode';
import type { Compose, Outbox, Sandbox, SandboxOptions } from '../../service/sandbox/index.ts';
import type { Connections, Endpoint } from './connections.ts';
import type { Connection } from './model.ts';
import { sandboxId } from './settings.ts';

type Context = Pick<vscode.ExtensionContext, 'asAbsolutePath' | 'workspaceState'>;

/** Options of a start, such as a large collection. */
export type SandboxStart = Pick<SandboxOptions, 'profile' | 'templates' | 'subscribers'>;

/** Set while the sandbox runs, so that it starts again after a reload of the window. */
const RUNNING_STATE_KEY = 'sandbox.running';

/** The connection before its service has started, after a reload of the window. */
const PENDING_CONNECTION: Connection = {
  id: sandboxId,
  name: 'Sandbox',
  baseUrl: 'http://127.0.0.1',
  profile: 'documented',
  composing: 'acymailing',
  sandbox: true,
};

/** The embedded service of this window. A command starts it, or the first use after a reload. */
export class SandboxHost implements vscode.Disposable {
  readonly #context: Context;
  readonly #connections: Connections;
  readonly #compose: Compose | undefined;
  readonly #outboxChanges = new vscode.EventEmitter<void>();
  #sandbox: Promise<Sandbox> | undefined;
  #registration: vscode.Disposable | undefined;

  /** Fires when the messages in the outbox change. */
  readonly onDidChangeOutbox = this.#outboxChanges.event;

  /** @param compose composes emails in a worker */
  constructor(context: Context, connections: Connections, compose?: Compose) {
    this.#compose = compose;
    this.#context = context;
    this.#connections = connections;
    if (context.workspaceState.get<boolean>(RUNNING_STATE_KEY) === true) this.#register({});
  }

  /** Starts the service, or returns the running one. */
  async start(options: SandboxStart = {}): Promise<Connection> {
    const registration = this.#registration;
    this.#register(options);
    try {
      const { connection } = await this.#endpoint(options);
      // Run through the connection, so that it gets its address and the state "connected".
      await this.#connections.run(sandboxId, (client) => client.getLists({ limit: 1 }));
      await this.#context.workspaceState.update(RUNNING_STATE_KEY, true);
      return connection;
    } catch (error) {
      if (registration === undefined) this.#unregister();
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
    this.#outboxChanges.fire();
    return wasRegistered;
  }

  /** Restores the sample data. Returns false if the sandbox isn't running. */
  async reset(): Promise<boolean> {
    const sandbox = await this.#sandbox;
    if (!sandbox) return false;
    sandbox.reset();
    this.#outboxChanges.fire();
    return true;
  }

  /** The outbox, or undefined if the sandbox isn't running. */
  async outbox(): Promise<Outbox | undefined> {
    return (await this.#sandbox)?.outbox;
  }

  dispose(): void {
    this.#registration?.dispose();
    this.#outboxChanges.dispose();
    void this.#sandbox?.then((sandbox) => sandbox.close()).catch(() => undefined);
  }

  #register(options: SandboxStart): void {
    if (this.#registration) return;
    this.#registration = this.#connections.register(PENDING_CONNECTION, () => this.#endpoint(options));
  }

  #unregister(): void {
    this.#registration?.dispose();
    this.#registration = undefined;
  }

  async #endpoint(options: SandboxStart): Promise<Endpoint> {
    const { baseUrl, apiKey, profile, testListId } = await (this.#sandbox ??= this.#open(options));
    return { connection: { ...PENDING_CONNECTION, baseUrl, profile, testListId }, apiKey };
  }

  #open(options: SandboxStart): Promise<Sandbox> {
    const opening = import('../../service/sandbox/index.ts').then(async ({ startSandbox }) => {
      const assets = this.#context.asAbsolutePath('dist/starters');
      const sandbox = await startSandbox({
        assets,
        ...(this.#compose ? { compose: this.#compose } : {}),
        ...options,
      });
      sandbox.outbox.onDidDeliver(() => this.#outboxChanges.fire());
      return sandbox;
    });
    opening.catch(() => {
      if (this.#sandbox === opening) this.#sandbox = undefined;
    });
    return opening;
  }
}
