import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';

/** Shows the number of problems. A click goes to the first one. */
export class ProblemBadge {
  readonly element = make('vscode-button', { class: 'problems', appearance: 'icon', hidden: '' });

  constructor(onClick: () => void) {
    this.element.addEventListener('click', onClick);
  }

  show(errors: number, warnings: number): void {
    const count = errors + warnings;
    const title = `${[formatProblemCount(errors, 'error'), formatProblemCount(warnings, 'warning')].filter(Boolean).join(', ')}: go to the first`;
    this.element.hidden = count === 0;
    this.element.classList.toggle('errors', errors > 0);
    this.element.title = title;
    this.element.setAttribute('aria-label', title);
    const label = make('span', { class: 'count' }, icon(icons[errors > 0 ? 'error' : 'warning']), String(count));
    this.element.replaceChildren(label);
  }
}

const formatProblemCount = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
