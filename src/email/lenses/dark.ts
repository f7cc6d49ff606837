import { invertLightness, toOutlookDarkColor as outlookColor } from '../checks/color.ts';
import { parseStyleAttribute } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import type { TextEdit } from '../tags/index.ts';
import { recolored, recoloredAttribute } from './colors.ts';
import type { Convert } from './colors.ts';
import { attributeEdit, elementsOf, restyledAttribute, restyledSheet } from './restyle.ts';
import type { PlacedElement, Restyling } from './restyle.ts';

const white = [255, 255, 255] as const;
const black = [0, 0, 0] as const;
/** A link without a colour of its own. */
const linkBlue = [0, 0, 238] as const;

interface DarkMode {
  readonly convert: Convert;
  readonly properties: RegExp;
  /** The colours that were there stand in `data-ogsc` and `data-ogsb`, for the author's rules. */
  readonly keepsOriginals: boolean;
}

const outlook: DarkMode = {
  convert: once(outlookColor),
  properties: /^(?:color|background|background-color)$/,
  keepsOriginals: true,
};
const gmail: DarkMode = {
  convert: once(invertLightness),
  properties: /^(?:color|background|background-color|border.*|outline.*|text-decoration.*|column-rule.*)$/,
  keepsOriginals: false,
};

/** Partial inversion: each element's own text and background colour; images stay. */
export const outlookDark = (html: string): TextEdit[] => inDark(html, outlook);
/** Full inversion: the lightness of every colour is turned over. */
export const gmailDark = (html: string): TextEdit[] => inDark(html, gmail);

function once(convert: Convert): Convert {
  const known = new Map<string, ReturnType<Convert>>();
  return (color) => {
    const key = color.join();
    const made = known.get(key) ?? convert(color);
    known.set(key, made);
    return made;
  };
}

function inDark(html: string, mode: DarkMode): TextEdit[] {
  const restyling: Restyling = {
    value: ({ property, value }) => (mode.properties.test(property) ? recolored(value, mode.convert) : value),
    isMeant: (selector) => mode.keepsOriginals && /\[data-ogs[cb]/i.test(selector),
  };
  const elements = elementsOf(html);
  const head = elements.find(({ name }) => name === 'head')?.inner.start ?? 0;
  const known = new Map<string, StyleInDark>();
  return [
    { start: head, end: head, text: canvas(mode.convert) },
    ...elements.flatMap((element) => {
      if (element.name !== 'style') return darkened(element, mode, restyling, known);
      return restyledSheet(html.slice(element.inner.start, element.inner.end), element.inner.start, restyling);
    }),
  ];
}

/** What an email stands on that says nothing of its colours. */
function canvas(convert: Convert): string {
  const rgb = (color: readonly [number, number, number]): string => `rgb(${convert(color).join(', ')})`;
  return `<style>html{background-color:${rgb(white)}}body{color:${rgb(black)}}:where(a[href]){color:${rgb(linkBlue)}}</style>`;
}

/** A style attribute as it is in the dark, and the colours that it had. */
interface StyleInDark {
  readonly made: string;
  readonly text: string | undefined;
  readonly background: string | undefined;
}

function styleInDark(style: string, restyling: Restyling): StyleInDark {
  const declared = new Map(parseStyleAttribute(style).map(({ property, value }) => [property, value]));
  const background = declared.get('background-color') ?? declared.get('background');
  return { made: restyledAttribute(style, restyling), text: declared.get('color'), background };
}

function darkened(
  element: PlacedElement,
  mode: DarkMode,
  restyling: Restyling,
  known: Map<string, StyleInDark>,
): TextEdit[] {
  const style = element.attribute('style');
  const own = style === undefined ? undefined : (known.get(style) ?? styleInDark(style, restyling));
  if (style !== undefined && own) known.set(style, own);
  const originals = mode.keepsOriginals ? originalsOf(element, own) : '';
  const edits = own ? attributeEdit(element, 'style', own.made, originals) : [];
  for (const name of ['bgcolor', 'color', 'text', 'link']) {
    const value = element.attribute(name);
    const made = value === undefined ? undefined : recoloredAttribute(value, mode.convert);
    if (made !== undefined)
      edits.push(...attributeEdit(element, name, hexOf(made), edits.length === 0 ? originals : ''));
  }
  if (edits.length === 0 && originals !== '') edits.push(afterName(element, originals));
  return edits;
}

/** Attributes know colours as `#rrggbb`. */
function hexOf(rgb: string): string {
  return `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** The colours that an element has of its own. The body always has some: those of the canvas. */
function originalsOf(element: PlacedElement, style: StyleInDark | undefined): string {
  const isBody = element.name === 'body';
  const text =
    style?.text ?? element.attribute('color') ?? element.attribute('text') ?? (isBody ? '#000000' : undefined);
  const background = style?.background ?? element.attribute('bgcolor') ?? (isBody ? '#ffffff' : undefined);
  const attribute = (name: string, value: string | undefined): string =>
    value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`;
  return attribute('data-ogsc', text) + attribute('data-ogsb', background);
}

function afterName({ range, name }: PlacedElement, text: string): TextEdit {
  const at = range.start + 1 + name.length;
  return { start: at, end: at, text };
}
