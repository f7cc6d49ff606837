import type { BodyElement } from './document.ts';
import type { ParsedEmail } from './mail.ts';
import {
  createMatchBudget,
  getSelectorKey,
  createElementKeyReader,
  matchesElement,
  createSelectorReader,
} from './selectors.ts';
import type { MatchBudget } from './selectors.ts';

/** Elements that go out, by the words under which the selectors of the email find them. */
function sentElements({
  authored: { elements },
  isSent,
  sheets,
  once,
}: ParsedEmail): ReadonlyMap<string, readonly BodyElement[]> {
  const [keysOf, readSelector] = [once(createElementKeyReader), once(createSelectorReader)];
  const byKey = new Map<string, BodyElement[]>();
  for (const { text } of sheets.flatMap(({ rules }) => rules.flatMap(({ selectors }) => selectors))) {
    const selector = readSelector(text);
    if (selector) byKey.set(getSelectorKey(selector), []);
  }
  const bodies = new Set(
    elements
      .flatMap((element) => (element.parent?.name === 'html' ? [] : [element.parent]))
      .filter((one) => one?.name === 'body'),
  );
  for (const element of new Set([...elements, ...[...bodies].filter((body) => body !== undefined)])) {
    if (!isSent(element)) continue;
    for (const key of keysOf(element)) byKey.get(key)?.push(element);
  }
  return byKey;
}

/** What all rules about styles may take together; beyond, what a selector speaks of can't be told. */
export const createSharedBudget = ({ email }: ParsedEmail): MatchBudget => createMatchBudget(email);

type Finder = (text: string) => readonly BodyElement[] | undefined;

/** Finds the elements of a selector, once for each text, as long as that takes no unreasonable time. */
function elementFinder(mail: ParsedEmail): Finder {
  const byKey = mail.once(sentElements);
  const readSelector = mail.once(createSelectorReader);
  const known = new Map<string, readonly BodyElement[] | undefined>();
  const effort = mail.once(createSharedBudget);
  const find: Finder = (text) => {
    const selector = readSelector(text);
    if (!selector || effort.left < 0) return undefined;
    const found = (byKey.get(getSelectorKey(selector)) ?? []).filter(
      (element) => effort.left >= 0 && matchesElement(selector, element, effort),
    );
    return effort.left < 0 ? undefined : found;
  };
  return (text) => {
    if (!known.has(text)) known.set(text, find(text));
    return known.get(text);
  };
}

/** What a selector speaks of, without states; undefined where that can't be told. */
export const findMatchingElements = (mail: ParsedEmail, text: string): ReturnType<Finder> =>
  mail.once(elementFinder)(text);
