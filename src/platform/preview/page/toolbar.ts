import { GMAIL_CLIP_BYTES } from '../../../email/compose/compose.ts';
import { ChoiceGroup, type Choice } from '../../webview/choices.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { lenses, lensNames } from '../../../email/lenses/index.ts';
import type { LensName } from '../../../email/lenses/index.ts';
import type { ChoiceElement } from '../../webview/toolkit.ts';
import { initialToolbar } from '../model.ts';
import type { ToolbarState } from '../protocol.ts';

const viewOptions: readonly Choice<ToolbarState['view']>[] = [
  { value: 'authored', label: 'Authored', title: 'Authored: as you write it' },
  { value: 'sent', label: 'As sent', title: 'As sent: what the service makes of it' },
  { value: 'text', label: 'Text', title: 'Text: the text part that is sent beside the HTML' },
];

const widthOptions: readonly {
  readonly value: ToolbarState['width'];
  readonly label: string;
  readonly title: string;
}[] = [
  { value: '320', label: '320', title: 'Small phone: 320 pixels wide' },
  { value: '375', label: '375', title: 'Phone: 375 pixels wide' },
  { value: '600', label: '600', title: 'Reading pane: 600 pixels wide' },
  { value: 'full', label: 'Full', title: 'Full: as wide as the preview' },
];

const zoomOptions: readonly (readonly [ToolbarState['zoom'], string])[] = [
  ['fit', 'Fit'],
  ['50', '50 %'],
  ['75', '75 %'],
  ['100', '100 %'],
  ['125', '125 %'],
  ['150', '150 %'],
  ['200', '200 %'],
];

/** Size at the end of the meter, which leaves room after the clipping mark. */
const METER_MAX_BYTES = GMAIL_CLIP_BYTES * 1.25;

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(bytes < 10 * 1024 ? 1 : 0)} KB`;
}

function createIconButton(label: string, ...content: readonly (Node | string)[]): HTMLElement {
  return make('vscode-button', { appearance: 'icon', 'aria-label': label, title: label }, ...content);
}

const lensLabel = (name: LensName | 'none'): string => (name === 'none' ? 'No lens' : lenses[name].label);

/** The toolbar: view, lens, width, zoom, color scheme, remote images, and message size. */
export class Toolbar {
  readonly element = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Preview' });
  readonly #view = new ChoiceGroup('What is shown', viewOptions, (view) => this.#update({ view }));
  readonly #lens = make('vscode-dropdown', {
    class: 'lens',
    'aria-label': 'Lens',
    title: 'What a client makes of it',
  }) as ChoiceElement;
  readonly #widths = new Map<ToolbarState['width'], HTMLElement>();
  readonly #zoom = make('vscode-dropdown', { class: 'zoom', 'aria-label': 'Zoom', title: 'Zoom' }) as HTMLElement & {
    value: string;
  };
  readonly #grid = createIconButton('Lenses side by side');
  readonly #scheme = createIconButton('Dark mode');
  readonly #remote = createIconButton('Remote images');
  readonly #size = make('span', { class: 'size' });
  readonly #fill = make('span', { class: 'fill' });
  readonly #meter = make(
    'span',
    { class: 'meter', role: 'img' },
    make('span', { class: 'bar' }, this.#fill, make('span', { class: 'mark' })),
    this.#size,
  );
  readonly #onChange: (state: ToolbarState) => void;
  #state: ToolbarState = initialToolbar;

  constructor(onChange: (state: ToolbarState) => void) {
    this.#onChange = onChange;
    const group = make('div', { class: 'group', role: 'group', 'aria-label': 'Width' });
    for (const { value, label, title } of widthOptions) {
      const control = createIconButton(title, make('span', { class: 'label' }, label));
      control.addEventListener('click', () => this.#update({ width: value }));
      this.#widths.set(value, control);
      group.append(control);
    }
    for (const [value, label] of zoomOptions) this.#zoom.append(make('vscode-option', { value }, label));
    this.#zoom.addEventListener('change', () =>
      this.#update({ zoom: zoomOptions.find(([value]) => value === this.#zoom.value)?.[0] ?? 'fit' }),
    );
    this.#scheme.addEventListener('click', () =>
      this.#update({ scheme: this.#state.scheme === 'dark' ? 'light' : 'dark' }),
    );
    this.#remote.addEventListener('click', () => this.#update({ remote: !this.#state.remote }));
    this.#lens.append(
      ...(['none', ...lensNames] as const).map((name) => make('vscode-option', { value: name }, lensLabel(name))),
    );
    this.#lens.addEventListener('change', () =>
      this.#update({ lens: lensNames.find((name) => name === this.#lens.value) ?? 'none' }),
    );
    const flags = make('div', { class: 'group' }, this.#scheme, this.#remote);
    this.#grid.addEventListener('click', () => this.#update({ grid: !this.#state.grid }));
    this.element.append(this.#view.element, this.#lens, this.#grid, group, this.#zoom, flags, this.#meter);
  }

  addControl(control: HTMLElement): void {
    this.#meter.before(control);
  }

  get state(): ToolbarState {
    return this.#state;
  }

  /** Shows a state without an event. */
  show(state: ToolbarState): void {
    this.#state = state;
    this.#view.show(state.view);
    this.#lens.hidden = state.view !== 'sent' || state.grid;
    this.#grid.hidden = state.view !== 'sent';
    setToggle(
      this.#grid,
      state.grid,
      'grid',
      state.grid ? 'Several lenses are shown side by side' : 'Lenses side by side',
    );
    this.#lens.value = state.lens;
    for (const [value, control] of this.#widths) control.setAttribute('aria-pressed', String(value === state.width));
    this.#zoom.value = state.zoom;
    setToggle(
      this.#scheme,
      state.scheme === 'dark',
      state.scheme === 'dark' ? 'moon' : 'sun',
      state.scheme === 'dark' ? 'Dark mode is on' : 'Dark mode is off',
    );
    setToggle(
      this.#remote,
      state.remote,
      state.remote ? 'image' : 'imageOff',
      state.remote ? 'Remote images are loaded' : 'Remote images are not loaded',
    );
  }

  showSize(bytes: number): void {
    const clipped = bytes > GMAIL_CLIP_BYTES;
    this.#meter.classList.toggle('over', clipped);
    this.#size.textContent = formatKilobytes(bytes);
    this.#fill.style.width = `${Math.min(100, (bytes / METER_MAX_BYTES) * 100)}%`;
    const title = clipped
      ? `${formatKilobytes(bytes)}: Gmail shows the first 102 KB of a message and hides the rest.`
      : `${formatKilobytes(bytes)} of the 102 KB that Gmail shows of a message.`;
    this.#meter.title = title;
    this.#meter.setAttribute('aria-label', title);
  }

  #update(change: Partial<ToolbarState>): void {
    this.show({ ...this.#state, ...change });
    this.#onChange(this.#state);
  }
}

function setToggle(control: HTMLElement, on: boolean, name: keyof typeof icons, title: string): void {
  control.setAttribute('aria-pressed', String(on));
  control.title = title;
  control.replaceChildren(icon(icons[name]));
}
