import type { ServerResponse } from 'node:http';
import type { Email, Sent, SentOptions } from '../../email/sent/index.ts';
import type { Clock } from './clock.ts';
import type { Reply } from './reply.ts';

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
  /** How it composes what it sends. Default: as `profile` says. */
  readonly composeProfile?: SandboxProfile;
  /** Number of templates. Default: the starters, and a long digest when none of them reaches 100 KB. */
  readonly templates?: number;
  /** Number of subscribers. Default 240. All of them are on the list "All contacts". */
  readonly subscribers?: number;
  /** Bytes of a request's body that are taken at most. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** What the sandbox's clock starts from. Default: the machine's time. */
  readonly now?: () => Date;
  /** Works out what AcyMailing sends of an email. Default: here and now, with `src/email/sent`. */
  readonly compose?: Compose;
  /** For tests: asked at each request, before its body is read, whether something else answers it. */
  readonly intercept?: Intercept;
}

export type Compose = (email: Email, options: SentOptions) => Promise<Pick<Sent, 'html' | 'text'>>;

/** A message as it was sent: its parts, and all of it. */
export interface MessageParts {
  readonly html: string;
  readonly text: string;
  /** The whole message with its headers, as it goes over the wire. */
  readonly source: string;
}

/** Who answers a request of this operation (null: the address names none) in the service's place; undefined: the service itself. */
export type Intercept = (operation: string | null) => Interception | undefined;

export interface Interception {
  /** What the record of requests calls it. */
  readonly name: string;
  /** Resolves to the status answered; null where none was. */
  answer(exchange: Exchange): Promise<number | null>;
}

/** A request and its answer, as far as they have come. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Path and query where the same request is answered by the service, whatever intercepts. */
  readonly movedPath: string;
  /** The operation's message for a failure of its own; `<detail>` stands for the cause. */
  readonly failure: string;
  /** Whether the service writes `\/` and `\uXXXX` in its JSON. */
  readonly escaped: boolean;
  /** Reads the body of the request. Gives the refusal of one that is too large. */
  read(): Promise<Reply | undefined>;
  /** Does the operation, after `read`, and gives its answer. */
  run(): Reply;
}

export interface Sandbox {
  /** Without a trailing slash; `index.php` follows it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly profile: SandboxProfile;
  /** The list of the sample data that receives tests. */
  readonly testListId: number;
  readonly outbox: Outbox;
  /** What the service received since it started or was reset, oldest first; the newest 2,000 are kept. */
  readonly requests: readonly RecordedRequest[];
  readonly clock: Clock;
  /** Back to the sample data: records, outbox, requests and clock. */
  reset(): void;
  /** Ends at once, with every connection, hanging ones too. */
  close(): Promise<void>;
}

/** A message as the outbox lists it. */
export interface OutboxMessage {
  /** Counts from 1 in the order of delivery. */
  readonly id: number;
  /** Null for welcome, unsubscribe and follow-up mails, and for those that were sent to one user. */
  readonly campaignId: number | null;
  /** The recipient's bare address. */
  readonly to: string;
  readonly subject: string;
  readonly date: Date;
  readonly listIds: readonly number[];
}

/** One sending: consecutive messages `firstId` to `firstId + count - 1`. */
export interface Delivery {
  readonly firstId: number;
  readonly count: number;
  readonly campaignId: number | null;
  readonly subject: string;
}

/** What the service "sent". Messages are composed when they are read, so a sending to 50,000 holds its text once. */
export interface Outbox {
  readonly count: number;
  /** All messages, newest last; made anew at each read. For a large outbox use `page`. */
  readonly messages: readonly OutboxMessage[];
  /** At most `limit` messages after the first `offset`, newest last. */
  page(offset: number, limit: number): OutboxMessage[];
  get(id: number): OutboxMessage | undefined;
  /** The message in RFC 5322 form, CRLF lines. Rejects with a RangeError for an id the outbox does not hold. */
  eml(id: number): Promise<string>;
  /** The same message with its parts. Rejects as `eml` does. */
  parts(id: number): Promise<MessageParts>;
  /** Called once per sending that reached anybody. */
  onDidDeliver(listener: (delivery: Delivery) => void): EventSubscription;
  clear(): void;
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
  /** The status answered; null while there is no answer, or where none was given. */
  readonly status: number | null;
  /** The name of the interception that answered it; null where the service did. */
  readonly fault: string | null;
}

export type QueryValue = string | { readonly [key: string]: string };
export interface Query {
  readonly [name: string]: QueryValue;
}

/** Anything with an end. */
export interface EventSubscription {
  dispose(): void;
}
