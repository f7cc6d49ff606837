/** Characters of a body that the preview shows. Beyond, an e-mail is no e-mail: Gmail clips at a tenth of it. */
export const MAX_SHOWN = 1024 * 1024;
/** Deeper trees are shown, but places in their source aren't looked up: that takes time square to the depth. */
export const MAX_DEPTH = 1000;
/** A browser opens every unclosed formatting element anew in each paragraph: some hundreds of them make millions of elements. */
const MAX_UNCLOSED = 100;

// Not `a` and `nobr`: a second one closes the first.
const formatting = new Set(['b', 'big', 'code', 'em', 'font', 'i', 's', 'small', 'strike', 'strong', 'tt', 'u']);
const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);

/** How costly a text is to a parser. */
export interface Shape {
  /** How deep its tags nest, about. */
  readonly depth: number;
  /** Why it isn't shown, in a sentence, where it would bring a browser to a halt. */
  readonly refusal?: string;
}

/** Looks at a text's tags, roughly: unclosed paragraphs and cells count as nesting, though a browser closes them. */
export function shapeOf(html: string): Shape {
  let depth = 0;
  let deepest = 0;
  let unclosed = 0;
  let worst = 0;
  const tag = /<(\/?)([a-z][a-z0-9]*)/gi;
  for (let match = tag.exec(html); match; match = tag.exec(html)) {
    const name = (match[2] ?? '').toLowerCase();
    const step = match[1] === '/' ? -1 : 1;
    if (formatting.has(name)) {
      unclosed = Math.max(0, unclosed + step);
      worst = Math.max(worst, unclosed);
    }
    if (!empty.has(name) && name !== 'p' && name !== 'li') depth = Math.max(0, depth + step);
    deepest = Math.max(deepest, depth);
  }
  if (worst <= MAX_UNCLOSED) return { depth: deepest };
  return { depth: deepest, refusal: `${worst} formatting tags are opened and not closed: too many to show.` };
}
