import { cssUrls } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import type { TextEdit } from '../tags/index.ts';
import { attributeEdit, elementsOf, restyled } from './restyle.ts';
import type { PlacedElement, Restyling } from './restyle.ts';

const withImage = /^(?:background|background-image|list-style|list-style-image)$/;

const restyling: Restyling = {
  value: ({ property, value }) => (withImage.test(property) ? value.replace(cssUrls, 'none') : value),
};

/** No image is loaded: each is a frame of its size with its alternative text, in the style of the image. */
export function imagesBlocked(html: string): TextEdit[] {
  const elements = elementsOf(html);
  const images = new Set(elements.filter(({ name }) => name === 'img'));
  const others = elements.filter((element) => !images.has(element));
  return [
    ...restyled(html, others, restyling),
    ...others.flatMap((element) => attributeEdit(element, 'background', undefined)),
    ...[...images].map((image) => ({ ...image.range, text: placeholder(image) })),
  ];
}

/** A length of an attribute as CSS has it. */
function length(image: PlacedElement, name: 'width' | 'height'): string | undefined {
  const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(%?)/.exec(image.attribute(name) ?? '') ?? [];
  return number === '' ? undefined : `${name}:${number}${unit || 'px'}`;
}

const frame =
  'box-sizing:border-box;overflow:hidden;border:1px solid #c8c8c8;background-color:#f4f4f4;max-width:100%;vertical-align:bottom';

function placeholder(image: PlacedElement): string {
  const style = image.attribute('style') ?? '';
  // What counts that somebody looked is not to be seen.
  if (/^\s*[01]\s*$/.test(image.attribute('width') ?? '') || /^\s*[01]\s*$/.test(image.attribute('height') ?? ''))
    return '';
  const alt = image.attribute('alt') ?? '';
  const isBlock = /(?:^|;)\s*display\s*:\s*block/i.test(style);
  const size = [length(image, 'width'), length(image, 'height')].filter(Boolean).join(';');
  const display = `display:${isBlock ? 'block' : 'inline-block'}`;
  const text = alt.trim() === '' ? '' : escapeHtml(alt);
  const classes = image.attribute('class');
  const named = classes === undefined ? '' : ` class="${escapeHtml(classes)}"`;
  return `<span role="img"${named} style="${escapeHtml([frame, size, style, display].filter(Boolean).join(';'))}">${text}</span>`;
}
