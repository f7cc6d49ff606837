import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Outbox } from './outbox.ts';

export type SandboxProfile = 'documented' | 'acymailing';

export interface SandboxOptions {
  /** Folder of the starter templates: `index.json` and the HTML and CSS files it names. */
  readonly assets: string;
  /** Default: random. */
  readonly apiKey?: string;
  /** Port on 127.0.0.1. Default 0: any free one. */
  readonly port?: number;
  /** Where the site lies on its host, such as `/site`. Default: at the root. */
  readonly basePath?: string;
  /** Default `documented`. */
  readonly profile?: SandboxProfile;
  /** Number of templates. Default: the starters, and a long digest when none of them reaches 100 KB. */
  readonly templates?: number;
  /** Number of subscribers. Default 240. All of them are on the list "All contacts". */
  readonly subscribers?: number;
  /** What the sandbox's clock starts from. Default: the machine's time. */
  readonly now?: () => Date;
}

export interface Sandbox {
  /** Without a trailing slash; `index.php` follows it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly profile: SandboxProfile;
  readonly outbox: Outbox;
  readonly faults: Faults;
  /** What the service received since it started or was reset, oldest first; the newest 2,000 are kept. */
  readonly requests: readonly RecordedRequest[];
  readonly clock: Clock;
  /** Back to the sample data: records, outbox, faults, requests and clock. */
  reset(): void;
  /** Ends at once, with every connection, hanging ones too. */
  close(): Promise<void>;
}

/** A request as it arrived. It never holds the API key. */
export interface RecordedRequest {
  /** Counts from 1. */
  readonly number: number;
  /** The operation's name in the API document, or null where the address names none. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query as on the wire. */
  readonly url: string;
  /** The query, in PHP's reading of brackets: `filters[name]=x` is `{ filters: { name: 'x' } }`. */
  readonly query: Query;
  /** Header names as on the wire, with their values; `Api-Key` is left out. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * The parsed JSON body; the text where it is not JSON; undefined where there was none, or where newer bodies filled the memory kept for
   * them.
   */
  readonly body: unknown;
  /** The status answered; null while there is no answer, or where a fault gave none. */
  readonly status: number | null;
  /** The fault that was played on it. */
  readonly fault: string | null;
}

export type QueryValue = string | { readonly [key: string]: string };
export interface Query {
  readonly [name: string]: QueryValue;
}

/** Anything with an end. */
export interface Subscription {
  dispose(): void;
}
