import type { TagCompletion } from './complete.ts';
import type { Stretch, TextEdit } from './model.ts';

/** Of what may stand at an offset, what fits the letters typed so far: what begins with them first, then what has them within. */
export function matchingTags(found: readonly TagCompletion[], text: string, offset: number): TagCompletion[] {
  const rank = ({ label, start }: TagCompletion): number => {
    const typed = text.slice(start, offset).toLowerCase();
    const at = label.toLowerCase().replace(/^\//, '').indexOf(typed);
    return at < 0 ? 2 : Math.min(at, 1);
  };
  const ranked = found.map((completion) => ({ completion, rank: rank(completion) }));
  return [0, 1].flatMap((wanted) =>
    ranked.filter(({ rank: own }) => own === wanted).map(({ completion }) => completion),
  );
}

/** What comes out, of an example that may show how it is written, too. */
export const givenBy = ({ example = '' }: TagCompletion): string => example.split(' → ').at(-1) ?? '';

/** What a completion makes of a text, for a field that knows no snippets. */
export interface ChosenTag extends TextEdit {
  /** What of the new text is selected then: the first part that wants another text, or the end. */
  readonly selected: Stretch;
}

export function chooseTag({ start, end, text, snippet }: TagCompletion): ChosenTag {
  if (snippet === undefined)
    return { start, end, text, selected: { start: start + text.length, end: start + text.length } };
  const expanded = expand(snippet);
  const { stop } = expanded;
  return { start, end, text: expanded.text, selected: { start: start + stop.start, end: start + stop.end } };
}

/** A snippet's text, with its first stop: `\}`, `${1:text}`, `${2|one,two|}`, `$0`. */
function expand(snippet: string): { text: string; stop: Stretch } {
  let text = '';
  let last = 0;
  const stops: (Stretch & { readonly order: number })[] = [];
  for (const match of snippet.matchAll(/\\([\\$}])|\$\{(\d+)(?::((?:\\.|[^\\}])*)|\|([^|]*)\|)\}|\$(\d+)/g)) {
    const [whole, escaped, number, content, choices, bare] = match;
    text += snippet.slice(last, match.index) + (escaped ?? '');
    last = match.index + whole.length;
    if (escaped !== undefined) continue;
    const start = text.length;
    text += content?.replace(/\\([\\$}])/g, '$1') ?? choices?.split(',')[0] ?? '';
    // `$0` comes after all others.
    stops.push({ start, end: text.length, order: Number(number ?? bare) || Infinity });
  }
  text += snippet.slice(last);
  const [stop = { start: text.length, end: text.length }] = stops.toSorted((one, other) => one.order - other.order);
  return { text, stop: { start: stop.start, end: stop.end } };
}
