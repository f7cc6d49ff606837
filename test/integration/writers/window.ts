import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../../src/service/client/index.ts';
import { campaignDocuments } from '../../../src/features/campaigns/documents.ts';
import type { Connection, ServiceRef } from '../../../src/platform/connections/model.ts';
import { Documents } from '../../../src/platform/documents/documents.ts';
import { createFollowUpDocuments } from '../../../src/features/followUps/documents.ts';
import { SentMailStore } from '../../../src/features/followUps/sentMailStore.ts';
import type { Sandbox } from '../../support/sandbox/index.ts';
import { templateDocuments } from '../../../src/features/templates/documents.ts';
import { memoryMemento } from '../../support/memento.ts';
import type { Json } from '../../../src/service/client/shapes.ts';

/** Where a call of the client is held: before its request goes out, or before its answer comes in. */
export type HoldPoint = 'request' | 'answer';

/** A call that is held. */
export interface Hold {
  /** Resolves when the call has come there. */
  readonly reached: Promise<void>;
  /** Lets it go on. */
  release(): void;
}

type Call = (...given: readonly object[]) => Promise<object | void>;

/**
 * A window that shows a service's documents. Several can be open in one extension host: each has documents under a scheme of its own, by
 * an instance of its own code, with VS Code's editors. Its memento outlives it, like a workspace's state.
 */
export class TestWindow {
  readonly scheme: string;
  readonly connection: Connection;
  readonly #memory = new Map<string, Json>();
  readonly #client: MailingClient;
  readonly #sent: SentMailStore;
  readonly #holds: {
    readonly operation: string;
    readonly point: HoldPoint;
    skip: number;
    readonly reach: () => void;
    readonly released: Promise<void>;
  }[] = [];
  #documents: Documents;

  /**
   * @param name ends its scheme, and is in the name of its connection
   * @param machine folder of what a machine keeps of follow-ups' mails
   */
  constructor(
    name: string,
    { baseUrl, apiKey, profile }: Pick<Sandbox, 'baseUrl' | 'apiKey' | 'profile'>,
    machine: string,
    timeoutMs = 30_000,
  ) {
    this.scheme = `mailing-${name}`;
    this.connection = { id: 'service', name: `the service of ${name}`, baseUrl, profile };
    this.#sent = new SentMailStore(machine);
    this.#client = new MailingClient({ baseUrl, apiKey, profile, timeoutMs, wait: () => Promise.resolve() });
    this.#documents = this.#start();
  }

  uri(path: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, authority: this.connection.id, path });
  }

  /** Opens a document in a tab of its own. */
  async open(path: string): Promise<vscode.TextDocument> {
    const uri = this.uri(path);
    // Opened once: to show a document that is there already would read it again in the background.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { preview: false });
    return vscode.workspace.openTextDocument(uri);
  }

  /** The documents of this window that are open. */
  get documents(): readonly vscode.TextDocument[] {
    return vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === this.scheme && !isClosed);
  }

  /** Holds the next call of an operation, after `skip` others. */
  hold(operation: string, point: HoldPoint, skip = 0): Hold {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    this.#holds.push({ operation, point, skip, reach, released });
    return { reached, release };
  }

  /** Restarts the extension in this window: tabs return with their edits, and only stored state survives. */
  restart(): void {
    this.#documents.dispose();
    this.#documents = this.#start();
  }

  /** Takes away what the window has stored for the next one. */
  forget(): void {
    this.#memory.clear();
  }

  async end(): Promise<void> {
    this.#documents.dispose();
    await this.#client.close();
  }

  #start() {
    const { connection } = this;
    const connections = {
      get: (id: string) => (id === connection.id ? connection : undefined),
      resolve: () => Promise.resolve(connection),
      run: <T>(_service: ServiceRef, operation: (client: MailingClient) => Promise<T>) => operation(this.#held()),
    };
    const documents = new Documents({ workspaceState: memoryMemento(this.#memory) }, connections, this.scheme);
    documents.register(templateDocuments);
    documents.register(campaignDocuments);
    documents.register(createFollowUpDocuments(this.#sent, () => connection));
    return documents;
  }

  /** The client, whose calls can be held. */
  #held() {
    return new Proxy(this.#client, {
      get: (client, name) => {
        const value: object = Reflect.get(client, name, client);
        if (typeof value !== 'function' || typeof name !== 'string') return value;
        return async (...given: readonly object[]) => {
          await this.#pass(name, 'request');
          const result = await Reflect.apply(value as Call, client, given);
          await this.#pass(name, 'answer');
          return result;
        };
      },
    });
  }

  async #pass(operation: string, point: HoldPoint) {
    const hold = this.#holds.find((each) => each.operation === operation && each.point === point);
    if (hold === undefined) return;
    hold.skip -= 1;
    if (hold.skip >= 0) return;
    this.#holds.splice(this.#holds.indexOf(hold), 1);
    hold.reach();
    await hold.released;
  }
}

/** A folder that represents a machine: its windows share the sent texts of follow-up mails. */
export function machineFolder(): { readonly path: string; end(): void } {
  const path = makeScratch();
  return { path, end: () => removeScratch(path) };
}
