import type { Element } from './document.ts';
import type { Mail } from './mail.ts';
import { effortFor, keyOf, keyReader, matches, selectorReader } from './selectors.ts';
import type { Effort } from './selectors.ts';

/** Elements that go out, by the words under which the selectors of the email find them. */
function sentElements({ authored: { elements }, isSent, sheets, once }: Mail): ReadonlyMap<string, readonly Element[]> {
  const [keysOf, readSelector] = [once(keyReader), once(selectorReader)];
  const byKey = new Map<string, Element[]>();
  for (const { text } of sheets.flatMap(({ rules }) => rules.flatMap(({ selectors }) => selectors))) {
    const selector = readSelector(text);
    if (selector) byKey.set(keyOf(selector), []);
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
export const effortOf = ({ email }: Mail): Effort => effortFor(email);

type Finder = (text: string) => readonly Element[] | undefined;

/** Finds the elements of a selector, once for each text, as long as that takes no unreasonable time. */
function elementFinder(mail: Mail): Finder {
  const byKey = mail.once(sentElements);
  const readSelector = mail.once(selectorReader);
  const known = new Map<string, readonly Element[] | undefined>();
  const effort = mail.once(effortOf);
  const find: Finder = (text) => {
    const selector = readSelector(text);
    if (!selector || effort.left < 0) return undefined;
    const found = (byKey.get(keyOf(selector)) ?? []).filter(
      (element) => effort.left >= 0 && matches(selector, element, effort),
    );
    return effort.left < 0 ? undefined : found;
  };
  return (text) => {
    if (!known.has(text)) known.set(text, find(text));
    return known.get(text);
  };
}

/** What a selector speaks of, without states; undefined where that can't be told. */
export const elementsOf = (mail: Mail, text: string): ReturnType<Finder> => mail.once(elementFinder)(text);
