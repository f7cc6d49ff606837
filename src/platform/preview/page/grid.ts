import { lenses } from '../../../email/lenses/index.ts';
import { make } from '../../webview/dom.ts';
import { makeDropdown } from '../../webview/toolkit.ts';
import type { ToolbarState } from '../protocol.ts';
import type { PartPosition } from './composedHtml.ts';
import { listenTo } from './interaction.ts';
import { Renderer } from './renderer.ts';
import type { Mail } from './renderer.ts';
import { createLensOptions } from './toolbar.ts';

const initialLenses = ['none', 'outlookDark', 'gmailDark', 'gmail', 'outlookWindows', 'imagesBlocked'] as const;
/** Width of a typical reading pane. */
const LAYOUT_WIDTH_PX = 600;
/** Delay before the cells are redrawn. They are redrawn one at a time to keep typing responsive. */
const REDRAW_DEBOUNCE_MS = 150;

export interface GridEvents {
  /** The user clicked something at this position of the email. */
  point(place: PartPosition | undefined): void;
  hover(link: string | undefined): void;
  choose(link: string): void;
}

interface Cell {
  readonly renderer: Renderer;
  /** Shows the grid's email. */
  draw(): void;
}

/** Shows up to six lenses side by side that scroll together. */
export class LensGrid {
  readonly element = make('main', { class: 'lensGrid', 'aria-label': 'Lenses side by side', hidden: '' });
  readonly #events: GridEvents;
  #cells: readonly Cell[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #mail: Mail | undefined;
  /** Windows that were scrolled by script. Their next scroll event is ignored. */
  readonly #syncedWindows = new WeakSet<Window>();

  constructor(events: GridEvents) {
    this.#events = events;
  }

  /** Schedules showing an email. `undefined` hides the grid. */
  show(mail: Mail | undefined): void {
    clearTimeout(this.#timer);
    this.element.hidden = mail === undefined;
    const isFirst = this.#mail === undefined;
    this.#mail = mail;
    if (!mail) {
      this.#cells = [];
      this.element.replaceChildren();
      return;
    }
    if (isFirst) this.#cells = initialLenses.map((lens) => this.#createCell(lens));
    this.#timer = setTimeout(() => this.#draw(0), isFirst ? 0 : REDRAW_DEBOUNCE_MS);
  }

  #draw(index: number): void {
    const cell = this.#cells[index];
    if (!cell) return;
    cell.draw();
    this.#timer = setTimeout(() => this.#draw(index + 1));
  }

  #createCell(initialLens: ToolbarState['lens']): Cell {
    let lens = initialLens;
    const draw = (): void => {
      const info = lens === 'none' ? undefined : lenses[lens];
      section.setAttribute('aria-label', info?.label ?? 'As sent');
      list.title = info ? `${info.note} An approximation: ${info.source}, ${info.date}.` : 'What is sent';
      if (this.#mail) renderer.show({ ...this.#mail, lens: lens === 'none' ? undefined : lens });
    };
    const list = makeDropdown({ 'aria-label': 'Lens' }, createLensOptions('As sent'), (choice) => {
      if (choice === lens) return;
      lens = choice;
      draw();
    });
    list.value = lens;
    const device = make('div', { class: 'device' });
    const sheet = make('div', { class: 'sheet' }, device);
    const section = make('section', { class: 'cell' }, list, sheet);
    this.element.append(section);
    const renderer = new Renderer(device, {
      onFrame: (frame) =>
        listenTo(frame, {
          ...this.#events,
          point: (node, at) => this.#events.point(renderer.findSource(node, at)),
          follow: this.#events.choose,
          scroll: () => this.#syncScroll(frame.window),
        }),
    });
    new ResizeObserver(() => {
      const scale = Math.min(1, sheet.clientWidth / LAYOUT_WIDTH_PX) || 1;
      const size = { width: `${LAYOUT_WIDTH_PX}px`, height: `${sheet.clientHeight / scale}px` };
      Object.assign(device.style, { ...size, transform: `scale(${scale})` });
    }).observe(sheet);
    return { renderer, draw };
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
