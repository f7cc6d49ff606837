import { icon, make } from './dom.ts';
import { icons } from './icons.ts';
import type { ButtonElement } from './toolkit.ts';

/** A button that is an icon; what it does is its tooltip, and its name to those who can't see it. Needs the control `button`. */
export function iconButton(name: keyof typeof icons, label: string, act: () => void): ButtonElement {
  const element = make('vscode-button', { appearance: 'icon' }) as ButtonElement;
  showIcon(element, name, label);
  element.addEventListener('click', act);
  return element;
}

/** Gives a button another icon and another meaning. */
export function showIcon(element: HTMLElement, name: keyof typeof icons, label: string): void {
  element.replaceChildren(icon(icons[name]));
  element.title = label;
  element.setAttribute('aria-label', label);
}
