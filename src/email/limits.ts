/** What a browser may be asked to show. Beyond, an e-mail is no e-mail, and showing it would hold up whoever types. */

/** Characters of a body: ten times what Gmail shows. */
const MAX_LENGTH = 1024 * 1024;
/** Elements of a body. A template of 177 KB has some 3,000. */
const MAX_ELEMENTS = 20_000;
/** A shorter body can't have too many elements to be shown within a moment. Characters. */
const SHORT = 256 * 1024;
/** Browsers cut trees at a depth of 512, and parsing takes time square to the depth. */
const MAX_DEPTH = 500;
/** A browser opens every unclosed formatting element anew in each paragraph: some hundreds of them make millions of elements. */
const MAX_UNCLOSED = 100;

// Not `a` and `nobr`: a second one closes the first.
const formatting = new Set(['b', 'big', 'code', 'em', 'font', 'i', 's', 'small', 'strike', 'strong', 'tt', 'u']);
/** Without content, or closed by the next of their kind: they don't nest by being left open. */
const shallow = new Set([
  'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr',
  'p', 'li', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'dt', 'dd', 'option', 'optgroup', 'a', 'nobr',
]);

/** How many characters of a body are shown: all of them, for an e-mail. */
export function shownLength(body: string): number {
  if (body.length <= SHORT) return body.length;
  const tag = /<[a-z]/gi;
  let elements = 0;
  for (let match = tag.exec(body); match && match.index < MAX_LENGTH; match = tag.exec(body)) {
    elements += 1;
    if (elements > MAX_ELEMENTS) return match.index;
  }
  return Math.min(body.length, MAX_LENGTH);
}

/** Why a document isn't shown, in a sentence, where it would bring a browser to a halt. Reads its tags, not its meaning. */
export function refusalOf(html: string): string | undefined {
  let depth = 0;
  let deepest = 0;
  let unclosed = 0;
  let worst = 0;
  const tag = /<(\/?)([a-z][a-z0-9]*)/gi;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const name = (match[2] ?? '').toLowerCase();
    const step = match[1] === '/' ? -1 : 1;
    if (formatting.has(name)) worst = Math.max(worst, (unclosed = Math.max(0, unclosed + step)));
    if (!shallow.has(name)) deepest = Math.max(deepest, (depth = Math.max(0, depth + step)));
  }
  if (worst > MAX_UNCLOSED) return `${worst} formatting tags (<b>, <font>, …) are opened and not closed: too many to show.`;
  if (deepest > MAX_DEPTH) return `The tags nest ${deepest} deep: too deep to show. Is an end tag missing?`;
  return undefined;
}
