import './tabs.css';
import { make } from './dom.ts';

interface TabOptions<Name extends string> {
  /** What the tabs are for, to those who can't see them. */
  readonly label: string;
  /** Name and label of each, in their order. */
  readonly tabs: Readonly<Record<Name, string>>;
  /** Holds what the chosen tab shows. It gets an id, its role and its name. */
  readonly panel: HTMLElement;
  /** The user wants another one: `show` it, or leave it. */
  onSelect(name: Name): void;
}

/** Where a key leads from a tab; undefined for keys that mean nothing here. */
function getTargetIndex(key: string, index: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: (index + 1) % count,
    ArrowLeft: (index + count - 1) % count,
    Home: 0,
    End: count - 1,
  };
  return Object.hasOwn(steps, key) ? steps[key] : undefined;
}

/** A strip of tabs over one panel, of which one is chosen. */
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

  /** Marks a tab as the one whose content the panel holds. */
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
