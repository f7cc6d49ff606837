import { looksLikeActionLink } from './acting.ts';
import { containsTag, readDocument, getElementText, type BodyElement } from './document.ts';
import { bodyRange } from './mail.ts';
import type { PartRange } from './model.ts';
import { getDisplayRefusal } from '../html/limits.ts';

/** An address of the web that an email leads to or shows, with all places of it. */
export interface MailAddress {
  readonly url: string;
  readonly kind: 'link' | 'image';
  readonly ranges: readonly PartRange[];
}

export interface MailAddresses {
  readonly addresses: readonly MailAddress[];
  /** Links with tags, and those that look as if a visit unsubscribed somebody or confirmed something. */
  readonly skippedCount: number;
}

const attributes: Readonly<Record<string, readonly [name: string, kind: MailAddress['kind']]>> = {
  a: ['href', 'link'],
  area: ['href', 'link'],
  img: ['src', 'image'],
};

/** Everything that a reader sees or hears of a link. */
function textsOf(link: BodyElement): readonly string[] {
  const texts = [getElementText(link)];
  const waiting = [link];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const name of ['alt', 'title', 'aria-label']) texts.push(next.get(name) ?? '');
    waiting.push(...next.children);
  }
  return texts;
}

/** The addresses of a body that can be looked up; none of one that is too large to check. */
export function findAddresses(body: string): MailAddresses {
  if (body.length > 1024 * 1024 || getDisplayRefusal(body) !== undefined) return { addresses: [], skippedCount: 0 };
  const found = new Map<string, { url: string; kind: MailAddress['kind']; ranges: PartRange[] }>();
  let skippedCount = 0;
  for (const element of readDocument(body).elements) {
    const [name, kind] = attributes[element.name] ?? [];
    const attribute = name === undefined ? undefined : element.attribute(name);
    const url = attribute?.value.trim() ?? '';
    if (!kind || !attribute || !/^https?:/iu.test(url) || !URL.canParse(url)) continue;
    if (containsTag(url) || looksLikeActionLink(url, ...(kind === 'link' ? textsOf(element) : []))) {
      skippedCount += 1;
      continue;
    }
    const key = `${kind} ${url}`;
    const same = found.get(key) ?? { url, kind, ranges: [] };
    same.ranges.push(bodyRange(attribute.start, attribute.end));
    found.set(key, same);
  }
  return { addresses: [...found.values()], skippedCount };
}
