import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { GMAIL_CLIP_BYTES } from '../../../email/compose/compose.ts';
import { getLenses, lensNames } from '../../../email/lenses/index.ts';
import { formatAmount } from '../../ui/format.ts';
import { ChoiceGroup, type Choice } from '../../webview/choices.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { makeButton, makeDropdown, setIcon, type ChoiceElement } from '../../webview/toolkit.ts';
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
  ...lensNames.map((name) => [name, getLenses()[name].label] as const),
];

/** Size at the end of the meter, which leaves space after the clipping mark. */
const METER_MAX_BYTES = GMAIL_CLIP_BYTES * 1.25;

function formatKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(bytes < 10 * 1024 ? 1 : 0)} KB`;
}

const createToggle = (toggle: () => void): HTMLElement => makeButton('', toggle, { appearance: 'icon' });

/** The toolbar: view, lens, width, zoom, color scheme, remote images, person, problems, and message size. */
export function createToolbar(post: (message: FromPage) => void, onChange: (state: ToolbarState) => void) {
  const views = new ChoiceGroup('What is shown', viewOptions, (view) => update({ view }));
  const lensList = makeDropdown(
    { class: 'lens', 'aria-label': 'Lens', title: 'What a client makes of it' },
    createLensOptions('No lens'),
    (lens) => update({ lens }),
  );
  const widths = new ChoiceGroup('Width', widthOptions, (width) => update({ width }));
  const zoomList = makeDropdown({ class: 'zoom', 'aria-label': 'Zoom', title: 'Zoom' }, zoomOptions, (zoom) =>
    update({ zoom }),
  );
  const gridToggle = createToggle(() => update({ grid: !state.grid }));
  const schemeToggle = createToggle(() => update({ scheme: state.scheme === 'dark' ? 'light' : 'dark' }));
  const remoteToggle = createToggle(() => update({ remote: !state.remote }));
  const personList = make('vscode-dropdown', {
    'aria-label': 'As whom',
    title: 'Whom the tags are replaced for',
  }) as ChoiceElement;
  const personPicker = make('label', { class: 'as', hidden: '' }, 'As', personList);
  const problems = makeButton('', () => post({ type: 'revealProblem' }), {
    class: 'problems',
    appearance: 'icon',
    hidden: '',
  });
  const size = make('span', { class: 'size' });
  const fill = make('span', { class: 'fill' });
  const bar = make('span', { class: 'bar' }, fill, make('span', { class: 'mark' }));
  const meter = make('span', { class: 'meter', role: 'img' }, bar, size);
  const element = make(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': 'Preview' },
    views.element,
    lensList,
    gridToggle,
    widths.element,
    zoomList,
    make('div', { class: 'group' }, schemeToggle, remoteToggle),
    personPicker,
    problems,
    meter,
  );
  let state: ToolbarState = initialToolbar;
  let selectedId = '';
  let peopleKey = '';

  personList.addEventListener('change', () => {
    // The dropdown also fires when its value is set by script.
    if (personList.value !== selectedId) post({ type: 'selectPerson', personId: personList.value });
  });

  /** Shows a state without an event. */
  function show(shown: ToolbarState): void {
    state = shown;
    const { view, lens, grid, width, zoom, scheme, remote } = shown;
    const isDark = scheme === 'dark';
    views.show(view);
    widths.show(width);
    lensList.hidden = view !== 'sent' || grid;
    gridToggle.hidden = view !== 'sent';
    lensList.value = lens;
    zoomList.value = zoom;
    for (const [toggle, isOn, name, label, title] of [
      [gridToggle, grid, 'grid', 'Lenses side by side', grid ? 'Several lenses are shown side by side' : undefined],
      [schemeToggle, isDark, isDark ? 'moon' : 'sun', 'Dark mode', `Dark mode is ${isDark ? 'on' : 'off'}`],
      [
        remoteToggle,
        remote,
        remote ? 'image' : 'imageOff',
        'Remote images',
        `Remote images are ${remote ? '' : 'not '}loaded`,
      ],
    ] as const) {
      setIcon(toggle, name, label);
      toggle.title = title ?? label;
      toggle.setAttribute('aria-pressed', String(isOn));
    }
  }

  /** Shows the people that the email can be previewed as. */
  function showPeople({ people, personId, canPick }: Viewer): void {
    personPicker.hidden = people.length === 0;
    selectedId = personId;
    const options = [
      ['', 'The tags themselves'],
      ...people.map(({ id, title }) => [id, toDisplayText(title)]),
      ...(canPick ? [[PICK_SUBSCRIBER, 'A subscriber…']] : []),
    ];
    const key = JSON.stringify(options);
    if (key !== peopleKey)
      personList.replaceChildren(...options.map(([value = '', label = '']) => make('vscode-option', { value }, label)));
    peopleKey = key;
    personList.value = personId;
  }

  /** Shows the number of problems. A click goes to the first one. */
  function showProblems(errors: number, warnings: number): void {
    const counts = [errors > 0 && formatAmount(errors, 'error'), warnings > 0 && formatAmount(warnings, 'warning')];
    problems.hidden = errors + warnings === 0;
    problems.classList.toggle('errors', errors > 0);
    setTitle(problems, `${counts.filter(Boolean).join(', ')}: go to the first`);
    problems.replaceChildren(
      make('span', { class: 'count' }, icon(icons[errors > 0 ? 'error' : 'warning']), String(errors + warnings)),
    );
  }

  function showSize(bytes: number): void {
    const isClipped = bytes > GMAIL_CLIP_BYTES;
    meter.classList.toggle('over', isClipped);
    size.textContent = formatKilobytes(bytes);
    fill.style.width = `${Math.min(100, (bytes / METER_MAX_BYTES) * 100)}%`;
    setTitle(
      meter,
      isClipped
        ? `${formatKilobytes(bytes)}: Gmail shows the first 102 KB of a message and hides the rest.`
        : `${formatKilobytes(bytes)} of the 102 KB that Gmail shows of a message.`,
    );
  }

  /** Changes settings as the user does. */
  function update(change: Partial<ToolbarState>): void {
    show({ ...state, ...change });
    onChange(state);
  }

  return { element, getState: () => state, show, showPeople, showProblems, showSize, update };
}

function setTitle(element: HTMLElement, title: string): void {
  element.title = title;
  element.setAttribute('aria-label', title);
}
