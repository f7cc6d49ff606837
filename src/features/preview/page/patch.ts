/**
 * Makes one tree equal to another with few changes, so that scroll position, selection and loaded images stay. `isEqualNode` finds equal
 * subtrees faster than a script could.
 */

/** Below this depth, differing nodes are replaced as a whole, because each level compares its subtree again. */
const MAX_DEPTH = 200;

function patchAttributes(live: Element, fresh: Element) {
  for (const { name } of [...live.attributes]) if (!fresh.hasAttribute(name)) live.removeAttribute(name);
  for (const attribute of fresh.attributes) {
    // A copy can have any name that the parser accepts; `setAttribute` rejects some of them (`"`, `<`).
    if (live.getAttribute(attribute.name) !== attribute.value) live.setAttributeNodeNS(attribute.cloneNode() as Attr);
  }
}

function isSameKind(live: Node, fresh: Node) {
  if (live.nodeType !== fresh.nodeType || live.nodeName !== fresh.nodeName) return false;
  return live.nodeType !== Node.ELEMENT_NODE || (live as Element).namespaceURI === (fresh as Element).namespaceURI;
}

function patchNode(live: ChildNode, fresh: ChildNode, depth: number) {
  if (live.isEqualNode(fresh)) return;
  if (depth > MAX_DEPTH || !isSameKind(live, fresh)) {
    live.replaceWith(fresh);
  } else if (live.nodeType === Node.ELEMENT_NODE) {
    patchAttributes(live as unknown as Element, fresh as unknown as Element);
    patchChildren(live, fresh, depth + 1);
  } else if (live.nodeType === Node.DOCUMENT_TYPE_NODE) {
    live.replaceWith(fresh);
  } else {
    live.nodeValue = fresh.nodeValue;
  }
}

function patchChildren(live: Node, fresh: Node, level: number) {
  let first: ChildNode | null = live.firstChild;
  let next: ChildNode | null = fresh.firstChild;
  while (first && next && first.isEqualNode(next)) {
    first = first.nextSibling;
    next = next.nextSibling;
  }
  const liveNodes = collectSiblings(first);
  const freshNodes = collectSiblings(next);
  // If the number of nodes is unchanged, the first different node is patched in place. Comparing it here again would be redundant.
  const minLength = liveNodes.length === freshNodes.length ? 1 : 0;
  while (
    liveNodes.length > minLength &&
    freshNodes.length > minLength &&
    liveNodes.at(-1)?.isEqualNode(freshNodes.at(-1) ?? null)
  ) {
    liveNodes.pop();
    freshNodes.pop();
  }
  const end = liveNodes.at(-1)?.nextSibling ?? (liveNodes.length === 0 ? first : null);
  let at = 0;
  for (const [index, node] of freshNodes.entries()) {
    const missing = freshNodes.length - index;
    while (at < liveNodes.length && liveNodes.length - at > missing && !isSameKind(liveNodes[at] as ChildNode, node))
      (liveNodes[at++] as ChildNode).remove();
    const current = liveNodes[at];
    if (current && (isSameKind(current, node) || liveNodes.length - at >= missing)) {
      at += 1;
      patchNode(current, node, level);
    } else {
      live.insertBefore(node, current ?? end);
    }
  }
  for (const leftover of liveNodes.slice(at)) leftover.remove();
}

function collectSiblings(first: ChildNode | null) {
  const all: ChildNode[] = [];
  for (let node = first; node; node = node.nextSibling) all.push(node);
  return all;
}

/** Makes `live` equal to `fresh`. Consumes the nodes of `fresh`. */
export function patchTree(live: Element, fresh: Element): void {
  if (live.isEqualNode(fresh)) return;
  patchAttributes(live, fresh);
  patchChildren(live, fresh, 0);
}
