import { make } from '../../webview/dom.ts';
import type { ToolbarState } from '../protocol.ts';

/** Margin around a device that is narrower than the preview. */
const STAGE_MARGIN_PX = 16;

/** Lays out the email as a scaled device, with marks over it. */
export class Stage {
  readonly element = make('main', { class: 'stage' });
  /** Contains the frame, in the email's own pixels at any zoom. */
  readonly device = make('div', { class: 'device' });
  readonly #sizer = make('div', { class: 'sizer' });
  readonly #cursor = make('div', { class: 'cursor', hidden: '' });
  readonly #clip = make('div', { class: 'clip', hidden: '' }, make('span', {}, 'Gmail clips here'));
  readonly #marks = make('div', { class: 'marks', 'aria-hidden': 'true' }, this.#cursor, this.#clip);
  #toolbar: Pick<ToolbarState, 'width' | 'zoom'> = { width: 'full', zoom: 'fit' };
  #markedElement: Element | undefined;
  #clippedElement: Element | undefined;

  constructor() {
    this.device.append(this.#marks);
    this.#sizer.append(this.device);
    this.element.append(this.#sizer);
    new ResizeObserver(() => this.#arrange()).observe(this.element);
  }

  arrange(toolbar: ToolbarState): void {
    this.#toolbar = toolbar;
    this.#arrange();
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
    const box = this.#markedElement?.isConnected ? getBox(this.#markedElement) : undefined;
    this.#cursor.hidden = !box;
    if (box)
      Object.assign(this.#cursor.style, {
        left: `${box.left}px`,
        top: `${box.top}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
      });
    const clipBox = this.#clippedElement?.isConnected ? getBox(this.#clippedElement) : undefined;
    this.#clip.hidden = !clipBox;
    if (clipBox) this.#clip.style.top = `${clipBox.top}px`;
  }

  #arrange(): void {
    const { clientWidth, clientHeight } = this.element;
    const { width, zoom } = this.#toolbar;
    const deviceWidth = width === 'full' ? undefined : Number(width);
    const availableWidth = deviceWidth === undefined ? clientWidth : clientWidth - 2 * STAGE_MARGIN_PX;
    const scale =
      zoom === 'fit' ? Math.min(1, availableWidth / (deviceWidth ?? availableWidth)) || 1 : Number(zoom) / 100;
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

/** Returns the box of an element, or of its content if it has no box of its own (`display: contents`). */
function getBox(element: Element): DOMRect | undefined {
  const box = element.getBoundingClientRect();
  if (box.width > 0 || box.height > 0) return box;
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  const inner = range.getBoundingClientRect();
  return inner.width > 0 || inner.height > 0 ? inner : undefined;
}

function isInView(element: Element): boolean {
  const box = getBox(element);
  const view = element.ownerDocument.defaultView;
  return !box || !view || (box.bottom > 0 && box.top < view.innerHeight);
}
