const remoteAddress = /^\s*(?:https?:)?\/\//i;
const remoteStyleUrl = /url\(\s*["']?((?:https?:)?\/\/[^"')]+)/gi;

/** Returns the number of distinct remote images, fonts and stylesheets in an email. */
export function countRemote(document: Document): number {
  const found = new Set<string>();
  const add = (address: string | null | undefined): void => {
    if (address && remoteAddress.test(address)) found.add(address.trim());
  };
  for (const element of document.querySelectorAll(
    '[src], [background], [poster], [srcset], link[href], image[*|href]',
  )) {
    if (element.localName !== 'a')
      for (const name of ['src', 'background', 'poster', 'href', 'xlink:href']) add(element.getAttribute(name));
    for (const candidate of element.getAttribute('srcset')?.split(',') ?? []) add(candidate.trim().split(/\s+/)[0]);
  }
  const styles = [...document.querySelectorAll('style')].map((style) => style.textContent ?? '');
  for (const element of document.querySelectorAll('[style*="url("]')) styles.push(element.getAttribute('style') ?? '');
  for (const style of styles) for (const match of style.matchAll(remoteStyleUrl)) add(match[1]);
  return found.size;
}
