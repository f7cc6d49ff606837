import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Compose, Exchange, SandboxProfile } from './model.ts';
import { Outbox } from './outbox.ts';
import { Mailer } from './mailer.ts';
import { profileRules } from './profiles.ts';
import { createApiServer } from './server.ts';
import { loadStarters } from './starters.ts';
import { Store, TEST_LIST } from './store.ts';

/** Interval for running events that are due, in milliseconds. */
const TICK_MS = 1000;
const DEFAULT_SUBSCRIBERS = 240;

export interface SandboxOptions {
  /** Folder of the starter templates: `index.json` and the HTML and CSS files that it lists. */
  readonly assets: string;
  /** Default: random. */
  readonly apiKey?: string;
  /** Port on 127.0.0.1. Default 0: any free port. */
  readonly port?: number;
  /** Path of the site, such as `/site`. Default: the root. */
  readonly basePath?: string;
  /** Default `documented`. */
  readonly profile?: SandboxProfile;
  /** Number of templates. Default: the starters, plus a long digest if none of them reaches 100 KB. */
  readonly templates?: number;
  /** Number of subscribers. Default 240. All of them are on the list "All contacts". */
  readonly subscribers?: number;
  /** Maximum size of a request body. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Default: the system time. */
  readonly now?: () => Date;
  readonly compose: Compose;
  /** Also supports what the API document lacks: tests to any address, and reading the texts of follow-up mails. */
  readonly hasExtras?: boolean;
  /** Called after each delivery with at least one recipient. */
  readonly onDidDeliver?: () => void;
  /** For tests: answers requests, before their bodies are read, instead of the service. */
  readonly intercept?: (exchange: Exchange) => Promise<void>;
}

export interface Sandbox {
  /** Without a trailing slash; `index.php` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly profile: SandboxProfile;
  /** Sample list for test sends. */
  readonly testListId: number;
  readonly outbox: Outbox;
  /** Runs everything that is due. So does every request, and a timer. */
  catchUp(): void;
  /** Restores the sample data, and clears the outbox. */
  reset(): void;
  /** Stops immediately and closes all connections. */
  close(): Promise<void>;
}

/**
 * Starts an embedded mailing service with sample data on 127.0.0.1. It implements the complete API document, sends nothing and stores
 * nothing after it is closed. Rejects if the starters are invalid or the port is in use.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { apiKey = randomBytes(24).toString('base64url'), basePath = '', subscribers = DEFAULT_SUBSCRIBERS } = options;
  const starters = await loadStarters(options.assets);
  const { templates = starters.length, hasExtras = false, now = () => new Date() } = options;
  const profile = profileRules[options.profile ?? 'documented'];
  const server = createApiServer({
    ...options,
    apiKey,
    basePath,
    profile,
    hasExtras,
    run(route, call) {
      mailer.catchUp();
      return route({ ...call, store: mailer.store, mailer });
    },
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const baseUrl = `http://127.0.0.1:${port}${basePath}`;
  const outbox = new Outbox(baseUrl, options);
  const createMailer = () =>
    new Mailer(new Store({ starters, templates, subscribers, profile, hasExtras, now: () => now().getTime() }), outbox);
  let mailer = createMailer();
  const catchUp = () => mailer.catchUp();
  // The timer must not keep the process alive.
  const timer = setInterval(catchUp, TICK_MS).unref();

  return {
    baseUrl,
    apiKey,
    profile: profile.name,
    testListId: TEST_LIST,
    outbox,
    catchUp,
    reset() {
      outbox.clear();
      mailer = createMailer();
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
