import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { safeParse, type GenericSchema, type InferOutput } from 'valibot';
import { InvalidDocumentError } from './model.ts';

/**
 * Parses a JSON document.
 * @throws {InvalidDocumentError} at the position of the first error
 */
export function parseJson(text: string): Node {
  const tooDeep = findTooDeepOffset(text);
  if (tooDeep !== undefined) throw createError(text, tooDeep, 'This is nested too deeply.');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [syntax] = errors;
  if (syntax !== undefined) {
    const code = printParseErrorCode(syntax.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
    throw createError(text, syntax.offset, `Not valid JSON: ${code.toLowerCase()}.`);
  }
  if (root === undefined) throw createError(text, 0, 'Not valid JSON: the document is empty.');
  const duplicate = findDuplicateField(root);
  if (duplicate === undefined) return root;
  throw createError(text, duplicate.offset, `${JSON.stringify(duplicate.name.slice(0, 60))} is written twice.`);
}

export function createError(text: string, offset: number, message: string): InvalidDocumentError {
  const lines = text.slice(0, offset).split('\n');
  return new InvalidDocumentError(message, lines.length - 1, lines.at(-1)?.length ?? 0);
}

/**
 * Parses a JSON document with a schema.
 * @throws {InvalidDocumentError} at the position of the first syntax error or invalid value
 */
export function readBySchema<S extends GenericSchema>(text: string, schema: S): InferOutput<S> {
  const root = parseJson(text);
  const result = safeParse(schema, getNodeValue(root));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = (issue.path ?? []).map((item) => item.key as string | number);
  // A missing field is reported at its parent.
  const node = findNodeAtLocation(root, path) ?? findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  throw createError(text, node.offset, path.length === 0 ? issue.message : `"${path.join('.')}": ${issue.message}`);
}

/** Deeper than the details of any record. Parsers recurse, so unlimited depth could overflow the stack. */
const MAX_JSON_DEPTH = 100;

/** Returns the offset (UTF-16) where a JSON text exceeds the maximum depth, or undefined. */
export function findTooDeepOffset(text: string): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isInString) {
      if (char === '\\') at += 1;
      // An unclosed string ends with its line.
      else if (char === '"' || char === '\n' || char === '\r') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return at;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return undefined;
}

/**
 * Returns the first field whose name appears earlier in the same object, or undefined. Readers use the last of two such fields and edits
 * change the first, so users wouldn't get what they see.
 */
export function findDuplicateField(node: Node): { readonly name: string; readonly offset: number } | undefined {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    if (child.type === 'property') {
      const [key, value] = child.children ?? [];
      if (names.has(key?.value)) return { name: String(key?.value), offset: child.offset };
      names.add(key?.value);
      const within = value && findDuplicateField(value);
      if (within) return within;
    } else {
      const within = findDuplicateField(child);
      if (within) return within;
    }
  }
  return undefined;
}
