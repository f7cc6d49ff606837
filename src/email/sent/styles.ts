/** Reads and writes style attributes like the service. */

import { phpTrim } from './stripTags.ts';

/** Values by property, including `!important`. A later value replaces an earlier one. */
export type Declarations = ReadonlyMap<string, string>;

/** Splits at every `;`, even in strings, except in `data:` URLs. */
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

/** Lowercases property names and any other word before a colon. */
export function normalizeNames(style: string): string {
  return style.replace(/(?<![\w-])[\w-]+(?=:)/g, (word) => word.replace(/-{0,2}[_a-zA-Z][\w-]*$/, toLowerCaseProperty));
}

export function writeStyle(declarations: Declarations): string {
  return [...declarations].map(([property, value]) => `${toLowerCaseProperty(property)}: ${phpTrim(value)};`).join(' ');
}

export const isImportant = (value: string): boolean => /![ \t\n\v\f\r]*important$/i.test(value);

/** Appends newer declarations, unless they would override an important one. */
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

/** Moves important declarations to the end and removes `!important`. */
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
