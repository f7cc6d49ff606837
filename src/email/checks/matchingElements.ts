import type { BodyElement } from './document.ts';
import type { ParsedEmail } from './parsedEmail.ts';
import {
  createMatchBudget,
  getSelectorKey,
  createElementKeyReader,
  matchesElement,
  createSelectorReader,
} from './selectors.ts';
import type { MatchBudget } from './selectors.ts';

/** Indexes the sent elements by the selector keys that the email uses. */
function indexSentElements({
  authored: { elements },
  isSent,
  sheets,
  once,
}: ParsedEmail): ReadonlyMap<string, readonly BodyElement[]> {
  const [getKeys, readSelector] = [once(createElementKeyReader), once(createSelectorReader)];
  const byKey = new Map<string, BodyElement[]>();
  for (const { text } of sheets.flatMap(({ rules }) => rules.flatMap(({ selectors }) => selectors))) {
    const selector = readSelector(text);
    if (selector) byKey.set(getSelectorKey(selector), []);
  }
  const bodies = new Set(
    elements
      .flatMap((element) => (element.parent?.name === 'html' ? [] : [element.parent]))
      .filter((body) => body?.name === 'body'),
  );
  for (const element of new Set([...elements, ...[...bodies].filter((body) => body !== undefined)])) {
    if (!isSent(element)) continue;
    for (const key of getKeys(element)) byKey.get(key)?.push(element);
  }
  return byKey;
}

/** The step budget that all style rules share; once it is spent, the elements of a selector are undetermined. */
export const createSharedBudget = ({ email }: ParsedEmail): MatchBudget => createMatchBudget(email);

type ElementFinder = (text: string) => readonly BodyElement[] | undefined;

/** Returns a function that finds the elements of a selector, once for each selector text, within the shared budget. */
function createElementFinder(mail: ParsedEmail): ElementFinder {
  const byKey = mail.once(indexSentElements);
  const readSelector = mail.once(createSelectorReader);
  const cache = new Map<string, readonly BodyElement[] | undefined>();
  const budget = mail.once(createSharedBudget);
  const find: ElementFinder = (text) => {
    const selector = readSelector(text);
    if (!selector || budget.remaining < 0) return undefined;
    const found = (byKey.get(getSelectorKey(selector)) ?? []).filter(
      (element) => budget.remaining >= 0 && matchesElement(selector, element, budget),
    );
    return budget.remaining < 0 ? undefined : found;
  };
  return (text) => {
    if (!cache.has(text)) cache.set(text, find(text));
    return cache.get(text);
  };
}

/**
 * Returns the elements that a selector matches, ignoring pseudo-classes; undefined if the budget is spent or the selector is unsupported.
 */
export const findMatchingElements = (mail: ParsedEmail, text: string): ReturnType<ElementFinder> =>
  mail.once(createElementFinder)(text);
