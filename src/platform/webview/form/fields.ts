import { make, createSpokenComma, type Attributes } from '../dom.ts';
import { setDescription, type CheckboxElement, type ChoiceElement, type TextElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
import type { FieldProblem, Path } from './protocol.ts';
import { Remarks } from './remarks.ts';

/** The control of one value of the details. */
export interface Field {
  readonly path: Path;
  readonly element: HTMLElement;
  /** Shows the text's value of any type. Must not move the caret if nothing changed. */
  show(value: unknown): void;
  setProblems(problems: readonly FieldProblem[]): void;
  setEnabled(enabled: boolean): void;
  focus(): void;
}

export interface TextOptions {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'email';
  readonly inputMode?: 'numeric';
  readonly required?: boolean;
  readonly class?: string;
  /** Parses the input; undefined removes the field. Default: the text. */
  readonly read?: (text: string) => unknown;
  /** Formats a value. Default: strings unchanged, others as JSON. */
  readonly write?: (value: unknown) => string;
}

/** Creates a section of the form. */
export function createFormSection(legend: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make('fieldset', { class: 'section' }, make('legend', {}, legend), ...content);
}

/** Places two fields side by side if they fit. */
export function createPair(one: Field, other: Field): HTMLElement {
  return make('div', { class: 'pair' }, one.element, other.element);
}

function addLabel(control: HTMLElement, text: string): HTMLElement {
  control.append(text);
  return control;
}

export function createFieldHint(text: string | undefined): HTMLElement {
  return make('p', { class: 'hint', ...(text === undefined ? { hidden: '' } : {}) }, text ?? '');
}

/** Formats a value for a text input. Values other than strings become JSON. */
export function toLine(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Returns a hint about a value that the controls can't show. */
export function formatUnreadable(line: string): string {
  return `The text says “${line.slice(0, 60)}”.`;
}

export class TextInput implements Field {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly hint: HTMLElement;
  readonly #control: TextElement;
  readonly #remarks = new Remarks();
  readonly #isRequired: boolean;
  readonly #read: (text: string) => unknown;
  readonly #write: (value: unknown) => string;

  constructor(options: TextOptions, edits: Edits, typed: () => void = () => undefined) {
    const { path, placeholder, type = 'text', required = false } = options;
    this.path = path;
    this.#isRequired = required;
    this.#read = options.read ?? ((text) => text);
    this.#write = options.write ?? toLine;
    // Not `type="email"`: its validation throws if a disabled field shows an invalid address.
    const attributes: Attributes = {
      type: 'text',
      'data-field': getPathKey(path),
      spellcheck: String(type === 'text'),
      ...(placeholder === undefined ? {} : { placeholder }),
    };
    this.#control = addLabel(make('vscode-text-field', attributes), options.label) as TextElement;
    const mode = options.inputMode ?? (type === 'email' ? type : undefined);
    if (mode) this.#control.dataset['mode'] = mode;
    this.hint = createFieldHint(options.hint);
    this.element = make(
      'div',
      { class: `field ${options.class ?? ''}` },
      this.#control,
      this.hint,
      this.#remarks.element,
    );
    this.#control.addEventListener('input', () => {
      edits.set(path, this.#read(this.text), false);
      typed();
    });
    this.#control.addEventListener('focusout', () => edits.settle());
  }

  get control(): TextElement {
    return this.#control;
  }

  /** The current input, even if the text doesn't contain it yet. */
  get text(): string {
    return this.#control.control?.value ?? this.#control.value;
  }

  show(value: unknown): void {
    const line = this.#write(value);
    const input = this.#control.control;
    if (input === undefined) {
      this.#control.value = line;
      return;
    }
    if (input.value === line) return;
    const { selectionStart, selectionEnd } = input;
    const hasCaret = document.activeElement === this.#control;
    // The element passes its value on in the next frame, but the caret is set now.
    input.value = line;
    this.#control.value = line;
    if (hasCaret)
      input.setSelectionRange(
        Math.min(selectionStart ?? line.length, line.length),
        Math.min(selectionEnd ?? line.length, line.length),
      );
  }

  setProblems(problems: readonly FieldProblem[]): void {
    const isWrong = this.#remarks.setProblems(problems);
    this.element.classList.toggle('wrong', isWrong);
    const input = this.#control.control;
    if (input === undefined) return;
    input.ariaInvalid = isWrong ? 'true' : null;
    input.ariaRequired = this.#isRequired ? 'true' : null;
    input.inputMode = this.#control.dataset['mode'] ?? '';
    setDescription(this.#control, [
      ...(this.hint.hidden ? [] : [this.hint]),
      ...(problems.length > 0 ? [this.#remarks.element] : []),
    ]);
  }

  setEnabled(enabled: boolean): void {
    this.#control.disabled = !enabled;
  }

  focus(): void {
    this.#control.control?.focus();
  }
}

interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** A choice as radio buttons. */
export class RadioChoice implements Field {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly #group: ChoiceElement;
  readonly #values: readonly string[];
  readonly #fallback: string;
  /** Shows a value that is not one of the options. */
  readonly #otherValueHint = createFieldHint(undefined);
  readonly #remarks = new Remarks();
  #shown = '';

  constructor(
    {
      path,
      label: text,
      options,
      fallback = '',
    }: { path: Path; label: string; options: readonly ChoiceOption[]; fallback?: string },
    edits: Edits,
  ) {
    this.path = path;
    this.#values = options.map(({ value }) => value);
    this.#fallback = fallback;
    const id = `radio-${getPathKey(path)}`;
    this.#remarks.element.id = `${id}-remarks`;
    this.#group = make('vscode-radio-group', {
      orientation: 'vertical',
      'aria-label': text,
      'aria-describedby': `${id}-remarks`,
      'data-field': getPathKey(path),
    }) as ChoiceElement;
    for (const { value, label: name, description } of options) {
      const content = make(
        'span',
        { class: 'option' },
        make('span', { class: 'name' }, name),
        ...(description === undefined
          ? []
          : [make('span', { class: 'description' }, createSpokenComma(), description)]),
      );
      this.#group.append(make('vscode-radio', { value, name: id }, content));
    }
    this.element = make('div', { class: 'field' }, this.#group, this.#otherValueHint, this.#remarks.element);
    this.#group.addEventListener('change', () => {
      const { value } = this.#group;
      if (value === this.#shown || !this.#values.includes(value)) return;
      this.#shown = value;
      edits.set(path, value, true);
    });
  }

  show(value: unknown): void {
    const line = value === undefined ? this.#fallback : toLine(value);
    this.#shown = line;
    if (this.#group.value !== line) this.#group.value = line;
    this.#otherValueHint.hidden = line === '' || this.#values.includes(line);
    this.#otherValueHint.textContent = this.#otherValueHint.hidden ? '' : formatUnreadable(line);
  }

  setProblems(problems: readonly FieldProblem[]): void {
    const isWrong = this.#remarks.setProblems(problems);
    this.element.classList.toggle('wrong', isWrong);
    this.#group.ariaInvalid = isWrong ? 'true' : null;
  }

  setEnabled(enabled: boolean): void {
    this.#group.disabled = !enabled;
    for (const radio of this.#group.querySelectorAll<ChoiceElement>('vscode-radio')) radio.disabled = !enabled;
  }

  focus(): void {
    (
      this.#group.querySelector<HTMLElement>('vscode-radio[tabindex="0"]') ??
      this.#group.querySelector<HTMLElement>('vscode-radio')
    )?.focus();
  }
}

/** A choice as a dropdown. */
export class DropdownChoice implements Field {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly #control: ChoiceElement;
  readonly #remarks = new Remarks();
  #values: readonly string[] = [];
  #shown = '';

  constructor(
    {
      path,
      label: text,
      options,
      class: className = '',
    }: { path: Path; label: string; options: readonly ChoiceOption[]; class?: string },
    edits: Edits,
  ) {
    this.path = path;
    this.#control = make('vscode-dropdown', { 'aria-label': text, 'data-field': getPathKey(path) }) as ChoiceElement;
    this.setOptions(options);
    this.element = make(
      'div',
      { class: `field ${className}` },
      make('span', { class: 'label', 'aria-hidden': 'true' }, text),
      this.#control,
      this.#remarks.element,
    );
    this.#control.addEventListener('change', () => {
      const { value } = this.#control;
      if (value === this.#shown || !this.#values.includes(value)) return;
      this.#shown = value;
      edits.set(path, value, true);
    });
  }

  /** Sets the options. The current value stays. */
  setOptions(options: readonly ChoiceOption[]): void {
    this.#values = options.map(({ value }) => value);
    this.#control.replaceChildren(...options.map(({ value, label: name }) => make('vscode-option', { value }, name)));
    if (this.#shown !== '') this.show(this.#shown);
  }

  /** A value that is not an option is shown until another one is selected. */
  show(value: unknown): void {
    this.#shown = toLine(value);
    if (this.#shown !== '' && !this.#values.includes(this.#shown)) {
      this.#values = [...this.#values, this.#shown];
      this.#control.append(make('vscode-option', { value: this.#shown }, this.#shown));
    }
    if (this.#control.value !== this.#shown && this.#values.includes(this.#shown)) this.#control.value = this.#shown;
  }

  setProblems(problems: readonly FieldProblem[]): void {
    const isWrong = this.#remarks.setProblems(problems);
    this.element.classList.toggle('wrong', isWrong);
    this.#control.ariaInvalid = isWrong ? 'true' : null;
    setDescription(this.#control, problems.length > 0 ? [this.#remarks.element] : []);
  }

  setEnabled(enabled: boolean): void {
    this.#control.disabled = !enabled;
  }

  focus(): void {
    this.#control.focus();
  }
}

/** A checkbox for `1` or `0`. */
export class FlagInput implements Field {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly #control: CheckboxElement;
  readonly #fallback: boolean;
  readonly #hint: HTMLElement;
  readonly #remarks = new Remarks();
  #shown = false;
  #isLocked = false;

  constructor(
    { path, label: text, hint, fallback }: { path: Path; label: string; hint?: string; fallback: boolean },
    edits: Edits,
  ) {
    this.path = path;
    this.#fallback = fallback;
    this.#control = addLabel(make('vscode-checkbox', { 'data-field': getPathKey(path) }), text) as CheckboxElement;
    this.#hint = createFieldHint(hint);
    this.element = make('div', { class: 'field flag' }, this.#control, this.#hint, this.#remarks.element);
    this.#control.addEventListener('change', () => {
      if (this.#control.checked === this.#shown) return;
      this.#shown = this.#control.checked;
      edits.set(path, this.#shown ? 1 : 0, true);
    });
  }

  show(value: unknown): void {
    this.#shown = value === undefined ? this.#fallback : value === 1;
    if (this.#control.checked !== this.#shown) this.#control.checked = this.#shown;
  }

  setProblems(problems: readonly FieldProblem[]): void {
    this.element.classList.toggle('wrong', this.#remarks.setProblems(problems));
    setDescription(this.#control, [this.#hint, ...(problems.length > 0 ? [this.#remarks.element] : [])]);
  }

  /** Disables the field permanently, and shows why. */
  lock(reason: string): void {
    this.#isLocked = true;
    this.#hint.hidden = false;
    this.#hint.textContent = reason;
    this.setEnabled(false);
  }

  setEnabled(enabled: boolean): void {
    this.#control.disabled = !enabled || this.#isLocked;
  }

  focus(): void {
    this.#control.focus();
  }
}
