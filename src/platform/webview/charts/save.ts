import { t } from '@vscode/l10n';
import { createSvg } from '../dom.ts';
import { createLabel, createSampleParts, sampleSize, textWidth, type LegendItem } from './svg.ts';

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
export function svgDocument(chart: SVGSVGElement, title: string, legend: readonly LegendItem[]): Picture {
  const { width: chartWidth, height: chartHeight } = chart.getBoundingClientRect();
  const place = chart.parentElement ?? document.body;
  const legendTop = MARGIN_PX + TITLE_HEIGHT_PX;
  const legendParts: SVGElement[] = [];
  let [x, y] = [0, 0];
  for (const item of legend.length < 2 ? [] : legend) {
    const needed = sampleSize.width + 6 + textWidth(item.label, place) + 16;
    if (x > 0 && x + needed > chartWidth) [x, y] = [0, y + LEGEND_LINE_HEIGHT_PX];
    const transform = `translate(${MARGIN_PX + x} ${legendTop + y})`;
    const label = createLabel(item.label, sampleSize.width + 6, 9);
    legendParts.push(createSvg('g', { transform }, ...createSampleParts(item), label));
    x += needed;
  }
  const top = legendTop + (legendParts.length > 0 ? y + LEGEND_LINE_HEIGHT_PX + 8 : 0);
  const [width, height] = [Math.round(chartWidth) + 2 * MARGIN_PX, Math.round(top + chartHeight) + MARGIN_PX];
  const content = [...chart.childNodes].map((node) => node.cloneNode(true));
  const whole = createSvg(
    'svg.picture',
    { width, height, viewBox: `0 0 ${width} ${height}` },
    createSvg('title', title),
    createSvg('rect.paper', { width, height }),
    createLabel(title, MARGIN_PX, MARGIN_PX + 14, { kind: 'label picture-title' }),
    ...legendParts,
    createSvg('g', { transform: `translate(${MARGIN_PX} ${top})` }, ...content),
  );
  // Computed styles exist only for elements in the page.
  place.append(whole);
  inlineStyles(whole);
  whole.remove();
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${removeInvalidXml(new XMLSerializer().serializeToString(whole))}\n`;
  return { text, width, height };
}

/** Writes computed styles that differ from the parent's into the elements, and removes their classes. */
function inlineStyles(root: SVGElement) {
  const elements = [root, ...root.querySelectorAll<SVGElement>('*')];
  const stylesByElement = new Map<Element | null, readonly string[]>(
    elements.map((element) => {
      const computed = getComputedStyle(element);
      return [element, styleProperties.map((name) => computed.getPropertyValue(name))];
    }),
  );
  for (const element of elements) {
    const inherited = element === root ? undefined : stylesByElement.get(element.parentElement);
    stylesByElement.get(element)?.forEach((value, index) => {
      const name = styleProperties[index] ?? '';
      if (value === inherited?.[index]) element.removeAttribute(name);
      else element.setAttribute(name, value);
    });
    element.removeAttribute('class');
  }
}

/** Removes characters that XML doesn't allow: names come from a service. */
export function removeInvalidXml(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
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
  if (!context) throw new Error(t("This window can't draw images."));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/u, '');
}
