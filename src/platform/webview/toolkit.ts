/**
 * The controls of the pages, and the only module that knows where they come from: @vscode/webview-ui-toolkit is archived, and a
 * successor takes its place here. A page registers what it uses.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeRadio,
  vsCodeRadioGroup,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { icon, make, type Attributes } from './dom.ts';
import { icons } from './icons.ts';

type ControlFactory =
  | typeof vsCodeButton
  | typeof vsCodeCheckbox
  | typeof vsCodeDropdown
  | typeof vsCodeOption
  | typeof vsCodeRadio
  | typeof vsCodeRadioGroup
  | typeof vsCodeTextField;

type Control = ReturnType<ControlFactory>;

export const button = (): Control => vsCodeButton();
/** A drop-down list with its options. */
export const dropdown = (): Control[] => [vsCodeDropdown(), vsCodeOption()];
export const textField = (): Control => vsCodeTextField();
export const checkbox = (): Control => vsCodeCheckbox();
/** Radio buttons and the group that holds them. */
export const radios = (): Control[] => [vsCodeRadioGroup(), vsCodeRadio()];

/** Defines the elements (`vscode-button`, …). Once for each page, before they are used. */
export function registerControls(...controls: readonly Control[]): void {
  provideVSCodeDesignSystem().register(...controls);
}

/** `vscode-button` */
export interface ButtonElement extends HTMLElement {
  disabled: boolean;
}

/** A `vscode-button` that does something. It is a secondary one where the attributes do not say otherwise. */
export function makeButton(label: string, act: () => void, attributes: Attributes = {}): ButtonElement {
  const element = make('vscode-button', { appearance: 'secondary', ...attributes }, label) as ButtonElement;
  element.addEventListener('click', act);
  return element;
}

/** `vscode-checkbox`. Its `change` event comes of every change, also of one by script. */
export interface CheckboxElement extends HTMLElement {
  checked: boolean;
  disabled: boolean;
}

/** `vscode-dropdown`, `vscode-radio-group`. Its `change` event may come of a change by script. */
export interface ChoiceElement extends HTMLElement {
  value: string;
  disabled: boolean;
}

/** `vscode-text-field` */
export interface TextElement extends HTMLElement {
  value: string;
  disabled: boolean;
  /** The input in its shadow tree; there once the element is in the page. */
  readonly control?: HTMLInputElement;
}

/** Ties descriptions to a control. The input in its shadow tree can't name elements of the page by id. */
export function setDescription(
  control: HTMLElement & { readonly control?: HTMLElement },
  descriptions: readonly HTMLElement[],
): void {
  (control.control ?? control).ariaDescribedByElements = descriptions;
}

/** A button that is an icon; what it does is its tooltip, and its name to those who can't see it. Needs the control `button`. */
export function iconButton(name: keyof typeof icons, label: string, act: () => void): ButtonElement {
  const element = makeButton('', act, { appearance: 'icon' });
  setIcon(element, name, label);
  return element;
}

/** Gives a button another icon and another meaning. */
export function setIcon(element: HTMLElement, name: keyof typeof icons, label: string): void {
  element.replaceChildren(icon(icons[name]));
  element.title = label;
  element.setAttribute('aria-label', label);
}
