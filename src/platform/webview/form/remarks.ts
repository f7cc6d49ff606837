import { icon, make } from '../dom.ts';
import { icons } from '../icons.ts';
import type { FieldProblem } from './protocol.ts';

const symbols: Readonly<Record<FieldProblem['kind'], keyof typeof icons>> = {
  error: 'error',
  service: 'error',
  warning: 'warning',
};

/** The problems beside a field, announced by screen readers when they change. */
export class Remarks {
  readonly element = make('div', { class: 'remarks', 'aria-live': 'polite' });
  #renderedKey = '[]';

  /** Returns whether any problem is not a warning. */
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

/** Capitalizes a schema message, which is written to follow the field's name, so that it can stand alone. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
