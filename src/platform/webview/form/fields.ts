import { icon, make, createSpokenComma } from '../dom.ts';
import { icons } from '../icons.ts';
import { setDescription, type CheckboxElement, type ChoiceElement, type TextElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
import type { FieldProblem, JsonValue, Path } from './protocol.ts';

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

interface FieldControl extends HTMLElement {
  disabled: boolean;
}

/** The controls of one value of the details, and its problems. */
export abstract class Field {
  readonly path: Path;
  abstract readonly element: HTMLElement;
  /** The first one gets the focus. */
  protected abstract readonly controls: readonly FieldControl[];
  protected readonly remarks = new Remarks();

  constructor(path: Path) {
    this.path = path;
    this.remarks.element.id = `${getPathKey(path)}-remarks`;
  }

  /** Shows the text's value of any type. Must not move the caret if nothing changed. */
  abstract show(value: JsonValue): void;

  setProblems(problems: readonly FieldProblem[]): void {
    const isWrong = this.remarks.setProblems(problems);
    this.element.classList.toggle('wrong', isWrong);
    this.describe(isWrong, problems.length > 0 ? [this.remarks.element] : []);
  }

  setEnabled(enabled: boolean): void {
    for (const control of this.controls) control.disabled = !enabled;
  }

  focus(): void {
    this.controls[0]?.focus();
  }

  /** Marks the controls as invalid, and sets what describes them. */
  protected describe(_isWrong: boolean, _descriptions: readonly HTMLElement[]): void {}
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
  readonly read?: (text: string) => JsonValue;
  /** Formats a value. Default: strings unchanged, others as JSON. */
  readonly write?: (value: JsonValue) => string;
}

/** Creates a section of the form. */
export function createFormSection(legend: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make('fieldset', { class: 'section' }, make('legend', {}, legend), ...content);
}

/** Places two fields side by side if they fit. */
export function createPair(one: Field, other: Field): HTMLElement {
  return make('div', { class: 'pair' }, one.element, other.element);
}

export function createFieldHint(text: string | undefined): HTMLElement {
  return make('p', { class: 'hint', ...(text === undefined ? { hidden: '' } : {}) }, text ?? '');
}

/** Formats a value for a text input. Values other than strings become JSON. */
export function toLine(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Returns a hint about a value that the controls can't show. */
export function formatUnreadable(line: string): string {
  return `The text says “${line.slice(0, 60)}”.`;
}

export class TextInput extends Field {
  readonly element: HTMLElement;
  readonly control: TextElement;
  readonly hint: HTMLElement;
  readonly #options: TextOptions;

  constructor(options: TextOptions, edits: Edits, typed: () => void = () => undefined) {
    super(options.path);
    this.#options = options;
    const { path, label, placeholder, type = 'text', read = (text) => text } = options;
    // Not `type="email"`: its validation throws if a disabled field shows an invalid address.
    const attributes = { type: 'text', 'data-field': getPathKey(path), spellcheck: String(type === 'text') };
    this.control = make('vscode-text-field', attributes, label) as TextElement;
    if (placeholder !== undefined) this.control.setAttribute('placeholder', placeholder);
    this.hint = createFieldHint(options.hint);
    this.element = make(
      'div',
      { class: `field ${options.class ?? ''}` },
      this.control,
      this.hint,
      this.remarks.element,
    );
    this.control.addEventListener('input', () => {
      edits.set(path, read(this.text), false);
      typed();
    });
    this.control.addEventListener('focusout', () => edits.settle());
  }

  protected override get controls(): readonly FieldControl[] {
    return [this.control];
  }

  /** The current input, even if the text doesn't contain it yet. */
  get text(): string {
    return this.control.control?.value ?? this.control.value;
  }

  show(value: JsonValue): void {
    const line = (this.#options.write ?? toLine)(value);
    const input = this.control.control;
    if (input?.value === line) return;
    const { selectionStart, selectionEnd } = input ?? {};
    const hasCaret = document.activeElement === this.control;
    this.control.value = line;
    if (!input) return;
    // The element passes its value on in the next frame, but the caret is set now.
    input.value = line;
    if (hasCaret) input.setSelectionRange(selectionStart ?? line.length, selectionEnd ?? line.length);
  }

  override focus(): void {
    this.control.control?.focus();
  }

  protected override describe(isWrong: boolean, descriptions: readonly HTMLElement[]): void {
    const input = this.control.control;
    if (input === undefined) return;
    const { type, inputMode = type === 'email' ? type : '', required } = this.#options;
    input.ariaInvalid = isWrong ? 'true' : null;
    input.ariaRequired = required ? 'true' : null;
    input.inputMode = inputMode;
    setDescription(this.control, [...(this.hint.hidden ? [] : [this.hint]), ...descriptions]);
  }
}

interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

interface ChoiceOptions {
  readonly path: Path;
  readonly label: string;
  readonly options: readonly ChoiceOption[];
}

/** A choice as radio buttons. */
export class RadioChoice extends Field {
  readonly element: HTMLElement;
  readonly #group: ChoiceElement;
  readonly #values: readonly string[];
  readonly #fallback: string;
  /** Shows a value that is not one of the options. */
  readonly #otherValueHint = createFieldHint(undefined);
  #shown = '';

  /** `fallback` is shown if the details have no value. */
  constructor({ path, label, options, fallback = '' }: ChoiceOptions & { readonly fallback?: string }, edits: Edits) {
    super(path);
    this.#values = options.map(({ value }) => value);
    this.#fallback = fallback;
    this.#group = make(
      'vscode-radio-group',
      {
        orientation: 'vertical',
        'aria-label': label,
        'aria-describedby': this.remarks.element.id,
        'data-field': getPathKey(path),
      },
      ...options.map(({ value, label: name, description }) => {
        const content = make('span', { class: 'option' }, make('span', { class: 'name' }, name));
        if (description !== undefined)
          content.append(make('span', { class: 'description' }, createSpokenComma(), description));
        return make('vscode-radio', { value, name: `radio-${getPathKey(path)}` }, content);
      }),
    ) as ChoiceElement;
    this.element = make('div', { class: 'field' }, this.#group, this.#otherValueHint, this.remarks.element);
    this.#group.addEventListener('change', () => {
      const { value } = this.#group;
      if (value === this.#shown || !this.#values.includes(value)) return;
      this.#shown = value;
      edits.set(path, value, true);
    });
  }

  protected override get controls(): readonly FieldControl[] {
    return [this.#group, ...this.#group.querySelectorAll<ChoiceElement>('vscode-radio')];
  }

  show(value: JsonValue): void {
    const line = value === undefined ? this.#fallback : toLine(value);
    this.#shown = line;
    if (this.#group.value !== line) this.#group.value = line;
    this.#otherValueHint.hidden = line === '' || this.#values.includes(line);
    this.#otherValueHint.textContent = this.#otherValueHint.hidden ? '' : formatUnreadable(line);
  }

  override focus(): void {
    const [, first] = this.controls;
    (this.#group.querySelector<HTMLElement>('vscode-radio[tabindex="0"]') ?? first)?.focus();
  }

  protected override describe(isWrong: boolean): void {
    this.#group.ariaInvalid = isWrong ? 'true' : null;
  }
}

/** A choice as a dropdown. */
export class DropdownChoice extends Field {
  readonly element: HTMLElement;
  readonly #control: ChoiceElement;
  #values: readonly string[] = [];
  #shown = '';

  constructor({ path, label, options, class: name = '' }: ChoiceOptions & { readonly class?: string }, edits: Edits) {
    super(path);
    this.#control = make('vscode-dropdown', { 'aria-label': label, 'data-field': getPathKey(path) }) as ChoiceElement;
    this.setOptions(options);
    this.element = make(
      'div',
      { class: `field ${name}` },
      make('span', { class: 'label', 'aria-hidden': 'true' }, label),
      this.#control,
      this.remarks.element,
    );
    this.#control.addEventListener('change', () => {
      const { value } = this.#control;
      if (value === this.#shown || !this.#values.includes(value)) return;
      this.#shown = value;
      edits.set(path, value, true);
    });
  }

  protected override get controls(): readonly FieldControl[] {
    return [this.#control];
  }

  /** Sets the options. The current value stays. */
  setOptions(options: readonly ChoiceOption[]): void {
    this.#values = options.map(({ value }) => value);
    this.#control.replaceChildren(...options.map(({ value, label: name }) => make('vscode-option', { value }, name)));
    if (this.#shown !== '') this.show(this.#shown);
  }

  /** A value that is not an option is shown until another one is selected. */
  show(value: JsonValue): void {
    this.#shown = toLine(value);
    if (this.#shown !== '' && !this.#values.includes(this.#shown)) {
      this.#values = [...this.#values, this.#shown];
      this.#control.append(make('vscode-option', { value: this.#shown }, this.#shown));
    }
    if (this.#control.value !== this.#shown && this.#values.includes(this.#shown)) this.#control.value = this.#shown;
  }

  protected override describe(isWrong: boolean, descriptions: readonly HTMLElement[]): void {
    this.#control.ariaInvalid = isWrong ? 'true' : null;
    setDescription(this.#control, descriptions);
  }
}

/** A checkbox for `1` or `0`. */
export class FlagInput extends Field {
  readonly element: HTMLElement;
  readonly #control: CheckboxElement;
  readonly #fallback: boolean;
  readonly #hint: HTMLElement;
  #shown = false;
  #isLocked = false;

  constructor(
    { path, label, hint, fallback }: { path: Path; label: string; hint?: string; fallback: boolean },
    edits: Edits,
  ) {
    super(path);
    this.#fallback = fallback;
    this.#control = make('vscode-checkbox', { 'data-field': getPathKey(path) }, label) as CheckboxElement;
    this.#hint = createFieldHint(hint);
    this.element = make('div', { class: 'field flag' }, this.#control, this.#hint, this.remarks.element);
    this.#control.addEventListener('change', () => {
      if (this.#control.checked === this.#shown) return;
      this.#shown = this.#control.checked;
      edits.set(path, this.#shown ? 1 : 0, true);
    });
  }

  protected override get controls(): readonly FieldControl[] {
    return [this.#control];
  }

  show(value: JsonValue): void {
    this.#shown = value === undefined ? this.#fallback : value === 1;
    if (this.#control.checked !== this.#shown) this.#control.checked = this.#shown;
  }

  /** Disables the field permanently, and shows why. */
  lock(reason: string): void {
    this.#isLocked = true;
    this.#hint.hidden = false;
    this.#hint.textContent = reason;
    this.setEnabled(false);
  }

  override setEnabled(enabled: boolean): void {
    super.setEnabled(enabled && !this.#isLocked);
  }

  protected override describe(_isWrong: boolean, descriptions: readonly HTMLElement[]): void {
    setDescription(this.#control, [this.#hint, ...descriptions]);
  }
}
