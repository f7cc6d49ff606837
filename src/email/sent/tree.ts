/** The tree of an email with the structure of libxml's HTML 4 parser. */

// The tables of the parser, which determine its error recovery.
import { htmlEntities } from '../compose/compose.ts';
import tables from './data/elements.json' with { type: 'json' };

export interface ElementNode {
  readonly kind: 'element';
  /** Without a prefix: the service ignores namespaces. */
  readonly name: string;
  /** `null`: the attribute has no value. */
  readonly attributes: Map<string, string | null>;
  children: TreeNode[];
  readonly parent: ElementNode | undefined;
}

interface TreeTextNode {
  readonly kind: 'text';
  text: string;
}

interface CommentNode {
  readonly kind: 'comment';
  readonly text: string;
}

/** `<?target text>` */
interface InstructionNode {
  readonly kind: 'instruction';
  readonly target: string;
  readonly text: string;
}

export type TreeNode = ElementNode | TreeTextNode | CommentNode | InstructionNode;

export const newElement = (
  name: string,
  parent: ElementNode | undefined,
  attributes = new Map<string, string | null>(),
): ElementNode => ({ kind: 'element', name, attributes, children: [], parent });

/** Returns the elements in document order. Recursion is safe: trees are at most about 250 levels deep. */
export function collectElements(nodes: readonly TreeNode[], elements: ElementNode[] = []): ElementNode[] {
  for (const node of nodes) {
    if (node.kind !== 'element') continue;
    elements.push(node);
    collectElements(node.children, elements);
  }
  return elements;
}

export function getText(node: TreeNode): string {
  if (node.kind === 'element') return node.children.map(getText).join('');
  return node.kind === 'text' ? node.text : '';
}

/** Serializes an element like the service. */
export function serializeElement(element: ElementNode): string {
  const parts: string[] = [];
  serializeNode(element, undefined, parts);
  return parts.join('');
}

function serializeNode(node: TreeNode, parent: ElementNode | undefined, parts: string[]) {
  if (node.kind === 'text') parts.push(parent && isRawTextElement(parent) ? node.text : escapeText(node.text));
  else if (node.kind === 'comment') parts.push('<!--', node.text, '-->');
  else if (node.kind === 'instruction') parts.push('<?', node.target, node.text && ` ${node.text}`, '>');
  else {
    parts.push('<', node.name);
    for (const [name, value] of node.attributes) parts.push(' ', name, serializeAttributeValue(node, name, value));
    parts.push('>');
    if (emptyElements.has(node.name)) return;
    for (const child of node.children) serializeNode(child, node, parts);
    if (node.children.length > 0 || node.name !== 'li') parts.push('</', node.name, '>');
  }
}

const isRawTextElement = (element: ElementNode) => element.name === 'script' || element.name === 'style';

function escapeText(text: string) {
  return text.replace(/[&<>]/g, (character) => htmlEntities[character] ?? character);
}

/** `&{…}` and server-side comments stay unchanged in attributes (HTML 4, appendix B.7.1). */
function escapeAttribute(text: string) {
  return text.replace(/<!--[^]*?-->|&\{[^}]*\}|[&<>]/g, (character) =>
    character.length > 1 ? character : (htmlEntities[character] ?? character),
  );
}

const isUrlAttribute = (element: string, attribute: string) =>
  attribute === 'href' || attribute === 'src' || attribute === 'action' || (attribute === 'name' && element === 'a');

function serializeAttributeValue(element: ElementNode, name: string, value: string | null) {
  if (value === null || booleanAttributes.has(name)) return '';
  const escaped = escapeAttribute(value);
  return `=${quoteValue(isUrlAttribute(element.name, name) ? percentEncodeUrl(escaped.replace(/^[ \t\n\r]+/, '')) : escaped)}`;
}

function quoteValue(value: string) {
  if (!value.includes('"')) return `"${value}"`;
  return value.includes("'") ? `"${value.replaceAll('"', '&quot;')}"` : `'${value}'`;
}

/** Encodes characters that a URL can't contain as `%XX`. Existing escapes stay unchanged. */
function percentEncodeUrl(address: string) {
  return address.replace(/[^A-Za-z0-9\-_.!~*'()@/:=?;#%&,+<>]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

const createSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements without content and end tag. */
export const emptyElements = createSet(tables.empty);
/** Attributes that are serialized without their value. */
export const booleanAttributes = createSet(tables.booleanAttributes);
/** Elements that imply a `<head>`. */
export const headElements = createSet(tables.head);
/** Maps an open element to the start tags that close it. */
export const closedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(tables.closedBy).map(([open, next]) => [open, createSet(next)]),
);
const endPriorities = new Map(Object.entries(tables.endPriorities));

/** An end tag only closes elements of the same or a lower priority. */
export const getEndPriority = (name: string): number => endPriorities.get(name) ?? 100;
