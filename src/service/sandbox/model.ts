import type { Envelope } from '../../email/compose/compose.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Email, Sent, SentOptions } from '../../email/sent/index.ts';
import type { SandboxProfile } from './profiles.ts';

export type { SandboxProfile };

/** Composes the HTML of messages as AcyMailing does. */
export type Compose = (email: Email, options: SentOptions) => Promise<Pick<Sent, 'html'>>;

/** A sent message and its parts. */
export interface MessageParts {
  readonly envelope: Envelope;
  readonly html: string;
  readonly text: string;
  /** The complete message in RFC 5322 format with CRLF line ends. */
  readonly source: string;
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
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Name of the operation in the API document; null if the URL names none. */
  readonly operation: string | null;
  /** The query with brackets parsed as in PHP: `filters[name]=x` is `{ filters: { name: 'x' } }`. */
  readonly query: Query;
  /** The service escapes JSON as `\/` and `\uXXXX`. */
  readonly escaped: boolean;
  /** Reads and returns the request body, which is empty without a valid key. Rejects with the error response if it is too large. */
  read(): Promise<string>;
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

export interface Query {
  readonly [name: string]: string | { readonly [key: string]: string };
}
