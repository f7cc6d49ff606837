import { make } from '../../webview/dom.ts';
import type { ToolbarState } from '../protocol.ts';

/** Margin around a device that is narrower than the preview. */
const STAGE_MARGIN_PX = 16;

/** Lays out the email as a scaled device, with marks over it. */
export class Stage {
  readonly #cursor = make('div', { class: 'cursor', hidden: '' });
  readonly #clip = make('div', { class: 'clip', hidden: '' }, make('span', {}, 'Gmail clips here'));
  /** Contains the frame, in the email's own pixels at any zoom. */
  readonly device = make(
    'div',
    { class: 'device' },
    make('div', { class: 'marks', 'aria-hidden': 'true' }, this.#cursor, this.#clip),
  );
  readonly #sizer = make('div', { class: 'sizer' }, this.device);
  readonly element = make('main', { class: 'stage' }, this.#sizer);
  #toolbar: Pick<ToolbarState, 'width' | 'zoom'> = { width: 'full', zoom: 'fit' };
  #markedElement: Element | undefined;
  #clippedElement: Element | undefined;

  constructor() {
    new ResizeObserver(() => this.arrange(this.#toolbar)).observe(this.element);
  }

  /** Marks the element at the editor's cursor, and optionally scrolls it into view. */
  setMark(element: Element | undefined, reveal: boolean): void {
    this.#markedElement = element;
    if (element && reveal && !isInView(element)) element.scrollIntoView({ block: 'center' });
    this.refresh();
  }

  /** Marks where Gmail clips the message. */
  setClip(element: Element | undefined): void {
    this.#clippedElement = element;
    this.refresh();
  }

  /** Updates the positions of the marks. */
  refresh(): void {
    placeMark(this.#cursor, this.#markedElement, ['left', 'top', 'width', 'height']);
    placeMark(this.#clip, this.#clippedElement, ['top']);
  }

  arrange(toolbar: Pick<ToolbarState, 'width' | 'zoom'>): void {
    this.#toolbar = toolbar;
    const { clientWidth, clientHeight } = this.element;
    const { width, zoom } = toolbar;
    const deviceWidth = width === 'full' ? undefined : Number(width);
    const fitting = deviceWidth === undefined ? 1 : Math.min(1, (clientWidth - 2 * STAGE_MARGIN_PX) / deviceWidth) || 1;
    const scale = zoom === 'fit' ? fitting : Number(zoom) / 100;
    const layoutWidth = deviceWidth ?? clientWidth / scale;
    const isFramed = deviceWidth !== undefined && layoutWidth * scale < clientWidth;
    this.element.classList.toggle('framed', isFramed);
    const layoutHeight = (clientHeight - (isFramed ? 2 * STAGE_MARGIN_PX : 0)) / scale;
    Object.assign(this.device.style, {
      width: `${layoutWidth}px`,
      height: `${layoutHeight}px`,
      transform: scale === 1 ? '' : `scale(${scale})`,
    });
    Object.assign(this.#sizer.style, { width: `${layoutWidth * scale}px`, height: `${layoutHeight * scale}px` });
    this.refresh();
  }
}

/** Places a mark at these sides of an element's box. */
function placeMark(
  mark: HTMLElement,
  element: Element | undefined,
  sides: readonly ('left' | 'top' | 'width' | 'height')[],
): void {
  const box = element?.isConnected ? getBox(element) : undefined;
  mark.hidden = !box;
  for (const side of sides) if (box) mark.style[side] = `${box[side]}px`;
}

/** Returns the box of an element, or of its content if it has no box of its own (`display: contents`). */
function getBox(element: Element): DOMRect | undefined {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return [element, range]
    .map((each) => each.getBoundingClientRect())
    .find(({ width, height }) => width > 0 || height > 0);
}

function isInView(element: Element): boolean {
  const box = getBox(element);
  const view = element.ownerDocument.defaultView;
  return !box || !view || (box.bottom > 0 && box.top < view.innerHeight);
}
