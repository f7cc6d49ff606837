import type { Envelope } from '../../../email/compose/compose.ts';
import { lenses, lensNames } from '../../../email/lenses/index.ts';
import type { LensName } from '../../../email/lenses/index.ts';
import { make } from '../../webview/dom.ts';
import type { ChoiceElement } from '../../webview/toolkit.ts';
import type { MailFrame } from './frame.ts';
import { listenTo } from './interaction.ts';
import { Renderer } from './renderer.ts';
import type { RenderSettings } from './renderer.ts';
import type { ReplaceTags } from './viewer.ts';

type LensChoice = LensName | 'none';

const defaultLenses: readonly LensChoice[] = [
  'none',
  'outlookDark',
  'gmailDark',
  'gmail',
  'outlookWindows',
  'imagesBlocked',
];
/** Width of a typical reading pane. */
const LAYOUT_WIDTH_PX = 600;
/** Delay before the cells are redrawn. They are redrawn one at a time to keep typing responsive. */
const REDRAW_DEBOUNCE_MS = 150;

/** The content of all cells. */
export interface GridMail {
  readonly html: string;
  readonly envelope?: Envelope;
  readonly settings: RenderSettings;
  readonly replace: ReplaceTags | undefined;
}

export interface GridEvents {
  /** The user clicked a node in the cell of this renderer. */
  point(renderer: Renderer, node: Node, at: number): void;
  hover(link: string | undefined): void;
  choose(link: string): void;
}

/** Shows up to six lenses side by side that scroll together. */
export class LensGrid {
  readonly element = make('main', { class: 'lensGrid', 'aria-label': 'Lenses side by side', hidden: '' });
  readonly #events: GridEvents;
  #cells: readonly Cell[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #mail: GridMail | undefined;
  /** Windows that were scrolled by script. Their next scroll event is ignored. */
  readonly #syncedWindows = new WeakSet<Window>();

  constructor(events: GridEvents) {
    this.#events = events;
  }

  /** Schedules showing an email. `undefined` hides the grid. */
  show(mail: GridMail | undefined): void {
    clearTimeout(this.#timer);
    this.element.hidden = mail === undefined;
    const isFirst = this.#mail === undefined;
    this.#mail = mail;
    if (!mail) return this.#clear();
    if (this.#cells.length === 0) this.#cells = defaultLenses.map((lens) => this.#createCell(lens));
    this.#timer = setTimeout(() => this.#draw(0), isFirst ? 0 : REDRAW_DEBOUNCE_MS);
  }

  #clear(): void {
    this.#cells = [];
    this.element.replaceChildren();
  }

  #createCell(lens: LensChoice): Cell {
    const cell: Cell = new Cell(lens, {
      onSelect: () => this.#mail && cell.draw(this.#mail),
      onFrame: (frame) => this.#handleFrame(cell, frame),
    });
    this.element.append(cell.element);
    return cell;
  }

  #draw(index: number): void {
    const cell = this.#cells[index];
    if (!cell || !this.#mail) return;
    cell.draw(this.#mail);
    this.#timer = setTimeout(() => this.#draw(index + 1));
  }

  #handleFrame({ renderer }: Cell, frame: MailFrame): void {
    listenTo(frame, {
      point: (node, at) => this.#events.point(renderer, node, at),
      hover: (link) => this.#events.hover(link),
      choose: (link) => this.#events.choose(link),
      follow: (link) => this.#events.choose(link),
      scroll: () => this.#syncScroll(frame.window),
    });
  }

  /** Scrolls all cells to the same relative position, because their heights differ. */
  #syncScroll(leader: Window): void {
    if (this.#syncedWindows.delete(leader)) return;
    const part = leader.scrollY / Math.max(1, getScrollRange(leader));
    for (const { renderer } of this.#cells) {
      const view = renderer.frame?.window;
      if (!view || view === leader) continue;
      const top = Math.round(part * getScrollRange(view));
      if (Math.abs(view.scrollY - top) < 1) continue;
      this.#syncedWindows.add(view);
      view.scrollTo(view.scrollX, top);
    }
  }
}

const getScrollRange = (view: Window): number => (view.document.scrollingElement?.scrollHeight ?? 0) - view.innerHeight;

interface CellEvents {
  onSelect(): void;
  onFrame(frame: MailFrame): void;
}

class Cell {
  readonly element = make('section', { class: 'cell' });
  readonly renderer: Renderer;
  readonly #device = make('div', { class: 'device' });
  readonly #list = make('vscode-dropdown', { 'aria-label': 'Lens' }) as ChoiceElement;
  #lens: LensChoice;

  constructor(lens: LensChoice, { onSelect, onFrame }: CellEvents) {
    this.#lens = lens;
    const options = ['none', ...lensNames] as const;
    this.#list.append(
      ...options.map((name) =>
        make('vscode-option', { value: name }, name === 'none' ? 'As sent' : lenses[name].label),
      ),
    );
    this.#list.value = lens;
    this.#list.addEventListener('change', () => {
      const choice = options.find((name) => name === this.#list.value) ?? 'none';
      if (choice === this.#lens) return;
      this.#lens = choice;
      this.#describe();
      onSelect();
    });
    const sheet = make('div', { class: 'sheet' }, this.#device);
    this.element.append(this.#list, sheet);
    this.#describe();
    const nothing = (): void => undefined;
    this.renderer = new Renderer(this.#device, {
      onFrame: onFrame,
      onRender: nothing,
      onProblem: nothing,
      onIdle: nothing,
    });
    new ResizeObserver(() => {
      const scale = Math.min(1, sheet.clientWidth / LAYOUT_WIDTH_PX) || 1;
      const size = { width: `${LAYOUT_WIDTH_PX}px`, height: `${sheet.clientHeight / scale}px` };
      Object.assign(this.#device.style, { ...size, transform: `scale(${scale})` });
    }).observe(sheet);
  }

  draw({ html, envelope, settings, replace }: GridMail): void {
    this.renderer.setTags(replace);
    const texts = { body: html, stylesheet: '', isWhole: true, ...(envelope ? { envelope } : {}) };
    this.renderer.show(texts, settings, this.#lens === 'none' ? undefined : this.#lens);
  }

  #describe(): void {
    const lens = this.#lens === 'none' ? undefined : lenses[this.#lens];
    const label = lens?.label ?? 'As sent';
    this.element.setAttribute('aria-label', label);
    this.#list.title = lens ? `${lens.note} An approximation: ${lens.source}, ${lens.date}.` : 'What is sent';
  }
}
