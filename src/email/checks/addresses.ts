import { looksLikeActionLink } from './actionLinks.ts';
import { containsTag, readDocument, getElementText, type BodyElement } from './document.ts';
import type { PartRange } from './model.ts';
import { getDisplayRefusal } from '../html/limits.ts';

/** A web URL in an email, with all ranges that contain it. */
export interface MailAddress {
  readonly url: string;
  readonly kind: 'link' | 'image';
  readonly ranges: readonly PartRange[];
}

export interface MailAddresses {
  readonly addresses: readonly MailAddress[];
  /** Number of links with merge tags, or that may unsubscribe a person or confirm something. */
  readonly skippedCount: number;
}

const addressAttributes = new Map<string, readonly [name: string, kind: MailAddress['kind']]>([
  ['a', ['href', 'link']],
  ['area', ['href', 'link']],
  ['img', ['src', 'image']],
]);

/** Returns the visible text of a link and its accessible names. */
function getLinkTexts(link: BodyElement) {
  const texts = [getElementText(link)];
  const pending = [link];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const name of ['alt', 'title', 'aria-label']) texts.push(next.get(name) ?? '');
    pending.push(...next.children);
  }
  return texts;
}

/** Returns the URLs in a body that can be probed; none if the body is too large to check. */
export function findAddresses(body: string): MailAddresses {
  if (body.length > 1024 * 1024 || getDisplayRefusal(body) !== undefined) return { addresses: [], skippedCount: 0 };
  const byUrl = new Map<string, { url: string; kind: MailAddress['kind']; ranges: PartRange[] }>();
  let skippedCount = 0;
  for (const element of readDocument(body).elements) {
    const [name, kind] = addressAttributes.get(element.name) ?? [];
    const attribute = name === undefined ? undefined : element.attribute(name);
    const url = attribute?.value.trim() ?? '';
    if (!kind || !attribute || !/^https?:/iu.test(url) || !URL.canParse(url)) continue;
    if (containsTag(url) || looksLikeActionLink(url, ...(kind === 'link' ? getLinkTexts(element) : []))) {
      skippedCount += 1;
      continue;
    }
    const key = `${kind} ${url}`;
    const entry = byUrl.get(key) ?? { url, kind, ranges: [] };
    entry.ranges.push({ part: 'body', start: attribute.start, end: attribute.end });
    byUrl.set(key, entry);
  }
  return { addresses: [...byUrl.values()], skippedCount };
}
