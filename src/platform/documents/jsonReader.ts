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

/** Reads a JSON document by a schema. Throws `InvalidDocument` at the place of the first mistake, in syntax or in values. */
export function readBySchema<S extends GenericSchema>(text: string, schema: S): InferOutput<S> {
  const at = (message: string, offset: number): InvalidDocumentError => {
    const before = text.slice(0, offset).split('\n');
    return new InvalidDocumentError(message, before.length - 1, before.at(-1)?.length ?? 0);
  };
  const tooDeep = findTooDeepOffset(text);
  if (tooDeep !== undefined) throw at('This is nested too deeply.', tooDeep);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [syntax] = errors;
  if (syntax !== undefined)
    throw at(`Not valid JSON: ${splitCamelCase(printParseErrorCode(syntax.error))}.`, syntax.offset);
  if (root === undefined) throw at('Not valid JSON: the document is empty.', 0);

  const duplicate = findDuplicateField(root);
  if (duplicate !== undefined) throw at(`${JSON.stringify(duplicate.name)} is written twice.`, duplicate.offset);

  const result = safeParse(schema, getNodeValue(root));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = (issue.path ?? []).map((item) => item.key as string | number);
  // A missing field has no place of its own: its parent's stands for it.
  const node = findNodeAtLocation(root, path) ?? findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  throw at(path.length === 0 ? issue.message : `"${path.join('.')}": ${issue.message}`, node.offset);
}

function splitCamelCase(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** Deeper than any record's details; parsers and whoever walks what they give would exhaust the stack somewhere beyond. */
const MAX_JSON_DEPTH = 100;

/** Where the text of a JSON document first goes deeper than any record does, in UTF-16 units; undefined where it nowhere does. */
export function findTooDeepOffset(text: string): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      // A string that is not closed ends with its line.
      else if (sign === '"' || sign === '\n' || sign === '\r') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return at;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return undefined;
}

/**
 * The first field of a JSON text that one of its name comes before, in the same object; undefined where there is none. Of two, a reader
 * takes the
 * last and an edit changes the first: neither is what the user sees.
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
