import { t } from '@vscode/l10n';
import { findBranchExample, type TagLanguage } from '../../../email/tags/index.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { formatNumber, plural } from '../../../l10n.ts';
import { createChoiceGroup } from '../../../ui/page/choices.ts';
import { make } from '../../../ui/page/dom.ts';
import type { ConditionBranch, Viewer } from './viewer.ts';

const createBranchChoices = () =>
  [
    {
      value: 'person',
      label: t({
        message: 'Automatic',
        args: [],
        comment: 'Conditional content is shown or hidden automatically',
      }),
      title: t('Shown or hidden depending on the subscriber'),
    },
    {
      value: 'shown',
      label: t({ message: 'Shown', args: [], comment: 'Conditional content is always shown' }),
      title: t('Shown as if the condition is met'),
    },
    {
      value: 'hidden',
      label: t({ message: 'Hidden', args: [], comment: 'Conditional content is always hidden' }),
      title: t("Hidden as if the condition isn't met"),
    },
  ] as const;
const overrides = { person: undefined, shown: true, hidden: false };

/** Lists the email's conditions with a choice for each. */
export class BranchPanel {
  readonly #choose: (condition: string, shown: boolean | undefined) => void;
  readonly #summary = make('summary');
  readonly #rows = make('div.rows');
  readonly element = make('details.branches', { hidden: '' }, this.#summary, this.#rows);
  #renderedKey = '';

  constructor(choose: (condition: string, shown: boolean | undefined) => void) {
    this.#choose = choose;
  }

  show({ branches, language }: Viewer): void {
    this.element.hidden = branches.length === 0;
    const key = JSON.stringify(branches);
    if (key === this.#renderedKey) return;
    this.#renderedKey = key;
    const shown = branches.filter(({ isShown }) => isShown).length;
    const [shownCount, hiddenCount] = [formatNumber(shown), formatNumber(branches.length - shown)];
    this.#summary.textContent = plural(
      branches.length,
      t('{0} condition: {1} shown, {2} hidden'),
      t('{0} conditions: {1} shown, {2} hidden'),
      shownCount,
      hiddenCount,
    );
    const getButtons = () => [...this.#rows.querySelectorAll('button')];
    const at = getButtons().findIndex((button) => button === document.activeElement);
    this.#rows.replaceChildren(...branches.map((branch) => this.#createRow(branch, language)));
    // Keeps the keyboard focus on the same button.
    getButtons()[at]?.focus();
  }

  #createRow({ condition, isShown, override }: ConditionBranch, language: TagLanguage) {
    const name = toDisplayText(condition);
    const choices = createChoiceGroup(name, createBranchChoices(), (choice) =>
      this.#choose(condition, overrides[choice]),
    );
    choices.show(override === undefined ? 'person' : override ? 'shown' : 'hidden');
    return make(
      'div.row',
      make('code', name),
      choices.element,
      make('span.witness', describeWitness(condition, isShown, language)),
    );
  }
}

/** Describes an example of people for whom the condition has this result. */
function describeWitness(condition: string, shown: boolean, language: TagLanguage) {
  const witness = findBranchExample(condition, shown, language);
  if (!witness) return shown ? t('Shown to all recipients') : t('No field value found that hides it');
  const [field, value] = [toDisplayText(witness.field), toDisplayText(witness.value)];
  if (witness.value === '')
    return shown ? t`Example: shown if ${field} is empty` : t`Example: hidden if ${field} is empty`;
  return shown ? t`Example: shown if ${field} is "${value}"` : t`Example: hidden if ${field} is "${value}"`;
}
