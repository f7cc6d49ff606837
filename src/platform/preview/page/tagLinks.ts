import { parseTags, renderTags } from '../../../email/tags/index.ts';
import type { Rendering, TagLanguage } from '../../../email/tags/index.ts';

/** Stands for an address that the service makes for each person: nothing is ever found at a name of this kind. */
const GENERATED_LINK_PREFIX = 'https://service.invalid/';

/** The address of a link that the service makes: recognized again by `leadsTo`. */
export const createGeneratedLink = (task: string): string => `${GENERATED_LINK_PREFIX}${encodeURIComponent(task)}`;

/** Where a link made of tags would lead, in words; undefined where it has none. */
export function describeLinkTarget(href: string, language: TagLanguage, rendering: Rendering): string | undefined {
  if (isGeneratedLink(href)) return describeGeneratedLink(href, language);
  if (!parseTags(href, language).some(({ kind }) => kind !== 'unknown')) return undefined;
  const { text } = renderTags(href, language, { ...rendering, where: 'body' });
  return isGeneratedLink(text) ? describeGeneratedLink(text, language) : `→ ${text}`;
}

/** Whether an address is the service's to make: it can't be opened here. */
export const isGeneratedLink = (href: string): boolean => href.startsWith(GENERATED_LINK_PREFIX);

function describeGeneratedLink(href: string, { pairs }: TagLanguage): string {
  const task = decodeURIComponent(href.slice(GENERATED_LINK_PREFIX.length).replace(/%(?![\da-f]{2})/gi, '%25'));
  const [name = '', ...rest] = task.split(' ');
  const pair = pairs.find((each) => each.task === name);
  return `${[pair?.title ?? name, ...rest].join(' ')}: an address that the service makes for each person`;
}
