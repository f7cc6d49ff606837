import { byStart, findLastMatchEnd, findLastTagEnd, ForwardSearch, replaceBefore } from '../html/text.ts';
import { resolveUrls } from './replacements.ts';
import { toDecodedText } from '../html/stripTags.ts';

const blockNames = 'li|td|dt|tr|div|p';

/** Converts HTML to text in the service's order. Line breaks are removed before, so that lines join. `end`: what a match must end with. Default: `>`. */
const textSteps: readonly (readonly [pattern: RegExp, replacement: string, end?: RegExp])[] = [
  // Links that contain only an image.
  [/< *a[^>]*> *< *img[^>]*> *< *\/ *a *>/gi, ''],
  [/< *script[^]*?< *\/ *script *>/gi, '', /< *\/ *script *>/gi],
  [/< *style[^]*?< *\/ *style *>/gi, '', /< *\/ *style *>/gi],
  [/< *strike[^]*?< *\/ *strike *>/gi, '', /< *\/ *strike *>/gi],
  [/< *(?:h1|h2)[^>]*>/gi, '\n\n'],
  [/< *li[^>]*>/gi, '\n* '],
  // Between adjacent blocks.
  [new RegExp(`< *\\/ *(?:${blockNames})[^>]*> *< *(?:${blockNames})[^>]*>`, 'gi'), '\n'],
  [/< *\/? *(?:br|p|h1|h2|legend|h3|li|ul|dd|dt|h4|h5|h6|tr|td|div)[^>]*>/gi, '\n'],
];

/** Creates the text part from the HTML part, before named characters are encoded. */
export function createTextPart(html: string, site: string | undefined): string {
  const withoutHead = replaceBefore(
    html,
    findLastMatchEnd(html, /<\/head\s*>/gi),
    /<head\b[^>]*>[^]*?<\/head\s*>/gi,
    '',
  );
  const joined = resolveUrls(withoutHead, site)
    .replace(/ +/g, ' ')
    .replace(/[\n\r\t]/g, '');
  const text = textSteps.reduce(
    (part, [pattern, replacement, end]) =>
      replaceBefore(part, end ? findLastMatchEnd(part, end) : findLastTagEnd(part), pattern, replacement),
    joined,
  );
  return toDecodedText(expandLinks(text));
}

/** Writes each external link as `text ( url )`. A link without text extends to the next `</a>`. */
function expandLinks(text: string) {
  const start = /< *a[^>]*?href *= *"([^#][^"]*?)"[^>]*?>/gi;
  const end = /< *\/ *a *>/gi;
  let result = '';
  let from = 0;
  const tags = text.slice(0, findLastTagEnd(text));
  for (let link = start.exec(tags); link; link = start.exec(tags)) {
    end.lastIndex = start.lastIndex + 1;
    const last = end.exec(text);
    if (!last) break;
    result += `${text.slice(from, link.index)}${text.slice(link.index + link[0].length, last.index)} ( ${link[1]} )`;
    from = start.lastIndex = end.lastIndex;
  }
  return result + text.slice(from);
}

/** A range of the text part that reads badly. UTF-16 offsets. */
export interface TextPartProblem {
  readonly kind: 'joined' | 'twice';
  readonly start: number;
  readonly end: number;
}

/** Marks a line break that the service deletes. A private-use character, so no email contains it. */
const BREAK_MARKER = '\uf8ff';
/** Elements that don't start a new line in the text part. */
const inlineTagPattern = '</?(?:a|span|b|strong|em|i|u|s|font|small|big|sup|sub|code|label)\\b';
const lineBreaks = new RegExp(
  `(?<=[^\\s<>${BREAK_MARKER}]|${inlineTagPattern}[^<>]*>)[\\r\\n\\t]+(?=[^\\s<>]|${inlineTagPattern})`,
  'y',
);

/** Finds words that join because only a line break separated them, and links whose text is their URL. */
export function findTextPartProblems(html: string, site: string | undefined, text: string): readonly TextPartProblem[] {
  const marked = createTextPart(markLineBreaks(html), site);
  return [...findJoinedWords(marked, text), ...findRepeatedUrls(text)].sort(byStart);
}

/** Replaces each line break between words by a marker, except in tags and comments. */
function markLineBreaks(html: string) {
  const [tagEnds, commentEnds] = [new ForwardSearch(html, />/g), new ForwardSearch(html, /-->/g)];
  const next = /<|[\r\n\t]/g;
  let result = '';
  let from = 0;
  for (let match = next.exec(html); match; match = next.exec(html)) {
    const at = match.index;
    if (match[0] === '<') {
      const comment = html.startsWith('<!--', at) ? commentEnds.from(at + 4) : undefined;
      next.lastIndex = (comment ?? tagEnds.from(at))?.end ?? at + 1;
      continue;
    }
    lineBreaks.lastIndex = at;
    if (!lineBreaks.test(html)) continue;
    result += html.slice(from, at) + BREAK_MARKER;
    from = next.lastIndex = lineBreaks.lastIndex;
  }
  return result + html.slice(from);
}

function findJoinedWords(marked: string, text: string) {
  // The text was created from other HTML: no result is better than a wrong one.
  if (marked.replaceAll(BREAK_MARKER, '') !== text) return [];
  const problems: TextPartProblem[] = [];
  let markersBefore = 0;
  for (let at = marked.indexOf(BREAK_MARKER); at >= 0; at = marked.indexOf(BREAK_MARKER, at + 1)) {
    const offset = at - markersBefore;
    markersBefore += 1;
    if (!/\S/.test(text[offset - 1] ?? ' ') || !/\S/.test(text[offset] ?? ' ')) continue;
    const before = /\S*$/.exec(text.slice(Math.max(0, offset - 60), offset))?.[0].length ?? 0;
    const after = /^\S*/.exec(text.slice(offset, offset + 60))?.[0].length ?? 0;
    problems.push({ kind: 'joined', start: offset - before, end: offset + after });
  }
  return problems;
}

function findRepeatedUrls(text: string) {
  const problems: TextPartProblem[] = [];
  const address = /(\S+) \)/y;
  let from = 0;
  for (let at = text.indexOf(' ( '); at >= 0; at = text.indexOf(' ( ', Math.max(at + 1, from - 1))) {
    let start = at;
    while (start > from && /\S/.test(text.charAt(start - 1))) start -= 1;
    address.lastIndex = at + 3;
    const match = start < at ? address.exec(text) : null;
    if (!match) continue;
    from = address.lastIndex;
    if (normalizeUrl(text.slice(start, at)) === normalizeUrl(match[1] ?? ''))
      problems.push({ kind: 'twice', start, end: from });
  }
  return problems;
}

const normalizeUrl = (address: string) =>
  address.toLowerCase().replace(/^(?:https?:\/\/|mailto:)(?:www\.)?|^www\.|\/$/g, '');
