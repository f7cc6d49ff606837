import { formatNumber, t } from '../../l10n.ts';
import { findLandmarks } from '../html/landmarks.ts';

/** Inbox fields of an email, named as in the API. Absent texts are empty. */
export interface Envelope {
  readonly subject: string;
  readonly preheader: string;
  readonly from_name: string;
  readonly from_email: string;
  readonly reply_to_name?: string;
  readonly reply_to_email?: string;
}

export interface Composition {
  /** A fragment, or a complete document with doctype, head and body. */
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Partial<Envelope>;
}

/** A segment of the composed text. It is copied unchanged from its source, or generated if there is no `source`. */
export interface ComposedSegment {
  readonly text: string;
  readonly source?: 'body' | 'stylesheet';
  /** Offset in the source text. */
  readonly offset?: number;
}

/** Gmail shows the first 102 KB of a message's HTML and hides the rest (https://mailchimp.com/help/gmail-is-clipping-my-email/). */
export const GMAIL_CLIP_BYTES = 102 * 1024;
/** Larger emails get a finding: tracking links added by the service may exceed Gmail's limit. */
export const WARNING_SIZE_BYTES = 90 * 1024;

export const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML content and double-quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => htmlEntities[char] ?? char);
}

/** `<\/` is equivalent in CSS, and doesn't end the element in HTML. */
function styleElement(stylesheet: string) {
  if (stylesheet.trim() === '') return [];
  const text = stylesheet.replace(/<\/(?=style)/gi, '<\\/');
  const css: ComposedSegment = text === stylesheet ? { text, source: 'stylesheet', offset: 0 } : { text };
  return [{ text: '<style>\n' }, css, { text: '\n</style>\n' }];
}

/** Mail clients use it as the first text of the body; it is hidden in the email (`mso-hide` is for Outlook). */
function preheaderElement(preheader = ''): ComposedSegment[] {
  if (preheader.trim() === '') return [];
  const style =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
  return [{ text: `<div style="${style}">${escapeHtml(preheader)}</div>\n` }];
}

/** Inserts generated segments into a body at ascending offsets. */
function insertSegments(
  body: string,
  cuts: readonly (readonly [offset: number, inserted: readonly ComposedSegment[]])[],
) {
  const segments: ComposedSegment[] = [];
  let start = 0;
  for (const [offset, inserted] of cuts) {
    if (inserted.length === 0) continue;
    segments.push({ text: body.slice(start, offset), source: 'body', offset: start }, ...inserted);
    start = offset;
  }
  segments.push({ text: body.slice(start), source: 'body', offset: start });
  return segments;
}

/** Composes an email in segments with their sources. `wrap`: turn a fragment into a document. Never throws. */
export function composeSegments({ body, stylesheet, envelope }: Composition, wrap = true): readonly ComposedSegment[] {
  const style = styleElement(stylesheet);
  const preheader = preheaderElement(envelope?.preheader);
  const { doctypeEnd, htmlEnd, headEnd, headClose, bodyStart, bodyEnd } = findLandmarks(body);
  const head = headClose ?? bodyStart ?? headEnd ?? htmlEnd ?? doctypeEnd;
  if (head !== undefined)
    return insertSegments(body, [
      [head, style],
      [Math.max(head, bodyEnd ?? 0), preheader],
    ]);
  if (!wrap) return insertSegments(body, [[0, [...style, ...preheader]]]);
  const before = `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(envelope?.subject ?? '')}</title>
`;
  return [
    { text: before },
    ...style,
    { text: '</head>\n<body>\n' },
    ...preheader,
    { text: body, source: 'body', offset: 0 },
    { text: '\n</body>\n</html>\n' },
  ];
}

const joinSegments = (segments: readonly ComposedSegment[]) => segments.map(({ text }) => text).join('');

/** Composes the complete HTML document that is sent. */
export const composeEmail = (composition: Composition): string => joinSegments(composeSegments(composition));

/**
 * Composes the body of a campaign, which has no stylesheet and preheader fields: the body includes both. A fragment stays a fragment,
 * with the style first and the hidden preheader next; a complete document gets both at their regular positions.
 */
export const composeCampaignBody = (composition: Composition): string =>
  joinSegments(composeSegments(composition, false));

/** Returns the length of a text in UTF-8 bytes. */
export function countUtf8Bytes(html: string): number {
  return new TextEncoder().encode(html).length;
}

/** Formats a size in bytes. Small sizes have one decimal, and only 0 bytes are 0 KB. */
export function formatKilobytes(bytes: number): string {
  const steps = bytes < 10 * 1024 ? 10 : 1;
  return t('{0} KB', formatNumber(Math.max(bytes && 0.1, Math.round((bytes / 1024) * steps) / steps)));
}

/** A record as last read from the service. */
type StoredRecord = Readonly<Record<string, unknown>>;

/** Returns the stored preheader of a campaign, which some services report. Empty if there is none: mail clients then show the start of the email. */
export const readStoredPreheader = ({ preheader }: StoredRecord): string =>
  typeof preheader === 'string' ? preheader : '';

/**
 * Reads subject, preheader and sender from the text of a details document, even if its JSON is incomplete. Details of campaigns have no preheader:
 * theirs is in the record.
 */
export function readEnvelope(text: string, record: StoredRecord = {}): Envelope {
  return {
    subject: readStringField(text, 'subject'),
    preheader: text.includes('"preheader"') ? readStringField(text, 'preheader') : readStoredPreheader(record),
    from_name: readStringField(text, 'from_name'),
    from_email: readStringField(text, 'from_email'),
    reply_to_name: readStringField(text, 'reply_to_name'),
    reply_to_email: readStringField(text, 'reply_to_email'),
  };
}

/** Reads the field `headers` from the text of a details document. */
export const readHeaders = (text: string): string => readStringField(text, 'headers');

/** Reads the field `settings` from the text of a details document. Undefined if there is none. */
export const readSettings = (text: string): string | undefined =>
  text.includes('"settings"') ? readStringField(text, 'settings') : undefined;

function readStringField(text: string, name: string) {
  for (const { 0: key, index } of text.matchAll(new RegExp(`"${name}"\\s*:\\s*"`, 'gu'))) {
    const start = index + key.length;
    const end = findStringEnd(text, start);
    if (end === undefined) continue;
    try {
      return String(JSON.parse(text.slice(start - 1, end + 1)));
    } catch {
      return '';
    }
  }
  return '';
}

/** Returns the offset of the closing quote on the same line. A string may be too long for a regular expression. */
function findStringEnd(text: string, from: number) {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') return at;
    if (char === '\n') return undefined;
    if (char === '\\') at += 1;
  }
  return undefined;
}
