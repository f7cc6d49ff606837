import { t } from '@vscode/l10n';
import { icon, make, createSpokenComma } from '../dom.ts';
import { icons } from '../icons.ts';
import type { ChoiceElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
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
export function createFormSection(legend: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make('fieldset.section', make('legend', legend), ...content);
}

/** Creates a group of fields that depend on the choice above it. */
export function createNestedGroup(label: string, ...content: readonly HTMLElement[]): HTMLElement {
  return make('div.nested', { role: 'group', 'aria-label': label }, ...content);
}

/** Places two fields side by side if they fit. */
export function createPair(one: Field, other: Field): HTMLElement {
  return make('div.pair', one.element, other.element);
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

export interface FieldOptions {
  readonly path: Path;
  readonly label: string;
  readonly hint?: string;
  readonly class?: string;
}

/** The controls of one value of the details, and its problems. */
export type Field = ReturnType<typeof createField> & {
  /** Shows the text's value of any type. Must not move the caret if nothing changed. */
  show(value: JsonValue): void;
};

/** Creates what all fields share. The hint and the problems are shown at the end of `element`. The first control gets the focus. */
export function createField(path: Path, element: HTMLElement, controls: readonly FieldControl[] = [], hint = '') {
  const hintElement = make('p.hint');
  const remarks = createRemarks();
  const setHint = (text: string) => {
    hintElement.textContent = text;
    hintElement.hidden = text === '';
  };
  setHint(hint);
  element.append(hintElement, remarks.element);
  if (controls.length === 0) element.ariaDescribedByElements = [hintElement, remarks.element];
  return {
    path,
    element,
    setHint,
    setProblems: (problems: readonly FieldProblem[]) => {
      remarks.setProblems(problems);
      const isWrong = problems.some(({ kind }) => kind !== 'warning');
      element.classList.toggle('wrong', isWrong);
      const descriptions = [hintElement, remarks.element].filter(({ textContent }) => textContent !== '');
      for (const control of controls) {
        const input = control.control ?? control;
        input.ariaInvalid = isWrong ? 'true' : null;
        input.ariaDescribedByElements = descriptions;
      }
    },
    setEnabled: (enabled: boolean) => {
      for (const control of controls) control.disabled = !enabled;
    },
    focus: (options?: FocusOptions) => controls[0]?.focus(options),
  };
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

export function createTextInput(options: TextOptions, edits: Edits, onInput: () => void = () => undefined) {
  const { path, label, hint, placeholder = '', type = 'text', read = (text) => text } = options;
  const { write = toLine, inputMode = type, required } = options;
  // Not `type="email"`: its validation throws if a disabled field shows an invalid address.
  const attributes = {
    type: 'text',
    'data-field': getPathKey(path),
    spellcheck: String(type === 'text'),
    placeholder,
  };
  const control = make('vscode-text-field', attributes, label);
  /** Returns the current input, even if the text doesn't contain it yet. */
  const getText = () => control.control?.value ?? control.value;
  control.addEventListener('input', () => {
    edits.set(path, read(getText()), false);
    onInput();
  });
  control.addEventListener('focusout', () => edits.settle());
  return {
    ...createField(path, make('div', { class: `field ${options.class ?? ''}` }, control), [control], hint),
    control,
    getText,
    show: (value: JsonValue) => {
      const line = write(value);
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
    },
  };
}

interface ChoiceOptions extends FieldOptions {
  readonly options: readonly { readonly value: string; readonly label: string; readonly description?: string }[];
}

/** Posts the option that the user chooses. Radio buttons also fire `change` if a script changes them. */
function postChoices(control: ChoiceElement | HTMLSelectElement, path: Path, edits: Edits) {
  const state = { values: [] as readonly string[], shown: '' };
  control.addEventListener('change', () => {
    const { value } = control;
    if (value === state.shown || !state.values.includes(value)) return;
    state.shown = value;
    edits.set(path, value, true);
  });
  return state;
}

/** Creates a choice as radio buttons. `fallback` is shown if the details have no value. */
export function createRadioChoice(
  { path, label, options, fallback = '' }: ChoiceOptions & { readonly fallback?: string },
  edits: Edits,
) {
  const key = getPathKey(path);
  const radios = options.map(({ value, label: name, description }) => {
    const content = make(
      'span.option',
      make('span.name', name),
      description && make('span.description', createSpokenComma(), description),
    );
    return make('vscode-radio', { value, name: `radio-${key}` }, content);
  });
  const attributes = { orientation: 'vertical', 'aria-label': label, 'data-field': key };
  const group = make('vscode-radio-group', attributes, ...radios);
  const state = postChoices(group, path, edits);
  state.values = options.map(({ value }) => value);
  const field = createField(path, make('div.field', group), [group]);
  return {
    ...field,
    /** A hint shows a value that is not one of the options. */
    show: (value: JsonValue) => {
      const line = value === undefined ? fallback : toLine(value);
      state.shown = line;
      if (group.value !== line) group.value = line;
      field.setHint(line === '' || state.values.includes(line) ? '' : formatUnreadable(line));
    },
    focus: (options?: FocusOptions) => {
      const radio = group.querySelector<HTMLElement>('vscode-radio[tabindex="0"]');
      (radio ?? group.querySelector<HTMLElement>('vscode-radio'))?.focus(options);
    },
  };
}

/** Creates a choice as a dropdown. */
export function createDropdownChoice({ path, label, options, class: name = '' }: ChoiceOptions, edits: Edits) {
  const control = make('select', { 'aria-label': label, 'data-field': getPathKey(path) });
  const caption = make('span.label', { 'aria-hidden': 'true' }, label);
  const state = postChoices(control, path, edits);
  /** A value that is not an option is shown until another one is selected. */
  const show = (value: JsonValue) => {
    const line = toLine(value);
    state.shown = line;
    if (line !== '' && !state.values.includes(line)) {
      state.values = [...state.values, line];
      control.append(make('option', { value: line }, line));
    }
    if (control.value !== line && state.values.includes(line)) control.value = line;
  };
  /** Sets the options. The current value stays. */
  const setOptions = (choices: ChoiceOptions['options']) => {
    state.values = choices.map(({ value }) => value);
    control.replaceChildren(...choices.map((choice) => make('option', { value: choice.value }, choice.label)));
    if (state.shown !== '') show(state.shown);
  };
  setOptions(options);
  return {
    ...createField(path, make('div', { class: `field ${name}` }, caption, control), [control]),
    show,
    setOptions,
  };
}

/** Creates a checkbox for `1` or `0`. */
export function createFlagInput(
  { path, label, hint, fallback }: FieldOptions & { readonly fallback: boolean },
  edits: Edits,
) {
  const control = make('vscode-checkbox', { 'data-field': getPathKey(path) }, label);
  const field = createField(path, make('div.field.flag', control), [control], hint);
  let isShown = false;
  let isLocked = false;
  control.addEventListener('change', () => {
    if (control.checked === isShown) return;
    isShown = control.checked;
    edits.set(path, isShown ? 1 : 0, true);
  });
  return {
    ...field,
    show: (value: JsonValue) => {
      control.checked = isShown = value === undefined ? fallback : value === 1;
    },
    setEnabled: (enabled: boolean) => field.setEnabled(enabled && !isLocked),
    /** Disables the field permanently, and shows why. */
    lock: (reason: string) => {
      isLocked = true;
      field.setHint(reason);
      field.setEnabled(false);
    },
  };
}
