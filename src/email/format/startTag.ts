import type { Token } from 'parse5';
import type { Range } from '../html/text.ts';

export interface Layout {
  readonly indent: string;
  /** Infinity: tags stay on one line. */
  readonly printWidth: number;
  readonly eol: string;
}

/** Code in which the service looks for single spaces. */
const hasSpecialSpaces = /\scontenteditable="true"|^<a\s+href="#[^]*\starget="_blank"/i;

const MIN_LINE_CHARS = 40;

/** A piece of a tag, and the space before it unless it starts a line. */
interface Word {
  readonly text: string;
  readonly gap: string;
  readonly startsLine?: boolean;
}

/** Returns a start tag with its attributes filled into lines. */
export function layOutTag(
  html: string,
  { start, end, depth }: Range & { readonly depth: number },
  { tagName, location }: Token.TagToken,
  { indent, printWidth, eol }: Layout,
): string {
  const tag = html.slice(start, end);
  const margin = indent.repeat(depth + 2);
  const width = Math.max(printWidth, margin.length + MIN_LINE_CHARS);
  const nameEnd = start + 1 + tagName.length;
  const ranges = Object.values(location?.attrs ?? {}).sort((one, other) => one.startOffset - other.startOffset);
  const words: Word[] = [];
  let from = nameEnd;
  for (const { startOffset, endOffset } of ranges) {
    const attribute = html.slice(startOffset, endOffset);
    // Merge tags and errors between attributes.
    if (!/^[ \t\r\n\f]+$/.test(html.slice(from, startOffset)) || /^[^"']*[{}]/.test(attribute)) return tag;
    words.push(...splitStyle(attribute, width - margin.length));
    from = endOffset;
  }
  const [, space = '', close = ''] = /^([ \t\r\n\f]*)(\/?>)$/.exec(html.slice(from, end)) ?? [];
  if (close === '' || words.length === 0 || hasSpecialSpaces.test(tag)) return tag;
  let text = html.slice(start, nameEnd);
  let column = indent.length * depth + text.length;
  words.forEach(({ text: word, gap, startsLine }, index) => {
    const isBroken = index > 0 && (startsLine || column + gap.length + word.length > width);
    text += (isBroken ? eol + margin : gap) + word;
    column = (isBroken ? margin.length : column + gap.length) + word.length;
  });
  return `${text}${close === '/>' && space !== '' ? ' ' : ''}${close}`;
}

/** Splits a style attribute that is longer than a line, or has several, at its declarations. */
function splitStyle(attribute: string, width: number): readonly Word[] {
  const whole = [{ text: attribute, gap: ' ' }];
  const isBroken = attribute.includes('\n');
  if (!isBroken && attribute.length <= width) return whole;
  const [, name = '', quote = '', css = ''] = /^(style\s*=\s*)(["'])([^]*)\2$/i.exec(attribute) ?? [];
  // Sticky, because every unclosed parenthesis would be searched to the end.
  const declarations = css.match(/(?:[^;'"(]|'[^']*'|"[^"]*"|\([^)]*\))+;?/gy) ?? [];
  // Semicolons also end character references; merge tags and comments may contain them.
  if (css === '' || /[&{}]|\/\*/.test(css) || declarations.join('') !== css) return whole;
  const words = declarations
    .map((declaration) => {
      const [, space = '', text = ''] =
        /^([ \t\r\n\f]*)([^]*?)(?:(?<![ \t\r\n\f])[ \t\r\n\f]+)?$/.exec(declaration) ?? [];
      return { text, gap: space && ' ' };
    })
    .filter(({ text }) => text !== '');
  if (words.length === 0 || words.some(({ text }) => text.includes('\n'))) return whole;
  const joined = name + quote + words.map(({ text, gap }, index) => (index > 0 ? gap : '') + text).join('') + quote;
  if (joined.length <= width) return [{ text: joined, gap: ' ' }];
  return words.map(({ text, gap }, index) => ({
    text: (index === 0 ? name + quote : '') + text + (index === words.length - 1 ? quote : ''),
    gap: index === 0 ? ' ' : gap,
    startsLine: index === 0,
  }));
}
