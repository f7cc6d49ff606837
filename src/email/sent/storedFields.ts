import { findLastTagEnd, replaceBefore } from '../html/textSearch.ts';
import { stripTags } from './stripTags.ts';
import type { Email } from './model.ts';

/** Cleans each field as the service does on save: no scripts and no inputs with a value; no tags except in body and headers. */
export function toStoredFields(email: Email): Required<Email> {
  return {
    body: cleanHtmlField(email.body),
    headers: cleanHtmlField(email.headers ?? ''),
    stylesheet: stripTags(email.stylesheet ?? ''),
    subject: stripTags(email.subject ?? ''),
    preheader: stripTags(email.preheader ?? ''),
  };
}

function cleanHtmlField(html: string): string {
  const withoutInputs = replaceBefore(html, findLastTagEnd(html), /<input[^>]*?value="[^"]*?"[^>]*?>/gi, '');
  return removeScripts(withoutInputs).replaceAll(' contenteditable="true"', '');
}

/** Removes everything from each `<script` to the next `</script>`. */
function removeScripts(html: string): string {
  if (!/<script/i.test(html)) return html;
  let result = '';
  let from = 0;
  const start = /<script/gi;
  const end = /<\/script>/gi;
  for (let match = start.exec(html); match; match = start.exec(html)) {
    end.lastIndex = start.lastIndex;
    if (!end.test(html)) break;
    result += html.slice(from, match.index);
    from = start.lastIndex = end.lastIndex;
  }
  return result + html.slice(from);
}
