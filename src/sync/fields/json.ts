import type { Node } from 'jsonc-parser';

/** Deeper than the details of any record. Parsers recurse, so unlimited depth could overflow the stack. */
const MAX_JSON_DEPTH = 100;

/** Returns the offset (UTF-16) where a JSON text exceeds the maximum depth, or undefined. */
export function findTooDeepOffset(text: string): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isInString) {
      if (char === '\\') at += 1;
      // An unclosed string ends with its line.
      else if (char === '"' || char === '\n' || char === '\r') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return at;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return undefined;
}

/**
 * Returns the first field whose name appears earlier in the same object, or undefined. Readers use the last of two such fields and edits
 * change the first, so users wouldn't get what they see.
 */
export function findDuplicateField(node: Node): { readonly name: string; readonly offset: number } | undefined {
  const names = new Set<string>();
  for (const child of node.children ?? []) {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    if (key) {
      const name = String(key.value);
      if (names.has(name)) return { name, offset: child.offset };
      names.add(name);
    }
    const within = value && findDuplicateField(value);
    if (within) return within;
  }
  return undefined;
}
