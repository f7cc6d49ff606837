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

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly title?: string;
}

/**
 * Creates radio buttons, or the tabs of a panel. They are one tab stop, and the arrow keys select.
 * @param panel shows the content of the selected tab. Without it, the buttons are radio buttons
 */
export function createChoiceGroup<Value extends string>(
  label: string,
  choices: readonly Choice<Value>[],
  onSelect: (value: Value) => void,
  panel?: HTMLElement,
) {
  let selected: Value | undefined;
  panel?.setAttribute('role', 'tabpanel');
  const buttons = choices.map(({ value, label: text, title = '' }) => {
    const button = make('button', { type: 'button', role: panel ? 'tab' : 'radio', title }, text);
    if (panel) {
      button.id = `tab-${value}`;
      button.setAttribute('aria-controls', panel.id);
    }
    button.addEventListener('click', () => {
      if (value === selected) return;
      show(value);
      onSelect(value);
    });
    return button;
  });
  const attributes = panel ? { class: 'tabs', role: 'tablist' } : { class: 'group radios', role: 'radiogroup' };
  const element = make('div', { ...attributes, 'aria-label': label }, ...buttons);
  element.addEventListener('keydown', (event) => {
    const index = buttons.findIndex((button) => button === event.target);
    const target = getTargetIndex(event.key, index, buttons.length);
    const to = target === undefined ? undefined : buttons.at(target % buttons.length);
    if (!to) return;
    event.preventDefault();
    to.focus();
    to.click();
  });

  /** Shows a value as selected. */
  function show(value: Value) {
    selected = value;
    for (const [index, button] of buttons.entries()) {
      const isSelected = choices[index]?.value === value;
      button.setAttribute(panel ? 'aria-selected' : 'aria-checked', String(isSelected));
      button.tabIndex = isSelected ? 0 : -1;
    }
    panel?.setAttribute('aria-labelledby', `tab-${value}`);
  }

  return { element, show };
}

/** Creates a popover that a button opens beside itself. Insert it beside the button. */
export function createPopover(button: HTMLElement, onOpen: (popover: HTMLElement) => void): HTMLElement {
  const label = button.ariaLabel ?? button.textContent;
  const popover = make('div', { class: 'dialog', popover: 'auto', role: 'dialog', 'aria-label': label });
  button.ariaHasPopup = 'dialog';
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
