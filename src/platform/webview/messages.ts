/**
 * Messages from a page are untrusted: a page shows hostile text, and injected code could post anything. Only values with the shape that the protocol
 * defines become messages.
 */

type Check<T> = (value: unknown) => value is T;

export const isString: Check<string> = (value) => typeof value === 'string';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** Checks for a count or an offset: 0, 1, 2, … */
export const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
export const isAnything: Check<unknown> = (_value): _value is unknown => true;

/** Checks for an object with any fields. */
export const isObject: Check<Readonly<Record<string, unknown>>> = (value): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isOneOf =
  <const T>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((each) => each === value);

export const isEither =
  <A, B>(one: Check<A>, other: Check<B>): Check<A | B> =>
  (value): value is A | B =>
    one(value) || other(value);

/** Checks for an array within the limits of length. */
export const isArrayOf =
  <T>(
    check: Check<T>,
    { maxLength = Infinity, minLength = 0 }: { readonly maxLength?: number; readonly minLength?: number } = {},
  ): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) &&
    value.length >= minLength &&
    value.length <= maxLength &&
    Array.from(value as unknown[]).every(check);

/** Checks for an object with these fields. It may have others. */
export const isShape =
  <T extends object>(fields: { readonly [Field in keyof T]-?: Check<T[Field]> }): Check<T> =>
  (value): value is T =>
    isObject(value) && Object.keys(fields).every((field) => fields[field as keyof T](getOwnValue(value, field)));

export const isOptional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

type MessageFields<Message extends { readonly type: string }> = {
  readonly [Field in Exclude<keyof Message, 'type'>]-?: Check<Message[Field]>;
};

/** The checks of each message type's fields. */
export type MessageShapes<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: MessageFields<Extract<Message, { readonly type: Type }>>;
};

/** Returns a valid message with only the fields of its type, or undefined if it is invalid. */
export function readMessage<Message extends { readonly type: string }>(
  shapes: MessageShapes<Message>,
  message: unknown,
): Message | undefined {
  if (!isObject(message)) return undefined;
  const type = getOwnValue(message, 'type');
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return undefined;
  const checks: Readonly<Record<string, Check<unknown>>> = shapes[type as Message['type']];
  const fields = Object.keys(checks).map((name) => [name, getOwnValue(message, name)] as const);
  if (!fields.every(([name, value]) => checks[name]?.(value))) return undefined;
  return { type, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) } as unknown as Message;
}

/** The handler of each message type. */
export type MessageHandlers<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { readonly type: Type }>) => unknown;
};

/** Calls a message's handler and returns its result. Ignores types of another version's protocol. */
export function dispatch<Message extends { readonly type: string }>(
  handlers: MessageHandlers<Message>,
  message: Message,
): unknown {
  if (!Object.hasOwn(handlers, message.type)) return undefined;
  const handle = handlers[message.type as Message['type']] as (message: Message) => unknown;
  return handle(message);
}

function getOwnValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
