/**
 * The controls of the pages. Only this module imports
 * @vscode/webview-ui-toolkit, which is archived, so that it can be replaced here. A page registers the controls that it uses.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { icon, make, type Attributes } from './dom.ts';
import { icons } from './icons.ts';

declare global {
  interface HTMLElementTagNameMap {
    'vscode-button': ButtonElement;
    'vscode-checkbox': CheckboxElement;
    'vscode-radio': HTMLElement;
    'vscode-radio-group': ChoiceElement;
    'vscode-text-field': TextElement;
  }
}

export const button = [vsCodeButton];
export const textField = [vsCodeTextField];
export const checkbox = [vsCodeCheckbox];
export const radios = [vsCodeRadioGroup, vsCodeRadio];

/** The last clicked button, which gets the focus back after a dialog of VS Code. */
let clickedButton: HTMLElement | undefined;

/** Defines the elements (`vscode-button`, …). Call it once per page, before using them. */
export function registerControls(...controls: readonly (readonly (() => object)[])[]): void {
  provideVSCodeDesignSystem().register(...controls.flat().map((define) => define()));
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) clickedButton?.focus({ preventScroll: true });
    clickedButton = undefined;
  });
  restoreListsOnEscape();
}

/** Restores the value of a list that Escape closes. Except on macOS, Chromium selects the highlighted option, and the page gets no `keydown`. */
function restoreListsOnEscape() {
  let value = '';
  const store = ({ target }: Event) => {
    if (target instanceof HTMLSelectElement) ({ value } = target);
  };
  window.addEventListener('keydown', store);
  window.addEventListener('pointerdown', store);
  window.addEventListener('keyup', ({ key, target }) => {
    if (key !== 'Escape' || !(target instanceof HTMLSelectElement) || target.value === value) return;
    target.value = value;
    target.dispatchEvent(new Event('change'));
  });
}

/** `vscode-button` */
export interface ButtonElement extends HTMLElement {
  disabled: boolean;
}

/** Creates a `vscode-button`, secondary by default. */
export function makeButton(label: string, act: () => void, attributes: Attributes = {}): ButtonElement {
  const element = make('vscode-button', { appearance: 'secondary', ...attributes }, label);
  element.addEventListener('click', () => {
    clickedButton = element;
    act();
  });
  return element;
}

/** `vscode-checkbox`. Also fires `change` if a script changes it. */
export interface CheckboxElement extends HTMLElement {
  checked: boolean;
  disabled: boolean;
}

/** `vscode-radio-group`. May also fire `change` if a script changes it. */
export interface ChoiceElement extends HTMLElement {
  value: string;
  disabled: boolean;
}

/** Creates a list of options. */
export function makeSelect<Value extends string>(
  attributes: Attributes,
  options: readonly (readonly [value: Value, label: string])[],
  onSelect: (value: Value) => void,
): HTMLSelectElement {
  const element = make('select', attributes, ...options.map(([value, label]) => make('option', { value }, label)));
  element.addEventListener('change', () => {
    const selected = options[element.selectedIndex];
    if (selected) onSelect(selected[0]);
  });
  return element;
}

/** `vscode-text-field` */
export interface TextElement extends HTMLElement {
  value: string;
  disabled: boolean;
  /** The input in its shadow tree. Undefined until the element is in the page. */
  readonly control?: HTMLInputElement;
}

/** Creates an icon button. Its label is also its tooltip. Requires the control `button`. */
export function iconButton(name: keyof typeof icons, label: string, act: () => void): ButtonElement {
  const element = makeButton('', act, { appearance: 'icon' });
  setIcon(element, name, label);
  return element;
}

/** Changes the icon and label of a button. */
export function setIcon(element: HTMLElement, name: keyof typeof icons, label: string): void {
  element.replaceChildren(icon(icons[name]));
  element.title = label;
  element.setAttribute('aria-label', label);
}
