import type { Edit } from './draft.ts';
import { OpenTags, Places } from './scan.ts';

/**
 * The visual editor of the service keeps a tag in the attribute of a `<span>` around a sample of its value, with an `<em>` at the end:
 * there the whole span is replaced.
 */
export function widen(text: string, edits: readonly Edit[]): readonly Edit[] {
  if (edits.length === 0 || !/<\/em>/i.test(text)) return edits;
  const ends = new Places(text, /<\/em>[^<]*<\/span>/gi);
  const spans = new OpenTags(text, 'span');
  const widened: Edit[] = [];
  let done = 0;
  for (const edit of edits) {
    if (edit.start < done) continue;
    const span = spans.before(edit.start);
    const end = span >= done ? ends.from(edit.end + 1) : undefined;
    done = end?.end ?? edit.end;
    widened.push(end ? { ...edit, start: span, end: done } : edit);
  }
  return widened;
}
