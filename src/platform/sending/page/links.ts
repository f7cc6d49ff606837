const MAX_LINKS = 200;

export interface Link {
  /** The link text, or the alternative text of its image. */
  readonly text: string;
  readonly address: string;
}

/** Returns the links of an email in document order, without duplicates. */
export function getLinks(mail: Document): readonly Link[] {
  const all = [...mail.querySelectorAll('a[href], area[href]')].map((element) => ({
    text: getLinkText(element),
    address: element.getAttribute('href')?.trim() ?? '',
  }));
  const each = new Map(all.map((link) => [`${link.text}\n${link.address}`, link]));
  return [...each.values()].slice(0, MAX_LINKS);
}

function getLinkText(element: Element): string {
  const words = (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  return words || element.querySelector('img[alt]')?.getAttribute('alt') || element.getAttribute('alt') || '(no words)';
}
