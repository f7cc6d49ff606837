import type { ServerResponse } from 'node:http';
import type { Email, Sent, SentOptions } from '../../email/sent/index.ts';
import type { SandboxProfile } from './profiles.ts';

export type { SandboxProfile };

/** Composes the HTML of messages as AcyMailing does. */
export type Compose = (email: Email, options: SentOptions) => Promise<Pick<Sent, 'html'>>;

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

/** A response to send. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly payload: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is being processed. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Path and query at which the service answers the same request without interception. */
  readonly movedPath: string;
  /** The service escapes JSON as `\/` and `\uXXXX`. */
  readonly escaped: boolean;
  /** Reads the request body. Rejects with the error response if it is too large. */
  read(): Promise<void>;
  /** Runs the operation after `read` and returns its reply. */
  run(): Reply;
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

export interface Query {
  readonly [name: string]: string | { readonly [key: string]: string };
}
