import * as l10n from '@vscode/l10n';
import { icon, make, createSpokenComma } from '../dom.ts';
import { icons } from '../icons.ts';
import type { CheckboxElement, ChoiceElement, TextElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
import type { FieldProblem, JsonValue, Path } from './protocol.ts';

/** The problems beside a field, announced by screen readers when they change. */
export class Remarks {
  readonly element = make('div', { class: 'remarks', 'aria-live': 'polite' });
  #renderedKey = '[]';

  setProblems(problems: readonly FieldProblem[]): void {
    const renderedKey = JSON.stringify(problems);
    if (renderedKey === this.#renderedKey) return;
    this.#renderedKey = renderedKey;
    this.element.replaceChildren(...problems.map(createRemark));
  }
}

function createRemark({ kind, message }: FieldProblem): HTMLElement {
  const text = kind === 'service' ? l10n.t`The service says: ${message}` : capitalize(message);
  const symbol = icon(icons[kind === 'warning' ? 'warning' : 'error']);
  return make('p', { class: `remark ${kind}` }, symbol, make('span', {}, text));
}

/** Capitalizes a schema message, which is written to follow the field's name, so that it can stand alone. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Creates a section of the form. */
export function createFormSection(legend: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make('fieldset', { class: 'section' }, make('legend', {}, legend), ...content);
}

/** Places two fields side by side if they fit. */
export function createPair(one: Field, other: Field): HTMLElement {
  return make('div', { class: 'pair' }, one.element, other.element);
}

/** Formats a value for a text input. Values other than strings become JSON. */
export function toLine(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Returns a hint about a value that the controls can't show. */
export function formatUnreadable(line: string): string {
  return l10n.t`This field can't show the value "${line.slice(0, 60)}".`;
}

interface FieldControl extends HTMLElement {
  disabled: boolean;
  /** The input in its shadow tree, which can't refer to elements of the page by id. Undefined until the element is in the page. */
  readonly control?: HTMLElement;
}

export interface FieldOptions {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string;
  readonly class?: string;
}

/** The controls of one value of the details, and its problems. */
export abstract class Field {
  readonly path: Path;
  readonly element: HTMLElement;
  /** The first one gets the focus. */
  protected readonly controls: readonly FieldControl[];
  readonly #hint = make('p', { class: 'hint' });
  readonly #remarks = new Remarks();

  /** The hint and the problems are shown at the end of `element`. */
  constructor(path: Path, element: HTMLElement, controls: readonly FieldControl[] = [], hint = '') {
    this.path = path;
    this.controls = controls;
    this.element = element;
    this.setHint(hint);
    element.append(this.#hint, this.#remarks.element);
    if (controls.length === 0) element.ariaDescribedByElements = [this.#hint, this.#remarks.element];
  }

  /** Shows the text's value of any type. Must not move the caret if nothing changed. */
  abstract show(value: JsonValue): void;

  setProblems(problems: readonly FieldProblem[]): void {
    this.#remarks.setProblems(problems);
    const isWrong = problems.some(({ kind }) => kind !== 'warning');
    this.element.classList.toggle('wrong', isWrong);
    const descriptions = [this.#hint, this.#remarks.element].filter(({ textContent }) => textContent !== '');
    for (const control of this.controls) {
      const input = control.control ?? control;
      input.ariaInvalid = isWrong ? 'true' : null;
      input.ariaDescribedByElements = descriptions;
    }
  }

  setEnabled(enabled: boolean): void {
    for (const control of this.controls) control.disabled = !enabled;
  }

  focus(): void {
    this.controls[0]?.focus();
  }

  setHint(text: string): void {
    this.#hint.textContent = text;
    this.#hint.hidden = text === '';
  }
}

export interface TextOptions extends FieldOptions {
  readonly placeholder?: string;
  readonly type?: 'text' | 'email';
  readonly inputMode?: 'numeric';
  readonly required?: boolean;
  /** Parses the input; undefined removes the field. Default: the text. */
  readonly read?: (text: string) => JsonValue;
  /** Formats a value. Default: strings unchanged, others as JSON. */
  readonly write?: (value: JsonValue) => string;
}

export class TextInput extends Field {
  readonly control: TextElement;
  readonly #options: TextOptions;

  constructor(options: TextOptions, edits: Edits, onInput: () => void = () => undefined) {
    const { path, label, hint, placeholder = '', type = 'text', read = (text) => text } = options;
    // Not `type="email"`: its validation throws if a disabled field shows an invalid address.
    const attributes = {
      type: 'text',
      'data-field': getPathKey(path),
      spellcheck: String(type === 'text'),
      placeholder,
    };
    const control = make('vscode-text-field', attributes, label);
    super(path, make('div', { class: `field ${options.class ?? ''}` }, control), [control], hint);
    this.control = control;
    this.#options = options;
    control.addEventListener('input', () => {
      edits.set(path, read(this.text), false);
      onInput();
    });
    control.addEventListener('focusout', () => edits.settle());
  }

  /** The current input, even if the text doesn't contain it yet. */
  get text(): string {
    return this.control.control?.value ?? this.control.value;
  }

  show(value: JsonValue): void {
    const { write = toLine, type = 'text', inputMode = type, required } = this.#options;
    const line = write(value);
    const input = this.control.control;
    if (input) {
      input.ariaRequired = required ? 'true' : null;
      input.inputMode = inputMode;
    }
    if (input?.value === line) return;
    const { selectionStart, selectionEnd } = input ?? {};
    const hasCaret = document.activeElement === this.control;
    this.control.value = line;
    if (!input) return;
    // The element passes its value on in the next frame, but the caret is set now.
    input.value = line;
    if (hasCaret) input.setSelectionRange(selectionStart ?? line.length, selectionEnd ?? line.length);
  }
}

interface ChoiceOptions extends FieldOptions {
  readonly options: readonly { readonly value: string; readonly label: string; readonly description?: string }[];
}

/** A choice of one option. The control also fires `change` if a script changes it. */
abstract class ChoiceField extends Field {
  protected readonly control: ChoiceElement;
  protected values: readonly string[] = [];
  protected shown = '';

  constructor(path: Path, element: HTMLElement, control: ChoiceElement, edits: Edits) {
    super(path, element, [control]);
    this.control = control;
    control.addEventListener('change', () => {
      const { value } = control;
      if (value === this.shown || !this.values.includes(value)) return;
      this.shown = value;
      edits.set(path, value, true);
    });
  }
}

/** A choice as radio buttons. */
export class RadioChoice extends ChoiceField {
  readonly #fallback: string;

  /** `fallback` is shown if the details have no value. */
  constructor({ path, label, options, fallback = '' }: ChoiceOptions & { readonly fallback?: string }, edits: Edits) {
    const key = getPathKey(path);
    const radios = options.map(({ value, label: name, description }) => {
      const content = make(
        'span',
        { class: 'option' },
        make('span', { class: 'name' }, name),
        description && make('span', { class: 'description' }, createSpokenComma(), description),
      );
      return make('vscode-radio', { value, name: `radio-${key}` }, content);
    });
    const attributes = { orientation: 'vertical', 'aria-label': label, 'data-field': key };
    const group = make('vscode-radio-group', attributes, ...radios);
    super(path, make('div', { class: 'field' }, group), group, edits);
    this.values = options.map(({ value }) => value);
    this.#fallback = fallback;
  }

  /** A hint shows a value that is not one of the options. */
  show(value: JsonValue): void {
    const line = value === undefined ? this.#fallback : toLine(value);
    this.shown = line;
    if (this.control.value !== line) this.control.value = line;
    this.setHint(line === '' || this.values.includes(line) ? '' : formatUnreadable(line));
  }

  override focus(): void {
    const radio = this.control.querySelector<HTMLElement>('vscode-radio[tabindex="0"]');
    (radio ?? this.control.querySelector<HTMLElement>('vscode-radio'))?.focus();
  }
}

/** A choice as a dropdown. */
export class DropdownChoice extends ChoiceField {
  constructor({ path, label, options, class: name = '' }: ChoiceOptions, edits: Edits) {
    const control = make('vscode-dropdown', { 'aria-label': label, 'data-field': getPathKey(path) });
    const caption = make('span', { class: 'label', 'aria-hidden': 'true' }, label);
    super(path, make('div', { class: `field ${name}` }, caption, control), control, edits);
    this.setOptions(options);
  }

  /** Sets the options. The current value stays. */
  setOptions(options: ChoiceOptions['options']): void {
    this.values = options.map(({ value }) => value);
    this.control.replaceChildren(...options.map(({ value, label }) => make('vscode-option', { value }, label)));
    if (this.shown !== '') this.show(this.shown);
  }

  /** A value that is not an option is shown until another one is selected. */
  show(value: JsonValue): void {
    const line = toLine(value);
    this.shown = line;
    if (line !== '' && !this.values.includes(line)) {
      this.values = [...this.values, line];
      this.control.append(make('vscode-option', { value: line }, line));
    }
    if (this.control.value !== line && this.values.includes(line)) this.control.value = line;
  }
}

/** A checkbox for `1` or `0`. */
export class FlagInput extends Field {
  readonly #control: CheckboxElement;
  readonly #fallback: boolean;
  #shown = false;
  #isLocked = false;

  constructor({ path, label, hint, fallback }: FieldOptions & { readonly fallback: boolean }, edits: Edits) {
    const control = make('vscode-checkbox', { 'data-field': getPathKey(path) }, label);
    super(path, make('div', { class: 'field flag' }, control), [control], hint);
    this.#control = control;
    this.#fallback = fallback;
    control.addEventListener('change', () => {
      if (control.checked === this.#shown) return;
      this.#shown = control.checked;
      edits.set(path, this.#shown ? 1 : 0, true);
    });
  }

  show(value: JsonValue): void {
    this.#shown = value === undefined ? this.#fallback : value === 1;
    this.#control.checked = this.#shown;
  }

  /** Disables the field permanently, and shows why. */
  lock(reason: string): void {
    this.#isLocked = true;
    this.setHint(reason);
    this.setEnabled(false);
  }

  override setEnabled(enabled: boolean): void {
    super.setEnabled(enabled && !this.#isLocked);
  }
}
