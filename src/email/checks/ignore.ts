import type { BodyDocument, BodyElement } from './document.ts';
import type { PartRange } from './model.ts';
import { findFirstIndex, mergeRanges, findRangeAt } from '../html/ranges.ts';
import type { Range } from '../html/ranges.ts';
import { matchesRuleName } from './rules.ts';
import type { Rule } from './rule.ts';

/** Tells where `<!-- mailing-ignore <rule> … -->` comments disable rules. */
export interface IgnoreComments {
  readonly has: (rule: Rule, range: PartRange) => boolean;
}

interface IgnoreComment {
  readonly names: readonly string[];
  /** Undefined if the comment applies to the whole email. */
  readonly range?: Range;
}

const ignorePattern = /^\s*mailing-ignore\b([^]*)$/u;
/** Elements that contain the whole email. */
const containerElements = new Set(['html', 'head', 'body']);

/**
 * Reads the ignore comments of a body. A comment before all content applies to the whole email, any other to the next element and its
 * descendants. Rules are listed by id or name, separated by whitespace or commas.
 */
export function readIgnoreComments({ comments, elements, texts }: BodyDocument): IgnoreComments {
  const content = elements.find(({ name }) => !containerElements.has(name))?.start ?? Infinity;
  const text = texts.find(({ value }) => value.trim() !== '')?.start ?? Infinity;
  const contentOffset = Math.min(content, text);
  const ignoreComments = comments.flatMap(({ text: comment, start, end }): IgnoreComment[] => {
    if (!comment.includes('mailing-ignore')) return [];
    const names = ignorePattern
      .exec(comment)?.[1]
      ?.split(/[\s,]+/u)
      .filter((name) => name !== '');
    if (!names || names.length === 0) return [];
    const nextElement = start < contentOffset ? undefined : findNextElement(elements, end);
    return start < contentOffset
      ? [{ names }]
      : nextElement
        ? [{ names, range: { start: nextElement.start, end: nextElement.end } }]
        : [];
  });
  const cache = new Map<Rule, { readonly isWhole: boolean; readonly ranges: readonly Range[] }>();
  const readRule = (rule: Rule) => {
    const matchingComments = ignoreComments.filter(({ names }) => names.some((name) => matchesRuleName(rule, name)));
    const ranges = mergeRanges(matchingComments.flatMap(({ range }) => range ?? []));
    const ignoredScope = { isWhole: matchingComments.some(({ range }) => range === undefined), ranges };
    cache.set(rule, ignoredScope);
    return ignoredScope;
  };
  return {
    has: (rule, { part, start }) => {
      const { isWhole, ranges } = cache.get(rule) ?? readRule(rule);
      return isWhole || (part === 'body' && findRangeAt(ranges, start) !== undefined);
    },
  };
}

const findNextElement = (elements: readonly BodyElement[], end: number): BodyElement | undefined =>
  elements[findFirstIndex(elements, ({ start }) => start >= end)];
