import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';

/** How many problems the checks have found. A click leads to the first of them. */
export class ProblemBadge {
  readonly element = make('vscode-button', { class: 'problems', appearance: 'icon', hidden: '' });

  constructor(clicked: () => void) {
    this.element.addEventListener('click', clicked);
  }

  show(errors: number, warnings: number): void {
    const count = errors + warnings;
    const title = `${[amount(errors, 'error'), amount(warnings, 'warning')].filter(Boolean).join(', ')}: go to the first`;
    this.element.hidden = count === 0;
    this.element.classList.toggle('errors', errors > 0);
    this.element.title = title;
    this.element.setAttribute('aria-label', title);
    const label = make('span', { class: 'count' }, icon(icons[errors > 0 ? 'error' : 'warning']), String(count));
    this.element.replaceChildren(label);
  }
}

const amount = (count: number, one: string): string => (count === 0 ? '' : `${count} ${one}${count === 1 ? '' : 's'}`);
