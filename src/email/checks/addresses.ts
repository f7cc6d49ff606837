import { looksActing } from './acting.ts';
import { holdsTag, readDocument, textOf, type Element } from './document.ts';
import { inBody } from './mail.ts';
import type { Place } from './model.ts';
import { refusalOf } from '../html/limits.ts';

/** An address of the web that an email leads to or shows, with all places of it. */
export interface MailAddress {
  readonly url: string;
  readonly kind: 'link' | 'image';
  readonly places: readonly Place[];
}

export interface MailAddresses {
  readonly addresses: readonly MailAddress[];
  /** Links with tags, and those that look as if a visit unsubscribed somebody or confirmed something. */
  readonly leftOut: number;
}

const attributes: Readonly<Record<string, readonly [name: string, kind: MailAddress['kind']]>> = {
  a: ['href', 'link'],
  area: ['href', 'link'],
  img: ['src', 'image'],
};

/** Everything that a reader sees or hears of a link. */
function textsOf(link: Element): readonly string[] {
  const texts = [textOf(link)];
  const waiting = [link];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const name of ['alt', 'title', 'aria-label']) texts.push(next.get(name) ?? '');
    waiting.push(...next.children);
  }
  return texts;
}

/** The addresses of a body that can be looked up; none of one that is too large to check. */
export function addressesOf(body: string): MailAddresses {
  if (body.length > 1024 * 1024 || refusalOf(body) !== undefined) return { addresses: [], leftOut: 0 };
  const found = new Map<string, { url: string; kind: MailAddress['kind']; places: Place[] }>();
  let leftOut = 0;
  for (const element of readDocument(body).elements) {
    const [name, kind] = attributes[element.name] ?? [];
    const attribute = name === undefined ? undefined : element.attribute(name);
    const url = attribute?.value.trim() ?? '';
    if (!kind || !attribute || !/^https?:/iu.test(url) || !URL.canParse(url)) continue;
    if (holdsTag(url) || looksActing(url, ...(kind === 'link' ? textsOf(element) : []))) {
      leftOut += 1;
      continue;
    }
    const key = `${kind} ${url}`;
    const same = found.get(key) ?? { url, kind, places: [] };
    same.places.push(inBody(attribute.start, attribute.end));
    found.set(key, same);
  }
  return { addresses: [...found.values()], leftOut };
}
