// The code in conditional comments, which only Outlook for Windows reads.

import { parseTransparentColor } from './color.ts';
import { excludesOutlook, parseConditions, type ConditionalBlock } from './conditions.ts';
import { findFirstIndex, mergeRanges, type Range } from '../html/text.ts';
import type { PartRange } from './model.ts';

export interface OutlookCode {
  readonly conditions: readonly ConditionalBlock[];
  /** What only Outlook parses, up to the first character of the end marker. */
  readonly hidden: readonly Range[];
  /**
   * The email as Outlook reads it, as long as the source: white space replaces the markers of conditional comments, and what is hidden
   * from Outlook.
   */
  readonly view: string;
  /** What only Outlook parses, in elements such as `<if id="mso">`. As long as the source. */
  readonly outline: string;
}

const blank = (text: string) => text.replace(/[^\r\n]+/g, ({ length }) => ' '.repeat(length));

/** Reads the code for Outlook. Takes linear time. */
export function readOutlookCode(text: string): OutlookCode {
  const conditions = parseConditions(text).blocks;
  let [view, outline] = ['', ''];
  const unread = conditions.flatMap((block) =>
    block.isRevealed && excludesOutlook(block.condition) ? block : [block.opener, block.closer],
  );
  for (const { start, end } of mergeRanges(unread))
    view += text.slice(view.length, start) + blank(text.slice(start, end));
  const hidden = conditions.flatMap(({ isRevealed, opener, closer }) => {
    if (isRevealed) return [];
    const condition = text.slice(opener.start + '<!--[if '.length, opener.end - ']>'.length).replace(/["&<>]/g, ' ');
    outline += `${blank(text.slice(outline.length, opener.start))}<if id="${condition}">`;
    outline += text.slice(opener.end, closer.start) + (closer.end - closer.start < 5 ? '' : '</if>');
    return { start: opener.end, end: closer.start + 1 };
  });
  view += text.slice(view.length);
  outline += blank(text.slice(outline.length));
  return { conditions, hidden, view, outline };
}

/** Returns what only Outlook parses, without anything else, and a function that moves ranges of it to the text. */
export function extractOutlookCode(text: string) {
  const { conditions, outline } = readOutlookCode(text);
  let code = '';
  const moves = conditions.flatMap(({ isRevealed, opener, closer }) => {
    if (isRevealed) return [];
    const at = code.length;
    code += outline.slice(opener.start, closer.start + '</if>'.length);
    return { at, delta: opener.start - at };
  });
  const move = (offset: number) => offset + (moves[findFirstIndex(moves, ({ at }) => at > offset) - 1]?.delta ?? 0);
  const toSource = ({ part, start, end }: PartRange) => ({ part, start: move(start), end: move(end - 1) + 1 });
  return { code, toSource };
}

const colorAttribute =
  /(?<=[\s"'](?:bgcolor|bordercolor|fillcolor|strokecolor|color2?|[av]?link|text)\s{0,9}=\s{0,9}["'])[^"'<>]{1,40}(?=["'])/gi;

const styleColor =
  /(?:#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{1,60}\)|(?<![-\w.#/])[a-z]+(?![-\w(.:/]))(?<=(?:color|background|border|outline|shadow|shading|highlight)[\w-]{0,30}\s{0,9}:[^:;{}"'<>]{0,160})/gi;

/** Finds the colors of attributes, and those of styles that only Outlook reads. */
export const findColors = ({ view, outline }: OutlookCode) =>
  [...view.matchAll(colorAttribute), ...outline.matchAll(styleColor)].flatMap(({ 0: value, index }) => {
    const parsed = parseTransparentColor(value);
    return parsed ? [{ color: parsed.color, start: index, end: index + value.length }] : [];
  });
