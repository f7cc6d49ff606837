import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { safeParse, type GenericSchema, type InferOutput } from 'valibot';
import { findDuplicateField, findTooDeepOffset } from './json.ts';
import { formatPair, localized, quote, t } from '../../l10n.ts';

/** The text of a document can't be parsed. `line` and `column` are zero-based. */
export class InvalidDocumentError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'InvalidDocument';
    this.line = line;
    this.column = column;
  }
}

/** Messages of syntax errors by their names in the parser. */
const syntaxMessages = localized((): Readonly<Record<string, string>> => ({
  PropertyNameExpected: t('Not valid JSON: field name in quotes expected.'),
  ValueExpected: t('Not valid JSON: value expected.'),
  ColonExpected: t('Not valid JSON: colon expected.'),
  CommaExpected: t('Not valid JSON: comma expected.'),
  CloseBraceExpected: t('Not valid JSON: closing brace expected.'),
  CloseBracketExpected: t('Not valid JSON: closing bracket expected.'),
  EndOfFileExpected: t('Not valid JSON: there is more text after the end.'),
  InvalidCommentToken: t("Not valid JSON: comments aren't allowed."),
  UnexpectedEndOfString: t("Not valid JSON: the text isn't closed with a quote."),
  InvalidEscapeCharacter: t('Not valid JSON: invalid escape character.'),
  InvalidCharacter: t('Not valid JSON: invalid character.'),
}));

/**
 * Parses a JSON document.
 * @throws {InvalidDocumentError} at the position of the first error
 */
export function parseJson(text: string): Node {
  const tooDeep = findTooDeepOffset(text);
  if (tooDeep !== undefined) throw createError(text, tooDeep, t('This is nested too deeply.'));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [syntax] = errors;
  if (syntax) {
    const message = syntaxMessages()[printParseErrorCode(syntax.error)] ?? t('Not valid JSON.');
    throw createError(text, syntax.offset, message);
  }
  if (!root) throw createError(text, 0, t('Not valid JSON: the document is empty.'));
  const duplicate = findDuplicateField(root);
  if (!duplicate) return root;
  throw createError(text, duplicate.offset, t`Duplicate field ${JSON.stringify(duplicate.name.slice(0, 60))}.`);
}

export function createError(text: string, offset: number, message: string): InvalidDocumentError {
  const lines = text.slice(0, offset).split('\n');
  return new InvalidDocumentError(message, lines.length - 1, lines.at(-1)?.length ?? 0);
}

/**
 * Parses a JSON document with a schema.
 * @throws {InvalidDocumentError} at the position of the first syntax error or invalid value
 */
export function readJson<S extends GenericSchema>(text: string, schema: S): InferOutput<S> {
  const root = parseJson(text);
  const result = safeParse(schema, getNodeValue(root));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = (issue.path ?? []).map((item) => item.key as string | number);
  // A missing field is reported at its parent.
  const node = findNodeAtLocation(root, path) ?? findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  throw createError(
    text,
    node.offset,
    path.length === 0 ? issue.message : formatPair(quote(path.join('.')), issue.message),
  );
}

/** Formats fields as JSON with one field per line. */
export function writeJson(fields: object): string {
  return `${JSON.stringify(fields, null, 2)}\n`;
}
