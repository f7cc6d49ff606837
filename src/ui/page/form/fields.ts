import { t } from '../../../l10n.ts';
import { icon, make, createSpokenComma } from '../dom.ts';
import { icons } from '../icons.ts';
import type { CheckboxElement, ChoiceElement, TextElement } from '../toolkit.ts';
import { dispatchEdit, getPathKey } from './edits.ts';
import type { FieldProblem, JsonValue, Path } from './protocol.ts';

/** Creates the problems beside a field, announced by screen readers when they change. */
export function createRemarks() {
  const element = make('div.remarks', { 'aria-live': 'polite' });
  let renderedKey = '[]';
  return {
    element,
    setProblems: (problems: readonly FieldProblem[]) => {
      const key = JSON.stringify(problems);
      if (key === renderedKey) return;
      renderedKey = key;
      element.replaceChildren(...problems.map(createRemark));
    },
  };
}

function createRemark({ kind, message }: FieldProblem) {
  const text = kind === 'service' ? t`The service says: ${message}` : capitalize(message);
  const symbol = icon(icons[kind === 'warning' ? 'warning' : 'error']);
  return make(`p.remark.${kind}`, symbol, make('span', text));
}

/** Capitalizes a schema message, which is written to follow the field's name, so that it can stand alone. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Creates a section of the form. */
export function createFormSection(legend: string, ...content: readonly FormPart[]): HTMLElement {
  return make('fieldset.section', make('legend', legend), ...content.map(getElement));
}

/** Creates a group of fields that depend on the choice above it. */
export function createNestedGroup(label: string, ...content: readonly FormPart[]): HTMLElement {
  return make('div.nested', { role: 'group', 'aria-label': label }, ...content.map(getElement));
}

/** Places two fields side by side if they fit. */
export function createPair(...fields: readonly [Field, Field]): HTMLElement {
  return make('div.pair', ...fields.map(getElement));
}

type FormPart = Field | HTMLElement;

function getElement(part: FormPart) {
  return part instanceof Field ? part.element : part;
}

/** Formats a value for a text input. Values other than strings become JSON. */
export function toLine(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Returns a hint about a value that the controls can't show. */
export function formatUnreadable(line: string): string {
  return t`This field can't show the value "${line.slice(0, 60)}".`;
}

interface FieldControl extends HTMLElement {
  disabled: boolean;
  /** The input in its shadow tree, which can't refer to elements of the page by id. Undefined until the element is in the page. */
  readonly control?: HTMLElement;
}

const fieldsByElement = new WeakMap<Element, Field>();

/** Returns the fields of a form, in the order of the page. */
export function findFields(form: HTMLElement): readonly Field[] {
  return [...form.querySelectorAll('[data-path]')].flatMap((element) => fieldsByElement.get(element) ?? []);
}

/** A field's name, path or path of one part. */
type FieldPath = string | Path;

/** The controls of one value of the details, its hint and its problems. The controls always refer to both for screen readers. */
export abstract class Field {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly #controls: readonly FieldControl[];
  readonly #hint = make('p.hint');
  readonly #remarks = createRemarks();
  #isEnabled = true;
  #isLocked = false;

  /** The hint and the problems are shown at the end of `element`. The first control gets the focus. */
  constructor(path: FieldPath, element: HTMLElement, controls: readonly FieldControl[] = [], hint = '') {
    this.path = [path].flat();
    this.element = element;
    this.#controls = controls;
    this.setHint(hint);
    element.dataset['path'] = getPathKey(this.path);
    fieldsByElement.set(element, this);
    for (const control of controls.slice(0, 1)) control.dataset['field'] = getPathKey(this.path);
    element.append(this.#hint, this.#remarks.element);
    if (controls.length === 0) element.ariaDescribedByElements = [this.#hint, this.#remarks.element];
  }

  /** Shows the text's value of any type. Must not move the caret if nothing changed. */
  abstract show(value: JsonValue): void;

  setHint(text: string): void {
    this.#hint.textContent = text;
    this.#hint.hidden = text === '';
  }

  setProblems(problems: readonly FieldProblem[]): void {
    this.#remarks.setProblems(problems);
    const isWrong = problems.some(({ kind }) => kind !== 'warning');
    this.element.classList.toggle('wrong', isWrong);
    const descriptions = [this.#hint, this.#remarks.element].filter(({ textContent }) => textContent !== '');
    for (const control of this.#controls) {
      const input = control.control ?? control;
      input.ariaInvalid = isWrong ? 'true' : null;
      input.ariaDescribedByElements = descriptions;
    }
  }

  setEnabled(enabled: boolean): void {
    this.#isEnabled = enabled;
    for (const control of this.#controls) control.disabled = !enabled || this.#isLocked;
  }

  /** Disables the field, whether or not the form is enabled. */
  setLocked(locked: boolean): void {
    this.#isLocked = locked;
    this.setEnabled(this.#isEnabled);
  }

  focus(options?: FocusOptions): void {
    this.#controls[0]?.focus(options);
  }

  /** Reports the user's edit. `undefined` removes the field. `final`: the user doesn't continue typing in it. */
  protected edit(value: JsonValue, final: boolean): void {
    dispatchEdit(this.element, { type: 'edit', path: this.path, value, final });
  }
}

interface TextOptions {
  readonly hint?: string;
  readonly class?: string;
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

  constructor(path: FieldPath, label: string, options: TextOptions = {}) {
    const { placeholder = '', type = 'text', class: name = '', read = (text) => text } = options;
    // Not `type="email"`: its validation throws if a disabled field shows an invalid address.
    const attributes = { type: 'text', spellcheck: String(type === 'text'), placeholder };
    const control = make('vscode-text-field', attributes, label);
    super(path, make('div', { class: `field ${name}` }, control), [control], options.hint);
    this.control = control;
    this.#options = options;
    control.addEventListener('input', () => this.edit(read(this.text), false));
  }

  /** The current input, even if the text doesn't contain it yet. */
  get text(): string {
    return this.control.control?.value ?? this.control.value;
  }

  show(value: JsonValue): void {
    const { type = 'text', inputMode = type, required, write = toLine } = this.#options;
    const line = write(value);
    const { control } = this;
    const input = control.control;
    if (input) {
      input.ariaRequired = required ? 'true' : null;
      input.inputMode = inputMode;
    }
    if (input?.value === line) return;
    const { selectionStart, selectionEnd } = input ?? {};
    const hasCaret = document.activeElement === control;
    control.value = line;
    if (!input) return;
    // The element passes its value on in the next frame, but the caret is set now.
    input.value = line;
    if (hasCaret) input.setSelectionRange(selectionStart ?? line.length, selectionEnd ?? line.length);
  }
}

type Options = readonly { readonly value: string; readonly label: string; readonly description?: string }[];

/** A choice of one of several values. An edit is only reported if the user selects another one: radio buttons also fire `change` if a script changes them. */
abstract class ChoiceField extends Field {
  protected values: readonly string[] = [];
  protected shown = '';

  constructor(path: FieldPath, element: HTMLElement, control: ChoiceElement | HTMLSelectElement) {
    super(path, element, [control]);
    control.addEventListener('change', () => {
      const { value } = control;
      if (value === this.shown || !this.values.includes(value)) return;
      this.shown = value;
      this.edit(value, true);
    });
  }
}

/** A choice as radio buttons. */
export class RadioChoice extends ChoiceField {
  readonly #group: ChoiceElement;
  readonly #fallback: string;

  /** `fallback` is shown if the details have no value. */
  constructor(path: FieldPath, label: string, options: Options, fallback = '') {
    const radios = options.map(({ value, label: name, description }) => {
      const content = make(
        'span.option',
        make('span.name', name),
        description && make('span.description', createSpokenComma(), description),
      );
      return make('vscode-radio', { value, name: `radio-${getPathKey([path].flat())}` }, content);
    });
    const group = make('vscode-radio-group', { orientation: 'vertical', 'aria-label': label }, ...radios);
    super(path, make('div.field', group), group);
    this.values = options.map(({ value }) => value);
    this.#group = group;
    this.#fallback = fallback;
  }

  /** A hint shows a value that is not one of the options. */
  show(value: JsonValue): void {
    const line = value === undefined ? this.#fallback : toLine(value);
    this.shown = line;
    if (this.#group.value !== line) this.#group.value = line;
    this.setHint(line === '' || this.values.includes(line) ? '' : formatUnreadable(line));
  }

  override focus(options?: FocusOptions): void {
    const radio = this.#group.querySelector<HTMLElement>('vscode-radio[tabindex="0"]');
    (radio ?? this.#group.querySelector<HTMLElement>('vscode-radio'))?.focus(options);
  }
}

/** A choice as a dropdown. */
export class DropdownChoice extends ChoiceField {
  readonly #control: HTMLSelectElement;

  constructor(path: FieldPath, label: string, options: Options, name = '') {
    const control = make('select', { 'aria-label': label });
    const caption = make('span.label', { 'aria-hidden': 'true' }, label);
    super(path, make('div', { class: `field ${name}` }, caption, control), control);
    this.#control = control;
    this.setOptions(options);
  }

  /** A value that is not an option is shown until another one is selected. */
  show(value: JsonValue): void {
    const line = toLine(value);
    this.shown = line;
    if (line !== '' && !this.values.includes(line)) {
      this.values = [...this.values, line];
      this.#control.append(make('option', { value: line }, line));
    }
    if (this.#control.value !== line && this.values.includes(line)) this.#control.value = line;
  }

  /** Sets the options. The current value stays. */
  setOptions(options: Options): void {
    this.values = options.map(({ value }) => value);
    this.#control.replaceChildren(...options.map(({ value, label }) => make('option', { value }, label)));
    if (this.shown !== '') this.show(this.shown);
  }
}

/** A checkbox for `1` or `0`. */
export class FlagInput extends Field {
  readonly #control: CheckboxElement;
  readonly #fallback: boolean;
  #isShown = false;

  constructor(path: FieldPath, label: string, hint: string, fallback = false) {
    const control = make('vscode-checkbox', label);
    super(path, make('div.field.flag', control), [control], hint);
    this.#control = control;
    this.#fallback = fallback;
    control.addEventListener('change', () => {
      if (control.checked === this.#isShown) return;
      this.#isShown = control.checked;
      this.edit(this.#isShown ? 1 : 0, true);
    });
  }

  show(value: JsonValue): void {
    this.#control.checked = this.#isShown = value === undefined ? this.#fallback : value === 1;
  }
}
