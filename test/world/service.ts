import type { IncomingMessage, ServerResponse } from 'node:http';
import { Outbox } from '../../src/service/sandbox/outbox.ts';
import { Mailer } from '../../src/service/sandbox/mailer.ts';
import { profileRules, type SandboxProfile } from '../../src/service/sandbox/profiles.ts';
import { createApiServer } from '../../src/service/sandbox/server.ts';
import type { Starter } from '../../src/service/sandbox/starters.ts';
import { emptyMail, type StoredMail } from '../../src/service/sandbox/records.ts';
import { Store } from '../../src/service/sandbox/store.ts';

export const KEY = 'key-0123456789abcdef0123456789';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An email that reached people. */
export interface Delivered {
  readonly campaignId: number | null;
  readonly mail: StoredMail;
  readonly listIds: readonly number[];
  readonly recipients: readonly string[];
  readonly at: number;
}

const starters: readonly Starter[] = [
  {
    file: 'letter.html',
    drag_editor: '0',
    isLarge: false,
    mail: { ...emptyMail, name: 'Letter', subject: 'Hello', body: '<p>Hello</p>', stylesheet: 'p { margin: 0 }' },
  },
];

const COLLECTIONS = ['templates', 'lists', 'campaigns', 'mails', 'sendings'] as const;

/** The sandbox's own code, without sockets. */
export class Service {
  readonly store: Store;
  readonly #mailer: Mailer;
  readonly #server;
  /** In order. */
  readonly deliveries: Delivered[] = [];
  #lastIds: Readonly<Record<string, number>> | undefined;

  constructor(profile: SandboxProfile, now: () => number) {
    const rules = profileRules[profile];
    this.store = new Store({ starters, templates: 1, subscribers: 12, profile: rules, hasExtras: false, now });
    // The samples would send on their own.
    for (const name of ['campaigns', 'sendings', 'followUps'] as const) this.store[name].clear();
    const outbox = new Outbox('https://mail.example', { compose: () => Promise.resolve({ html: '' }) });
    outbox.deliver = ({ mail, campaignId, listIds, recipients, sentAt }) =>
      void this.deliveries.push({
        campaignId,
        mail,
        listIds,
        recipients: Array.from(recipients, (id) => this.store.people.get(id).email),
        at: sentAt,
      });
    this.#mailer = new Mailer(this.store, outbox);
    this.#server = createApiServer({
      apiKey: KEY,
      basePath: '',
      profile: rules,
      hasExtras: false,
      run: (route, call) => {
        this.#mailer.catchUp();
        return route({ ...call, store: this.store, mailer: this.#mailer });
      },
    });
    this.#countIds();
  }

  /** Handles a request, which may change the service. */
  handle({ method, path, headers, body }: ServiceRequest): Promise<Reply> {
    return new Promise((resolve) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const request = {
        method,
        url: path,
        headers: lower,
        rawHeaders: Object.entries(headers).flat(),
        iterator: () => [Buffer.from(body)],
        resume: () => undefined,
      };
      const head: { status: number; headers: Readonly<Record<string, string>> } = { status: 0, headers: {} };
      const response = {
        writeHead: (status: number, given: Readonly<Record<string, string | number>>) => {
          head.status = status;
          head.headers = Object.fromEntries(
            Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]),
          );
        },
        end: (payload: Buffer) => resolve({ ...head, body: payload }),
        destroy: () => resolve({ status: 500, headers: {}, body: Buffer.alloc(0) }),
      };
      this.#server.emit('request', request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
  }

  /** Restores a backup: ids of later records are given again. */
  backup(): () => void {
    const saved = COLLECTIONS.map((name) => [...this.store[name]] as const);
    const ids = this.#lastIds;
    return () => {
      COLLECTIONS.forEach((name, at) => {
        const collection: Map<number, unknown> = this.store[name];
        collection.clear();
        for (const [id, record] of saved[at] ?? []) collection.set(id, record);
      });
      this.#lastIds = ids;
    };
  }

  /** Gives ids from a counter that a backup can restore. */
  #countIds() {
    const { store } = this;
    const highest = (...ids: readonly number[]) => Math.max(0, ...ids);
    this.#lastIds = {
      mail: highest(...store.mails.keys(), ...store.templates.keys()),
      list: highest(...store.lists.keys()),
      followUp: highest(...store.followUps.keys()),
      campaign: highest(...store.campaigns.keys()),
    };
    store.nextId = (kind) => {
      const id = (this.#lastIds?.[kind] ?? 0) + 1;
      this.#lastIds = { ...this.#lastIds, [kind]: id };
      return id;
    };
  }
}
