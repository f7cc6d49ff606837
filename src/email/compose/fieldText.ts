/** Text of field names and values. Webview pages and the extension host share this module. */
import { t } from '../../l10n.ts';

const MAX_FIELD_TEXT_CHARS = 300;
// Control characters and characters that hide text or change its direction. Zero-width joiners stay: emoji and several scripts need them.
const invisibleCharacters = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Returns a text for display: one line, without invisible characters, truncated. */
export function toDisplayText(text: string): string {
  const clean = text.slice(0, MAX_FIELD_TEXT_CHARS * 4).replace(invisibleCharacters, ' ');
  return clean.length > MAX_FIELD_TEXT_CHARS ? `${clean.slice(0, MAX_FIELD_TEXT_CHARS)}…` : clean;
}

/** Returns a value as text: empty for null, JSON for objects. */
export function stringifyFieldValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const acronyms = /\b(?:id|ip|url|cms|api|sms|html|css|csv|utm|gdpr)\b/giu;

/** Returns a readable field name: "creation_date" and "creationDate" become "Creation date". */
export function humanizeFieldName(field: string): string {
  const words = toDisplayText(field)
    .slice(0, 60)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\s]+/gu, ' ')
    .trim()
    .toLowerCase();
  const named = words.replace(acronyms, (acronym) => acronym.toUpperCase());
  return named.charAt(0).toUpperCase() + named.slice(1) || t('(no name)');
}
