import type { ServerResponse } from 'node:http';
import type { Email, Sent, SentOptions } from '../../email/sent/index.ts';
import type { Clock } from './time.ts';
import type { Outbox } from './outbox.ts';
import type { Reply } from './reply.ts';

export type SandboxProfile = 'documented' | 'acymailing';

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
  /** Profile for composing messages. Default: `profile`. */
  readonly composeProfile?: SandboxProfile;
  /** Number of templates. Default: the starters, plus a long digest if none of them reaches 100 KB. */
  readonly templates?: number;
  /** Number of subscribers. Default 240. All of them are on the list "All contacts". */
  readonly subscribers?: number;
  /** Maximum size of a request body. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Base of the sandbox's clock. Default: the system time. */
  readonly now?: () => Date;
  /** Composes emails as AcyMailing does. Default: `src/email/sent`, in this thread. */
  readonly compose?: Compose;
  /** For tests: called for each request before its body is read; may take over the response. */
  readonly intercept?: Intercept;
}

export type Compose = (email: Email, options: SentOptions) => Promise<Pick<Sent, 'html' | 'text'>>;

/** A sent message and its parts. */
export interface MessageParts {
  readonly html: string;
  readonly text: string;
  /** The complete message with headers. */
  readonly source: string;
}

/** Returns the interception of a request, or undefined to let the service respond. `operation` is null if the URL names none. */
export type Intercept = (operation: string | null) => Interception | undefined;

export interface Interception {
  /** Name in the request log. */
  readonly name: string;
  /** Resolves to the response status, or null if there was no response. */
  answer(exchange: Exchange): Promise<number | null>;
}

/** A request that is being processed. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Path and query at which the service answers the same request without interception. */
  readonly movedPath: string;
  /** Message of an internal failure of the operation; `<detail>` is a placeholder for the cause. */
  readonly failure: string;
  /** The service escapes JSON as `\/` and `\uXXXX`. */
  readonly escaped: boolean;
  /** Reads the request body. Returns the error reply if it is too large. */
  read(): Promise<Reply | undefined>;
  /** Runs the operation after `read` and returns its reply. */
  run(): Reply;
}

export interface Sandbox {
  /** Without a trailing slash; `index.php` is appended. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly profile: SandboxProfile;
  /** Sample list for test sends. */
  readonly testListId: number;
  readonly outbox: Outbox;
  /** Requests since the start or the last reset, oldest first; limited to the newest 2,000. */
  readonly requests: readonly RecordedRequest[];
  readonly clock: Clock;
  /** Restores the sample data, and clears outbox, requests and clock offset. */
  reset(): void;
  /** Stops immediately and closes all connections. */
  close(): Promise<void>;
}

/** An entry of the outbox. */
export interface OutboxMessage {
  /** Starts at 1, in order of delivery. */
  readonly id: number;
  /** Null for welcome, unsubscribe and follow-up mails, and for mails to a single user. */
  readonly campaignId: number | null;
  /** Address without a name. */
  readonly to: string;
  readonly subject: string;
  readonly date: Date;
  readonly listIds: readonly number[];
}

/** One delivery: the consecutive messages `firstId` to `firstId + count - 1`. */
export interface Delivery {
  readonly firstId: number;
  readonly count: number;
  readonly campaignId: number | null;
  readonly subject: string;
}

/** A received request without its API key. */
export interface RecordedRequest {
  /** Starts at 1. */
  readonly number: number;
  /** Name of the operation in the API document; null if the URL names none. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** The query with brackets parsed as in PHP: `filters[name]=x` is `{ filters: { name: 'x' } }`. */
  readonly query: Query;
  /** Header names as received, with their values, without `Api-Key`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The parsed JSON body, or its text if it is not JSON. Undefined if there was none, or if it was dropped to limit memory use. */
  readonly body: unknown;
  /** The response status; null while pending or if there was no response. */
  readonly status: number | null;
  /** Name of the interception that answered; null if the service did. */
  readonly fault: string | null;
}

export type QueryValue = string | { readonly [key: string]: string };
export interface Query {
  readonly [name: string]: QueryValue;
}
