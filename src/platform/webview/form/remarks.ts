import { icon, make } from '../dom.ts';
import { icons } from '../icons.ts';
import type { FieldProblem } from './protocol.ts';

const symbols: Readonly<Record<FieldProblem['kind'], keyof typeof icons>> = {
  error: 'error',
  service: 'error',
  warning: 'warning',
};

/** What is said beside a field: told to screen readers when it changes. */
export class Remarks {
  readonly element = make('div', { class: 'remarks', 'aria-live': 'polite' });
  #renderedKey = '[]';

  /** True where something is wrong, and not only doubtful. */
  setProblems(problems: readonly FieldProblem[]): boolean {
    const renderedKey = JSON.stringify(problems);
    if (renderedKey !== this.#renderedKey) {
      this.#renderedKey = renderedKey;
      this.element.replaceChildren(...problems.map(createRemark));
    }
    return problems.some(({ kind }) => kind !== 'warning');
  }
}

function createRemark({ kind, message }: FieldProblem): HTMLElement {
  const text = kind === 'service' ? `The service says: ${message}` : capitalize(message);
  return make('p', { class: `remark ${kind}` }, icon(icons[symbols[kind]]), make('span', {}, text));
}

/** What the schema says goes on where a field's name stands; beside its label it begins a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
