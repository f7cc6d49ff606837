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

export interface TreeTextNode {
  readonly kind: 'text';
  text: string;
}

export interface CommentNode {
  readonly kind: 'comment';
  readonly text: string;
}

/** `<?target text>` */
export interface InstructionNode {
  readonly kind: 'instruction';
  readonly target: string;
  readonly text: string;
}

export type TreeNode = ElementNode | TreeTextNode | CommentNode | InstructionNode;

export function newElement(name: string, parent: ElementNode | undefined): ElementNode {
  return { kind: 'element', name, attributes: new Map(), children: [], parent };
}

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
