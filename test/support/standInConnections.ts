import { fileURLToPath } from 'node:url';
import { ConnectionCore } from '../../src/platform/connections/core.ts';
import type { Connection, ServiceRef } from '../../src/platform/connections/model.ts';
import { MailingClient } from '../../src/service/client/index.ts';
import { startSandbox, type Sandbox } from './sandbox/index.ts';

const assets = fileURLToPath(new URL('../../media/starters', import.meta.url));

/** The connection "One" of a window to a service. */
export class StandInConnections extends ConnectionCore {
  readonly sandbox: Sandbox;
  /** Another service. */
  readonly other: Sandbox;
  /** Another user of the service. */
  readonly client: MailingClient;
  readonly service: ServiceRef;
  readonly #names = new Map<number, string>();

  private constructor(sandbox: Sandbox, other: Sandbox) {
    super();
    this.sandbox = sandbox;
    this.other = other;
    const { baseUrl, apiKey } = sandbox;
    this.client = new MailingClient({ baseUrl, apiKey, wait: () => Promise.resolve() });
    this.service = { connection: 'one', baseUrl };
    this.setAddress(baseUrl);
  }

  static async start(): Promise<StandInConnections> {
    const start = () => startSandbox({ assets, subscribers: 60 });
    return new StandInConnections(await start(), await start());
  }

  /** Edits the connection in the settings. */
  setAddress(baseUrl: string): void {
    this.setConnections([{ id: 'one', name: 'One', baseUrl, profile: 'documented' }]);
  }

  /** Edits the connection, so that it has the address of the other service. */
  move(): void {
    this.setAddress(this.other.baseUrl);
  }

  /** Gives a list of the service another name, as after a backup was restored. */
  rename(listId: number, name: string): void {
    this.#names.set(listId, name);
  }

  /** The number of requests for an operation that both services received. */
  countRequests(operation: string): number {
    return [...this.sandbox.requests, ...this.other.requests].filter((each) => each.operation === operation).length;
  }

  /** Restores both services and the connection. */
  reset(): void {
    for (const sandbox of [this.sandbox, this.other]) sandbox.reset();
    this.#names.clear();
    this.setAddress(this.sandbox.baseUrl);
  }

  readonly getCustomFieldNames = (): readonly string[] => [];
  readonly getNamekeys = (): Map<string, string> => new Map();
  readonly getSending = () => Promise.resolve({ profile: 'documented' } as const);

  async end(): Promise<void> {
    this.dispose();
    await Promise.all([this.client, this.sandbox, this.other].map((each) => each.close()));
  }

  protected override readKey = async (): Promise<string> => this.sandbox.apiKey;
  protected override handleChange = (): void => undefined;
  protected override async openClient({ baseUrl }: Connection): Promise<MailingClient> {
    const { apiKey } = [this.sandbox, this.other].find((each) => each.baseUrl === baseUrl) ?? this.sandbox;
    const client = new MailingClient({ baseUrl, apiKey, wait: () => Promise.resolve() });
    const getLists = client.getLists.bind(client);
    client.getLists = async (...args) =>
      (await getLists(...args)).map((list) => ({ ...list, name: this.#names.get(list.id) ?? list.name }));
    return client;
  }
}
