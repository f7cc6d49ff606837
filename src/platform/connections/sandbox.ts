import * as vscode from 'vscode';
import type { Compose, Outbox, Sandbox, SandboxOptions } from '../../service/sandbox/index.ts';
import type { Connections, Endpoint } from './connections.ts';
import type { Connection } from './model.ts';
import { sandboxId } from './settings.ts';

type Context = Pick<vscode.ExtensionContext, 'asAbsolutePath' | 'workspaceState'>;

/** What a start may ask for beside the sample data: a large collection, say. */
export type SandboxStart = Pick<SandboxOptions, 'profile' | 'templates' | 'subscribers'>;

/** Remembers over a reload of the window that the sandbox ran, so that its tabs come back with it. */
const RUNNING_STATE_KEY = 'sandbox.running';

/** The connection until its service has been started, after a reload of the window. */
const PENDING_CONNECTION: Connection = {
  id: sandboxId,
  name: 'Sandbox',
  baseUrl: 'http://127.0.0.1',
  profile: 'documented',
  composing: 'acymailing',
  sandbox: true,
};

/** The embedded service of this window: at most one, started by a command or by the first use after a reload. */
export class SandboxHost implements vscode.Disposable {
  readonly #context: Context;
  readonly #connections: Connections;
  readonly #compose: Compose | undefined;
  readonly #outboxChanges = new vscode.EventEmitter<void>();
  #sandbox: Promise<Sandbox> | undefined;
  #registration: vscode.Disposable | undefined;

  /** Fires when the outbox holds other messages than before. */
  readonly onDidChangeOutbox = this.#outboxChanges.event;

  /** `compose`: works out what is sent, off this thread. */
  constructor(context: Context, connections: Connections, compose?: Compose) {
    this.#compose = compose;
    this.#context = context;
    this.#connections = connections;
    if (context.workspaceState.get<boolean>(RUNNING_STATE_KEY) === true) this.#register({});
  }

  /** Starts the service, or gives the one that runs. */
  async start(options: SandboxStart = {}): Promise<Connection> {
    const registration = this.#registration;
    this.#register(options);
    try {
      const { connection } = await this.#endpoint(options);
      // Through the connection itself, so that it is known with its address and as connected.
      await this.#connections.run(sandboxId, (client) => client.getLists({ limit: 1 }));
      await this.#context.workspaceState.update(RUNNING_STATE_KEY, true);
      return connection;
    } catch (error) {
      if (registration === undefined) this.#unregister();
      throw error;
    }
  }

  /** Ends the service with all its data. False where none ran. */
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

  /** Back to the sample data. False where no sandbox runs. */
  async reset(): Promise<boolean> {
    const sandbox = await this.#sandbox;
    if (!sandbox) return false;
    sandbox.reset();
    this.#outboxChanges.fire();
    return true;
  }

  /** What the service "sent", or nothing where it doesn't run. */
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
        composeProfile: 'acymailing',
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
