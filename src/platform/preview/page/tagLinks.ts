import { parseTags, renderTags } from '../../../email/tags/index.ts';
import type { Rendering, TagLanguage } from '../../../email/tags/index.ts';

/** Stands for an address that the service makes for each person: nothing is ever found at a name of this kind. */
const made = 'https://service.invalid/';

/** The address of a link that the service makes: recognized again by `leadsTo`. */
export const madeLink = (task: string): string => `${made}${encodeURIComponent(task)}`;

/** Where a link made of tags would lead, in words; undefined where it has none. */
export function leadsTo(href: string, language: TagLanguage, to: Rendering): string | undefined {
  if (isMade(href)) return wordsOf(href, language);
  if (!parseTags(href, language).some(({ kind }) => kind !== 'unknown')) return undefined;
  const { text } = renderTags(href, language, { ...to, where: 'body' });
  return isMade(text) ? wordsOf(text, language) : `→ ${text}`;
}

/** Whether an address is the service's to make: it can't be opened here. */
export const isMade = (href: string): boolean => href.startsWith(made);

function wordsOf(href: string, { pairs }: TagLanguage): string {
  const task = decodeURIComponent(href.slice(made.length).replace(/%(?![\da-f]{2})/gi, '%25'));
  const [name = '', ...rest] = task.split(' ');
  const pair = pairs.find((each) => each.task === name);
  return `${[pair?.title ?? name, ...rest].join(' ')}: an address that the service makes for each person`;
}
