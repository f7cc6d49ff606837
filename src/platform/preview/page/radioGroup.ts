import { make } from '../../webview/dom.ts';

export interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly title: string;
}

/** A group of radio buttons. It is one tab stop, and the arrow keys select. */
export class RadioGroup<Value extends string> {
  readonly element: HTMLElement;
  readonly #buttons = new Map<Value, HTMLElement>();
  readonly #onSelect: (value: Value) => void;

  constructor(label: string, choices: readonly RadioOption<Value>[], onSelect: (value: Value) => void) {
    this.#onSelect = onSelect;
    this.element = make('div', { class: 'group radios', role: 'radiogroup', 'aria-label': label });
    for (const { value, label: text, title } of choices) {
      const button = make('button', { type: 'button', role: 'radio', title }, text);
      button.addEventListener('click', () => this.#select(value));
      button.addEventListener('keydown', (event) => this.#handleKey(event, value));
      this.#buttons.set(value, button);
      this.element.append(button);
    }
  }

  /** Selects a value without an event. */
  show(value: Value): void {
    for (const [each, button] of this.#buttons) {
      button.setAttribute('aria-checked', String(each === value));
      button.tabIndex = each === value ? 0 : -1;
    }
  }

  #select(value: Value): void {
    this.show(value);
    this.#buttons.get(value)?.focus();
    this.#onSelect(value);
  }

  #handleKey(event: KeyboardEvent, from: Value): void {
    const values = [...this.#buttons.keys()];
    const at = values.indexOf(from);
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: -1,
    };
    const next = values.at((steps[event.key] ?? at) % values.length);
    if (!(event.key in steps) || next === undefined) return;
    event.preventDefault();
    this.#select(next);
  }
}
