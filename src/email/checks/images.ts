import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import type { Token } from 'parse5';
import { unescapeCss } from '../html/nesting.ts';
import { readTags } from '../html/parseHtml.ts';
import { trimRange } from './css.ts';
import { toAttribute, mapValueOffsets, type Attribute } from './document.ts';

/** The address of an image in a text, with UTF-16 offsets. */
export interface ImageAddress {
  readonly start: number;
  readonly end: number;
  /** As it is written. */
  readonly text: string;
  /** As mail clients read it: without character references and escapes. */
  readonly value: string;
  /** What surrounds it: quotes, nothing (an attribute or `url()` without quotes), or the candidates of a `srcset`. */
  readonly within: 'quotes' | 'nothing' | 'candidates';
  /** Whether `&` begins a character reference. */
  readonly hasReferences: boolean;
}

type Found = Pick<ImageAddress, 'start' | 'end' | 'value' | 'within'>;

const addressAttributes: ReadonlySet<string> = new Set(['src', 'background', 'poster']);
const candidateAttributes: ReadonlySet<string> = new Set(['srcset', 'imagesrcset']);
const drawnImages: ReadonlySet<string> = new Set(['image', 'feimage']);
/** A comment that Outlook for Windows reads as HTML. */
const conditionalStart = /^<!--\[if[^\]]*\]>/iu;

/**
 * Returns where an HTML document or a stylesheet names images, in order: in attributes, `srcset` candidates, styles, and in the HTML of
 * Outlook's conditional comments. Other comments and texts name none. Takes linear time, and never throws.
 */
export function findImageAddresses(text: string, format: 'html' | 'css'): readonly ImageAddress[] {
  if (format === 'html') return imagesInHtml(text, true);
  return imagesInStyle(text).map((found) => ({
    ...found,
    text: text.slice(found.start, found.end),
    hasReferences: false,
  }));
}

function imagesInHtml(html: string, readsConditional: boolean): ImageAddress[] {
  const images: ImageAddress[] = [];
  let styleStart: number | undefined;
  const add = (offset: number, hasReferences: boolean, found: readonly Found[]): void => {
    for (const { start, end, ...image } of found) {
      const range = { start: offset + start, end: offset + end };
      images.push({ ...image, ...range, text: html.slice(range.start, range.end), hasReferences });
    }
  };
  const endStyle = (end: number): void => {
    if (styleStart !== undefined) add(styleStart, false, imagesInStyle(html.slice(styleStart, end)));
    styleStart = undefined;
  };
  readTags(html, {
    startTag(tag) {
      for (const { name, value } of tag.attrs) {
        const location = tag.location?.attrs?.[name];
        if (location && namesImages(tag, name))
          add(0, true, imagesInAttribute(html, toAttribute(html, name, value, location)));
      }
      if (tag.tagName === 'style' && tag.location) styleStart = tag.location.endOffset;
    },
    endTag({ tagName, location }) {
      if (tagName === 'style' && location) endStyle(location.startOffset);
    },
    comment({ location }) {
      const comment = html.slice(location?.startOffset, location?.endOffset);
      const start = conditionalStart.exec(comment)?.[0].length;
      if (!readsConditional || start === undefined || !location) return;
      for (const image of imagesInHtml(comment.slice(start), false)) {
        const offset = location.startOffset + start;
        images.push({ ...image, start: offset + image.start, end: offset + image.end });
      }
    },
  });
  endStyle(html.length);
  return images;
}

const namesImages = ({ tagName }: Token.TagToken, name: string): boolean =>
  name === 'style' ||
  addressAttributes.has(name) ||
  candidateAttributes.has(name) ||
  ((name === 'href' || name === 'xlink:href') && drawnImages.has(tagName));

function imagesInAttribute(html: string, { name, value, quote, valueStart, valueEnd }: Attribute): readonly Found[] {
  const written = html.slice(valueStart, valueEnd);
  const offsets = written === value ? undefined : mapValueOffsets(written, value);
  if (written !== value && offsets === undefined) return [];
  const inValue =
    name === 'style' ? imagesInStyle(value) : candidateAttributes.has(name) ? candidatesIn(value) : wholeOf(value);
  return inValue.map((found) => ({
    ...found,
    start: valueStart + (offsets?.[found.start] ?? found.start),
    end: valueStart + (offsets?.[found.end] ?? found.end),
    within: quote === '' ? 'nothing' : found.within,
  }));
}

function wholeOf(value: string): readonly Found[] {
  const { start, end } = trimRange(value, 0, value.length);
  return [{ start, end, value: value.slice(start, end), within: 'quotes' }];
}

/** Splits a `srcset` as https://html.spec.whatwg.org/#parse-a-srcset-attribute does. */
function candidatesIn(value: string): readonly Found[] {
  const candidate = /[\s,]*([^\s,]\S*)/y;
  const descriptors = /[^,(]*(?:\([^)]*\)?[^,(]*)*/y;
  const found: Found[] = [];
  for (let match = candidate.exec(value); match; match = candidate.exec(value)) {
    const address = match[1] ?? '';
    const start = candidate.lastIndex - address.length;
    let end = candidate.lastIndex;
    while (value[end - 1] === ',') end -= 1;
    if (end === candidate.lastIndex) {
      descriptors.lastIndex = end;
      descriptors.test(value);
      candidate.lastIndex = descriptors.lastIndex;
    }
    found.push({ start, end, value: value.slice(start, end), within: 'candidates' });
  }
  return found;
}

/** Functions of CSS whose strings are addresses. */
const addressFunctions: ReadonlySet<string> = new Set(['url(', 'image-set(', '-webkit-image-set(']);

function imagesInStyle(css: string): readonly Found[] {
  const found: Found[] = [];
  const functions: string[] = [];
  const add = (start: number, end: number, within: Found['within']): void => {
    found.push({ start, end, value: unescapeCss(css.slice(start, end)), within });
  };
  tokenize(css, (type, start, end) => {
    if (type === tokenTypes.Function) functions.push(unescapeCss(css.slice(start, end)).toLowerCase());
    else if (type === tokenTypes.LeftParenthesis) functions.push('');
    else if (type === tokenTypes.RightParenthesis) functions.pop();
    else if (type === tokenTypes.Url) {
      const isClosed = css[end - 1] === ')' && css[end - 2] !== '\\';
      const inner = trimRange(css, css.indexOf('(', start) + 1, isClosed ? end - 1 : end);
      add(inner.start, inner.end, 'nothing');
    } else if (type === tokenTypes.String && addressFunctions.has(functions.at(-1) ?? '')) {
      const isClosed = end - start > 1 && css[end - 1] === css[start] && css[end - 2] !== '\\';
      const inner = trimRange(css, start + 1, isClosed ? end - 1 : end);
      add(inner.start, inner.end, 'quotes');
    }
  });
  return found;
}
