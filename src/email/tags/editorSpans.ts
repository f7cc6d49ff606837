import type { MappedEdit } from './mappedText.ts';
import { ForwardSearch } from '../html/text.ts';
import { OpenTagTracker } from './scan.ts';

/** The service's visual editor wraps a tag's sample value in a `<span>` with the tag in an attribute and an `<em>` at the end. The whole span is replaced. */
export function widenToEditorSpans(text: string, edits: readonly MappedEdit[]): readonly MappedEdit[] {
  if (edits.length === 0 || !/<\/em>/i.test(text)) return edits;
  const ends = new ForwardSearch(text, /<\/em>[^<]*<\/span>/gi);
  const spans = new OpenTagTracker(text, 'span');
  const widened: MappedEdit[] = [];
  let lastEnd = 0;
  for (const edit of edits) {
    if (edit.start < lastEnd) continue;
    const span = spans.before(edit.start);
    const end = span >= lastEnd ? ends.from(edit.end + 1) : undefined;
    lastEnd = end?.end ?? edit.end;
    widened.push(end ? { ...edit, start: span, end: lastEnd } : edit);
  }
  return widened;
}
