/*
 * What a page tells its host is read like anything that comes from outside: a page shows hostile text, and whatever might run in it could
 * post
 * anything. Only what has the protocol's own shape becomes a message.
 */

/** Whether a value is of a type. */
type Check<T> = (value: unknown) => value is T;

export const isString: Check<string> = (value) => typeof value === 'string';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** A count or a place: 0, 1, 2, … */
export const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
export const isAnything: Check<unknown> = (_value): _value is unknown => true;

/** Fields of whatever kind. */
export const isObject: Check<Readonly<Record<string, unknown>>> = (value): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isOneOf =
  <const T>(...values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((each) => each === value);

/** One of two kinds. */
export const isEither =
  <A, B>(one: Check<A>, other: Check<B>): Check<A | B> =>
  (value): value is A | B =>
    one(value) || other(value);

/** A list of at most so many entries, and at least so many. */
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

/** An object with these fields; it may have others. */
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

/** The fields of each message of a protocol. */
export type MessageShapes<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: MessageFields<Extract<Message, { readonly type: Type }>>;
};

/** A message of a protocol, with its own fields and no others; nothing where it is none. */
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

/** What is done on each message of a protocol. */
export type MessageHandlers<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { readonly type: Type }>) => unknown;
};

/** Does what is to be done on a message, and gives what comes of it; nothing is done where its type is of another version's protocol. */
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
