import { t } from '@vscode/l10n';
import type { TextPartProblem } from '../../../email/sent/textPart.ts';
import { plural } from '../../../l10n.ts';
import { make } from '../../../ui/page/dom.ts';

interface MarkTexts {
  readonly getTitle: () => string;
  readonly formatCount: (count: number) => string;
}

const markTexts: Readonly<Record<TextPartProblem['kind'], MarkTexts>> = {
  joined: {
    getTitle: () =>
      t('Only a line break separates these words, and the service removes it. Click to go to the source.'),
    formatCount: (count) =>
      plural(count, t('{0} place where words run together'), t('{0} places where words run together')),
  },
  twice: {
    getTitle: () =>
      t('The link text is the URL, and the service adds the URL again after it. Click to go to the source.'),
    formatCount: (count) => plural(count, t('{0} duplicated URL'), t('{0} duplicated URLs')),
  },
};

/** Shows the plain-text part. */
export class TextView {
  readonly #summary = make('p.summary', { role: 'status' });
  readonly #text = make('pre', { tabindex: '0', role: 'region', 'aria-label': t('Plain-text part') });
  readonly element = make('div.textPart', { hidden: '' }, this.#summary, this.#text);
  readonly #onPoint: (offset: number) => void;

  /** `onPoint` gets the clicked offset of the text. */
  constructor(onPoint: (offset: number) => void) {
    this.#onPoint = onPoint;
    this.#text.addEventListener('click', ({ clientX, clientY }) => {
      const caret = document.caretPositionFromPoint(clientX, clientY);
      if (!caret || !this.#text.contains(caret.offsetNode) || document.getSelection()?.isCollapsed === false) return;
      const before = document.createRange();
      before.setStart(this.#text, 0);
      before.setEnd(caret.offsetNode, caret.offset);
      onPoint(before.toString().length);
    });
  }

  show(text: string, marks: readonly TextPartProblem[]): void {
    const nodes: (Node | string)[] = [];
    let from = 0;
    for (const { kind, start, end } of marks) {
      if (start < from) continue;
      const title = markTexts[kind].getTitle();
      const mark = make(`mark.${kind}`, { title, role: 'link', tabindex: '0' }, text.slice(start, end));
      mark.addEventListener('keydown', ({ key }) => key === 'Enter' && this.#onPoint(start));
      nodes.push(text.slice(from, start), mark);
      from = end;
    }
    this.#text.replaceChildren(...nodes, text.slice(from));
    const counts = Object.entries(markTexts).map(([kind, { formatCount }]) => {
      const count = marks.filter((mark) => mark.kind === kind).length;
      return count > 0 && formatCount(count);
    });
    this.#summary.textContent = counts.filter(Boolean).join(' · ');
    this.#summary.hidden = marks.length === 0;
  }
}
