import { t } from '@vscode/l10n';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { formatKilobytes, GMAIL_CLIP_BYTES } from '../../../email/compose/compose.ts';
import { getLenses, lensNames, type LensName } from '../../../email/lenses/index.ts';
import { formatNumber, formatPair, plural } from '../../../l10n.ts';
import { createChoiceGroup, createPopover, type Choice } from '../../../ui/page/choices.ts';
import { icon, make } from '../../../ui/page/dom.ts';
import { icons } from '../../../ui/page/icons.ts';
import { iconButton, makeButton, makeSelect } from '../../../ui/page/toolkit.ts';
import { initialToolbar, PICK_SUBSCRIBER } from '../model.ts';
import type { FromPage, ToolbarState } from '../protocol.ts';
import type { Viewer } from './viewer.ts';

export const createViewOptions = (): readonly Choice<ToolbarState['view']>[] => [
  {
    value: 'authored',
    label: t({ message: 'Authored', args: [], comment: 'View of an email: as the user writes it' }),
    title: t('The email as you write it'),
  },
  {
    value: 'sent',
    label: t({ message: 'As sent', args: [], comment: 'View of an email: as the service sends it' }),
    title: t('The email as the service sends it'),
  },
  {
    value: 'text',
    label: t({ message: 'Text', args: [], comment: 'View of an email: its plain-text part' }),
    title: t('The plain-text part, which is sent with the HTML'),
  },
  {
    value: 'clients',
    label: t({ message: 'Clients', args: [], comment: 'View of an email: in several mail clients, side by side' }),
    title: t('The email in several mail clients, side by side'),
  },
];

const createWidthOptions = (): readonly (readonly [width: ToolbarState['width'], label: string])[] => [
  ['full', t({ message: 'Full width', args: [], comment: 'Width of an email: as wide as the preview' })],
  ['600', t('600 px (reading pane)')],
  ['375', t('375 px (phone)')],
  ['320', t('320 px (small phone)')],
];

/** Returns the options of a list of lenses. `label` is that of no lens. */
export const createLensOptions = (label: string): readonly (readonly [lens: ToolbarState['lens'], label: string])[] => [
  ['none', label],
  ...lensNames.map((name) => [name, getLenses()[name].label] as const),
];

/** Describes what a lens approximates, and its source. */
export function describeLens(lens: LensName): string {
  const { note, source, date } = getLenses()[lens];
  return `${note} ${t`Approximation. Source: ${source}, ${date}.`}`;
}

/** Height of a toolbar with two rows. */
const MAX_HEIGHT_PX = 56;
/** Size at the end of the meter, which leaves space after the clipping mark. */
const METER_MAX_BYTES = GMAIL_CLIP_BYTES * 1.25;

/** The toolbar: view, lens, width, person, color scheme, remote images, problems, and message size. Controls without space are in a menu. */
export function createToolbar(
  post: (message: FromPage) => void,
  onChange: (state: ToolbarState) => void,
  viewOptions = createViewOptions(),
) {
  const views = createChoiceGroup(
    t({ message: 'View', args: [], comment: 'Label of a choice between views of an email' }),
    viewOptions,
    (view) => update({ view }),
  );
  const lensList = makeSelect({}, createLensOptions(t('No lens')), (lens) => update({ view: 'sent', lens }));
  const widthList = makeSelect({}, createWidthOptions(), (width) => update({ width }));
  const personList = makeSelect({}, [], () => undefined);
  const createToggle = (toggle: () => void) => makeButton('', toggle, { appearance: 'icon' });
  const schemeToggle = createToggle(() => update({ scheme: state.scheme === 'dark' ? 'light' : 'dark' }));
  const remoteToggle = createToggle(() => update({ remote: !state.remote }));
  const createItem = (name: string, label: string, control: HTMLElement) => {
    control.setAttribute('aria-label', label);
    return make(`label.item.${name}`, make('span', label), control);
  };
  const personLabel = t({
    message: 'Preview as',
    args: [],
    comment: 'Label of a list: raw tags, a typical subscriber, a subscriber with a long name, …',
  });
  const personItem = createItem('person', personLabel, personList);
  /** Moved to the menu in turn, the last one first. */
  const items = [
    createItem('lens', t('Lens'), lensList),
    createItem('width', t('Width'), widthList),
    personItem,
    createItem('scheme', t('Dark mode'), schemeToggle),
    createItem('remote', t('Remote images'), remoteToggle),
  ];
  const more = iconButton('more', t('More Options'), () => undefined);
  const menu = createPopover(more, () => menu.querySelector<HTMLElement>('[aria-label]')?.focus());
  const problems = makeButton('', () => post({ type: 'revealProblem' }), { class: 'problems', hidden: '' });
  const size = make('span.size');
  const fill = make('span.fill');
  const bar = make('span.bar', fill, make('span.mark'));
  const meter = make('span.meter', { role: 'img' }, bar, size);
  const element = make(
    'div.toolbar',
    { role: 'toolbar', 'aria-label': t('Preview') },
    views.element,
    more,
    menu,
    problems,
    meter,
  );
  let state: ToolbarState = initialToolbar;
  let peopleKey = '';
  let fittedWidth = 0;
  let isFitDeferred = false;

  personItem.hidden = true;
  personList.addEventListener('change', () => post({ type: 'selectPerson', personId: personList.value }));
  const sizes = new ResizeObserver(fitItems);
  for (const each of [element, problems, meter]) sizes.observe(each);
  element.addEventListener('focusout', () => {
    if (isFitDeferred) fitItems();
  });

  /** Moves the controls without space to the menu. A toolbar that is too narrow for the others has two rows. */
  function fitItems() {
    const { activeElement } = document;
    // An open list closes if it is moved, so the controls stay until it loses the focus, unless the toolbar has another width.
    isFitDeferred =
      element.clientWidth === fittedWidth &&
      activeElement instanceof HTMLSelectElement &&
      element.contains(activeElement);
    if (isFitDeferred) return;
    fittedWidth = element.clientWidth;
    moveItems();
    // A control that is moved loses the focus.
    if (activeElement instanceof HTMLElement && element.contains(activeElement)) activeElement.focus();
  }

  function moveItems() {
    const isTooLarge = () => element.scrollWidth > element.clientWidth || element.clientHeight > MAX_HEIGHT_PX;
    if (more.hidden && !element.classList.contains('wrapped') && !isTooLarge()) return;
    for (const isWrapped of [false, true]) {
      element.classList.toggle('wrapped', isWrapped);
      more.hidden = true;
      more.before(...items);
      for (const item of items.toReversed()) {
        if (!isTooLarge()) return;
        more.hidden = false;
        menu.prepend(item);
      }
      if (!isTooLarge()) return;
    }
  }

  /** Shows a state without an event. */
  function show(shown: ToolbarState) {
    state = shown;
    const { view, lens, width, scheme, remote } = shown;
    const isDark = scheme === 'dark';
    // Style rules hide the controls that have no effect in a view, in their place.
    element.dataset['view'] = view;
    views.show(view);
    lensList.value = view === 'sent' ? lens : 'none';
    lensList.title =
      lensList.value === lens && lens !== 'none'
        ? formatPair(getLenses()[lens].label, describeLens(lens))
        : t('How a mail client shows the email');
    widthList.value = width;
    const schemeTitle = isDark ? t('Dark mode is on') : t('Dark mode is off');
    showToggle(schemeToggle, isDark, isDark ? 'moon' : 'sun', schemeTitle);
    const remoteTitle = remote ? t('Remote images are loaded') : t('Remote images are blocked');
    showToggle(remoteToggle, remote, remote ? 'image' : 'imageOff', remoteTitle);
  }

  /** Shows the people that the email can be previewed as. */
  function showPeople({ people, personId, canPick }: Viewer) {
    personItem.hidden = people.length === 0;
    const options = [
      ['', t('Raw tags')],
      ...people.map(({ id, title }) => [id, toDisplayText(title)]),
      ...(canPick ? [[PICK_SUBSCRIBER, t('Choose a subscriber…')]] : []),
    ];
    const key = JSON.stringify(options);
    // New options would close an open list.
    if (key !== peopleKey)
      personList.replaceChildren(...options.map(([value = '', label = '']) => make('option', { value }, label)));
    peopleKey = key;
    personList.value = personId;
    // The list cuts off long names.
    personList.title = personList.selectedOptions[0]?.label ?? '';
  }

  /** Shows the numbers of errors and warnings. A click goes to the first problem. */
  function showProblems(errors: number, warnings: number) {
    const counts = [
      { name: 'error', count: errors, text: plural(errors, t('{0} error'), t('{0} errors')) },
      { name: 'warning', count: warnings, text: plural(warnings, t('{0} warning'), t('{0} warnings')) },
    ] as const;
    const shown = counts.filter(({ count }) => count > 0);
    problems.hidden = shown.length === 0;
    problems.title = [...shown.map(({ text }) => text), t('Go to First Problem')].join(' · ');
    problems.replaceChildren(
      ...shown.map(({ name, count }) =>
        make(`span.count.${name}`, { 'aria-hidden': 'true' }, icon(icons[name]), formatNumber(count)),
      ),
      make('span.heard', problems.title),
    );
  }

  function showSize(bytes: number, note: string) {
    meter.style.visibility = Number.isNaN(bytes) ? 'hidden' : '';
    const isClipped = bytes > GMAIL_CLIP_BYTES;
    meter.classList.toggle('over', isClipped);
    const kilobytes = formatKilobytes(bytes);
    size.textContent = kilobytes;
    fill.style.width = `${Math.min(100, (bytes / METER_MAX_BYTES) * 100)}%`;
    const title = isClipped
      ? t`The email is ${kilobytes}. Gmail shows the first 102 KB and hides the rest.`
      : t`The email is ${kilobytes}. Gmail shows up to 102 KB.`;
    meter.title = `${title} ${note}`.trimEnd();
    meter.ariaLabel = meter.title;
  }

  /** Changes settings as the user does. */
  function update(change: Partial<ToolbarState>) {
    show({ ...state, ...change });
    onChange(state);
  }

  return { element, getState: () => state, show, showPeople, showProblems, showSize, update };
}

function showToggle(toggle: HTMLElement, isOn: boolean, name: keyof typeof icons, title: string) {
  toggle.replaceChildren(icon(icons[name]));
  toggle.title = title;
  toggle.setAttribute('aria-pressed', String(isOn));
}
