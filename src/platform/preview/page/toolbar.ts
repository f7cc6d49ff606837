import * as l10n from '@vscode/l10n';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { GMAIL_CLIP_BYTES } from '../../../email/compose/compose.ts';
import { getLenses, lensNames, type LensName } from '../../../email/lenses/index.ts';
import { formatNumber, localized, plural } from '../../../l10n.ts';
import { ChoiceGroup, type Choice } from '../../webview/choices.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { makeButton, makeDropdown, setIcon, type ChoiceElement } from '../../webview/toolkit.ts';
import { initialToolbar, PICK_SUBSCRIBER } from '../model.ts';
import type { FromPage, ToolbarState } from '../protocol.ts';
import type { Viewer } from './viewer.ts';

const createViewOptions = (): readonly Choice<ToolbarState['view']>[] => [
  {
    value: 'authored',
    label: l10n.t({ message: 'Authored', args: [], comment: 'View of an email: as the user writes it' }),
    title: l10n.t('The email as you write it'),
  },
  {
    value: 'sent',
    label: l10n.t({ message: 'As sent', args: [], comment: 'View of an email: as the service sends it' }),
    title: l10n.t('The email as the service sends it'),
  },
  {
    value: 'text',
    label: l10n.t({ message: 'Text', args: [], comment: 'View of an email: its plain-text part' }),
    title: l10n.t('The plain-text part, which is sent with the HTML'),
  },
];

const createWidthOptions = (): readonly Choice<ToolbarState['width']>[] => [
  { value: '320', label: '320', title: l10n.t('Small phone: 320 pixels wide') },
  { value: '375', label: '375', title: l10n.t('Phone: 375 pixels wide') },
  { value: '600', label: '600', title: l10n.t('Reading pane: 600 pixels wide') },
  {
    value: 'full',
    label: l10n.t({ message: 'Full', args: [], comment: 'Width of an email: as wide as the preview' }),
    title: l10n.t('Full width of the preview'),
  },
];

const percentFormat = localized((language) => new Intl.NumberFormat(language, { style: 'percent' }));
const zoomLevels = ['50', '75', '100', '125', '150', '200'] as const;

const createZoomOptions = (): readonly (readonly [zoom: ToolbarState['zoom'], label: string])[] => [
  ['fit', l10n.t({ message: 'Fit', args: [], comment: 'Zoom level: the email fits into the preview' })],
  ...zoomLevels.map((zoom) => [zoom, percentFormat().format(Number(zoom) / 100)] as const),
];

/** Returns the options of a lens dropdown. `label` is that of no lens. */
export const createLensOptions = (label: string): readonly (readonly [lens: ToolbarState['lens'], label: string])[] => [
  ['none', label],
  ...lensNames.map((name) => [name, getLenses()[name].label] as const),
];

/** Describes what a lens approximates, and its source. */
export function describeLens(lens: LensName): string {
  const { note, source, date } = getLenses()[lens];
  return `${note} ${l10n.t`Approximation. Source: ${source}, ${date}.`}`;
}

/** Size at the end of the meter, which leaves space after the clipping mark. */
const METER_MAX_BYTES = GMAIL_CLIP_BYTES * 1.25;

const kilobyteFormat = localized((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }));
const smallKilobyteFormat = localized(
  (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);

function formatKilobytes(bytes: number): string {
  const format = bytes < 10 * 1024 ? smallKilobyteFormat() : kilobyteFormat();
  return l10n.t('{0} KB', format.format(bytes / 1024));
}

const createToggle = (toggle: () => void): HTMLElement => makeButton('', toggle, { appearance: 'icon' });

/** The toolbar: view, lens, width, zoom, color scheme, remote images, person, problems, and message size. */
export function createToolbar(post: (message: FromPage) => void, onChange: (state: ToolbarState) => void) {
  const views = new ChoiceGroup(
    l10n.t({ message: 'View', args: [], comment: 'Label of a choice between views of an email' }),
    createViewOptions(),
    (view) => update({ view }),
  );
  const lensList = makeDropdown(
    { class: 'lens', 'aria-label': l10n.t('Lens'), title: l10n.t('How a mail client shows the email') },
    createLensOptions(l10n.t('No lens')),
    (lens) => update({ lens }),
  );
  const widths = new ChoiceGroup(l10n.t('Width'), createWidthOptions(), (width) => update({ width }));
  const zoomLabel = l10n.t('Zoom');
  const zoomList = makeDropdown(
    { class: 'zoom', 'aria-label': zoomLabel, title: zoomLabel },
    createZoomOptions(),
    (zoom) => update({ zoom }),
  );
  const gridToggle = createToggle(() => update({ grid: !state.grid }));
  const schemeToggle = createToggle(() => update({ scheme: state.scheme === 'dark' ? 'light' : 'dark' }));
  const remoteToggle = createToggle(() => update({ remote: !state.remote }));
  const personLabel = l10n.t({
    message: 'Preview as',
    args: [],
    comment: 'Label of a list: raw tags, a typical subscriber, a subscriber with a long name, …',
  });
  const personList = make('vscode-dropdown', {
    'aria-label': personLabel,
    title: l10n.t('Select whose data replaces the tags'),
  }) as ChoiceElement;
  const personPicker = make('label', { class: 'as', hidden: '' }, personLabel, personList);
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
    { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Preview') },
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
      [gridToggle, grid, 'grid', l10n.t('Lenses side by side'), l10n.t('Lenses side by side')],
      [
        schemeToggle,
        isDark,
        isDark ? 'moon' : 'sun',
        l10n.t('Dark mode'),
        isDark ? l10n.t('Dark mode is on') : l10n.t('Dark mode is off'),
      ],
      [
        remoteToggle,
        remote,
        remote ? 'image' : 'imageOff',
        l10n.t('Remote images'),
        remote ? l10n.t('Remote images are loaded') : l10n.t('Remote images are blocked'),
      ],
    ] as const) {
      setIcon(toggle, name, label);
      toggle.title = title;
      toggle.setAttribute('aria-pressed', String(isOn));
    }
  }

  /** Shows the people that the email can be previewed as. */
  function showPeople({ people, personId, canPick }: Viewer): void {
    personPicker.hidden = people.length === 0;
    selectedId = personId;
    const options = [
      ['', l10n.t('Raw tags')],
      ...people.map(({ id, title }) => [id, toDisplayText(title)]),
      ...(canPick ? [[PICK_SUBSCRIBER, l10n.t('Choose a subscriber…')]] : []),
    ];
    const key = JSON.stringify(options);
    if (key !== peopleKey)
      personList.replaceChildren(...options.map(([value = '', label = '']) => make('vscode-option', { value }, label)));
    peopleKey = key;
    personList.value = personId;
  }

  /** Shows the number of problems. A click goes to the first one. */
  function showProblems(errors: number, warnings: number): void {
    const counts = [
      errors > 0 && plural(errors, l10n.t('{0} error'), l10n.t('{0} errors')),
      warnings > 0 && plural(warnings, l10n.t('{0} warning'), l10n.t('{0} warnings')),
    ];
    problems.hidden = errors + warnings === 0;
    problems.classList.toggle('errors', errors > 0);
    setTitle(problems, [...counts.filter(Boolean), l10n.t('Go to First Problem')].join(' · '));
    problems.replaceChildren(
      make('span', { class: 'count' }, icon(icons[errors > 0 ? 'error' : 'warning']), formatNumber(errors + warnings)),
    );
  }

  function showSize(bytes: number): void {
    const isClipped = bytes > GMAIL_CLIP_BYTES;
    meter.classList.toggle('over', isClipped);
    const kilobytes = formatKilobytes(bytes);
    size.textContent = kilobytes;
    fill.style.width = `${Math.min(100, (bytes / METER_MAX_BYTES) * 100)}%`;
    setTitle(
      meter,
      isClipped
        ? l10n.t`The email is ${kilobytes}. Gmail shows the first 102 KB and hides the rest.`
        : l10n.t`The email is ${kilobytes}. Gmail shows up to 102 KB.`,
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
