import type { TagCompletion } from './complete.ts';
import type { TextRange, TextEdit } from './model.ts';

/** Of what may stand at an offset, what fits the letters typed so far: what begins with them first, then what has them within. */
export function filterCompletions(
  completions: readonly TagCompletion[],
  text: string,
  offset: number,
): TagCompletion[] {
  const rank = ({ label, start }: TagCompletion): number => {
    const typed = text.slice(start, offset).toLowerCase();
    const at = label.toLowerCase().replace(/^\//, '').indexOf(typed);
    return at < 0 ? 2 : Math.min(at, 1);
  };
  const ranked = completions.map((completion) => ({ completion, rank: rank(completion) }));
  return [0, 1].flatMap((wanted) =>
    ranked.filter(({ rank: candidateRank }) => candidateRank === wanted).map(({ completion }) => completion),
  );
}

/** What comes out, of an example that may show how it is written, too. */
export const getExampleOutput = ({ example = '' }: TagCompletion): string => example.split(' → ').at(-1) ?? '';

/** What a completion makes of a text, for a field that knows no snippets. */
export interface TagInsertion extends TextEdit {
  /** What of the new text is selected then: the first part that wants another text, or the end. */
  readonly selection: TextRange;
}

export function createTagInsertion({ start, end, text, snippet }: TagCompletion): TagInsertion {
  if (snippet === undefined)
    return { start, end, text, selection: { start: start + text.length, end: start + text.length } };
  const expanded = expandSnippet(snippet);
  const { stop } = expanded;
  return { start, end, text: expanded.text, selection: { start: start + stop.start, end: start + stop.end } };
}

/** A snippet's text, with its first stop: `\}`, `${1:text}`, `${2|one,two|}`, `$0`. */
function expandSnippet(snippet: string): { text: string; stop: TextRange } {
  let text = '';
  let last = 0;
  const stops: (TextRange & { readonly order: number })[] = [];
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
