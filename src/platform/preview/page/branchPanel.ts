import { findBranchExample, type TagLanguage } from '../../../email/tags/index.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { make } from '../../webview/dom.ts';
import { makeButton } from '../../webview/toolkit.ts';
import type { ConditionBranch, Viewer } from './viewer.ts';

/** The choices for each condition. */
const branchChoices: readonly (readonly [label: string, title: string, shown: boolean | undefined])[] = [
  ['As the person', 'As the person sees it', undefined],
  ['Shown', 'As somebody sees it for whom it holds', true],
  ['Hidden', 'As somebody sees it for whom it does not hold', false],
];

/** Lists the email's conditions with a choice for each. */
export class BranchPanel {
  readonly element = make('details', { class: 'branches', hidden: '' });
  readonly #summary = make('summary', {});
  readonly #rows = make('div', { class: 'rows' });
  readonly #choose: (condition: string, shown: boolean | undefined) => void;
  #renderedKey = '';

  constructor(choose: (condition: string, shown: boolean | undefined) => void) {
    this.#choose = choose;
    this.element.append(this.#summary, this.#rows);
  }

  show({ branches, language }: Viewer): void {
    this.element.hidden = branches.length === 0;
    const renderedKey = JSON.stringify(branches);
    if (renderedKey === this.#renderedKey) return;
    this.#renderedKey = renderedKey;
    const shown = branches.filter(({ isShown }) => isShown).length;
    const noun = branches.length === 1 ? 'condition' : 'conditions';
    this.#summary.textContent = `${branches.length} ${noun}: ${shown} shown, ${branches.length - shown} hidden`;
    const getButtons = () => [...this.#rows.querySelectorAll<HTMLElement>('vscode-button')];
    const at = getButtons().findIndex((button) => button === document.activeElement);
    this.#rows.replaceChildren(...branches.map((branch) => this.#createRow(branch, language)));
    // Keeps the keyboard focus on the same button.
    getButtons()[at]?.focus();
  }

  #createRow({ condition, isShown, override }: ConditionBranch, language: TagLanguage): HTMLElement {
    const name = toDisplayText(condition);
    const buttons = branchChoices.map(([label, title, shown]) => {
      const attributes = { appearance: 'icon', title, 'aria-pressed': String(shown === override) };
      const button = makeButton('', () => this.#choose(condition, shown), attributes);
      button.append(make('span', { class: 'label' }, label));
      return button;
    });
    return make(
      'div',
      { class: 'row' },
      make('code', {}, name),
      make('div', { class: 'group', role: 'group', 'aria-label': name }, ...buttons),
      make('span', { class: 'witness' }, describeWitness(condition, isShown, language)),
    );
  }
}

/** Describes an example of people for whom the condition has this result. */
function describeWitness(condition: string, shown: boolean, language: TagLanguage): string {
  const witness = findBranchExample(condition, shown, language);
  if (!witness) return shown ? 'everybody sees it' : 'nobody is known who does not see it';
  const value = witness.value === '' ? 'is empty' : `is “${toDisplayText(witness.value)}”`;
  return `${shown ? 'seen' : 'not seen'} where ${toDisplayText(witness.field)} ${value}`;
}
