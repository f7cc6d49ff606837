import { sampleParts, sampleSize, type LegendItem } from './legend.ts';
import { createSvg, createLabel, textWidth } from './svg.ts';

/** The inherited style properties that are written into the file, which has no stylesheet. */
const styleProperties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];

/** A standalone picture. */
interface Picture {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const MARGIN_PX = 16;
const TITLE_HEIGHT_PX = 30;
const LEGEND_LINE_HEIGHT_PX = 20;

/** Creates an SVG document of a chart with its title and legend, in the colors of the screen and on the page's background. */
export function svgDocument(
  chart: SVGSVGElement,
  { title, legend }: { readonly title: string; readonly legend: readonly LegendItem[] },
): Picture {
  const { width, height } = chart.getBoundingClientRect();
  const place = chart.parentElement ?? document.body;
  const rows = legend.length < 2 ? [] : legendRows(legend, width, place);
  const top = MARGIN_PX + TITLE_HEIGHT_PX + rows.length * LEGEND_LINE_HEIGHT_PX + (rows.length > 0 ? 8 : 0);
  const [wholeWidth, wholeHeight] = [Math.round(width) + 2 * MARGIN_PX, Math.round(top + height) + MARGIN_PX];
  const inner = createSvg('g', { transform: `translate(${MARGIN_PX} ${top})` });
  const whole = createSvg(
    'svg',
    { width: wholeWidth, height: wholeHeight, viewBox: `0 0 ${wholeWidth} ${wholeHeight}`, class: 'picture' },
    createSvg('title', {}, title),
    createSvg('rect', { width: wholeWidth, height: wholeHeight, class: 'paper' }),
    createLabel(title, MARGIN_PX, MARGIN_PX + 14, { kind: 'label picture-title' }),
    ...rows.flatMap((row, index) =>
      row.map(({ item, x }) =>
        createSvg(
          'g',
          { transform: `translate(${MARGIN_PX + x} ${MARGIN_PX + TITLE_HEIGHT_PX + index * LEGEND_LINE_HEIGHT_PX})` },
          ...sampleParts(item),
          createLabel(item.label, sampleSize.width + 6, 9),
        ),
      ),
    ),
    inner,
  );
  inner.append(...[...chart.childNodes].map((node) => node.cloneNode(true)));
  // Computed styles exist only for elements in the page.
  place.append(whole);
  try {
    inlineStyles(whole);
  } finally {
    whole.remove();
  }
  return {
    text: `<?xml version="1.0" encoding="UTF-8"?>\n${removeInvalidXml(new XMLSerializer().serializeToString(whole))}\n`,
    width: wholeWidth,
    height: wholeHeight,
  };
}

function legendRows(
  legend: readonly LegendItem[],
  width: number,
  place: Element,
): { readonly item: LegendItem; readonly x: number }[][] {
  const rows: { item: LegendItem; x: number }[][] = [];
  let x = Infinity;
  for (const item of legend) {
    const needed = sampleSize.width + 6 + textWidth(item.label, place) + 16;
    if (x + needed > width) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ item, x });
    x += needed;
  }
  return rows;
}

/** Writes computed styles that differ from the parent's into the elements, and removes attributes that only work in the page. */
function inlineStyles(root: SVGElement): void {
  const elements = [root, ...root.querySelectorAll<SVGElement>('*')];
  const stylesByElement = new Map<Element | null, readonly string[]>(
    elements.map((element) => {
      const computed = getComputedStyle(element);
      return [element, styleProperties.map((name) => computed.getPropertyValue(name))];
    }),
  );
  for (const element of elements) {
    const above = element === root ? undefined : stylesByElement.get(element.parentElement);
    stylesByElement.get(element)?.forEach((value, index) => {
      const name = styleProperties[index] ?? '';
      if (value === above?.[index]) element.removeAttribute(name);
      else element.setAttribute(name, value);
    });
    for (const { name } of [...element.attributes])
      if (name === 'class' || name === 'style' || name.startsWith('ct:') || name === 'xmlns:ct')
        element.removeAttribute(name);
  }
}

/** Removes characters that XML doesn't allow: names come from a service. */
export function removeInvalidXml(text: string): string {
  return [...text].filter((sign) => !isForbidden(sign.codePointAt(0) ?? 0)).join('');
}

function isForbidden(code: number): boolean {
  return (
    (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code === 0xfffe ||
    code === 0xffff
  );
}

/** Pixels of the image per pixel of the chart. */
const PNG_SCALE = 2;

/** Renders a picture as a PNG image in Base64. */
export async function renderPng({ text, width, height }: Picture): Promise<string> {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * PNG_SCALE, height * PNG_SCALE];
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This window can’t draw images.');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/u, '');
}
