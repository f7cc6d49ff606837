import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import type { Token } from 'parse5';
import { unescapeCss } from '../html/nesting.ts';
import { readTags } from '../html/parseHtml.ts';
import { trimRange } from './css.ts';
import { toAttribute, mapValueOffsets, type Attribute } from './document.ts';

/** The URL of an image in a text, with UTF-16 offsets. */
export interface ImageAddress {
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly text: string;
  /** The decoded URL, without character references and escapes. */
  readonly value: string;
  /** The syntax around the URL: quotes, nothing (an unquoted attribute or `url()`), or a `srcset` list. */
  readonly within: 'quotes' | 'nothing' | 'candidates';
  readonly hasReferences: boolean;
}

type ImageRange = Omit<ImageAddress, 'text' | 'hasReferences'>;

const imageAttributes = new Set(['src', 'background', 'poster']);
const srcsetAttributes = new Set(['srcset', 'imagesrcset']);
const svgImageElements = new Set(['image', 'feimage']);
/** The start of a comment that Outlook for Windows parses as HTML. */
const conditionalCommentStart = /^<!--\[if[^\]]*\]>/iu;

/**
 * Returns the image URLs of an HTML document or a stylesheet in order: in attributes, `srcset` lists, styles, and the HTML of conditional
 * comments. Other comments and text are ignored. Takes linear time and never throws.
 */
export function findImageAddresses(text: string, format: 'html' | 'css'): readonly ImageAddress[] {
  if (format === 'html') return findInHtml(text, true);
  return findInCss(text).map((image) => ({
    ...image,
    text: text.slice(image.start, image.end),
    hasReferences: false,
  }));
}

function findInHtml(html: string, readsConditional: boolean) {
  const images: ImageAddress[] = [];
  let styleStart: number | undefined;
  const add = (offset: number, hasReferences: boolean, imageRanges: readonly ImageRange[]) => {
    for (const { start, end, ...image } of imageRanges) {
      const range = { start: offset + start, end: offset + end };
      images.push({ ...image, ...range, text: html.slice(range.start, range.end), hasReferences });
    }
  };
  const endStyle = (end: number) => {
    if (styleStart !== undefined) add(styleStart, false, findInCss(html.slice(styleStart, end)));
    styleStart = undefined;
  };
  readTags(html, {
    startTag(tag) {
      for (const { name, value } of tag.attrs) {
        const location = tag.location?.attrs?.[name];
        if (location && mayContainAddress(tag, name))
          add(0, true, findInAttribute(html, toAttribute(html, name, value, location)));
      }
      if (tag.tagName === 'style' && tag.location) styleStart = tag.location.endOffset;
    },
    endTag({ tagName, location }) {
      if (tagName === 'style' && location) endStyle(location.startOffset);
    },
    comment({ location }) {
      const comment = html.slice(location?.startOffset, location?.endOffset);
      const start = conditionalCommentStart.exec(comment)?.[0].length;
      if (!readsConditional || start === undefined || !location) return;
      for (const image of findInHtml(comment.slice(start), false)) {
        const offset = location.startOffset + start;
        images.push({ ...image, start: offset + image.start, end: offset + image.end });
      }
    },
  });
  endStyle(html.length);
  return images;
}

const mayContainAddress = ({ tagName }: Token.TagToken, name: string) =>
  name === 'style' ||
  imageAttributes.has(name) ||
  srcsetAttributes.has(name) ||
  ((name === 'href' || name === 'xlink:href') && svgImageElements.has(tagName));

function findInAttribute(html: string, { name, value, quote, valueStart, valueEnd }: Attribute): readonly ImageRange[] {
  const written = html.slice(valueStart, valueEnd);
  const offsets = written === value ? undefined : mapValueOffsets(written, value);
  if (written !== value && !offsets) return [];
  const inValue =
    name === 'style' ? findInCss(value) : srcsetAttributes.has(name) ? findInSrcset(value) : trimValue(value);
  return inValue.map((image) => ({
    ...image,
    start: valueStart + (offsets?.[image.start] ?? image.start),
    end: valueStart + (offsets?.[image.end] ?? image.end),
    within: quote === '' ? 'nothing' : image.within,
  }));
}

function trimValue(value: string): readonly ImageRange[] {
  const { start, end } = trimRange(value, 0, value.length);
  return [{ start, end, value: value.slice(start, end), within: 'quotes' }];
}

/** Splits a `srcset` list (https://html.spec.whatwg.org/#parse-a-srcset-attribute). */
function findInSrcset(value: string) {
  const candidate = /[\s,]*([^\s,]\S*)/y;
  const descriptors = /[^,(]*(?:\([^)]*\)?[^,(]*)*/y;
  const images: ImageRange[] = [];
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
    images.push({ start, end, value: value.slice(start, end), within: 'candidates' });
  }
  return images;
}

/** CSS functions whose string arguments are URLs. */
const addressFunctions = new Set(['url(', 'image-set(', '-webkit-image-set(']);

function findInCss(css: string) {
  const images: ImageRange[] = [];
  const functions: string[] = [];
  const add = (start: number, end: number, within: ImageRange['within']) => {
    images.push({ start, end, value: unescapeCss(css.slice(start, end)), within });
  };
  tokenize(css, (type, start, end) => {
    if (type === tokenTypes.Function) functions.push(unescapeCss(css.slice(start, end)).toLowerCase());
    else if (type === tokenTypes.LeftParenthesis) functions.push('');
    else if (type === tokenTypes.RightParenthesis) functions.pop();
    else if (type === tokenTypes.Url) {
      const isClosed = css[end - 1] === ')' && css[end - 2] !== '\\';
      const inner = trimRange(css, css.indexOf('(', start) + 1, isClosed ? end - 1 : end);
      add(inner.start, inner.end, 'nothing');
    } else if (
      type === tokenTypes.String &&
      // A custom property may pass it to a function.
      (addressFunctions.has(functions.at(-1) ?? '') || /^\s*data:/i.test(unescapeCss(css.slice(start + 1, end))))
    ) {
      const isClosed = end - start > 1 && css[end - 1] === css[start] && css[end - 2] !== '\\';
      const inner = trimRange(css, start + 1, isClosed ? end - 1 : end);
      add(inner.start, inner.end, 'quotes');
    }
  });
  return images;
}
