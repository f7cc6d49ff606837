import { cssUrls } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import type { TextEdit } from '../tags/index.ts';
import { createAttributeEdits, listPlacedElements, restyleElements } from './edits.ts';
import type { PlacedElement, Restyling } from './edits.ts';

const imageProperties = /^(?:background|background-image|list-style|list-style-image)$/;

const imageRestyling: Restyling = {
  mapValue: ({ property, value }) => (imageProperties.test(property) ? value.replace(cssUrls, 'none') : value),
};

/** Replaces each image by a frame of its size that shows the alternative text in the image's style. */
export function createImagesBlockedEdits(html: string): TextEdit[] {
  const elements = listPlacedElements(html);
  const images = new Set(elements.filter(({ name }) => name === 'img'));
  const others = elements.filter((element) => !images.has(element));
  return [
    ...restyleElements(html, others, imageRestyling),
    ...others.flatMap((element) => createAttributeEdits(element, 'background', undefined)),
    ...[...images].map((image) => ({ ...image.range, text: createPlaceholder(image) })),
  ];
}

function formatLength(image: PlacedElement, name: 'width' | 'height'): string | undefined {
  const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(%?)/.exec(image.attribute(name) ?? '') ?? [];
  return number === '' ? undefined : `${name}:${number}${unit || 'px'}`;
}

const FRAME_STYLE =
  'box-sizing:border-box;overflow:hidden;border:1px solid #c8c8c8;background-color:#f4f4f4;max-width:100%;vertical-align:bottom';

function createPlaceholder(image: PlacedElement): string {
  const style = image.attribute('style') ?? '';
  // Tracking pixels stay invisible.
  if (/^\s*[01]\s*$/.test(image.attribute('width') ?? '') || /^\s*[01]\s*$/.test(image.attribute('height') ?? ''))
    return '';
  const alt = image.attribute('alt') ?? '';
  const isBlock = /(?:^|;)\s*display\s*:\s*block/i.test(style);
  const size = [formatLength(image, 'width'), formatLength(image, 'height')].filter(Boolean).join(';');
  const display = `display:${isBlock ? 'block' : 'inline-block'}`;
  const text = alt.trim() === '' ? '' : escapeHtml(alt);
  const classes = image.attribute('class');
  const classAttribute = classes === undefined ? '' : ` class="${escapeHtml(classes)}"`;
  return `<span role="img"${classAttribute} style="${escapeHtml([FRAME_STYLE, size, style, display].filter(Boolean).join(';'))}">${text}</span>`;
}
