import type { Token } from 'parse5';
import { createPlaceholderGuard, findPlaceholders } from '../../email/compose/placeholders.ts';
import { readTags } from '../../email/html/parseHtml.ts';
import { applyEdits, findRangeAt, type Range, type TextEdit } from '../../email/html/text.ts';
import { parseSource, type SourceNode } from '../../email/html/sourceMap.ts';
import { listMarks } from './check.ts';
import { parseMarks, type Marked } from './marks.ts';

/**
 * Returns the edits that make a part of each place where a text contains some code, equal up to white space. The content of slots in the
 * code may differ, and is kept. Leaves out places where marks would split an element, a placeholder of the visual editor or code for
 * Outlook, or where the text belongs to another part. Code with several slots can take any time: call this where it is interrupted.
 * @param selected an offset of the code that is found first, if places overlap
 */
export function extractPart(text: string, name: string, code: string, selected = 0): TextEdit[] {
  const [mark, endMark] = [`<!-- part: ${name} -->`, '<!-- /part -->'];
  const [part] = listMarks(parseMarks(mark + code + endMark, false).children);
  const slots = part?.slots.flatMap(({ inner }) => [inner.start - mark.length, inner.end - mark.length]) ?? [];
  const bounds = [0, ...slots, code.length];
  const fixed = bounds.flatMap((at, index) => (index % 2 === 0 ? code.slice(at, bounds[index + 1]) : []));
  const pattern = new RegExp(fixed.map(toPattern).join('([^]*?)'), 'g');
  // Code without more than slots is everywhere.
  if (pattern.test('')) return [];
  const isInTag = createTagGuard(text);
  const find = (from: number, to?: number) =>
    Array.from(text.slice(from, to).matchAll(pattern), (match) => {
      const content = fixed.map((piece, index) => piece + (match[index + 1] ?? '')).join('');
      const start = from + match.index;
      return { start, end: start + match[0].length, text: mark + content + endMark };
    });
  const found = [...find(0, selected), ...find(selected)];
  const edits = found.filter(({ start, end }) => !isInTag(start) && !isInTag(end));
  const isPart = createPartTest(applyEdits(text, edits));
  let shift = 0;
  return edits.filter(({ start, end, text: { length } }) => {
    const at = start + shift;
    shift += length - (end - start);
    return isPart(at, at + length);
  });
}

/** Marks of slots may be missing. */
const toPattern = (code: string) =>
  code
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
    .replace(/<!--(?:\\s\+)?\/?(?:\\s\+)?slot\b.*?-->/g, '(?:$&)?');

/** Returns a function for whether an offset is inside a tag or a comment. A mark would end it. */
function createTagGuard(text: string): (at: number) => boolean {
  const tags: Range[] = [];
  const add = ({ location }: Token.TagToken | Token.CommentToken) => {
    if (location) tags.push({ start: location.startOffset, end: location.endOffset });
  };
  readTags(text, { startTag: add, endTag: add, comment: add });
  return (at) => (findRangeAt(tags, at)?.start ?? at) < at;
}

/** Returns a function for whether a part that splits nothing is at a range. */
function createPartTest(text: string): (start: number, end: number) => boolean {
  const marks = new Map<number, readonly [mark: Marked, around: Marked | undefined]>();
  const readMarks = (children: Marked['children'], around?: Marked) => {
    for (const mark of children) {
      if ('where' in mark) continue;
      marks.set(mark.start, [mark, around]);
      readMarks(mark.children, mark);
    }
  };
  readMarks(parseMarks(text, false).children);
  const parents = new Map<number, SourceNode>();
  const readParents = (node: SourceNode, parent: SourceNode) => {
    for (const child of node.children) {
      if (child.name === '#comment' && child.range) parents.set(child.range.start, parent);
      // Elements that the parser added don't count: they can start after a mark.
      readParents(child, child.range ? child : parent);
    }
  };
  const root = parseSource(text);
  readParents(root, root);
  const isInPlaceholder = createPlaceholderGuard(findPlaceholders(text));
  const isWhole = ({ start, end, inner, hasProblem }: Marked) => {
    const content = text.slice(inner.start, inner.end);
    return (
      parents.has(start) &&
      parents.get(start) === parents.get(inner.end) &&
      content.split('<!--[if').length === content.split('<![endif]').length &&
      !isInPlaceholder({ start, end: inner.start }) &&
      !isInPlaceholder({ start: inner.end, end }) &&
      !hasProblem
    );
  };
  return (start, end) => {
    const [mark, around] = marks.get(start) ?? [];
    return mark?.end === end && around?.kind !== 'part' && [mark, ...mark.slots].every(isWhole);
  };
}
