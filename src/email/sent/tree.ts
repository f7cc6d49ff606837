/** The tree of an email with the structure of libxml's HTML 4 parser. */

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

const textEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Serializes an element like the service. */
export function serializeElement(element: ElementNode): string {
  const parts: string[] = [];
  serializeNode(element, undefined, parts);
  return parts.join('');
}

function serializeNode(node: TreeNode, parent: ElementNode | undefined, parts: string[]): void {
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

const isRawTextElement = (element: ElementNode): boolean => element.name === 'script' || element.name === 'style';

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => textEntities[character] ?? character);
}

/** `&{…}` and server-side comments stay unchanged in attributes (HTML 4, appendix B.7.1). */
function escapeAttribute(text: string): string {
  return text.replace(/<!--[^]*?-->|&\{[^}]*\}|[&<>]/g, (character) =>
    character.length > 1 ? character : (textEntities[character] ?? character),
  );
}

const isUrlAttribute = (element: string, attribute: string): boolean =>
  attribute === 'href' || attribute === 'src' || attribute === 'action' || (attribute === 'name' && element === 'a');

function serializeAttributeValue(element: ElementNode, name: string, value: string | null): string {
  if (value === null || booleanAttributes.has(name)) return '';
  const escaped = escapeAttribute(value);
  return `=${quoteValue(isUrlAttribute(element.name, name) ? percentEncodeUrl(escaped.replace(/^[ \t\n\r]+/, '')) : escaped)}`;
}

function quoteValue(value: string): string {
  if (!value.includes('"')) return `"${value}"`;
  return value.includes("'") ? `"${value.replaceAll('"', '&quot;')}"` : `'${value}'`;
}

const utf8 = new TextEncoder();

/** Encodes characters that a URL can't contain as `%XX`. Existing escapes stay unchanged. */
function percentEncodeUrl(address: string): string {
  return address.replace(/[^A-Za-z0-9\-_.!~*'()@/:=?;#%&,+<>]+/g, (text) =>
    Array.from(utf8.encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** The element tables of libxml's HTML 4 parser, which determine its error recovery. */

const splitNames = (text: string): string[] => text.split(' ');

/** Elements without content and end tag. */
export const emptyElements: ReadonlySet<string> = new Set(
  splitNames('area base basefont br col frame hr img input isindex link meta param'),
);

/** Attributes that are serialized without their value. */
export const booleanAttributes: ReadonlySet<string> = new Set(
  splitNames('checked compact declare defer disabled ismap multiple nohref noresize noshade nowrap readonly selected'),
);

/** Elements that imply a `<head>`. */
export const headElements: ReadonlySet<string> = new Set(splitNames('script style meta link title base'));

/** Which start tags close which open elements. */
const closingTagLists: readonly (readonly [open: string, next: string])[] = [
  ['a', 'a fieldset table td th'],
  ['address', 'dd dl dt form li ul'],
  ['b i', 'center p td th'],
  ['big s small strike tt', 'p'],
  ['caption col', 'col colgroup tbody tfoot thead tr'],
  ['colgroup', 'colgroup tbody tfoot thead tr'],
  ['dd', 'dt'],
  ['dir menu', 'dd dl dt form ul'],
  ['dl', 'form li'],
  ['dt', 'dd dl'],
  ['font', 'center td th'],
  ['form hr', 'form'],
  ['h1 h2 h3 h4 h5 h6', 'fieldset form li p table'],
  [
    'head',
    'a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt em fieldset font form frameset ' +
      'h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q s samp small span strike strong sub sup table tt u ul var xmp',
  ],
  ['legend', 'fieldset'],
  ['li', 'li'],
  ['link style title', 'body frameset'],
  ['listing pre xmp', 'dd dl dt fieldset form li table ul'],
  ['ol', 'form ul'],
  ['option', 'optgroup option'],
  [
    'p',
    'address blockquote body caption center col colgroup dd dir div dl dt fieldset form frameset h1 h2 h3 h4 h5 h6 head hr li ' +
      'listing menu ol p pre table tbody td tfoot th title tr ul xmp',
  ],
  ['script', 'noscript'],
  ['span', 'td th'],
  ['tbody thead', 'tbody tfoot'],
  ['td th', 'tbody td tfoot th tr'],
  ['tfoot', 'tbody'],
  ['tr', 'tbody tfoot tr'],
  ['u', 'p td th'],
  ['ul', 'address form menu ol pre'],
];

/** Maps an open element to the start tags that close it. */
export const closedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  closingTagLists.flatMap(([open, next]) => splitNames(open).map((name) => [name, new Set(splitNames(next))] as const)),
);

const endPriorities: Readonly<Record<string, number>> = {
  div: 150,
  td: 160,
  th: 160,
  tr: 170,
  thead: 180,
  tbody: 180,
  tfoot: 180,
  table: 190,
  head: 200,
  body: 200,
  html: 220,
};

/** An end tag only closes elements of the same or a lower priority. */
export function getEndPriority(name: string): number {
  return Object.hasOwn(endPriorities, name) ? (endPriorities[name] ?? 100) : 100;
}
