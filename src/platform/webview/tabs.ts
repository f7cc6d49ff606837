import './tabs.css';
import { make } from './dom.ts';

interface TabOptions<Name extends string> {
  /** Accessible name of the tab list. */
  readonly label: string;
  /** Label of each tab by name, in order. */
  readonly tabs: Readonly<Record<Name, string>>;
  /** The panel of the selected tab. It gets an id, a role and a name. */
  readonly panel: HTMLElement;
  /** The user selected another tab. Call `show` to accept. */
  onSelect(name: Name): void;
}

/** Returns the index of the tab that a key moves to, or undefined for other keys. */
function getTargetIndex(key: string, index: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: (index + 1) % count,
    ArrowLeft: (index + count - 1) % count,
    Home: 0,
    End: count - 1,
  };
  return Object.hasOwn(steps, key) ? steps[key] : undefined;
}

/** A tab list over one panel. */
export class TabStrip<Name extends string> {
  readonly element: HTMLElement;
  readonly #options: TabOptions<Name>;
  readonly #names: readonly Name[];
  readonly #tabs = new Map<Name, HTMLElement>();
  #selected: Name | undefined;

  constructor(options: TabOptions<Name>) {
    const { label, tabs, panel } = options;
    this.#options = options;
    this.#names = Object.keys(tabs) as Name[];
    panel.id ||= 'tab-panel';
    panel.setAttribute('role', 'tabpanel');
    this.element = make(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': label },
      ...this.#names.map((name) => this.#createTab(name)),
    );
  }

  /** Selects the tab whose content is in the panel. */
  show(selected: Name): void {
    this.#selected = selected;
    for (const [name, tab] of this.#tabs) {
      tab.setAttribute('aria-selected', String(name === selected));
      tab.tabIndex = name === selected ? 0 : -1;
    }
    this.#options.panel.setAttribute('aria-labelledby', `tab-${selected}`);
  }

  #createTab(name: Name): HTMLElement {
    const { tabs, panel, onSelect } = this.#options;
    const tab = make(
      'button',
      {
        class: 'tab',
        role: 'tab',
        type: 'button',
        id: `tab-${name}`,
        'aria-controls': panel.id,
        'aria-selected': 'false',
        tabindex: '-1',
      },
      tabs[name],
    );
    tab.addEventListener('click', () => name !== this.#selected && onSelect(name));
    tab.addEventListener('keydown', (event) => {
      const other = this.#names[getTargetIndex(event.key, this.#names.indexOf(name), this.#names.length) ?? -1];
      if (other === undefined) return;
      event.preventDefault();
      onSelect(other);
      this.#tabs.get(other)?.focus();
    });
    this.#tabs.set(name, tab);
    return tab;
  }
}
