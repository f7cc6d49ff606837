import { applyEdits, findNodeAtLocation, modify, parseTree, type FormattingOptions } from 'jsonc-parser';
import { writeJson } from '../../platform/documents/json.ts';
import { readMapping, type MappedTemplate } from './mapping.ts';

export type MappingEntry = Omit<MappedTemplate, 'range' | 'source'> & { readonly source?: string };

/** Adds a template to the text of a `mailing.json`. Keeps comments, order and formatting. @throws if the JSON is invalid */
export function withEntry(text: string | undefined, entry: MappingEntry): string {
  const written = requireValidJson(text ?? writeJson({ templates: [] }));
  const formattingOptions = detectFormatting(written);
  return applyEdits(written, modify(written, ['templates', -1], entry, { isArrayInsertion: true, formattingOptions }));
}

/**
 * Adds a template's id on a connection to the text of a `mailing.json`.
 * @throws if the JSON is invalid or the folder isn't mapped
 */
export function withId(text: string, folder: string, connection: string, id: number): string {
  const written = requireValidJson(text);
  const range = readMapping(written).templates.find((template) => template.folder === folder)?.range;
  const root = parseTree(written, [], { disallowComments: false, allowTrailingComma: true });
  const templates = root && findNodeAtLocation(root, ['templates'])?.children;
  const index = templates?.findIndex(({ offset }) => offset === range?.start) ?? -1;
  if (index < 0) throw new Error(`mailing.json does not map "${folder}" any more.`);
  return applyEdits(
    written,
    modify(written, ['templates', index, 'ids', connection], id, { formattingOptions: detectFormatting(written) }),
  );
}

function requireValidJson(text: string): string {
  const { problems } = readMapping(text);
  const broken = problems.find(({ isSyntax }) => isSyntax);
  if (broken !== undefined) throw new Error(`mailing.json can’t be changed before it is mended: ${broken.message}`);
  return text;
}

function detectFormatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  const insertSpaces = !indent.startsWith('\t');
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 4, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
