import { findLandmarks } from '../html/landmarks.ts';

/** What the inbox shows of an email, by the API document's own names. Absent texts are empty. */
export interface Envelope {
  readonly subject: string;
  readonly preheader: string;
  readonly from_name: string;
  readonly from_email: string;
  readonly reply_to_name?: string;
  readonly reply_to_email?: string;
}

export interface Composition {
  /** A fragment, or a whole document with doctype, head and body. */
  readonly body: string;
  /** CSS added to the email. */
  readonly stylesheet: string;
  readonly envelope?: Partial<Envelope>;
}

/** A stretch of the composed text, with the place it comes from: nothing of its own text was changed. Ours where there is no `source`. */
export interface ComposedSegment {
  readonly text: string;
  readonly source?: 'body' | 'stylesheet';
  /** Offset in the source's text. */
  readonly offset?: number;
}

/** Gmail shows the first 102 KB of a message's HTML and hides the rest (https://mailchimp.com/help/gmail-is-clipping-my-email/). Bytes. */
export const GMAIL_CLIP_BYTES = 102 * 1024;

const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML text or as a double-quoted attribute value. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => htmlEntities[char] ?? char);
}

/** `\/` is a slash to CSS, and ends no element to HTML. */
function styleElement(stylesheet: string): ComposedSegment[] {
  if (stylesheet.trim() === '') return [];
  const text = stylesheet.replace(/<\/(?=style)/gi, '<\\/');
  const css: ComposedSegment = text === stylesheet ? { text, source: 'stylesheet', offset: 0 } : { text };
  return [{ text: '<style>\n' }, css, { text: '\n</style>\n' }];
}

/** Found by mail clients as the first text of the body, seen by nobody (`mso-hide` is Outlook's). */
function preheaderElement(preheader = ''): ComposedSegment[] {
  if (preheader.trim() === '') return [];
  const style =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all';
  return [{ text: `<div style="${style}">${escapeHtml(preheader)}</div>\n` }];
}

/** The body's text cut at offsets (ascending), with pieces of ours at each cut. */
function insertSegments(
  body: string,
  cuts: readonly (readonly [offset: number, pieces: readonly ComposedSegment[]])[],
): ComposedSegment[] {
  const all: ComposedSegment[] = [];
  let from = 0;
  for (const [offset, pieces] of cuts) {
    if (pieces.length === 0) continue;
    all.push({ text: body.slice(from, offset), source: 'body', offset: from }, ...pieces);
    from = offset;
  }
  all.push({ text: body.slice(from), source: 'body', offset: from });
  return all;
}

/** The pieces of an email. `wrap` makes a document of a fragment. Never throws, whatever the texts are. */
function assembleSegments({ body, stylesheet, envelope }: Composition, wrap: boolean): ComposedSegment[] {
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

/** The composed document in pieces, for those who need to know what comes from where. */
export function composeSegments(composition: Composition): readonly ComposedSegment[] {
  return assembleSegments(composition, true);
}

/** The whole HTML document as it will be sent. */
export function composeEmail(composition: Composition): string {
  return assembleSegments(composition, true)
    .map((piece) => piece.text)
    .join('');
}

/**
 * The body for a campaign, which has no stylesheet and no preheader of its own: both become part of it. A fragment stays a fragment,
 * with the style first and the hidden preheader next; a whole document stays one, with both in their places.
 */
export function composeCampaignBody(composition: Composition): string {
  return assembleSegments(composition, false)
    .map((piece) => piece.text)
    .join('');
}

/** Bytes of a text in UTF-8. */
export function countUtf8Bytes(html: string): number {
  return new TextEncoder().encode(html).length;
}
