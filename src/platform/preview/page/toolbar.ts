import { GMAIL_CLIP } from '../../../email/compose/compose.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { lenses, lensNames } from '../../../email/lenses/index.ts';
import type { LensName } from '../../../email/lenses/index.ts';
import type { ChoiceElement } from '../../webview/toolkit.ts';
import { initialToolbar } from '../protocol.ts';
import type { DeviceWidth, ToolbarState, View, Zoom } from '../protocol.ts';
import { RadioGroup } from './radioGroup.ts';
import type { Choice } from './radioGroup.ts';

const views: readonly Choice<View>[] = [
  { value: 'authored', label: 'Authored', title: 'Authored: as you write it' },
  { value: 'sent', label: 'As sent', title: 'As sent: what the service makes of it' },
  { value: 'text', label: 'Text', title: 'Text: the text part that is sent beside the HTML' },
];

const widths: readonly { readonly value: DeviceWidth; readonly label: string; readonly title: string }[] = [
  { value: '320', label: '320', title: 'Small phone: 320 pixels wide' },
  { value: '375', label: '375', title: 'Phone: 375 pixels wide' },
  { value: '600', label: '600', title: 'Reading pane: 600 pixels wide' },
  { value: 'full', label: 'Full', title: 'Full: as wide as the preview' },
];

const zooms: readonly (readonly [Zoom, string])[] = [
  ['fit', 'Fit'],
  ['50', '50 %'],
  ['75', '75 %'],
  ['100', '100 %'],
  ['125', '125 %'],
  ['150', '150 %'],
  ['200', '200 %'],
];

/** The meter's full length, so that the mark stands within it. Bytes. */
const METER = GMAIL_CLIP * 1.25;

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(bytes < 10 * 1024 ? 1 : 0)} KB`;
}

function pressable(label: string, ...content: readonly (Node | string)[]): HTMLElement {
  return make('vscode-button', { appearance: 'icon', 'aria-label': label, title: label }, ...content);
}

const lensLabel = (name: LensName | 'none'): string => (name === 'none' ? 'No lens' : lenses[name].label);

/** What is shown, device, zoom, scheme, images, and the size of the message. */
export class Toolbar {
  readonly element = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Preview' });
  readonly #view = new RadioGroup('What is shown', views, (view) => this.#set({ view }));
  readonly #lens = make('vscode-dropdown', {
    class: 'lens',
    'aria-label': 'Lens',
    title: 'What a client makes of it',
  }) as ChoiceElement;
  readonly #widths = new Map<DeviceWidth, HTMLElement>();
  readonly #zoom = make('vscode-dropdown', { class: 'zoom', 'aria-label': 'Zoom', title: 'Zoom' }) as HTMLElement & {
    value: string;
  };
  readonly #grid = pressable('Lenses side by side');
  readonly #scheme = pressable('Dark mode');
  readonly #remote = pressable('Remote images');
  readonly #size = make('span', { class: 'size' });
  readonly #fill = make('span', { class: 'fill' });
  readonly #meter = make(
    'span',
    { class: 'meter', role: 'img' },
    make('span', { class: 'bar' }, this.#fill, make('span', { class: 'mark' })),
    this.#size,
  );
  readonly #changed: (state: ToolbarState) => void;
  #state = initialToolbar;

  constructor(changed: (state: ToolbarState) => void) {
    this.#changed = changed;
    const group = make('div', { class: 'group', role: 'group', 'aria-label': 'Width' });
    for (const { value, label, title } of widths) {
      const control = pressable(title, make('span', { class: 'label' }, label));
      control.addEventListener('click', () => this.#set({ width: value }));
      this.#widths.set(value, control);
      group.append(control);
    }
    for (const [value, label] of zooms) this.#zoom.append(make('vscode-option', { value }, label));
    this.#zoom.addEventListener('change', () =>
      this.#set({ zoom: zooms.find(([value]) => value === this.#zoom.value)?.[0] ?? 'fit' }),
    );
    this.#scheme.addEventListener('click', () =>
      this.#set({ scheme: this.#state.scheme === 'dark' ? 'light' : 'dark' }),
    );
    this.#remote.addEventListener('click', () => this.#set({ remote: !this.#state.remote }));
    this.#lens.append(
      ...(['none', ...lensNames] as const).map((name) => make('vscode-option', { value: name }, lensLabel(name))),
    );
    this.#lens.addEventListener('change', () =>
      this.#set({ lens: lensNames.find((name) => name === this.#lens.value) ?? 'none' }),
    );
    const flags = make('div', { class: 'group' }, this.#scheme, this.#remote);
    this.#grid.addEventListener('click', () => this.#set({ grid: !this.#state.grid }));
    this.element.append(this.#view.element, this.#lens, this.#grid, group, this.#zoom, flags, this.#meter);
  }

  /** Puts a control beside the others. */
  add(control: HTMLElement): void {
    this.#meter.before(control);
  }

  get state(): ToolbarState {
    return this.#state;
  }

  /** Shows a state, and tells nobody. */
  show(state: ToolbarState): void {
    this.#state = state;
    this.#view.show(state.view);
    this.#lens.hidden = state.view !== 'sent' || state.grid;
    this.#grid.hidden = state.view !== 'sent';
    toggle(
      this.#grid,
      state.grid,
      'grid',
      state.grid ? 'Several lenses are shown side by side' : 'Lenses side by side',
    );
    this.#lens.value = state.lens;
    for (const [value, control] of this.#widths) control.setAttribute('aria-pressed', String(value === state.width));
    this.#zoom.value = state.zoom;
    toggle(
      this.#scheme,
      state.scheme === 'dark',
      state.scheme === 'dark' ? 'moon' : 'sun',
      state.scheme === 'dark' ? 'Dark mode is on' : 'Dark mode is off',
    );
    toggle(
      this.#remote,
      state.remote,
      state.remote ? 'image' : 'imageOff',
      state.remote ? 'Remote images are loaded' : 'Remote images are not loaded',
    );
  }

  showSize(bytes: number): void {
    const clipped = bytes > GMAIL_CLIP;
    this.#meter.classList.toggle('over', clipped);
    this.#size.textContent = kilobytes(bytes);
    this.#fill.style.width = `${Math.min(100, (bytes / METER) * 100)}%`;
    const title = clipped
      ? `${kilobytes(bytes)}: Gmail shows the first 102 KB of a message and hides the rest.`
      : `${kilobytes(bytes)} of the 102 KB that Gmail shows of a message.`;
    this.#meter.title = title;
    this.#meter.setAttribute('aria-label', title);
  }

  #set(change: Partial<ToolbarState>): void {
    this.show({ ...this.#state, ...change });
    this.#changed(this.#state);
  }
}

function toggle(control: HTMLElement, on: boolean, name: keyof typeof icons, title: string): void {
  control.setAttribute('aria-pressed', String(on));
  control.title = title;
  control.replaceChildren(icon(icons[name]));
}
