/*
 * Everything a service sends is untrusted text of any length. It may contain control characters, bidirectional
 * overrides, and links that run commands. All text shown to users passes through here first. These functions don't use
 * VS Code's API, but know how its surfaces interpret text.
 */

// Control characters, line breaks and all kinds of spaces.
const whitespace = /[\p{Cc}\p{Z}\s]+/gu;
// Invisible characters that break words, hide text or change the text direction: soft hyphen, Arabic letter mark,
// zero-width space, direction marks, embeddings, overrides and isolates, word joiner and invisible operators, byte
// order mark, annotation marks, tag characters. The zero-width joiners stay: emoji and several scripts need them.
const invisible =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
// Characters without a glyph: ignorable characters, blank symbols and private use. Joiners inside emoji stay.
const emojiStyle = /(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)/u;
const emojiJoiner = /(?<=\p{Extended_Pictographic}[\uFE0F\p{EMod}]?)\u200D(?=\p{Extended_Pictographic})/u;
const glyphless = new RegExp(
  `(?!${emojiStyle.source}|${emojiJoiner.source})[\\p{DI}\\p{Cf}\\p{Co}\\u2028\\u2029\\u2800\\u{1D159}]`,
  'gu',
);
// Control characters except tab and line breaks.
const controls = /(?![\t\n\r])\p{Cc}/gu;
const loneSurrogates = /\p{Cs}/gu;
/** More combining marks than any script needs. They would overlap the lines above and below. */
const stackedMarks = /(\p{M}{8})\p{M}+/gu;

const onlyJoiners = /^[\u200C\u200D\s]+$/u;

/** Maximum length of a line in a tree, title or sentence, in grapheme clusters. */
export const MAX_LINE_CHARS = 120;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Converts text to a single line that is safe as plain text: no control, invisible or bidirectional characters, white
 * space collapsed, at most `max` characters (truncated with "…").
 *
 * Not enough for surfaces that interpret links or icons: see `escapeMessage` and `escapeMarkdown`.
 */
export function toSingleLine(text: string, max: number = MAX_LINE_CHARS): string {
  // Texts may have megabytes: process only what can be shown.
  const head = text.slice(0, max * 32);
  const clean = head
    .replace(invisible, '')
    .replace(whitespace, ' ')
    .replace(loneSurrogates, '\uFFFD')
    .replace(stackedMarks, '$1')
    .trim();
  // Joiners alone are invisible.
  return onlyJoiners.test(clean) ? '' : truncate(clean, max, head.length < text.length);
}

/**
 * Converts text to a single line for notifications, quick picks and the status bar. These interpret `$(name)` as an
 * icon and `[text](command:…)` as a command link; a zero-width space disables both.
 */
export function escapeMessage(text: string, max: number = MAX_LINE_CHARS): string {
  return toSingleLine(text, max)
    .replace(/\$(?=\()/g, '$\u200B')
    .replace(/\](?=\()/g, ']\u200B');
}

/**
 * Converts text to a single line for a `MarkdownString`. All punctuation that Markdown, HTML, icons or automatic links
 * consist of becomes character references.
 */
export function escapeMarkdown(text: string, max: number = 1000): string {
  return toSingleLine(text, max).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Strips invisible characters from multi-line text, and counts them. */
export function stripInvisible(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0;
  const drop = () => ((removed += 1), '');
  return { text: text.replace(glyphless, drop).replace(controls, drop).replace(loneSurrogates, '\uFFFD'), removed };
}

function truncate(text: string, max: number, wasCut: boolean) {
  if (text.length <= max && !wasCut) return text;
  const starts: number[] = [];
  for (const { index } of graphemes.segment(text)) {
    starts.push(index);
    if (starts.length > max) break;
  }
  if (starts.length <= max && !wasCut) return text;
  return `${text.slice(0, starts[max - 1] ?? text.length).trimEnd()}…`;
}

/** Converts text to a file name without extension that is valid on every file system. */
export function toFileName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_ -]+/gu, ' ')
    .trim()
    .replace(/\s+/gu, '-')
    .slice(0, 80)
    .toLowerCase();
}
