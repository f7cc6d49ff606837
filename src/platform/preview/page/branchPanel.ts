import { findBranchExample, type TagLanguage } from '../../../email/tags/index.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { formatAmount } from '../../ui/format.ts';
import { ChoiceGroup } from '../../webview/choices.ts';
import { make } from '../../webview/dom.ts';
import type { ConditionBranch, Viewer } from './viewer.ts';

const branchChoices = [
  { value: 'person', label: 'As the person', title: 'As the person sees it' },
  { value: 'shown', label: 'Shown', title: 'As somebody sees it for whom it holds' },
  { value: 'hidden', label: 'Hidden', title: 'As somebody sees it for whom it does not hold' },
] as const;
const overrides = { person: undefined, shown: true, hidden: false };

/** Lists the email's conditions with a choice for each. */
export function createBranchPanel(choose: (condition: string, shown: boolean | undefined) => void) {
  const element = make('details', { class: 'branches', hidden: '' });
  const summary = make('summary', {});
  const rows = make('div', { class: 'rows' });
  let renderedKey = '';

  element.append(summary, rows);

  function show({ branches, language }: Viewer): void {
    element.hidden = branches.length === 0;
    const key = JSON.stringify(branches);
    if (key === renderedKey) return;
    renderedKey = key;
    const shown = branches.filter(({ isShown }) => isShown).length;
    summary.textContent = `${formatAmount(branches.length, 'condition')}: ${shown} shown, ${branches.length - shown} hidden`;
    const getButtons = () => [...rows.querySelectorAll('button')];
    const at = getButtons().findIndex((button) => button === document.activeElement);
    rows.replaceChildren(...branches.map((branch) => createRow(branch, language)));
    // Keeps the keyboard focus on the same button.
    getButtons()[at]?.focus();
  }

  function createRow({ condition, isShown, override }: ConditionBranch, language: TagLanguage): HTMLElement {
    const name = toDisplayText(condition);
    const choices = new ChoiceGroup(name, branchChoices, (choice) => choose(condition, overrides[choice]));
    choices.show(override === undefined ? 'person' : override ? 'shown' : 'hidden');
    return make(
      'div',
      { class: 'row' },
      make('code', {}, name),
      choices.element,
      make('span', { class: 'witness' }, describeWitness(condition, isShown, language)),
    );
  }

  return { element, show };
}

/** Describes an example of people for whom the condition has this result. */
function describeWitness(condition: string, shown: boolean, language: TagLanguage): string {
  const witness = findBranchExample(condition, shown, language);
  if (!witness) return shown ? 'everybody sees it' : 'nobody is known who does not see it';
  const value = witness.value === '' ? 'is empty' : `is “${toDisplayText(witness.value)}”`;
  return `${shown ? 'seen' : 'not seen'} where ${toDisplayText(witness.field)} ${value}`;
}
