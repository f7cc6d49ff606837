import { make } from '../../webview/dom.ts';
import type { ToolbarState } from '../protocol.ts';

/** Space kept around a device that is narrower than the preview, in pixels. */
const MARGIN = 16;

/** Where the email is laid out: a device of some width, scaled, with marks above it that are no part of the email. */
export class Stage {
  readonly element = make('main', { class: 'stage' });
  /** Holds the frame. Its pixels are the email's own, whatever the zoom. */
  readonly device = make('div', { class: 'device' });
  readonly #sizer = make('div', { class: 'sizer' });
  readonly #cursor = make('div', { class: 'cursor', hidden: '' });
  readonly #clip = make('div', { class: 'clip', hidden: '' }, make('span', {}, 'Gmail clips here'));
  readonly #marks = make('div', { class: 'marks', 'aria-hidden': 'true' }, this.#cursor, this.#clip);
  #toolbar: Pick<ToolbarState, 'width' | 'zoom'> = { width: 'full', zoom: 'fit' };
  #marked: Element | undefined;
  #clipped: Element | undefined;

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

  /** Marks the element at the editor's cursor, and brings it into view where none of it can be seen. */
  mark(element: Element | undefined, reveal: boolean): void {
    this.#marked = element;
    if (element && reveal && !isInView(element)) element.scrollIntoView({ block: 'center' });
    this.refresh();
  }

  /** Marks where Gmail stops. */
  clip(element: Element | undefined): void {
    this.#clipped = element;
    this.refresh();
  }

  /** Puts the marks where their elements are now. */
  refresh(): void {
    const box = this.#marked?.isConnected ? boxOf(this.#marked) : undefined;
    this.#cursor.hidden = !box;
    if (box)
      Object.assign(this.#cursor.style, {
        left: `${box.left}px`,
        top: `${box.top}px`,
        width: `${box.width}px`,
        height: `${box.height}px`,
      });
    const at = this.#clipped?.isConnected ? boxOf(this.#clipped) : undefined;
    this.#clip.hidden = !at;
    if (at) this.#clip.style.top = `${at.top}px`;
  }

  #arrange(): void {
    const { clientWidth, clientHeight } = this.element;
    const { width, zoom } = this.#toolbar;
    const wanted = width === 'full' ? undefined : Number(width);
    const room = wanted === undefined ? clientWidth : clientWidth - 2 * MARGIN;
    const scale = zoom === 'fit' ? Math.min(1, room / (wanted ?? room)) || 1 : Number(zoom) / 100;
    const across = wanted ?? clientWidth / scale;
    const framed = wanted !== undefined && across * scale < clientWidth;
    this.element.classList.toggle('framed', framed);
    const down = (clientHeight - (framed ? 2 * MARGIN : 0)) / scale;
    Object.assign(this.device.style, {
      width: `${across}px`,
      height: `${down}px`,
      transform: scale === 1 ? '' : `scale(${scale})`,
    });
    Object.assign(this.#sizer.style, { width: `${across * scale}px`, height: `${down * scale}px` });
    this.refresh();
  }
}

/** The place of an element in its frame; of an element without a box of its own (`display: contents`), that of what is in it. */
function boxOf(element: Element): DOMRect | undefined {
  const box = element.getBoundingClientRect();
  if (box.width > 0 || box.height > 0) return box;
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  const inner = range.getBoundingClientRect();
  return inner.width > 0 || inner.height > 0 ? inner : undefined;
}

function isInView(element: Element): boolean {
  const box = boxOf(element);
  const view = element.ownerDocument.defaultView;
  return !box || !view || (box.bottom > 0 && box.top < view.innerHeight);
}
