import type { BodyDocument, BodyElement } from './document.ts';
import type { PartRange } from './model.ts';
import { findFirstIndex, mergeRanges, findRangeAt } from '../html/ranges.ts';
import type { Range } from '../html/ranges.ts';
import { matchesRuleName } from './rules.ts';
import type { Rule } from './rule.ts';

/** Where rules are switched off by `<!-- mailing-ignore <rule> … -->`. */
export interface IgnoreComments {
  readonly has: (rule: Rule, range: PartRange) => boolean;
}

interface Ignoring {
  readonly names: readonly string[];
  /** Undefined for the whole email. */
  readonly range?: Range;
}

const comment = /^\s*mailing-ignore\b([^]*)$/u;
/** They hold the email, and are none of its content. */
const outer = new Set(['html', 'head', 'body']);

/**
 * Reads the comments of a body. One before all content is meant for the whole email; any other for the element that comes next, with all
 * that is in it. Rules are named by id or by name, with blanks or commas between.
 */
export function readIgnoreComments({ comments, elements, texts }: BodyDocument): IgnoreComments {
  const content = elements.find(({ name }) => !outer.has(name))?.start ?? Infinity;
  const text = texts.find(({ value }) => value.trim() !== '')?.start ?? Infinity;
  const first = Math.min(content, text);
  const all = comments.flatMap(({ text: said, start, end }): Ignoring[] => {
    if (!said.includes('mailing-ignore')) return [];
    const names = comment
      .exec(said)?.[1]
      ?.split(/[\s,]+/u)
      .filter((name) => name !== '');
    if (!names || names.length === 0) return [];
    const next = start < first ? undefined : nextElement(elements, end);
    return start < first ? [{ names }] : next ? [{ names, range: { start: next.start, end: next.end } }] : [];
  });
  const known = new Map<Rule, { readonly isWhole: boolean; readonly ranges: readonly Range[] }>();
  const readRule = (rule: Rule) => {
    const own = all.filter(({ names }) => names.some((name) => matchesRuleName(rule, name)));
    const ranges = mergeRanges(own.flatMap(({ range }) => range ?? []));
    const ignoring = { isWhole: own.some(({ range }) => range === undefined), ranges };
    known.set(rule, ignoring);
    return ignoring;
  };
  return {
    has: (rule, { part, start }) => {
      const { isWhole, ranges } = known.get(rule) ?? readRule(rule);
      return isWhole || (part === 'body' && findRangeAt(ranges, start) !== undefined);
    },
  };
}

const nextElement = (elements: readonly BodyElement[], end: number): BodyElement | undefined =>
  elements[findFirstIndex(elements, ({ start }) => start >= end)];
