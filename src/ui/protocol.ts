import * as v from 'valibot';
import { isObject } from '../service/client/shapes.ts';

/**
 * Messages from a page are untrusted: a page shows hostile text, and injected code could post anything. Only values that match the protocol's schema
 * become messages.
 */

/** A count or an offset: 0, 1, 2, … */
export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A record with any fields, which are not copied. */
export const recordSchema = v.custom<Readonly<Record<string, unknown>>>(isObject);

export interface TypedMessage {
  readonly type: string;
}

/** The requests that a page can make, by name. A request is a message with an id, which its response repeats. */
export type RequestTypes = Readonly<Record<string, { readonly params: object; readonly result: unknown }>>;

/** The response to a request: its result, or the reason why there is none. */
export interface ResponseMessage {
  readonly type: 'response';
  readonly requestId: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** The page no longer needs a response. */
export const cancelSchema = v.object({ type: v.literal('cancelRequest'), requestId: countSchema });

/** Returns a valid message with only the fields of its type, or undefined if it is invalid. */
export function readMessage<Message>(
  schema: v.GenericSchema<unknown, Message>,
  message: Parameters<typeof isObject>[0],
): Message | undefined {
  // The copy has no inherited fields.
  const result = v.safeParse(schema, Object.assign({}, message));
  return result.success ? result.output : undefined;
}

/** The handler of each message type. That of a request returns its result. `signal` is aborted when the page no longer needs it. */
export type MessageHandlers<Message extends TypedMessage> = {
  readonly [Type in Message['type']]: (message: Message & { readonly type: Type }, signal: AbortSignal) => unknown;
};

/** The handler of each request. */
export type RequestHandlers<Requests extends RequestTypes> = {
  readonly [Name in keyof Requests]: (
    params: Requests[Name]['params'],
    signal: AbortSignal,
  ) => Promise<Requests[Name]['result']>;
};
