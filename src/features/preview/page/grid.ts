import { t } from '@vscode/l10n';
import { getLenses } from '../../../email/lenses/index.ts';
import { make } from '../../../ui/page/dom.ts';
import { makeSelect } from '../../../ui/page/toolkit.ts';
import type { ToolbarState } from '../protocol.ts';
import type { LinkBar } from './linkBar.ts';
import { Renderer, type Mail, type RendererEvents } from './renderer.ts';
import { createLensOptions, describeLens, getAsSentLabel } from './toolbar.ts';

const initialLenses = ['none', 'outlookDark', 'gmailDark', 'gmail', 'outlookWindows', 'imagesBlocked'] as const;
/** Width of a typical reading pane. */
const LAYOUT_WIDTH_PX = 600;
/** Delay before the cells are redrawn. */
const REDRAW_DEBOUNCE_MS = 150;
/** Share of a cell's height that Page Down scrolls. */
const PAGE_SHARE = 0.9;

/** One mail client in the grid: a list of lenses, and the email as the selected one shows it. */
class Cell {
  readonly renderer: Renderer;
  readonly element: HTMLElement;
  readonly #list: HTMLSelectElement;
  #lens: ToolbarState['lens'];
  #mail: Mail | undefined;

  constructor(lens: ToolbarState['lens'], events: RendererEvents) {
    this.#lens = lens;
    const device = make('div.device');
    const sheet = make('div.sheet', device);
    this.renderer = new Renderer(device, events);
    this.#list = makeSelect({ 'aria-label': t('Lens') }, createLensOptions(getAsSentLabel()), (choice) => {
      this.#lens = choice;
      if (this.#mail) this.draw(this.#mail);
    });
    this.#list.value = lens;
    this.#list.addEventListener('keydown', (event) => {
      const pages = { PageDown: 1, PageUp: -1 }[event.key];
      const view = this.renderer.frame?.window;
      if (!view || pages === undefined) return;
      event.preventDefault();
      view.scrollBy(0, pages * PAGE_SHARE * view.innerHeight);
    });
    this.element = make('div.cell', this.#list, sheet);
    new ResizeObserver(() => {
      const scale = Math.min(1, sheet.clientWidth / LAYOUT_WIDTH_PX) || 1;
      const size = { width: `${LAYOUT_WIDTH_PX}px`, height: `${sheet.clientHeight / scale}px` };
      Object.assign(device.style, { ...size, transform: `scale(${scale})` });
    }).observe(sheet);
  }

  draw(mail: Mail) {
    const lens = this.#lens === 'none' ? undefined : this.#lens;
    this.#mail = mail;
    this.#list.title = lens ? describeLens(lens) : t('The email as the service sends it');
    this.renderer.show({ ...mail, lens });
    const title = lens ? getLenses()[lens].label : getAsSentLabel();
    // The list is the only tab stop of a cell: a tab stop for each link of each cell would be in the way.
    Object.assign(this.renderer.frame?.element ?? {}, { title, tabIndex: -1 });
  }
}

/** Shows up to six lenses side by side that scroll together. While the grid is hidden, it has no cells. */
export class LensGrid {
  readonly element = make('div.lensGrid', { hidden: '' });
  readonly #createCell: (lens: ToolbarState['lens']) => Cell;
  #cells: readonly Cell[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `point` gets the position in the sent version of what the user clicks. */
  constructor(point: RendererEvents['point'], links: LinkBar | undefined) {
    const syncScroll = createScrollSync(() =>
      this.#cells.map(({ renderer }) => renderer.frame?.document.scrollingElement),
    );
    this.#createCell = (lens) => {
      const cell: Cell = new Cell(lens, {
        point,
        links,
        follow: (link) => links?.choose(link),
        scroll: () => syncScroll(cell.renderer.frame?.document.scrollingElement ?? null),
      });
      return cell;
    };
  }

  /** Schedules showing an email. `undefined` hides the grid. */
  show(mail: Mail | undefined): void {
    clearTimeout(this.#timer);
    this.element.hidden = mail === undefined;
    const isFirst = this.#cells.length === 0;
    if (mail && !isFirst) return this.#schedule(mail, 0, REDRAW_DEBOUNCE_MS);
    this.#cells = mail ? initialLenses.map(this.#createCell) : [];
    this.element.replaceChildren(...this.#cells.map(({ element }) => element));
    if (mail) this.#schedule(mail, 0);
  }

  /** Draws the cells one at a time to keep typing responsive. */
  #schedule(mail: Mail, index: number, delayMs = 0) {
    this.#timer = setTimeout(() => {
      this.#cells[index]?.draw(mail);
      if (index < this.#cells.length) this.#schedule(mail, index + 1);
    }, delayMs);
  }
}

/** Returns a function that scrolls elements to the same relative position as one of them, because their heights differ. */
export function createScrollSync(getElements: () => readonly (Element | null | undefined)[]) {
  /** Elements that were scrolled by script. Their next scroll event is ignored. */
  const synced = new WeakSet<Element>();
  return (leader: Element | null) => {
    if (!leader || synced.delete(leader)) return;
    const part = leader.scrollTop / Math.max(1, getScrollRange(leader));
    for (const each of getElements()) {
      if (!each || each === leader) continue;
      const top = Math.round(part * getScrollRange(each));
      if (Math.abs(each.scrollTop - top) < 1) continue;
      synced.add(each);
      each.scrollTop = top;
    }
  };
}

const getScrollRange = ({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight;
