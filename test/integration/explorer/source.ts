import * as vscode from 'vscode';
import { MailingClient, type MailingClientOptions } from '../../../src/service/client/index.ts';
import { ApiError } from '../../../src/service/client/errors.ts';
import { type ConnectionsChange, getStateAfter } from '../../../src/platform/connections/core.ts';
import type {
  Connection,
  ConnectionState,
  ServiceRef,
  SettingsProblem,
} from '../../../src/platform/connections/model.ts';
import type { ConnectionSource } from '../../../src/platform/explorer/nodes.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox/index.ts';
import { extensionFile } from '../service.ts';

/** Connections whose definitions and states are controlled by the test. */
export class TestConnections implements ConnectionSource {
  readonly #clients = new Map<string, MailingClient>();
  readonly #states = new Map<string, ConnectionState>();
  readonly #sandboxes: Sandbox[] = [];
  readonly #changes = new vscode.EventEmitter<ConnectionsChange>();
  readonly #additions = new vscode.EventEmitter<string>();
  readonly #problemChanges = new vscode.EventEmitter<readonly SettingsProblem[]>();
  readonly onDidChange = this.#changes.event;
  readonly onDidChangeProblems = this.#problemChanges.event;
  readonly onDidAdd = this.#additions.event;
  all: Connection[] = [];
  problems: readonly SettingsProblem[] = [];

  async start(id: string, options: Omit<SandboxOptions, 'assets'> = {}): Promise<Sandbox> {
    const sandbox = await startSandbox({ ...options, assets: extensionFile('media/starters') });
    this.#sandboxes.push(sandbox);
    this.connect(id, sandbox);
    return sandbox;
  }

  /** Adds a connection to a service that the caller stops. */
  connect(
    id: string,
    { baseUrl, apiKey, profile }: Pick<Sandbox, 'baseUrl' | 'apiKey' | 'profile'>,
    options: Pick<MailingClientOptions, 'timeoutMs' | 'wait'> = {},
  ): void {
    this.#clients.set(id, new MailingClient({ ...options, baseUrl, apiKey, profile }));
    this.define([...this.all, { id, name: id, baseUrl, profile }]);
  }

  define(connections: Connection[]): void {
    this.all = connections;
    this.#changes.fire({});
  }

  report(problems: readonly SettingsProblem[]): void {
    this.problems = problems;
    this.#problemChanges.fire(problems);
  }

  get(id: string): Connection | undefined {
    return this.all.find((connection) => connection.id === id);
  }

  state(id: string): ConnectionState {
    return this.#states.get(id) ?? { kind: 'unknown' };
  }

  setState(id: string, state: ConnectionState): void {
    this.#states.set(id, state);
    this.#changes.fire({ id });
  }

  getService(connection: string): ServiceRef {
    return { connection, baseUrl: this.get(connection)?.baseUrl ?? '' };
  }

  async run<T>({ connection: id }: ServiceRef, operation: (client: MailingClient) => Promise<T>): Promise<T> {
    if (this.state(id).kind === 'keyMissing')
      throw new ApiError({
        kind: 'unauthorized',
        operation: 'connect',
        outcome: 'refused',
        message: 'No API key is stored.',
      });
    const client = this.#clients.get(id);
    if (!client) throw new Error(`No client for ${id}`);
    try {
      const result = await operation(client);
      this.setState(id, { kind: 'connected' });
      return result;
    } catch (error) {
      this.setState(id, getStateAfter(error, this.state(id)));
      throw error;
    }
  }

  async end(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
    for (const sandbox of this.#sandboxes) await sandbox.close();
    this.#changes.dispose();
    this.#problemChanges.dispose();
  }
}
