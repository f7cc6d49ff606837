import { resolveUrls } from './urls.ts';
import { decodeEntities } from './entities.ts';
import { findLastMatchEnd, findLastTagEnd, replaceBefore } from '../html/textSearch.ts';
import { phpTrim, stripTags } from './stripTags.ts';

/** `end`: what a match must end with. Default: `>`. */
type TextStep = readonly [what: string, pattern: RegExp, replacement: string, end?: RegExp];

const blockNames = 'li|td|dt|tr|div|p';

/** Converts HTML to text in the service's order. Line breaks are removed before, so that lines join. */
const textSteps: readonly TextStep[] = [
  ['links with an image alone', /< *a[^>]*> *< *img[^>]*> *< *\/ *a *>/gi, ''],
  ['scripts', /< *script[^]*?< *\/ *script *>/gi, '', /< *\/ *script *>/gi],
  ['styles', /< *style[^]*?< *\/ *style *>/gi, '', /< *\/ *style *>/gi],
  ['what was struck out', /< *strike[^]*?< *\/ *strike *>/gi, '', /< *\/ *strike *>/gi],
  ['large headings', /< *(?:h1|h2)[^>]*>/gi, '\n\n'],
  ['items', /< *li[^>]*>/gi, '\n* '],
  ['from a block to the next', new RegExp(`< *\\/ *(?:${blockNames})[^>]*> *< *(?:${blockNames})[^>]*>`, 'gi'), '\n'],
  ['blocks', /< *\/? *(?:br|p|h1|h2|legend|h3|li|ul|dd|dt|h4|h5|h6|tr|td|div)[^>]*>/gi, '\n'],
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
    (part, [, pattern, replacement, end]) =>
      replaceBefore(part, end ? findLastMatchEnd(part, end) : findLastTagEnd(part), pattern, replacement),
    joined,
  );
  const stripped = stripTags(expandLinks(text).replace(/(?:&lt;|&#60;)([^ \n\r\t])/gi, '&lt; $1'));
  const decoded = phpTrim(decodeEntities(stripped.replace(/\u00a0|&nbsp;/g, ' ')));
  return decoded.replace(/ +/g, ' ').replace(/\n *\n[ \t\n\v\f\r]+/g, '\n\n');
}

/** Writes each external link as `text ( url )`. A link without text extends to the next `</a>`. */
function expandLinks(text: string): string {
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
