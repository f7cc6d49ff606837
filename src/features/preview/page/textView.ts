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

/** Shows the plain-text part. `onPoint` gets the clicked offset of the text. */
export function createTextView(onPoint: (offset: number) => void) {
  const element = make('div.textPart', { hidden: '' });
  const summary = make('p.summary', { role: 'status' });
  const pre = make('pre', { tabindex: '0', role: 'region', 'aria-label': t('Plain-text part') });

  element.append(summary, pre);
  pre.addEventListener('click', (event) => {
    const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
    if (!caret || !pre.contains(caret.offsetNode) || document.getSelection()?.isCollapsed === false) return;
    const before = document.createRange();
    before.setStart(pre, 0);
    before.setEnd(caret.offsetNode, caret.offset);
    onPoint(before.toString().length);
  });

  function show(text: string, marks: readonly TextPartProblem[]) {
    const nodes: (Node | string)[] = [];
    let from = 0;
    for (const { kind, start, end } of marks) {
      if (start < from) continue;
      const title = markTexts[kind].getTitle();
      const mark = make(`mark.${kind}`, { title, role: 'link', tabindex: '0' }, text.slice(start, end));
      mark.addEventListener('keydown', ({ key }) => key === 'Enter' && onPoint(start));
      nodes.push(text.slice(from, start), mark);
      from = end;
    }
    pre.replaceChildren(...nodes, text.slice(from));
    const counts = Object.entries(markTexts).map(([kind, { formatCount }]) => {
      const count = marks.filter((mark) => mark.kind === kind).length;
      return count > 0 && formatCount(count);
    });
    summary.textContent = counts.filter(Boolean).join(' · ');
    summary.hidden = marks.length === 0;
  }

  return { element, show };
}
