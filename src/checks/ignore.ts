import type { Document, Element } from './document.ts';
import type { Place } from './model.ts';
import { isNamed } from './rules.ts';
import type { Rule } from './rule.ts';

/** Where rules are switched off by `<!-- mailing-ignore <rule> … -->`. */
export interface Ignored {
  readonly has: (rule: Rule, place: Place) => boolean;
}

interface Ignoring {
  readonly names: readonly string[];
  /** Undefined for the whole e-mail. */
  readonly range?: { readonly start: number; readonly end: number };
}

const comment = /^\s*mailing-ignore\b([^]*)$/u;
/** They hold the e-mail, and are none of its content. */
const outer = new Set(['html', 'head', 'body']);

/**
 * Reads the comments of a body. One before all content is meant for the whole e-mail; any other for the element that comes next, with all
 * that is in it. Rules are named by id or by name, with blanks or commas between.
 */
export function readIgnored({ comments, elements, texts }: Document): Ignored {
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
  return {
    has: (rule, place) =>
      all.some(({ names, range }) => names.some((name) => isNamed(rule, name)) && (range === undefined || isWithin(place, range))),
  };
}

const nextElement = (elements: readonly Element[], end: number): Element | undefined => elements.find(({ start }) => start >= end);

const isWithin = ({ part, start }: Place, range: { readonly start: number; readonly end: number }): boolean =>
  part === 'body' && range.start <= start && start < range.end;
