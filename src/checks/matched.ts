import type { Element } from './document.ts';
import type { Mail } from './mail.ts';
import { keyOf, keyReader, matches, selectorReader } from './selectors.ts';

/** Elements that go out, by the words under which the selectors of the e-mail find them. */
function sentElements({ authored: { elements }, isSent, sheets, once }: Mail): ReadonlyMap<string, readonly Element[]> {
  const [keysOf, readSelector] = [once(keyReader), once(selectorReader)];
  const byKey = new Map<string, Element[]>();
  for (const { text } of sheets.flatMap(({ rules }) => rules.flatMap(({ selectors }) => selectors))) {
    const selector = readSelector(text);
    if (selector) byKey.set(keyOf(selector), []);
  }
  const bodies = new Set(
    elements.flatMap((element) => (element.parent?.name === 'html' ? [] : [element.parent])).filter((one) => one?.name === 'body'),
  );
  for (const element of new Set([...elements, ...[...bodies].filter((body) => body !== undefined)])) {
    if (!isSent(element)) continue;
    for (const key of keysOf(element)) byKey.get(key)?.push(element);
  }
  return byKey;
}

/** Tries of a selector on an element that are made at most; beyond, what it speaks of can't be told. */
const mostTries = 2_000_000;

type Finder = (text: string) => readonly Element[] | undefined;

/** Finds the elements of a selector, once for each text, as long as that takes no unreasonable time. */
function elementFinder(mail: Mail): Finder {
  const byKey = mail.once(sentElements);
  const readSelector = mail.once(selectorReader);
  const known = new Map<string, readonly Element[] | undefined>();
  let left = mostTries;
  const find: Finder = (text) => {
    const selector = readSelector(text);
    const near = selector ? (byKey.get(keyOf(selector)) ?? []) : [];
    left -= near.length + 1;
    return !selector || left < 0 ? undefined : near.filter((element) => matches(selector, element));
  };
  return (text) => {
    if (!known.has(text)) known.set(text, find(text));
    return known.get(text);
  };
}

/** What a selector speaks of, without states; undefined where that can't be told. */
export const elementsOf = (mail: Mail, text: string): ReturnType<Finder> => mail.once(elementFinder)(text);
