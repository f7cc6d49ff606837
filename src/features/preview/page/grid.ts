import { t } from '@vscode/l10n';
import { getLenses } from '../../../email/lenses/index.ts';
import { make } from '../../../ui/page/dom.ts';
import { makeSelect } from '../../../ui/page/toolkit.ts';
import type { ToolbarState } from '../protocol.ts';
import type { PartPosition } from './composedHtml.ts';
import { listenTo } from './interaction.ts';
import { createRenderer, type Mail, type Renderer } from './renderer.ts';
import { createLensOptions, describeLens } from './toolbar.ts';

const initialLenses = ['none', 'outlookDark', 'gmailDark', 'gmail', 'outlookWindows', 'imagesBlocked'] as const;
/** Width of a typical reading pane. */
const LAYOUT_WIDTH_PX = 600;
/** Delay before the cells are redrawn. They are redrawn one at a time to keep typing responsive. */
const REDRAW_DEBOUNCE_MS = 150;
/** Share of a cell's height that Page Down scrolls. */
const PAGE_SHARE = 0.9;

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
export function createLensGrid(events: GridEvents) {
  const element = make('div.lensGrid', { hidden: '' });
  let cells: readonly Cell[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: Mail | undefined;
  const syncScroll = createScrollSync(() => cells.map(({ renderer }) => renderer.frame?.document.scrollingElement));

  /** Schedules showing an email. `undefined` hides the grid. */
  function show(mail: Mail | undefined) {
    clearTimeout(timer);
    element.hidden = mail === undefined;
    const isFirst = shown === undefined;
    shown = mail;
    if (!mail) {
      cells = [];
      element.replaceChildren();
      return;
    }
    if (isFirst) cells = initialLenses.map(createCell);
    timer = setTimeout(() => draw(0), isFirst ? 0 : REDRAW_DEBOUNCE_MS);
  }

  function draw(index: number) {
    const cell = cells[index];
    if (!cell) return;
    cell.draw();
    timer = setTimeout(() => draw(index + 1));
  }

  function createCell(initialLens: ToolbarState['lens']): Cell {
    let lens = initialLens;
    const noLensLabel = t({
      message: 'As sent',
      args: [],
      comment: 'View of an email: as the service sends it',
    });
    const drawCell = () => {
      list.title = lens === 'none' ? t('The email as the service sends it') : describeLens(lens);
      if (shown) renderer.show({ ...shown, lens: lens === 'none' ? undefined : lens });
      const frame = renderer.frame?.element;
      // The list is the only tab stop of a cell: a tab stop for each link of each cell would be in the way.
      if (frame) Object.assign(frame, { title: lens === 'none' ? noLensLabel : getLenses()[lens].label, tabIndex: -1 });
    };
    const list = makeSelect({ 'aria-label': t('Lens') }, createLensOptions(noLensLabel), (choice) => {
      lens = choice;
      drawCell();
    });
    list.value = lens;
    list.addEventListener('keydown', (event) => {
      const pages = { PageDown: 1, PageUp: -1 }[event.key];
      const view = renderer.frame?.window;
      if (!view || pages === undefined) return;
      event.preventDefault();
      view.scrollBy(0, pages * PAGE_SHARE * view.innerHeight);
    });
    const device = make('div.device');
    const sheet = make('div.sheet', device);
    element.append(make('div.cell', list, sheet));
    const renderer = createRenderer(device, {
      onFrame: (frame) =>
        listenTo(frame, {
          ...events,
          point: (node, at) => events.point(renderer.findSource(node, at)),
          follow: events.choose,
          scroll: () => syncScroll(frame.document.scrollingElement),
        }),
    });
    new ResizeObserver(() => {
      const scale = Math.min(1, sheet.clientWidth / LAYOUT_WIDTH_PX) || 1;
      const size = { width: `${LAYOUT_WIDTH_PX}px`, height: `${sheet.clientHeight / scale}px` };
      Object.assign(device.style, { ...size, transform: `scale(${scale})` });
    }).observe(sheet);
    return { renderer, draw: drawCell };
  }

  return { element, show };
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
