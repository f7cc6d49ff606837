import { findFirstIndex, findRangeAt, mergeRanges } from '../html/ranges.ts';
import type { BodyDocument } from './document.ts';
import type { Email, Finding, Fix, PartRange } from './model.ts';
import { matchesRuleName, type Rule } from './rule.ts';

/** Elements that contain the whole email. */
const containerElements = new Set(['html', 'head', 'body']);

/**
 * Reads the `<!-- mailing-ignore <rule> … -->` comments of a body. A comment before all content applies to the whole email, any other to
 * the next element and its descendants. Rules are listed by id or name, separated by whitespace or commas.
 *
 * @returns a function that checks if a range is ignored, for each rule
 */
export function readIgnoreComments({
  comments,
  elements,
  texts,
}: BodyDocument): (rule: Rule) => (range: PartRange) => boolean {
  const contentStart = Math.min(
    elements.find(({ name }) => !containerElements.has(name))?.start ?? Infinity,
    texts.find(({ value }) => value.trim() !== '')?.start ?? Infinity,
  );
  const ignoreComments = comments.flatMap(({ text, start, end }) => {
    if (!text.includes('mailing-ignore')) return [];
    const names = /^\s*mailing-ignore\b([^]*)$/u.exec(text)?.[1]?.split(/[\s,]+/u) ?? [];
    const next = elements[findFirstIndex(elements, (element) => element.start >= end)];
    const range = start < contentStart ? ('whole email' as const) : next;
    return range ? [{ names, range }] : [];
  });
  return (rule) => {
    const ignored = ignoreComments
      .filter(({ names }) => names.some((name) => matchesRuleName(rule, name)))
      .map(({ range }) => range);
    if (ignored.includes('whole email')) return () => true;
    const ranges = mergeRanges(
      ignored.filter((range): range is Exclude<typeof range, string> => range !== 'whole email'),
    );
    return ({ part, start }) => part === 'body' && findRangeAt(ranges, start) !== undefined;
  };
}

/** Returns a fix that inserts a comment to disable a finding's rule in the whole email. */
export function createIgnoreFix({ body }: Pick<Email, 'body'>, { rule }: Pick<Finding, 'rule'>): Fix {
  // Content before the doctype would put browsers and some clients into quirks mode.
  const start = /^\s*<!doctype[^>]*>/iu.exec(body)?.[0].length ?? 0;
  const comment = `<!-- mailing-ignore ${rule} -->`;
  return {
    title: `Ignore rule ${rule} in this email`,
    edits: [{ part: 'body', start, end: start, text: start > 0 ? `\n${comment}` : `${comment}\n` }],
  };
}
