import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { GMAIL_CLIP_BYTES } from '../../../email/compose/compose.ts';
import { lenses, lensNames } from '../../../email/lenses/index.ts';
import { ChoiceGroup, type Choice } from '../../webview/choices.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { makeButton, makeDropdown, setIcon } from '../../webview/toolkit.ts';
import { initialToolbar, PICK_SUBSCRIBER } from '../model.ts';
import type { FromPage, ToolbarState } from '../protocol.ts';
import type { Viewer } from './viewer.ts';

const viewOptions: readonly Choice<ToolbarState['view']>[] = [
  { value: 'authored', label: 'Authored', title: 'Authored: as you write it' },
  { value: 'sent', label: 'As sent', title: 'As sent: what the service makes of it' },
  { value: 'text', label: 'Text', title: 'Text: the text part that is sent beside the HTML' },
];

const widthOptions: readonly Choice<ToolbarState['width']>[] = [
  { value: '320', label: '320', title: 'Small phone: 320 pixels wide' },
  { value: '375', label: '375', title: 'Phone: 375 pixels wide' },
  { value: '600', label: '600', title: 'Reading pane: 600 pixels wide' },
  { value: 'full', label: 'Full', title: 'Full: as wide as the preview' },
];

const zoomOptions = [
  ['fit', 'Fit'],
  ...(['50', '75', '100', '125', '150', '200'] as const).map((zoom) => [zoom, `${zoom} %`] as const),
] as const;

/** Returns the options of a lens dropdown. `label` is that of no lens. */
export const createLensOptions = (label: string): readonly (readonly [lens: ToolbarState['lens'], label: string])[] => [
  ['none', label],
  ...lensNames.map((name) => [name, lenses[name].label] as const),
];

/** Size at the end of the meter, which leaves space after the clipping mark. */
const METER_MAX_BYTES = GMAIL_CLIP_BYTES * 1.25;

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(bytes < 10 * 1024 ? 1 : 0)} KB`;
}

const createToggle = (toggle: () => void): HTMLElement => makeButton('', toggle, { appearance: 'icon' });

/** The toolbar: view, lens, width, zoom, color scheme, remote images, person, problems, and message size. */
export class Toolbar {
  readonly element: HTMLElement;
  readonly #view = new ChoiceGroup('What is shown', viewOptions, (view) => this.update({ view }));
  readonly #lens = makeDropdown(
    { class: 'lens', 'aria-label': 'Lens', title: 'What a client makes of it' },
    createLensOptions('No lens'),
    (lens) => this.update({ lens }),
  );
  readonly #widths = widthOptions.map(({ value: width, label, title = label }) => {
    const button = makeButton('', () => this.update({ width }), { appearance: 'icon', 'aria-label': title, title });
    button.append(make('span', { class: 'label' }, label));
    return button;
  });
  readonly #zoom = makeDropdown({ class: 'zoom', 'aria-label': 'Zoom', title: 'Zoom' }, zoomOptions, (zoom) =>
    this.update({ zoom }),
  );
  readonly #grid = createToggle(() => this.update({ grid: !this.#state.grid }));
  readonly #scheme = createToggle(() => this.update({ scheme: this.#state.scheme === 'dark' ? 'light' : 'dark' }));
  readonly #remote = createToggle(() => this.update({ remote: !this.#state.remote }));
  readonly #people = make('vscode-dropdown', {
    'aria-label': 'As whom',
    title: 'Whom the tags are replaced for',
  });
  readonly #personPicker = make('label', { class: 'as', hidden: '' }, 'As', this.#people);
  readonly #problems: HTMLElement;
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
  #personId = '';
  #peopleKey = '';

  constructor(post: (message: FromPage) => void, onChange: (state: ToolbarState) => void) {
    this.#onChange = onChange;
    this.#people.addEventListener('change', () => {
      // The dropdown also fires when its value is set by script.
      const personId = this.#people.value;
      if (personId !== this.#personId) post({ type: 'selectPerson', personId });
    });
    this.#problems = makeButton('', () => post({ type: 'revealProblem' }), {
      class: 'problems',
      appearance: 'icon',
      hidden: '',
    });
    this.element = make(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Preview' },
      this.#view.element,
      this.#lens,
      this.#grid,
      make('div', { class: 'group', role: 'group', 'aria-label': 'Width' }, ...this.#widths),
      this.#zoom,
      make('div', { class: 'group' }, this.#scheme, this.#remote),
      this.#personPicker,
      this.#problems,
      this.#meter,
    );
  }

  get state(): ToolbarState {
    return this.#state;
  }

  /** Shows a state without an event. */
  show(state: ToolbarState): void {
    this.#state = state;
    const { view, lens, grid, width, zoom, scheme, remote } = state;
    this.#view.show(view);
    for (const [index, { value }] of widthOptions.entries())
      this.#widths[index]?.setAttribute('aria-pressed', String(value === width));
    this.#lens.hidden = view !== 'sent' || grid;
    this.#grid.hidden = view !== 'sent';
    this.#lens.value = lens;
    this.#zoom.value = zoom;
    for (const [control, isOn, name, label, title] of [
      [this.#grid, grid, 'grid', 'Lenses side by side', grid ? 'Several lenses are shown side by side' : undefined],
      [
        this.#scheme,
        scheme === 'dark',
        scheme === 'dark' ? 'moon' : 'sun',
        'Dark mode',
        `Dark mode is ${scheme === 'dark' ? 'on' : 'off'}`,
      ],
      [
        this.#remote,
        remote,
        remote ? 'image' : 'imageOff',
        'Remote images',
        `Remote images are ${remote ? '' : 'not '}loaded`,
      ],
    ] as const) {
      setIcon(control, name, label);
      control.title = title ?? label;
      control.setAttribute('aria-pressed', String(isOn));
    }
  }

  /** Shows the people that the email can be previewed as. */
  showPeople({ people, personId, canPick }: Viewer): void {
    this.#personPicker.hidden = people.length === 0;
    this.#personId = personId;
    const options = [
      ['', 'The tags themselves'],
      ...people.map(({ id, title }) => [id, toDisplayText(title)]),
      ...(canPick ? [[PICK_SUBSCRIBER, 'A subscriber…']] : []),
    ];
    const key = JSON.stringify(options);
    if (key !== this.#peopleKey)
      this.#people.replaceChildren(
        ...options.map(([value = '', label = '']) => make('vscode-option', { value }, label)),
      );
    this.#peopleKey = key;
    this.#people.value = personId;
  }

  /** Shows the number of problems. A click goes to the first one. */
  showProblems(errors: number, warnings: number): void {
    const counts = [formatCount(errors, 'error'), formatCount(warnings, 'warning')].filter(Boolean);
    this.#problems.hidden = counts.length === 0;
    this.#problems.classList.toggle('errors', errors > 0);
    setTitle(this.#problems, `${counts.join(', ')}: go to the first`);
    this.#problems.replaceChildren(
      make('span', { class: 'count' }, icon(icons[errors > 0 ? 'error' : 'warning']), String(errors + warnings)),
    );
  }

  showSize(bytes: number): void {
    const isClipped = bytes > GMAIL_CLIP_BYTES;
    this.#meter.classList.toggle('over', isClipped);
    this.#size.textContent = formatKilobytes(bytes);
    this.#fill.style.width = `${Math.min(100, (bytes / METER_MAX_BYTES) * 100)}%`;
    setTitle(
      this.#meter,
      isClipped
        ? `${formatKilobytes(bytes)}: Gmail shows the first 102 KB of a message and hides the rest.`
        : `${formatKilobytes(bytes)} of the 102 KB that Gmail shows of a message.`,
    );
  }

  /** Changes settings as the user does. */
  update(change: Partial<ToolbarState>): void {
    this.show({ ...this.#state, ...change });
    this.#onChange(this.#state);
  }
}

const formatCount = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;

function setTitle(element: HTMLElement, title: string): void {
  element.title = title;
  element.setAttribute('aria-label', title);
}
