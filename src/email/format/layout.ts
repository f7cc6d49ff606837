import type { TextEdit } from '../html/text.ts';
import { isTransparent, readParts, type Part } from './parts.ts';
import { layOutTag, type Layout } from './startTag.ts';

export interface LayoutEdit extends TextEdit {
  /** Whether it changes the space between attributes, which a service that parses the email doesn't send. */
  readonly isInTag: boolean;
}

const hasText = (text: string) => /[^ \t\r\n\f]/.test(text);

/** Elements that start a line of the text part. By prefix, like the service. */
const textLineElement = /^(?:br|p|h[1-6]|legend|li|ul|d[dt]|t[dr]|div)/;

/** What is beside white space: whether a block starts or ends there, and a line of the text part. */
interface Side {
  readonly isBlock: boolean;
  readonly isTextLine: boolean;
}

const edgeOfEmail: Side = { isBlock: true, isTextLine: true };
const besideText: Side = { isBlock: false, isTextLine: false };

/** Returns what is beside the white space after or before a part. */
function getSide(html: string, part: Part, isBlock: boolean, beyond: Side) {
  if (isTransparent(html, part)) return beyond;
  const isText = part.kind === 'merge' || part.kind === 'comment' || part.name === 'a';
  const isTextLine = part.kind !== 'comment' && textLineElement.test(part.name);
  return { isBlock, isTextLine: isTextLine || (!isText && beyond.isTextLine) };
}

/** Returns for each part what follows the white space before it. */
function findFollowing(html: string, parts: readonly Part[]) {
  const sides: Side[] = [];
  let side = edgeOfEmail;
  let until = html.length;
  for (const part of parts.toReversed()) {
    if (hasText(html.slice(part.end, until))) side = besideText;
    side = getSide(html, part, part.isBlockBefore, side);
    sides.push(side);
    until = part.start;
  }
  return sides.reverse();
}

/** Returns the edits that lay out the parts of an email, or of a conditional comment: there, only the indentation of its lines changes. */
export function layOut(
  html: string,
  parts: readonly Part[],
  layout: Layout,
  comment?: Part,
  maxEdits = Infinity,
): LayoutEdit[] {
  const outerDepth = comment?.depth ?? 0;
  const following = findFollowing(html, parts);
  const edits: LayoutEdit[] = [];
  const edit = (start: number, end: number, text: string, isInTag = false) => {
    if (html.slice(start, end) !== text) edits.push({ start, end, text, isInTag });
  };
  let left = edgeOfEmail;
  let previous: Part | undefined;
  const layOutSpace = (from: number, to: number, next: Part | undefined, right: Side) => {
    const space = html.slice(from, to);
    const isLink = previous?.name === 'a' && previous.kind === 'open';
    const isTextLine = comment !== undefined || (!isLink && (left.isTextLine || right.isTextLine));
    const isBetweenBlocks = !comment && previous && next && left.isBlock && right.isBlock;
    const canBreak =
      isBetweenBlocks && !(previous?.kind === 'open' && next.kind === 'close') && (space !== '' || isTextLine);
    if (!space.includes('\n') && !canBreak) return;
    const canBeBlank = previous?.kind !== 'open' && next?.kind !== 'close';
    edit(from, to, breakLine(space, next?.depth ?? outerDepth, layout, isTextLine, canBeBlank));
  };
  const layOutText = (from: number, text: string, next: Part | undefined, right: Side) => {
    for (const { 0: space, index } of text.matchAll(/(?<![ \t\r\n\f])[ \t\r\n\f]*\n[ \t\r\n\f]*/g)) {
      const isLast = index + space.length === text.length;
      const isLink = index === 0 && previous?.name === 'a' && previous.kind === 'open';
      const isTextLine =
        comment !== undefined || (!isLink && ((index === 0 && left.isTextLine) || (isLast && right.isTextLine)));
      const depth = isLast
        ? (next?.depth ?? outerDepth)
        : (previous?.innerDepth ?? outerDepth + Number(comment !== undefined));
      edit(from + index, from + index + space.length, breakLine(space, depth, layout, isTextLine, true));
    }
  };
  for (const [index, part] of [...parts, undefined].entries()) {
    const from = previous?.end ?? 0;
    const to = part?.start ?? html.length;
    const text = html.slice(from, to);
    const right = following[index] ?? edgeOfEmail;
    // The last element may have no end tag.
    const isLocked = part?.isLocked ?? previous?.isLockedAfter ?? false;
    if (!hasText(text)) {
      if (!isLocked) layOutSpace(from, to, part, right);
    } else {
      if (!isLocked) layOutText(from, text, part, right);
      left = besideText;
    }
    if (!part || edits.length >= maxEdits) break;
    left = getSide(html, part, part.isBlockAfter, left);
    previous = part;
    if (isLocked) continue;
    if (part.token && !comment) edit(part.start, part.end, layOutTag(html, part, part.token, layout), true);
    if (part.kind === 'comment') edits.push(...layOutCondition(html, part, layout));
  }
  return edits;
}

function layOutCondition(html: string, comment: Part, layout: Layout) {
  const [, start = '', content = ''] =
    /^(<!--\[if[^\]]*\]>)([^]*)<!\[endif\]-->$/i.exec(html.slice(comment.start, comment.end)) ?? [];
  if (!content.includes('\n')) return [];
  const offset = comment.start + start.length;
  return layOut(content, readParts(content, comment.depth + 1), layout, comment).map((edit) => ({
    ...edit,
    start: edit.start + offset,
    end: edit.end + offset,
  }));
}

/**
 * Returns the line break that replaces white space. In a line of the text part, line breaks and tabs join words, and spaces don't: there,
 * it has spaces only if the original has.
 */
function breakLine(space: string, depth: number, { indent, eol }: Layout, isTextLine: boolean, canBeBlank: boolean) {
  const start = canBeBlank && /\n[^\n]*\n/.test(space) ? eol + eol : eol;
  const lineBreak = start + indent.repeat(depth);
  if (isTextLine || space.includes(' ') === lineBreak.includes(' ')) return lineBreak;
  return space.includes(' ') ? `${lineBreak} ` : start + '\t'.repeat(depth);
}
