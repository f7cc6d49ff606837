import { serializeElement } from './serialize.ts';
import type { ElementNode } from './tree.ts';

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
