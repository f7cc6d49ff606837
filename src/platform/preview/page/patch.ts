/**
 * Makes one tree equal to another by the fewest changes, and keeps the nodes it can: with them stay the scroll position, the selection
 * and the images that are loaded. What is equal is found by the browser itself (`isEqualNode`), which is faster than any script.
 */

/** Deeper than this, what differs is replaced as a whole: each level compares again what is below it. */
const MAX_LEVELS = 200;

function patchAttributes(live: Element, fresh: Element): void {
  for (const { name } of [...live.attributes]) if (!fresh.hasAttribute(name)) live.removeAttribute(name);
  for (const { name, namespaceURI, value } of [...fresh.attributes]) {
    if (live.getAttribute(name) === value) continue;
    if (namespaceURI === null) setAttribute(live, name, value);
    else live.setAttributeNS(namespaceURI, name, value);
  }
}

/** Sets an attribute of any name the parser lets through; `setAttribute` refuses some of them (`"`, `<`). */
export function setAttribute(element: Element, name: string, value: string): void {
  const attribute = element.getAttributeNode(name);
  if (attribute) attribute.value = value;
  else element.setAttributeNode(makeAttribute(element.ownerDocument, name, value));
}

function makeAttribute(owner: Document, name: string, value: string): Attr {
  try {
    const attribute = owner.createAttribute(name);
    attribute.value = value;
    return attribute;
  } catch {
    // Only the parser makes such a name: let it.
    const holder = owner.createElement('template');
    holder.innerHTML = `<i ${name}=""></i>`;
    const attribute = holder.content.firstElementChild?.attributes[0];
    if (!attribute) throw new Error(`No attribute can be named ${name}.`);
    holder.content.firstElementChild?.removeAttributeNode(attribute);
    attribute.value = value;
    return attribute;
  }
}

function isAlike(live: Node, fresh: Node): boolean {
  if (live.nodeType !== fresh.nodeType || live.nodeName !== fresh.nodeName) return false;
  return live.nodeType !== Node.ELEMENT_NODE || (live as Element).namespaceURI === (fresh as Element).namespaceURI;
}

function patchNode(live: ChildNode, fresh: ChildNode, level: number): void {
  if (live.isEqualNode(fresh)) return;
  if (level > MAX_LEVELS || !isAlike(live, fresh)) {
    live.replaceWith(fresh);
  } else if (live.nodeType === Node.ELEMENT_NODE) {
    patchAttributes(live as unknown as Element, fresh as unknown as Element);
    patchChildren(live, fresh, level + 1);
  } else if (live.nodeType === Node.DOCUMENT_TYPE_NODE) {
    live.replaceWith(fresh);
  } else {
    live.nodeValue = fresh.nodeValue;
  }
}

function patchChildren(live: Node, fresh: Node, level: number): void {
  let first: ChildNode | null = live.firstChild;
  let next: ChildNode | null = fresh.firstChild;
  while (first && next && first.isEqualNode(next)) {
    first = first.nextSibling;
    next = next.nextSibling;
  }
  const old = siblings(first);
  const wanted = siblings(next);
  // With as many nodes as before, the first that differs is patched in its place anyway: there is no need to compare it again.
  const least = old.length === wanted.length ? 1 : 0;
  while (old.length > least && wanted.length > least && old.at(-1)?.isEqualNode(wanted.at(-1) ?? null)) {
    old.pop();
    wanted.pop();
  }
  const end = old.at(-1)?.nextSibling ?? (old.length === 0 ? first : null);
  let at = 0;
  for (const [index, node] of wanted.entries()) {
    const missing = wanted.length - index;
    while (at < old.length && old.length - at > missing && !isAlike(old[at] as ChildNode, node))
      (old[at++] as ChildNode).remove();
    const current = old[at];
    if (current && (isAlike(current, node) || old.length - at >= missing)) {
      at += 1;
      patchNode(current, node, level);
    } else {
      live.insertBefore(node, current ?? end);
    }
  }
  for (const rest of old.slice(at)) rest.remove();
}

function siblings(first: ChildNode | null): ChildNode[] {
  const all: ChildNode[] = [];
  for (let node = first; node; node = node.nextSibling) all.push(node);
  return all;
}

/** Makes `live` equal to `fresh`, which is used up. */
export function patchTree(live: Element, fresh: Element): void {
  if (live.isEqualNode(fresh)) return;
  patchAttributes(live, fresh);
  patchChildren(live, fresh, 0);
}
