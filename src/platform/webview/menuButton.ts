import './menuButton.css';
import { make } from './dom.ts';

interface MenuItem {
  readonly label: string;
  act(): void;
}

/** Creates a menu for a button. Insert its element beside the button. */
export function createMenu(button: HTMLElement, items: readonly MenuItem[]): HTMLElement {
  const menu = make('div', { class: 'menu', popover: 'auto', role: 'menu' });
  menu.setAttribute('aria-label', button.getAttribute('aria-label') ?? button.textContent ?? '');
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  const entries = items.map(({ label, act }) => {
    const entry = make('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, label);
    entry.addEventListener('click', () => {
      menu.hidePopover();
      button.focus();
      act();
    });
    return entry;
  });
  menu.append(...entries);
  button.addEventListener('click', () => {
    if (menu.matches(':popover-open')) return;
    menu.showPopover();
    const { right, bottom, top } = button.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(4, right - width)}px`;
    menu.style.top = `${bottom + 4 + height > innerHeight ? Math.max(4, top - height - 4) : bottom + 4}px`;
    entries[0]?.focus();
  });
  menu.addEventListener('toggle', () => button.setAttribute('aria-expanded', String(menu.matches(':popover-open'))));
  menu.addEventListener('keydown', (event) => {
    const at = entries.findIndex((entry) => entry === document.activeElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % entries.length,
      ArrowUp: (at + entries.length - 1) % entries.length,
      Home: 0,
      End: entries.length - 1,
    };
    if (event.key === 'Tab') menu.hidePopover();
    else if (event.key === 'Escape') {
      menu.hidePopover();
      button.focus();
    } else {
      const to = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
      if (to === undefined) return;
      entries[to]?.focus();
    }
    if (event.key !== 'Tab') event.preventDefault();
  });
  return menu;
}
