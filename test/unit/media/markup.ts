import { parseFragment, type DefaultTreeAdapterTypes, type ParserError } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

export function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const walk = (node: DefaultTreeAdapterTypes.ParentNode) => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      found.push(child);
      walk(child);
    }
  };
  walk(parseFragment(html, { sourceCodeLocationInfo: true }));
  return found;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

/** Returns what an HTML parser had to repair: parse errors, unclosed elements, unmatched end tags, moved elements. */
export function mendings(html: string): string[] {
  const errors: ParserError[] = [];
  parseFragment(html, { sourceCodeLocationInfo: true, onParseError: (error) => errors.push(error) });
  const found = errors.map(({ code, startLine }) => `line ${startLine}: ${code}`);
  let closed = 0;
  let before = 0;
  for (const { tagName, sourceCodeLocation: place, parentNode: parent } of elementsOf(html)) {
    // A parser adds a tbody to each table without one, which is valid.
    if (!place) {
      if (tagName !== 'tbody') found.push(`<${tagName}> is nowhere in the source`);
      continue;
    }
    if (place.endTag) closed += 1;
    else if (!voids.has(tagName) && !html.slice(place.startTag?.startOffset, place.startTag?.endOffset).endsWith('/>'))
      found.push(`line ${place.startLine}: <${tagName}> is not closed`);
    // Content that is not allowed in a table is moved before it.
    if (place.startOffset < before) found.push(`line ${place.startLine}: something in <${tagName}> was moved`);
    before = place.startOffset;
    const around = parent && 'sourceCodeLocation' in parent ? parent.sourceCodeLocation : undefined;
    if (around && (place.startOffset < around.startOffset || place.endOffset > around.endOffset))
      found.push(`line ${place.startLine}: <${tagName}> was moved`);
  }
  const endTags = html.replace(/<!--[^]*?-->/gu, '').match(/<\/[a-z]/giu)?.length ?? 0;
  if (endTags !== closed) found.push(`${endTags} end tags close ${closed} elements`);
  return found;
}

const voids = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);

/**
 * Returns the markup as desktop Outlook reads it: its conditional comments expanded, the parts for other clients
 * removed.
 */
export function forOutlook(html: string): string {
  return html
    .replace(/<!--\[if !mso\]><!-->[^]*?<!--<!\[endif\]-->/gu, '')
    .replace(/<!--\[if mso\]>([^]*?)<!\[endif\]-->/gu, '$1');
}
