/** An answer that has not the shape the documents give. The message ends the sentence "The answer can't be read: …". */
export class ShapeError extends Error {
  /** What the service said instead. */
  readonly serverMessage?: string;
  constructor(message: string, said?: string) {
    super(message);
    this.name = 'ShapeError';
    if (said !== undefined) this.serverMessage = said;
  }
}

/** One field of a record has not the shape the documents give: everything else about the answer is as it should be. */
export class FieldError extends ShapeError {
  readonly field: string;
  constructor(field: string, message: string, said?: string) {
    super(message, said);
    this.field = field;
  }
}

export type Row = Readonly<Record<string, unknown>>;

/** Deeper than any answer of the documents; deeper ones would exhaust the stack of whoever walks them. */
const MAX_DEPTH = 64;

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses an answer. An empty one is `null`. Keys named `__proto__` are dropped, as copying such a record would change its prototype.
 * Throws `SyntaxError` for what is not JSON, `ShapeError` for what is nested too deeply.
 */
export function parseJson(text: string): unknown {
  // The decoder dropped one byte order mark; a PHP file saved with one writes another.
  const json = text.replace(/^\uFEFF+/, '').trim();
  if (json === '') return null;
  const value: unknown = JSON.parse(json);
  checkDepth(value, 1);
  return value;
}

function checkDepth(node: unknown, depth: number): void {
  if (typeof node !== 'object' || node === null) return;
  if (depth > MAX_DEPTH) throw new ShapeError(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (Object.hasOwn(node, '__proto__')) Reflect.deleteProperty(node, '__proto__');
  // An answer may hold millions of values: this is walked without making an array of each object's, or names of an array's places.
  if (Array.isArray(node)) {
    for (const child of node as unknown[]) checkDepth(child, depth + 1);
    return;
  }
  for (const key in node) checkDepth((node as Readonly<Record<string, unknown>>)[key], depth + 1);
}

/** The service's own words in an answer that is an object (or an array of one): `message`, `error` and `errors`. */
export function findMessage(value: unknown): string | undefined {
  const object = Array.isArray(value) ? (value[0] as unknown) : value;
  if (typeof object === 'string') return object === '' ? undefined : object;
  if (!isObject(object)) return undefined;
  const main = [object.message, object.error].find((text) => typeof text === 'string' && text !== '');
  const errors = collectTexts(object.errors).join(', ');
  const parts = [main, errors].filter((text) => typeof text === 'string' && text !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The texts in a value that may be one text, an array of them, an object of them, or objects with a `message`. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  if (!isObject(value)) return [];
  return typeof value.message === 'string' ? collectTexts(value.message) : Object.values(value).flatMap(collectTexts);
}

const isBlank = (value: unknown) => value === null || value === undefined || value === '' || value === false;
const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * The records in an answer, whichever way they are wrapped: a flat array, an array in an array, an object keyed by id, an array of such
 * objects, one record alone. `[]`, `[null]` and an empty answer are none. An object with a text or number among its values is a
 * record, one that has only objects in it holds records.
 * @param known columns of the record, which tell it from an answer that only holds a message
 * @param keyed the column an object's keys stand for, filled in where a record has none
 * Throws `ShapeError`.
 */
export function collectRows(value: unknown, known: readonly string[], keyed?: string): Row[] {
  const found: Row[] = [];
  const visit = (node: unknown, key: string | undefined): void => {
    if (isBlank(node)) return;
    if (Array.isArray(node)) {
      for (const child of node as unknown[]) visit(child, undefined);
    } else if (!isObject(node)) {
      throw new ShapeError('it holds something else than records', typeof node === 'string' ? node : undefined);
    } else if (Object.values(node).some(isScalar)) {
      const said = known.some((column) => Object.hasOwn(node, column)) ? undefined : findMessage(node);
      if (said !== undefined) throw new ShapeError('it is a message instead of records', said);
      found.push(
        keyed !== undefined && key !== undefined && /^\d+$/.test(key) && isBlank(node[keyed])
          ? { ...node, [keyed]: key }
          : node,
      );
    } else {
      for (const [name, child] of Object.entries(node)) visit(child, name);
    }
  };
  visit(value, undefined);
  return found;
}
