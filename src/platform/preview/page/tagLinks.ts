import { parseTags, renderTags } from '../../../email/tags/index.ts';
import type { Rendering, TagLanguage } from '../../../email/tags/index.ts';

/** Prefix of placeholders for addresses that the service generates. The domain never resolves. */
const GENERATED_LINK_PREFIX = 'https://service.invalid/';

/** Returns a placeholder for a generated address, recognized by `describeLinkTarget`. */
export const createGeneratedLink = (task: string): string => `${GENERATED_LINK_PREFIX}${encodeURIComponent(task)}`;

/** Describes the target of a link with tags, or returns undefined if it has none. */
export function describeLinkTarget(href: string, language: TagLanguage, rendering: Rendering): string | undefined {
  if (isGeneratedLink(href)) return describeGeneratedLink(href, language);
  if (!parseTags(href, language).some(({ kind }) => kind !== 'unknown')) return undefined;
  const { text } = renderTags(href, language, { ...rendering, where: 'body' });
  return isGeneratedLink(text) ? describeGeneratedLink(text, language) : `→ ${text}`;
}

/** Returns whether an address is a placeholder for a generated one, which can't be opened. */
export const isGeneratedLink = (href: string): boolean => href.startsWith(GENERATED_LINK_PREFIX);

function describeGeneratedLink(href: string, { pairs }: TagLanguage): string {
  const task = decodeURIComponent(href.slice(GENERATED_LINK_PREFIX.length).replace(/%(?![\da-f]{2})/gi, '%25'));
  const [name = '', ...rest] = task.split(' ');
  const pair = pairs.find((each) => each.task === name);
  return `${[pair?.title ?? name, ...rest].join(' ')}: an address that the service makes for each person`;
}
