/** Names and values of records' fields as text. Both the pages and the extension show them, and this room is the one that both know. */

const MAX_DISPLAY_CHARS = 300;
// Control characters, and such as hide text or turn its direction. The zero-width joiners stay: emoji and several scripts need them.
const invisibleCharacters = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Text as it is shown: one line, without signs that can't be seen, and not longer than anybody reads. */
export function toDisplayText(text: string): string {
  const clean = text.slice(0, MAX_DISPLAY_CHARS * 4).replace(invisibleCharacters, ' ');
  return clean.length > MAX_DISPLAY_CHARS ? `${clean.slice(0, MAX_DISPLAY_CHARS)}…` : clean;
}

/** A value as text: nothing for none, JSON for what has parts. */
export function stringifyFieldValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const acronyms = /\b(?:id|ip|url|cms|api|sms|html|css|csv|utm|gdpr)\b/giu;

/** A field's name for people: "creation_date" and "creationDate" are "Creation date". */
export function humanizeFieldName(field: string): string {
  const words = toDisplayText(field)
    .slice(0, 60)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\s]+/gu, ' ')
    .trim()
    .toLowerCase();
  const named = words.replace(acronyms, (acronym) => acronym.toUpperCase());
  return named.charAt(0).toUpperCase() + named.slice(1) || '(no name)';
}
