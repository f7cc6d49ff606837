/*
 * Everything a service sends is hostile text: it may hold control characters, marks that turn the reading direction, links that run
 * commands, and be of any length. What is shown to a user passes through here first. These functions know nothing of VS Code's API,
 * only of how its surfaces read text.
 */

// Control characters, line breaks and spaces of every width.
const whitespace = /[\p{Cc}\p{Z}\s]+/gu;
// Characters that are seen by nobody but break words, hide text or turn the reading direction: soft hyphen,
// Arabic letter mark, zero-width space, direction marks, embeddings, overrides and isolates, word joiner and invisible operators, byte
// order mark, annotation marks, tag characters. The zero-width joiners stay: emoji and several scripts need them.
const invisible =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
// Characters without a glyph: ignorable ones, blank symbols and private use. Those that hold an emoji together stay.
const emojiStyle = /(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)/u;
const emojiJoiner = /(?<=\p{Extended_Pictographic}[\uFE0F\p{EMod}]?)\u200D(?=\p{Extended_Pictographic})/u;
const glyphless = new RegExp(
  `(?!${emojiStyle.source}|${emojiJoiner.source})[\\p{DI}\\p{Cf}\\p{Co}\\u2028\\u2029\\u2800\\u{1D159}]`,
  'gu',
);
// Control characters but for a tab and the ends of lines.
const controls = /(?![\t\n\r])\p{Cc}/gu;
const loneSurrogates = /\p{Cs}/gu;
/** Marks stacked on one letter beyond what any script needs reach into the lines above and below. */
const stackedMarks = /(\p{M}{8})\p{M}+/gu;

const onlyJoiners = /^[\u200C\u200D\s]+$/u;

/** Longest text shown in one line of a tree, a title or a sentence, in characters as a reader counts them. */
export const MAX_LINE_CHARS = 120;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * One line of text that can be shown as plain text: no control characters or line breaks, nothing that turns the reading direction
 * or hides, runs of white space as one space, at most `max` characters (then ending in "…").
 * Not enough for surfaces that read links or icons in text: see `escapeMessage` and `escapeMarkdown`.
 */
export function toSingleLine(text: string, max: number = MAX_LINE_CHARS): string {
  // A text may be megabytes long: what can't be shown anyhow isn't looked at.
  const head = text.slice(0, max * 32);
  const clean = head
    .replace(invisible, '')
    .replace(whitespace, ' ')
    .replace(loneSurrogates, '\uFFFD')
    .replace(stackedMarks, '$1')
    .trim();
  // Joiners that join nothing are nothing to see.
  return onlyJoiners.test(clean) ? '' : truncate(clean, max, head.length < text.length);
}

/**
 * One line for notifications, quick picks and the status bar. These draw `$(name)` as an icon and `[text](command:…)` as a link that
 * runs: a zero-width space between the signs leaves both readable, and inert.
 */
export function escapeMessage(text: string, max: number = MAX_LINE_CHARS): string {
  return toSingleLine(text, max)
    .replace(/\$(?=\()/g, '$\u200B')
    .replace(/\](?=\()/g, ']\u200B');
}

/**
 * One line for a `MarkdownString`, where it can be nothing but text: every sign that Markdown, HTML, icons or automatic links could
 * be made of becomes a character reference.
 */
export function escapeMarkdown(text: string, max: number = 1000): string {
  return toSingleLine(text, max).replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A text of several lines as somebody sees it, without what nobody does; and how many characters that were. */
export function stripInvisible(text: string): { readonly text: string; readonly removed: number } {
  let removed = 0;
  const drop = (): string => ((removed += 1), '');
  return { text: text.replace(glyphless, drop).replace(controls, drop).replace(loneSurrogates, '\uFFFD'), removed };
}

function truncate(text: string, max: number, wasCut: boolean): string {
  if (text.length <= max && !wasCut) return text;
  const starts: number[] = [];
  for (const { index } of graphemes.segment(text)) {
    starts.push(index);
    if (starts.length > max) break;
  }
  if (starts.length <= max && !wasCut) return text;
  return `${text.slice(0, starts[max - 1] ?? text.length).trimEnd()}…`;
}

/** A file's name (without an ending) that every file system takes, of what it holds. */
export function toFileName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_ -]+/gu, ' ')
    .trim()
    .replace(/\s+/gu, '-')
    .slice(0, 80)
    .toLowerCase();
}
