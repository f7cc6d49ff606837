import type { DefaultTreeAdapterTypes, Token } from 'parse5';
import { getDisplayRefusal } from '../html/limits.ts';
import { parseHtml } from '../html/parseHtml.ts';
import { findDroppedStyles } from './droppedStyles.ts';
import { closedBy } from './htmlTables.ts';
import type { InlineResult } from './inline.ts';
import type { Dropped, DroppedKind, Email } from './model.ts';
import { findLastMatchEnd } from '../html/textSearch.ts';

type Parse5Node = DefaultTreeAdapterTypes.Node;
type Parse5Element = DefaultTreeAdapterTypes.Element;
type Parse5Location = Token.Location;

/** Finds the parts of an email that are not sent or changed. Returns an empty list if the body exceeds the parser's limits. */
export function findDropped(email: Email, inlined: InlineResult): Dropped[] {
  if (getDisplayRefusal(email.body) !== undefined) return [];
  const collector = new DroppedCollector(email.body);
  const nodes = listNodes(parseHtml(email.body).document);
  for (const node of nodes) addDroppedNode(node, collector);
  addDroppedStart(nodes, collector);
  addDroppedText(email.body, collector);
  addDroppedClasses(nodes, email.headers ?? '', inlined.usedClasses, collector);
  const styles = nodes
    .filter(isStyle)
    .flatMap((style) => style.childNodes)
    .flatMap((text) => {
      const location = text.sourceCodeLocation;
      if (!location) return [];
      const { startOffset, endOffset } = location;
      return [{ part: 'body' as const, css: email.body.slice(startOffset, endOffset), offset: startOffset }];
    });
  const sheets = [...styles, { part: 'stylesheet' as const, css: email.stylesheet ?? '', offset: 0 }];
  return [...collector.list, ...sheets.flatMap((sheet) => findDroppedStyles(sheet, inlined))].sort(
    (one, other) => one.start - other.start,
  );
}

class DroppedCollector {
  readonly list: Dropped[] = [];
  private readonly length: number;

  constructor(body: string) {
    this.length = body.length;
  }

  add(
    kind: DroppedKind,
    name: string,
    location: Pick<Parse5Location, 'startOffset' | 'endOffset'> | null | undefined,
  ): void {
    if (location)
      this.list.push({
        kind,
        name,
        part: 'body',
        start: location.startOffset,
        end: Math.min(location.endOffset, this.length),
      });
  }
}

function listNodes(root: Parse5Node): Parse5Node[] {
  const nodes: Parse5Node[] = [];
  const waiting: Parse5Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    nodes.push(node);
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) waiting.push(child);
  }
  return nodes;
}

const isElement = (node: Parse5Node): node is Parse5Element => 'tagName' in node;
const isStyle = (node: Parse5Node): node is Parse5Element => isElement(node) && node.tagName === 'style';

function addDroppedNode(node: Parse5Node, collector: DroppedCollector): void {
  const location = node.sourceCodeLocation;
  if (node.nodeName === '#documentType') collector.add('doctype', 'doctype', location);
  else if (node.nodeName === '#comment' && 'data' in node) {
    if (
      /^\[(?:if|endif)/i.test(node.data) &&
      location &&
      location.endOffset - location.startOffset === node.data.length + '<!>'.length
    ) {
      collector.add('revealed', node.data, location);
    } else if (isInHead(node)) collector.add('head', 'comment', location);
  } else if (isElement(node)) {
    if (node.tagName === 'script') collector.add('script', 'script', location);
    else if (isInHead(node) && node.tagName !== 'style') collector.add('head', node.tagName, location);
    const attributes = node.tagName === 'html' ? Object.entries(node.sourceCodeLocation?.attrs ?? {}) : [];
    for (const [name, range] of attributes) if (!name.startsWith('xmlns')) collector.add('htmlAttribute', name, range);
  }
}

function isInHead(node: Parse5Node): boolean {
  const parent = 'parentNode' in node ? node.parentNode : null;
  return parent !== null && isElement(parent) && parent.tagName === 'head';
}

/** Finds the first element of a fragment if the service's parser doesn't accept it as body content. */
function addDroppedStart(nodes: readonly Parse5Node[], collector: DroppedCollector): void {
  const elements = nodes.filter(isElement).filter((element) => element.sourceCodeLocation?.startTag);
  const [first] = elements.filter(
    ({ tagName }) => !['style', 'meta', 'link', 'title', 'base', 'script'].includes(tagName),
  );
  if (!first || ['html', 'head', 'body'].includes(first.tagName) || closedBy.get('head')?.has(first.tagName)) return;
  collector.add('fragmentStart', first.tagName, first.sourceCodeLocation);
}

const conditionInUrlPattern =
  /\b(?:href|src|action)\s*=\s*(?:"(?=[^"]*")(?:(?!\{if:)[^"])*\{if:[^"]*"|'(?=[^']*')(?:(?!\{if:)[^'])*\{if:[^']*')/gi;

/** Finds what the parsed tree doesn't show. */
function addDroppedText(body: string, collector: DroppedCollector): void {
  const end = findLastMatchEnd(body, /<\/body\s*>/gi);
  const start = end + (/^\s*(?:<\/html\s*>\s*)?/i.exec(body.slice(end))?.[0].length ?? 0);
  if (end > 0 && start < body.length)
    collector.add('afterBody', 'body', { startOffset: start, endOffset: body.length });
  for (const match of body.matchAll(conditionInUrlPattern)) {
    const range = { startOffset: match.index, endOffset: match.index + match[0].length };
    collector.add('conditionInAddress', match[0].split(/[\s=]/, 1)[0] ?? '', range);
  }
}

/** Finds classes that only the `headers` field uses. */
function addDroppedClasses(
  nodes: readonly Parse5Node[],
  headers: string,
  usedClasses: ReadonlySet<string>,
  collector: DroppedCollector,
): void {
  const headerClasses = new Set([...headers.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map((match) => match[1] ?? ''));
  if (headerClasses.size === 0) return;
  for (const element of nodes.filter(isElement)) {
    const names = element.attrs.find(({ name }) => name === 'class')?.value.split(/\s+/) ?? [];
    const removed = names.filter((name) => headerClasses.has(name) && !usedClasses.has(name));
    if (removed.length > 0) collector.add('headersClass', removed.join(' '), element.sourceCodeLocation?.attrs?.class);
  }
}
