import type { GenericSchema, InferOutput } from 'valibot';
import { InvalidDocument } from './model.ts';

/** Writes fields the way `readJson` reads them: two spaces, one field a line. */
export function writeJson(fields: object): string {
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/**
 * Reads a JSON document by a schema. The parser and the schema library are loaded when the first document is read.
 *
 * Throws `InvalidDocument` at the place of the first mistake, in syntax or in values.
 */
export async function readJson<S extends GenericSchema>(text: string, loadSchema: () => Promise<S>): Promise<InferOutput<S>> {
  const [{ findNodeAtLocation, parseTree, printParseErrorCode, getNodeValue }, { safeParse }, schema] = await Promise.all([
    import('jsonc-parser'),
    import('valibot'),
    loadSchema(),
  ]);
  const at = (message: string, offset: number): InvalidDocument => {
    const before = text.slice(0, offset).split('\n');
    return new InvalidDocument(message, before.length - 1, before.at(-1)?.length ?? 0);
  };
  const errors: { error: number; offset: number; length: number }[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [syntax] = errors;
  if (syntax !== undefined) throw at(`Not valid JSON: ${spaced(printParseErrorCode(syntax.error))}.`, syntax.offset);
  if (root === undefined) throw at('Not valid JSON: the document is empty.', 0);

  const result = safeParse(schema, getNodeValue(root));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = (issue.path ?? []).map((item) => item.key as string | number);
  // A missing field has no place of its own: its parent's stands for it.
  const node = findNodeAtLocation(root, path) ?? findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  throw at(path.length === 0 ? issue.message : `"${path.join('.')}": ${issue.message}`, node.offset);
}

function spaced(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
