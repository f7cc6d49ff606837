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

/** Returns the label of the email as the service sends it. */
export const getAsSentLabel = (): string =>
  t({ message: 'As sent', args: [], comment: 'View of an email: as the service sends it' });

export const createViewOptions = (): readonly Choice<ToolbarState['view']>[] => [
  {
    value: 'authored',
    label: t({ message: 'Authored', args: [], comment: 'View of an email: as the user writes it' }),
    title: t('The email as you write it'),
  },
  {
    value: 'sent',
    label: getAsSentLabel(),
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

/** The indexes of the items, in the order in which they move to the menu: people look for dark mode and the person first. */
const MOVE_ORDER = [4, 1, 0, 2, 3];
/** Height of a toolbar with two rows. */
const MAX_HEIGHT_PX = 56;
/** Size at the end of the meter, which leaves space after the clipping mark. */
const METER_MAX_BYTES = GMAIL_CLIP_BYTES * 1.25;

/** Creates a button that is on or off. */
const makeToggle = (toggle: () => void) => makeButton('', toggle, { appearance: 'icon' });

function showToggle(toggle: HTMLElement, isOn: boolean, name: keyof typeof icons, title: string) {
  toggle.replaceChildren(icon(icons[name]));
  toggle.title = title;
  toggle.setAttribute('aria-pressed', String(isOn));
}

/** Adds a label to a control. It is visible in the menu only. */
function createItem(name: string, label: string, control: HTMLElement) {
  control.setAttribute('aria-label', label);
  return make(`label.item.${name}`, make('span', label), control);
}

/**
 * The toolbar: view, lens, width, person, color scheme, remote images, problems, and message size. Its controls always show its state. Those without
 * space are in a menu.
 */
export class Toolbar {
  readonly #onChange: (state: ToolbarState) => void;
  readonly #views: ReturnType<typeof createChoiceGroup<ToolbarState['view']>>;
  readonly #lensList = makeSelect({}, createLensOptions(t('No lens')), (lens) => this.update({ view: 'sent', lens }));
  readonly #widthList = makeSelect({}, createWidthOptions(), (width) => this.update({ width }));
  readonly #personList = makeSelect({}, [], () => undefined);
  readonly #schemeToggle = makeToggle(() => this.update({ scheme: this.#state.scheme === 'dark' ? 'light' : 'dark' }));
  readonly #remoteToggle = makeToggle(() => this.update({ remote: !this.#state.remote }));
  readonly #personItem = createItem(
    'person',
    t({
      message: 'Preview as',
      args: [],
      comment: 'Label of a list: raw tags, a typical subscriber, a subscriber with a long name, …',
    }),
    this.#personList,
  );
  readonly #items = [
    createItem('lens', t('Lens'), this.#lensList),
    createItem('width', t('Width'), this.#widthList),
    this.#personItem,
    createItem('scheme', t('Dark mode'), this.#schemeToggle),
    createItem('remote', t('Remote images'), this.#remoteToggle),
  ];
  readonly #more = iconButton('more', t('More Options'), () => undefined);
  readonly #menu = createPopover(this.#more, (menu) => menu.querySelector<HTMLElement>('[aria-label]')?.focus());
  readonly #problems: HTMLElement;
  readonly #size = make('span.size');
  readonly #fill = make('span.fill');
  readonly #meter = make('span.meter', { role: 'img' }, make('span.bar', this.#fill, make('span.mark')), this.#size);
  readonly element: HTMLElement;
  #state: ToolbarState = initialToolbar;
  #peopleKey = '';
  #fittedWidth = 0;
  #isFitDeferred = false;

  constructor(
    post: (message: FromPage) => void,
    onChange: (state: ToolbarState) => void,
    viewOptions = createViewOptions(),
  ) {
    this.#onChange = onChange;
    this.#views = createChoiceGroup(
      t({ message: 'View', args: [], comment: 'Label of a choice between views of an email' }),
      viewOptions,
      (view) => this.update({ view }),
    );
    this.#problems = makeButton('', () => post({ type: 'revealProblem' }), { class: 'problems', hidden: '' });
    this.element = make(
      'div.toolbar',
      { role: 'toolbar', 'aria-label': t('Preview') },
      this.#views.element,
      this.#more,
      this.#menu,
      this.#problems,
      this.#meter,
    );
    this.#personItem.hidden = true;
    this.#personList.addEventListener('change', () => post({ type: 'selectPerson', personId: this.#personList.value }));
    const sizes = new ResizeObserver(() => this.#fitItems());
    for (const each of [this.element, this.#problems, this.#meter]) sizes.observe(each);
    this.element.addEventListener('focusout', () => {
      if (this.#isFitDeferred) this.#fitItems();
    });
  }

  get state(): ToolbarState {
    return this.#state;
  }

  /** Shows a state without an event. */
  show(state: ToolbarState): void {
    this.#state = state;
    const { view, lens, width, scheme, remote } = state;
    const isDark = scheme === 'dark';
    // Style rules hide the controls that have no effect in a view, in their place.
    this.element.dataset['view'] = view;
    this.#views.show(view);
    const shownLens = view === 'sent' ? lens : 'none';
    this.#lensList.value = shownLens;
    this.#lensList.title =
      shownLens === 'none'
        ? t('How a mail client shows the email')
        : formatPair(getLenses()[shownLens].label, describeLens(shownLens));
    this.#widthList.value = width;
    const schemeTitle = isDark ? t('Dark mode is on') : t('Dark mode is off');
    showToggle(this.#schemeToggle, isDark, isDark ? 'moon' : 'sun', schemeTitle);
    const remoteTitle = remote ? t('Remote images are loaded') : t('Remote images are blocked');
    showToggle(this.#remoteToggle, remote, remote ? 'image' : 'imageOff', remoteTitle);
  }

  /** Hides the authored version, which a received message doesn't have. */
  setReceived(isReceived: boolean): void {
    const [authored] = this.#views.element.children;
    for (const name of ['hidden', 'disabled']) authored?.toggleAttribute(name, isReceived);
  }

  /** Shows the people that the email can be previewed as. */
  showPeople({ people, personId, canPick }: Viewer): void {
    this.#personItem.hidden = people.length === 0;
    const options = [
      ['', t('Raw tags')],
      ...people.map(({ id, title }) => [id, toDisplayText(title)]),
      ...(canPick ? [[PICK_SUBSCRIBER, t('Choose a subscriber…')]] : []),
    ];
    const key = JSON.stringify(options);
    const list = this.#personList;
    // New options would close an open list.
    if (key !== this.#peopleKey)
      list.replaceChildren(...options.map(([value = '', label = '']) => make('option', { value }, label)));
    this.#peopleKey = key;
    list.value = personId;
    // The list cuts off long names.
    list.title = list.selectedOptions[0]?.label ?? '';
  }

  /** Shows the numbers of errors and warnings. A click goes to the first problem. */
  showProblems(errors: number, warnings: number): void {
    const counts = [
      { name: 'error', count: errors, text: plural(errors, t('{0} error'), t('{0} errors')) },
      { name: 'warning', count: warnings, text: plural(warnings, t('{0} warning'), t('{0} warnings')) },
    ] as const;
    const shown = counts.filter(({ count }) => count > 0);
    const title = [...shown.map(({ text }) => text), t('Go to First Problem')].join(' · ');
    this.#problems.hidden = shown.length === 0;
    this.#problems.title = title;
    this.#problems.replaceChildren(
      ...shown.map(({ name, count }) =>
        make(`span.count.${name}`, { 'aria-hidden': 'true' }, icon(icons[name]), formatNumber(count)),
      ),
      make('span.heard', title),
    );
  }

  showSize(bytes: number, note: string): void {
    const meter = this.#meter;
    meter.style.visibility = Number.isNaN(bytes) ? 'hidden' : '';
    const isClipped = bytes > GMAIL_CLIP_BYTES;
    meter.classList.toggle('over', isClipped);
    const kilobytes = formatKilobytes(bytes);
    this.#size.textContent = kilobytes;
    this.#fill.style.width = `${Math.min(100, (bytes / METER_MAX_BYTES) * 100)}%`;
    const title = isClipped
      ? t`The email is ${kilobytes}. Gmail shows the first 102 KB and hides the rest.`
      : t`The email is ${kilobytes}. Gmail shows up to 102 KB.`;
    meter.title = meter.ariaLabel = `${title} ${note}`.trimEnd();
  }

  /** Changes settings as the user does. */
  update(change: Partial<ToolbarState>): void {
    this.show({ ...this.#state, ...change });
    this.#onChange(this.#state);
  }

  /** Moves the controls without space to the menu. A toolbar that is too narrow for the others has two rows. */
  #fitItems() {
    const { activeElement } = document;
    const { clientWidth } = this.element;
    const hasFocus = this.element.contains(activeElement);
    // An open list closes if it is moved, so the controls stay until it loses the focus, unless the toolbar has another width.
    this.#isFitDeferred = hasFocus && clientWidth === this.#fittedWidth && activeElement instanceof HTMLSelectElement;
    if (this.#isFitDeferred) return;
    this.#fittedWidth = clientWidth;
    this.#moveItems();
    // A control that is moved loses the focus.
    if (hasFocus && activeElement instanceof HTMLElement) activeElement.focus();
  }

  #moveItems() {
    const { element } = this;
    const more = this.#more;
    const isTooLarge = () => element.scrollWidth > element.clientWidth || element.clientHeight > MAX_HEIGHT_PX;
    if (more.hidden && !element.classList.contains('wrapped') && !isTooLarge()) return;
    for (const isWrapped of [false, true]) {
      element.classList.toggle('wrapped', isWrapped);
      more.hidden = true;
      more.before(...this.#items);
      for (const index of MOVE_ORDER) {
        if (!isTooLarge()) return;
        more.hidden = false;
        const isMoved = (item: HTMLElement, at: number) => at === index || item.parentElement === this.#menu;
        this.#menu.append(...this.#items.filter(isMoved));
      }
      if (!isTooLarge()) return;
    }
  }
}
