/** Style attributes as the service reads and writes them. */

import { phpTrim } from './stripTags.ts';

/** Properties with their values, `!important` among them. A later value takes the place of an earlier one. */
export type Declarations = ReadonlyMap<string, string>;

/** Splits at every `;`, be it within a string, but for the two of `data:` addresses. */
export function parseStyle(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const declaration of text.split(/;(?!base64|charset)/)) {
    const match = /^([A-Za-z-]+)[ \t\n\v\f\r]*:[ \t\n\v\f\r]*([^]+)$/.exec(phpTrim(declaration));
    if (match) declarations.set(toLowerCaseProperty(match[1] ?? ''), match[2] ?? '');
  }
  return declarations;
}

const toLowerCaseProperty = (property: string): string =>
  property.startsWith('--') ? property : property.toLowerCase();

/** Names of properties in lower case, and whatever else stands before a colon. */
export function normalizeNames(style: string): string {
  return style.replace(/(?<![\w-])[\w-]+(?=:)/g, (word) => word.replace(/-{0,2}[_a-zA-Z][\w-]*$/, toLowerCaseProperty));
}

export function writeStyle(declarations: Declarations): string {
  return [...declarations].map(([property, value]) => `${toLowerCaseProperty(property)}: ${phpTrim(value)};`).join(' ');
}

export const isImportant = (value: string): boolean => /![ \t\n\v\f\r]*important$/i.test(value);

/** Newer declarations go to the end, but for one that an important one stands against. */
export function mergeStyles(older: Declarations, newer: Declarations): Declarations {
  const merged = new Map(older);
  for (const [property, value] of newer) {
    const old = older.get(property);
    if (old !== undefined && isImportant(old) && !isImportant(value)) continue;
    merged.delete(property);
    merged.set(property, value);
  }
  return merged;
}

/** Important declarations at the end, and no longer called so. */
export function resolveImportant(declarations: Declarations): Declarations {
  const entries = [...declarations];
  const important = entries.filter(([, value]) => isImportant(value));
  if (important.length === 0) return declarations;
  return new Map([
    ...entries.filter(([, value]) => !isImportant(value)),
    ...important.map(
      ([property, value]) => [property, value.replace(/[ \t\n\v\f\r]*![ \t\n\v\f\r]*important$/i, '')] as const,
    ),
  ]);
}
