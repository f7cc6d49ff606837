import { isEditorEmail } from './visualEditor.ts';

/** The service's own footer ("powered by"). With a setting of the site, it is in every email that the API returns, but not stored. */
export const FOOTER_ID = 'acym__powered_by_acymailing';

/**
 * Returns the body without the service's footer, and the footer, which may be empty: a paragraph at the end or, in emails of the visual
 * editor, a table.
 */
export function splitFooter(body: string): { readonly body: string; readonly footer: string } {
  const name = isEditorEmail(body) ? 'table' : 'p';
  const at = body.indexOf(` id="${FOOTER_ID}"`);
  const start = at < 0 ? -1 : body.lastIndexOf('<', at);
  const end = start >= 0 && body.startsWith(`<${name} `, start) ? findElementEnd(body, start, name) : -1;
  const isFooter = end >= 0 && (name === 'table' || body.slice(end).trim() === '');
  return isFooter
    ? { body: body.slice(0, start) + body.slice(end), footer: body.slice(start, end) }
    : { body, footer: '' };
}

/** Returns the end of the element that starts at an offset, or -1 if it is unclosed. */
function findElementEnd(html: string, start: number, name: string) {
  let depth = 0;
  for (const { 0: tag, index } of html.slice(start).matchAll(new RegExp(`</?${name}(?=[\\s/>])`, 'gi'))) {
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth === 0) return html.indexOf('>', start + index) + 1 || -1;
  }
  return -1;
}
