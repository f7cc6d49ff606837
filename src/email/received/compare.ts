import { diffArrays } from 'diff';
import PostalMime from 'postal-mime';
import { formatPair, t } from '../../l10n.ts';
import { countUtf8Bytes, formatKilobytes } from '../compose/compose.ts';
import { toDisplayText } from '../compose/fieldText.ts';
import type { Email, Sent } from '../sent/index.ts';
import { decodeUrl } from '../tags/php.ts';
import { assertComparable, assertParsable } from './limits.ts';

/** Insertions and deletions, at most: the time of a comparison grows with the square of them. */
const MAX_EDITS = 1000;
/** Stands for the value of a tag, or a hidden target. A private-use character, so no email contains it. */
const VALUE = '\uf8f1';

/** Replaces tags by what recipients get: a value, or a link for a pair. */
const tags = [
  [/(?:\{|%7b)(?:subscriber|usertag|date|list|mail|automail|rand|trans|config)[:|][^{}<>]{0,1000}(?:\}|%7d)/gi, VALUE],
  [/\{(?:\w{0,10}subscribe(?:all)?|disable_tracking|confirm|readonline)(?:\|[^{}<>]{0,1000})?\}/gi, `<a${VALUE}>`],
  [/\{\/[a-z_]{1,20}\}/gi, '</a>'],
] as const;

/** What can identify a person, a site or a message. */
const identifying = [
  [/[^\s<>"'(),:;@=]{1,64}@[^\s<>"'(),:;?&]+/g, 'address'],
  [/(?<=[?&][^\s=]{1,40}=)[^&\s"<>)#]+/g, '…'],
  [/(?<=\/\/)[^/\s"?#)]+|\b(?:\d+\.){3}\d+\b|(?:[\p{L}\p{N}_-]+\.)+(?!php|html?\b|png|jpe?g|gif)\p{L}{2,}/gu, 'host'],
  [/(?<![\w-])(?=[a-z_-]*\d)[\w-]{8,}/gi, 'token'],
] as const;

/** Pixels that record opens, ends of elements, comments, and elements that don't depend on the email. */
const ignoredLine =
  /^<(?:[/!]|(?:html|head|body|meta)\b|img\b(?=[^]*(?:openStats|\s(?:width|height)="?[01](?!\d))))|^\s*$/i;

// Nested messages stay attachments.
const parsing = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };

/** Reads the content of an `.eml` file. `people`: names and addresses. @throws if it is too large, or no email with HTML */
async function readMessage(bytes: Uint8Array) {
  assertParsable(bytes);
  const { headers, subject = '', html = '', text = '', from, to, replyTo } = await PostalMime.parse(bytes, parsing);
  if (html.trim() === '') throw new Error(t('The file is no email with HTML. Save the received message as .eml.'));
  assertComparable(html, text);
  return { headers, subject, html, text, people: JSON.stringify([from, to, replyTo]) };
}

const replaceAll = (text: string, rows: readonly (readonly [RegExp, string])[]) =>
  rows.reduce((replaced, [pattern, replacement]) => replaced.replace(pattern, replacement), text);

/** Returns the target of a tracked address if it shows one, without campaign parameters. */
function normalizeAddress(address: string) {
  const shown = /[=/#](https?(?::|%3a)(?:%2f){2}[^&/#?\s]+|https?:\/\/[^&\s]+)/i.exec(address)?.[1];
  if (shown !== undefined) return /%2f/i.test(shown) ? decodeUrl(shown) : shown;
  return /fronturl(?:&amp;|[&/])(?:task=)?click|urlid=/.test(address) ? VALUE : address;
}

/** Returns what is compared: start tags, texts, and the text part without links, which are those of the HTML. */
const listLines = (html: string, text: string) =>
  [
    ...(html.match(/<(?:style|title)\b[^<>]*>[^<]*|<[^<>]*>|[^<]+|</gi) ?? []),
    ...text.replace(/\( \S+ \)|\bhttps?:\/\/\S+|<\/?a\uf8f1?>/g, '').split('\n'),
  ].flatMap((line) => {
    if (ignoredLine.test(line)) return [];
    const untracked = line.replace(/(?<=\b(?:href|src)=["'])[^"']+/gi, normalizeAddress);
    return untracked
      .replace(/(?:[?&]|&amp;)utm_\w*=[^&#"']*/gi, '')
      .replace(/\s+/g, ' ')
      .trim();
  });

/** Returns whether a recipient can get a text in place of a pattern. */
function isMatch(pattern: string, text: string) {
  if (!pattern.includes(VALUE)) return false;
  const [first = '', ...others] = pattern.split(/ ?\uf8f1 ?/);
  let at = first.length;
  const isNext = (part: string) => (at = text.indexOf(part, at) + part.length) >= part.length;
  return text.startsWith(first) && text.endsWith(others.at(-1) ?? VALUE) && others.every(isNext);
}

/**
 * Compares an email as it is sent with an `.eml` file. Ignores what differs for each recipient: values of tags, tracking, encodings.
 * `report`: the figures, and the differences as lines. `anonymous`: the same without addresses, host names, tokens and names.
 * @throws if the file can't be read
 */
export async function compareReceived(sent: Pick<Email & Sent, 'subject' | 'html' | 'text'>, bytes: Uint8Array) {
  const { headers, people, subject, html, text } = await readMessage(bytes);
  const [ownSubject = '', ownHtml = '', ownText = ''] = [sent.subject ?? '', sent.html, sent.text].map((part) =>
    replaceAll(part, tags),
  );
  const parts = diffArrays(
    [ownSubject, ...listLines(ownHtml, ownText)],
    // Not every service documents its text part.
    [subject, ...listLines(html, sent.text && text)],
    {
      comparator: (one, other) => one === other || isMatch(one, other) || isMatch(other, one),
      maxEditLength: MAX_EDITS,
    },
  );
  const differences = parts?.flatMap(({ added, removed, value }) =>
    added || removed
      ? value.flatMap((line) => (line === VALUE ? [] : `${added ? '+' : '-'} ${toDisplayText(line)}`))
      : [],
  ) ?? [t('The versions are too different.')];
  const toFigure = (label: string, ...values: readonly string[]) =>
    formatPair(label, values.map(toDisplayText).join(' ↔ '));
  const findStart = (whole: string) =>
    listLines(whole.replace(/^[^]*<body/i, '<body'), '').find((line) => !line.startsWith('<')) ?? '';
  const figures = [
    toFigure(t('Subject'), ownSubject, subject),
    toFigure(t('Preheader'), findStart(ownHtml), findStart(html)),
    toFigure(t('Size'), ...[sent.html, html].map((part) => formatKilobytes(countUtf8Bytes(part)))),
    ...headers.flatMap(({ key, originalKey, value }) =>
      /^(?:list-unsubscribe|authentication-results)/.test(key) ? toFigure(originalKey, value) : [],
    ),
    toFigure(t('Differences'), String(differences.length)),
  ];
  const report = [...figures, ...differences, ''].join('\n').replaceAll(VALUE, '{…}');
  const names = new Set(
    people
      .replace(/@[^"]*/g, '')
      .toLowerCase()
      .match(/\p{L}{2,}/gu),
  );
  const nameless = report.replace(/\p{L}+/gu, (word) => (names.has(word.toLowerCase()) ? 'name' : word));
  return {
    isEqual: differences.length === 0,
    report,
    anonymous: replaceAll(nameless, identifying),
    subject,
    html,
    text,
  };
}
