import { t } from '@vscode/l10n';
import { make } from '../../../ui/page/dom.ts';
import type { ToolbarState } from '../protocol.ts';

/** Margin around a device that is narrower than the preview. */
const STAGE_MARGIN_PX = 8;

/** Lays out the email as a scaled device, with marks over it. */
export function createStage() {
  const cursor = make('div.cursor', { hidden: '' });
  const clip = make('div.clip', { hidden: '' }, make('span', t('Gmail clips here')));
  /** Contains the frame, in the email's own pixels at any zoom. */
  const device = make('div.device', make('div.marks', { 'aria-hidden': 'true' }, cursor, clip));
  const sizer = make('div.sizer', device);
  const element = make('div.stage', sizer);
  let width: ToolbarState['width'] = 'full';
  let markedElement: Element | undefined;
  let clippedElement: Element | undefined;

  new ResizeObserver(() => arrange(width)).observe(element);

  /** Marks the element at the editor's cursor, and optionally scrolls it into view. */
  function setMark(marked: Element | undefined, reveal: boolean) {
    markedElement = marked;
    if (marked && reveal && !isInView(marked)) marked.scrollIntoView({ block: 'center' });
    refresh();
  }

  /** Marks where Gmail clips the message. */
  function setClip(clipped: Element | undefined) {
    clippedElement = clipped;
    refresh();
  }

  /** Updates the positions of the marks. */
  function refresh() {
    placeMark(cursor, markedElement, ['left', 'top', 'width', 'height']);
    placeMark(clip, clippedElement, ['top']);
  }

  /** Shows the email in a width. A device that is wider than the preview is scaled down. */
  function arrange(shownWidth: ToolbarState['width']) {
    width = shownWidth;
    const { clientWidth, clientHeight } = element;
    const isFramed = width !== 'full';
    element.classList.toggle('framed', isFramed);
    const layoutWidth = isFramed ? Number(width) : clientWidth;
    const margin = isFramed ? 2 * STAGE_MARGIN_PX : 0;
    const scale = Math.min(1, (clientWidth - margin) / layoutWidth) || 1;
    const layoutHeight = (clientHeight - margin) / scale;
    Object.assign(device.style, {
      width: `${layoutWidth}px`,
      height: `${layoutHeight}px`,
      transform: scale === 1 ? '' : `scale(${scale})`,
    });
    Object.assign(sizer.style, { width: `${layoutWidth * scale}px`, height: `${layoutHeight * scale}px` });
    refresh();
  }

  return { element, device, setMark, setClip, refresh, arrange };
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
