import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { safeParse, type GenericSchema, type InferOutput } from 'valibot';
import { duplicateField } from './duplicates.ts';
import { tooDeepAt } from './nesting.ts';
import { InvalidDocument } from './model.ts';

/** Reads a JSON document by a schema. Throws `InvalidDocument` at the place of the first mistake, in syntax or in values. */
export function readBySchema<S extends GenericSchema>(text: string, schema: S): InferOutput<S> {
  const at = (message: string, offset: number): InvalidDocument => {
    const before = text.slice(0, offset).split('\n');
    return new InvalidDocument(message, before.length - 1, before.at(-1)?.length ?? 0);
  };
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) throw at('This is nested too deeply.', tooDeep);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [syntax] = errors;
  if (syntax !== undefined) throw at(`Not valid JSON: ${spaced(printParseErrorCode(syntax.error))}.`, syntax.offset);
  if (root === undefined) throw at('Not valid JSON: the document is empty.', 0);

  const duplicate = duplicateField(root);
  if (duplicate !== undefined) throw at(`${JSON.stringify(duplicate.name)} is written twice.`, duplicate.offset);

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
