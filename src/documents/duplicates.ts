import type { Node } from 'jsonc-parser';

/**
 * The first field of a JSON text that one of its name comes before, in the same object; undefined where there is none. Of two, a reader
 * takes the
 * last and an edit changes the first: neither is what the user sees.
 */
export function duplicateField(node: Node): { readonly name: string; readonly offset: number } | undefined {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    if (child.type === 'property') {
      const [key, value] = child.children ?? [];
      if (names.has(key?.value)) return { name: String(key?.value), offset: child.offset };
      names.add(key?.value);
      const within = value && duplicateField(value);
      if (within) return within;
    } else {
      const within = duplicateField(child);
      if (within) return within;
    }
  }
  return undefined;
}
