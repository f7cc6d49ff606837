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
  #said = '[]';

  /** True where something is wrong, and not only doubtful. */
  say(problems: readonly FieldProblem[]): boolean {
    const said = JSON.stringify(problems);
    if (said !== this.#said) {
      this.#said = said;
      this.element.replaceChildren(...problems.map(remark));
    }
    return problems.some(({ kind }) => kind !== 'warning');
  }
}

function remark({ kind, message }: FieldProblem): HTMLElement {
  const text = kind === 'service' ? `The service says: ${message}` : sentence(message);
  return make('p', { class: `remark ${kind}` }, icon(icons[symbols[kind]]), make('span', {}, text));
}

/** What the schema says goes on where a field's name stands; beside its label it begins a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
