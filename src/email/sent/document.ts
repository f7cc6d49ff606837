import { stripTags } from '../html/stripTags.ts';
import { findLastMatchEnd, findLastTagEnd, replaceBefore } from '../html/text.ts';
import { assertFewUnclosed, assertWithinLimits, type Email } from './model.ts';
import { parseDocument } from './parse.ts';
import { collectElements, newElement, serializeElement, type ElementNode, type TreeNode } from './tree.ts';

/** Cleans each field as the service does on save: no scripts and no inputs with a value; no tags except in body and headers. Throws if the fields are too large. */
export function toStoredFields({
  body,
  stylesheet = '',
  subject = '',
  preheader = '',
  headers = '',
  settings: storedSettings,
}: Email): Readonly<Record<keyof Email, string>> {
  const settings = storedSettings ?? '';
  assertWithinLimits([body, stylesheet, subject, preheader, headers, settings]);
  // No service can store lone surrogates.
  const stored = {
    body: cleanHtmlField(body),
    headers: cleanHtmlField(headers),
    stylesheet: stripTags(stylesheet.toWellFormed()),
    subject: stripTags(subject.toWellFormed()),
    preheader: stripTags(preheader.toWellFormed()),
    settings: settings.toWellFormed(),
  };
  Object.values(stored).forEach(assertFewUnclosed);
  return stored;
}

function cleanHtmlField(html: string) {
  const text = html.toWellFormed();
  const withoutInputs = replaceBefore(text, findLastTagEnd(text), /<input[^>]*?value="[^"]*?"[^>]*?>/gi, '');
  // Everything from each `<script` to the next `</script>`.
  const lastScriptEnd = findLastMatchEnd(withoutInputs, /<\/script>/gi);
  return replaceBefore(withoutInputs, lastScriptEnd, /<script[^]*?<\/script>/gi, '').replaceAll(
    ' contenteditable="true"',
    '',
  );
}

export interface EmailDocument {
  readonly roots: readonly TreeNode[];
  /** The first body, created if it is missing. Only the body is sent. */
  readonly body: ElementNode;
}

const CHARSET_META = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">';
const templatePattern = /<template[\s>][^<]*(?:<(?!\/template>)[^<]*)*(?:<\/template>|$)/gi;
const commentPattern = /<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|$)/g;

/** Prepares and parses an email like the service. */
export function parseEmailDocument(html: string): EmailDocument {
  const top = parseDocument(addCharset(addDoctype(addSlashes(html))));
  const elements = collectElements(top);
  const body = elements.find((element) => element.name === 'body');
  if (body) return { roots: top, body };
  const root = elements.find((element) => element.name === 'html');
  const created = newElement('body', root);
  root?.children.push(created);
  return { roots: top, body: created };
}

/** libxml doesn't support these void elements unless they end with a slash. */
function addSlashes(html: string) {
  return html.replace(/<(?:command|embed|keygen|source|track|wbr)\b[^>]*(?=>)/g, (tag) =>
    tag.endsWith('/') ? tag : `${tag}/`,
  );
}

function addDoctype(html: string) {
  return /<!doctype/i.test(html) ? html : `<!DOCTYPE html>${html}`;
}

/** Adds the character set to the head, creating one if needed. This decides where the first element of a fragment ends up. */
function addCharset(html: string) {
  const declared = /<meta(?=\s)[^>]*\shttp-equiv=(["']?)Content-Type\1[\s/>]/i.exec(html);
  if (declared && !endsHead(html.slice(0, declared.index))) return html;
  if (/<head[\s>]/i.test(html)) return html.replace(/<head(?=[\s>])[^>]*>/gi, (head) => head + CHARSET_META);
  if (/<html/i.test(html)) return html.replace(/<html[^]*?>/gi, (tag) => `${tag}<head>${CHARSET_META}</head>`);
  return CHARSET_META + html;
}

/** Returns whether the head of a document ends within its leading text. */
function endsHead(html: string) {
  const ends = /<(?!(?:html|head|base|command|link|meta|noscript|script|style|template|title)[\s/>])\w|<\/head>/i;
  return ends.test(html) && ends.test(html.replace(commentPattern, '').replace(templatePattern, ''));
}

/** The head that the service adds to every email. */
const headStart =
  '<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch>' +
  '</o:OfficeDocumentSettings></xml><![endif]-->' +
  '<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />\n' +
  '<meta name="viewport" content="width=device-width, initial-scale=1.0" />\n';

/** Widths for content of the service's own editor. */
const editorStyles =
  '<!--[if mso]><style type="text/css">#acym__wysid__template center > table { width: 580px; }</style><![endif]-->' +
  '<!--[if !mso]><!--><style>#acym__wysid__template center > table { width: 100%; }</style><!--<![endif]-->';

const preheaderStyle =
  'visibility:hidden;mso-hide:all;font-size:0;height:0;line-height:0;max-height:0;max-width:0;opacity:0;overflow:hidden;';

/** Serializes the body and removes optional spaces from style attributes in double quotes. */
export function serializeBody(body: ElementNode): string {
  return serializeElement(body)
    .replace(/<\/(?:command|embed|keygen|source|track|wbr)>/g, '')
    .replace(/ id="mce_\d+?"/gi, '')
    .replace(/(style="[^"]+?);"/gi, '$1"')
    .replaceAll('&zwj;', '')
    .replace(
      /style="([^"]+?)"/gi,
      (_, style: string) => `style="${style.replaceAll('; ', ';').replaceAll(': ', ':')}"`,
    );
}

/** Wraps a body in a new document. The author's own head is not sent. */
export function buildDocument(
  body: string,
  style: string,
  { subject, headers }: { readonly subject: string; readonly headers: string },
): string {
  const microsoftNamespaces =
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"';
  const head = `${headStart}<title>${subject}</title>\n<style>${style}</style>${editorStyles}${headers}`;
  return `<html xmlns="http://www.w3.org/1999/xhtml" ${microsoftNamespaces}><head>${head}</head>${body}</html>`;
}

/** Inserts the preheader at the start of the body, hidden from readers of the email. */
export function insertPreheader(html: string, preheader: string): string {
  const body = preheader === '' ? undefined : /<body[^]*?>/i.exec(html);
  if (!body) return html;
  const end = body.index + body[0].length;
  return `${html.slice(0, end)}<!--[if !mso 9]><!--><div style="${preheaderStyle}">${preheader}</div><!--<![endif]-->${html.slice(end)}`;
}
