import './choices.css';
import { make } from './dom.ts';

/** Returns the index that an arrow key, Home or End moves to, which may be one beyond the ends. Undefined for other keys. */
export function getTargetIndex(key: string, index: number, count: number): number | undefined {
  const targets = {
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: count - 1,
  };
  return new Map(Object.entries(targets)).get(key);
}

/** Moves among the buttons of an element with the arrow keys, and from the last one to the first. */
function handleArrowKeys(element: HTMLElement, buttons: readonly HTMLElement[], move: (to: HTMLElement) => void) {
  element.addEventListener('keydown', (event) => {
    const index = buttons.findIndex((button) => button === event.target);
    const target = getTargetIndex(event.key, index, buttons.length);
    const to = target === undefined ? undefined : buttons.at(target % buttons.length);
    if (!to) return;
    event.preventDefault();
    move(to);
  });
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly title?: string;
}

/** Radio buttons, or the tabs of a panel. They are one tab stop, and the arrow keys select. */
export class ChoiceGroup<Value extends string> {
  readonly element: HTMLElement;
  readonly #buttons = new Map<Value, HTMLElement>();
  readonly #panel: HTMLElement | undefined;
  #selected: Value | undefined;

  /** `panel` shows the content of the selected tab. Without it, the buttons are radio buttons. */
  constructor(label: string, choices: readonly Choice<Value>[], onSelect: (value: Value) => void, panel?: HTMLElement) {
    this.#panel = panel;
    panel?.setAttribute('role', 'tabpanel');
    for (const { value, label: text, title = '' } of choices) {
      const button = make('button', { type: 'button', role: panel ? 'tab' : 'radio', title }, text);
      if (panel) {
        button.id = `tab-${value}`;
        button.setAttribute('aria-controls', panel.id);
      }
      button.addEventListener('click', () => {
        if (value === this.#selected) return;
        this.show(value);
        onSelect(value);
      });
      this.#buttons.set(value, button);
    }
    const attributes = panel ? { class: 'tabs', role: 'tablist' } : { class: 'group radios', role: 'radiogroup' };
    const buttons = [...this.#buttons.values()];
    this.element = make('div', { ...attributes, 'aria-label': label }, ...buttons);
    handleArrowKeys(this.element, buttons, (button) => {
      button.focus();
      button.click();
    });
  }

  /** Shows a value as selected. */
  show(selected: Value): void {
    this.#selected = selected;
    for (const [value, button] of this.#buttons) {
      button.setAttribute(this.#panel ? 'aria-selected' : 'aria-checked', String(value === selected));
      button.tabIndex = value === selected ? 0 : -1;
    }
    this.#panel?.setAttribute('aria-labelledby', `tab-${selected}`);
  }
}

/** Creates a popover that a button opens beside itself. Insert it beside the button. */
export function createPopover(
  button: HTMLElement,
  role: 'menu' | 'dialog',
  onOpen: (popover: HTMLElement) => void,
): HTMLElement {
  const label = button.ariaLabel ?? button.textContent;
  const popover = make('div', { class: role, popover: 'auto', role, 'aria-label': label });
  button.ariaHasPopup = role;
  button.ariaExpanded = 'false';
  const hide = () => popover.hidePopover();
  popover.addEventListener('toggle', () => {
    const isOpen = popover.matches(':popover-open');
    button.ariaExpanded = String(isOpen);
    // A click into another frame, such as the code editor, doesn't reach this page. Only while it is open: a listener of
    // the window would keep the table of a closed popover in memory.
    if (isOpen) window.addEventListener('blur', hide, { once: true });
    else window.removeEventListener('blur', hide);
  });
  let closes = false;
  button.addEventListener('pointerdown', () => {
    // The browser closes an open popover before the click.
    closes = popover.matches(':popover-open');
  });
  button.addEventListener('click', () => {
    if (closes) {
      closes = false;
      return;
    }
    // The stylesheet places it beside its source.
    popover.showPopover({ source: button });
    onOpen(popover);
  });
  return popover;
}

/** Creates a menu for a button. Insert it beside the button. */
export function createMenu(
  button: HTMLElement,
  items: readonly (readonly [label: string, act: () => void])[],
): HTMLElement {
  const entries = items.map(([label, act]) => {
    const entry = make('button', { type: 'button', role: 'menuitem', tabindex: -1 }, label);
    entry.addEventListener('click', () => {
      menu.hidePopover();
      act();
    });
    return entry;
  });
  const menu = createPopover(button, 'menu', () => entries[0]?.focus());
  menu.append(...entries);
  handleArrowKeys(menu, entries, (entry) => entry.focus());
  // The focus returns to the button, and moves on from there.
  menu.addEventListener('keydown', ({ key }) => key === 'Tab' && menu.hidePopover());
  return menu;
}
