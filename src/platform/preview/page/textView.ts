import type { TextPartProblem } from '../../../email/sent/textPart.ts';
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

/** Shows the plain-text part. */
export class TextView {
  readonly element = make('main', { class: 'textPart', hidden: '' });
  readonly #summary = make('p', { class: 'summary', role: 'status' });
  readonly #text = make('pre', { tabindex: '0', 'aria-label': 'Text part' });
  readonly #onPoint: (offset: number) => void;
  /** Offset of each node in the text. */
  #starts = new Map<Node, number>();

  /** `onPoint` gets the clicked offset of the text. */
  constructor(onPoint: (offset: number) => void) {
    this.#onPoint = onPoint;
    this.element.append(this.#summary, this.#text);
    this.#text.addEventListener('click', (event) => {
      const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
      if (!caret) return;
      const start = this.#starts.get(caret.offsetNode);
      if (start !== undefined && document.getSelection()?.isCollapsed !== false) this.#onPoint(start + caret.offset);
    });
  }

  show(text: string, marks: readonly TextPartProblem[]): void {
    this.#starts = new Map();
    const nodes: Node[] = [];
    let from = 0;
    const createText = (end: number): Text => {
      const node = document.createTextNode(text.slice(from, end));
      this.#starts.set(node, from);
      from = end;
      return node;
    };
    for (const { kind, start, end } of marks) {
      if (start < from) continue;
      nodes.push(createText(start));
      const title = markTexts[kind].title;
      const mark = make('mark', { class: kind, title, role: 'link', tabindex: '0' }, createText(end));
      mark.addEventListener('keydown', ({ key }) => key === 'Enter' && this.#onPoint(start));
      nodes.push(mark);
    }
    this.#text.replaceChildren(...nodes, createText(text.length));
    const counts = Object.entries(markTexts).map(([kind, { one, many }]) => {
      const count = marks.filter((mark) => mark.kind === kind).length;
      return count > 0 && `${count} ${count === 1 ? one : many}`;
    });
    this.#summary.textContent = counts.filter(Boolean).join(' · ');
    this.#summary.hidden = marks.length === 0;
  }
}
