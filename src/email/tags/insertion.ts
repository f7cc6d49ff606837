import type { TagCompletion } from './complete.ts';
import type { TextRange, TextEdit } from './model.ts';

/** Filters completions by the typed text: prefix matches first, then other matches. */
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
  return [0, 1].flatMap((targetRank) =>
    ranked.filter(({ rank: candidateRank }) => candidateRank === targetRank).map(({ completion }) => completion),
  );
}

/** Returns the output of an example, without its source. */
export const getExampleOutput = ({ example = '' }: TagCompletion): string => example.split(' → ').at(-1) ?? '';

/** A completion as an edit, for fields without snippet support. */
export interface TagInsertion extends TextEdit {
  /** Selected after insertion: the first tab stop, or the end. */
  readonly selection: TextRange;
}

export function createTagInsertion({ start, end, text, snippet }: TagCompletion): TagInsertion {
  if (snippet === undefined)
    return { start, end, text, selection: { start: start + text.length, end: start + text.length } };
  const expanded = expandSnippet(snippet);
  const { stop } = expanded;
  return { start, end, text: expanded.text, selection: { start: start + stop.start, end: start + stop.end } };
}

/** Expands a snippet and returns its first tab stop. Supports `\}`, `${1:text}`, `${2|one,two|}` and `$0`. */
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
    // `$0` is the last tab stop.
    stops.push({ start, end: text.length, order: Number(number ?? bare) || Infinity });
  }
  text += snippet.slice(last);
  const [stop = { start: text.length, end: text.length }] = stops.toSorted((one, other) => one.order - other.order);
  return { text, stop: { start: stop.start, end: stop.end } };
}
