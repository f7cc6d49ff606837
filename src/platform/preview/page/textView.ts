import type { TextPartProblem } from '../../../email/sent/textPart.ts';
import { formatAmount } from '../../ui/format.ts';
import { make } from '../../webview/dom.ts';

const markTexts: Readonly<Record<TextPartProblem['kind'], { one: string; many: string; title: string }>> = {
  joined: {
    one: 'place where words join',
    many: 'places where words join',
    title: 'Only a line break stands between these words: the service deletes it. Click to go to the source.',
  },
  twice: {
    one: 'link that stands twice',
    many: 'links that stand twice',
    title:
      'The text of the link is its address, which the service puts behind it once more. Click to go to the source.',
  },
};

/** Shows the plain-text part. `onPoint` gets the clicked offset of the text. */
export function createTextView(onPoint: (offset: number) => void) {
  const element = make('main', { class: 'textPart', hidden: '' });
  const summary = make('p', { class: 'summary', role: 'status' });
  const pre = make('pre', { tabindex: '0', 'aria-label': 'Text part' });
  /** Offset of each node in the text. */
  let starts = new Map<Node, number>();

  element.append(summary, pre);
  pre.addEventListener('click', (event) => {
    const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
    if (!caret) return;
    const start = starts.get(caret.offsetNode);
    if (start !== undefined && document.getSelection()?.isCollapsed !== false) onPoint(start + caret.offset);
  });

  function show(text: string, marks: readonly TextPartProblem[]): void {
    starts = new Map();
    const nodes: Node[] = [];
    let from = 0;
    const createText = (end: number): Text => {
      const node = document.createTextNode(text.slice(from, end));
      starts.set(node, from);
      from = end;
      return node;
    };
    for (const { kind, start, end } of marks) {
      if (start < from) continue;
      nodes.push(createText(start));
      const title = markTexts[kind].title;
      const mark = make('mark', { class: kind, title, role: 'link', tabindex: '0' }, createText(end));
      mark.addEventListener('keydown', ({ key }) => key === 'Enter' && onPoint(start));
      nodes.push(mark);
    }
    pre.replaceChildren(...nodes, createText(text.length));
    const counts = Object.entries(markTexts).map(([kind, { one, many }]) => {
      const count = marks.filter((mark) => mark.kind === kind).length;
      return count > 0 && formatAmount(count, one, many);
    });
    summary.textContent = counts.filter(Boolean).join(' · ');
    summary.hidden = marks.length === 0;
  }

  return { element, show };
}
