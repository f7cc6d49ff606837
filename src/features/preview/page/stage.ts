import { t } from '@vscode/l10n';
import { make } from '../../../ui/page/dom.ts';
import type { ToolbarState } from '../protocol.ts';

/** Margin around a device that is narrower than the preview. */
const STAGE_MARGIN_PX = 8;

/** Lays out the email as a scaled device, with marks over it: at the element at the editor's cursor, and where Gmail clips the message. */
export class Stage {
  readonly #cursor = make('div.cursor', { hidden: '' });
  readonly #clip = make('div.clip', { hidden: '' }, make('span', t('Gmail clips here')));
  /** Contains the frame, in the email's own pixels at any zoom. */
  readonly device = make('div.device', make('div.marks', { 'aria-hidden': 'true' }, this.#cursor, this.#clip));
  readonly #sizer = make('div.sizer', this.device);
  readonly element = make('div.stage', this.#sizer);
  #width: ToolbarState['width'] = 'full';
  #marked: Element | undefined;
  #clipped: Element | undefined;

  constructor() {
    new ResizeObserver(() => this.arrange(this.#width)).observe(this.element);
  }

  /** Marks the element at the editor's cursor, and optionally scrolls it into view. */
  setMark(marked: Element | undefined, reveal: boolean): void {
    this.#marked = marked;
    if (marked && reveal && !isInView(marked)) marked.scrollIntoView({ block: 'center' });
    this.refresh();
  }

  /** Marks where Gmail clips the message. */
  setClip(clipped: Element | undefined): void {
    this.#clipped = clipped;
    this.refresh();
  }

  /** Updates the positions of the marks. */
  refresh(): void {
    placeMark(this.#cursor, this.#marked, ['left', 'top', 'width', 'height']);
    placeMark(this.#clip, this.#clipped, ['top']);
  }

  /** Shows the email in a width. A device that is wider than the preview is scaled down. */
  arrange(width: ToolbarState['width']): void {
    this.#width = width;
    const { clientWidth, clientHeight } = this.element;
    const isFramed = width !== 'full';
    this.element.classList.toggle('framed', isFramed);
    const layoutWidth = isFramed ? Number(width) : clientWidth;
    const margin = isFramed ? 2 * STAGE_MARGIN_PX : 0;
    const scale = Math.min(1, (clientWidth - margin) / layoutWidth) || 1;
    const layoutHeight = (clientHeight - margin) / scale;
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
) {
  const box = element?.isConnected ? getBox(element) : undefined;
  mark.hidden = !box;
  for (const side of sides) if (box) mark.style[side] = `${box[side]}px`;
}

/** Returns the box of an element, or of its content if it has no box of its own (`display: contents`). */
function getBox(element: Element) {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return [element, range]
    .map((each) => each.getBoundingClientRect())
    .find(({ width, height }) => width > 0 || height > 0);
}

function isInView(element: Element) {
  const box = getBox(element);
  const view = element.ownerDocument.defaultView;
  return !box || !view || (box.bottom > 0 && box.top < view.innerHeight);
}
