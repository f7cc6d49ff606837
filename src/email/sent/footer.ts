import type { Token } from 'parse5';
import { FOOTER_ID } from './storedFooter.ts';
import { readTags } from '../html/parseHtml.ts';
import { isEditorEmail } from './visualEditor.ts';

/** Returns a body with the service's footer: at the end or, in emails of the visual editor, at the end of the first cell with rows. */
export function insertFooter(body: string, footer: string): string {
  if (footer === '' || body.includes(FOOTER_ID)) return body;
  const at = isEditorEmail(body) ? findRowsEnd(body) : body.length;
  return at === undefined ? body : body.slice(0, at) + footer + body.slice(at);
}

const isRowsCell = ({ tagName, attrs }: Token.TagToken) =>
  tagName === 'td' &&
  attrs.some(({ name, value }) => name === 'class' && value.split(' ').includes('acym__wysid__row'));

/** Returns where the first cell with rows ends. */
function findRowsEnd(body: string) {
  let depth = 0;
  let end: number | undefined;
  readTags(body, {
    startTag(tag) {
      if (depth > 0 ? tag.tagName === 'td' : isRowsCell(tag)) depth += 1;
    },
    endTag({ tagName, location }) {
      if (tagName === 'td' && depth > 0 && (depth -= 1) === 0) end ??= location?.startOffset;
    },
    comment: () => undefined,
  });
  return end;
}
