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

/** Returns a valid message with only the fields of its type, or undefined if it is invalid. */
export function readMessage<Message>(
  schema: v.GenericSchema<unknown, Message>,
  message: Parameters<typeof isObject>[0],
): Message | undefined {
  // The copy has no inherited fields.
  const result = v.safeParse(schema, Object.assign({}, message));
  return result.success ? result.output : undefined;
}

/** The handler of each message type. */
export type MessageHandlers<Message extends TypedMessage> = {
  readonly [Type in Message['type']]: (message: Message & { readonly type: Type }) => unknown;
};
