import { createDesktopCascade, isElementHidden, isTextHidden, createPhoneCascade, toPixels } from '../cascade.ts';
import type { Cascade } from '../cascade.ts';
import { getContrast, toOutlookDarkColor, parseColor } from '../color.ts';
import type { Color } from '../color.ts';
import { containsTag, createInheritedLookup, getElementText, unrenderedElements } from '../document.ts';
import type { BodyElement, BodyText } from '../document.ts';
import { trimRange } from '../css.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { findEmptyControls } from './links.ts';

/** Returns the visible texts that contain letters or digits. */
export function getReadableTexts(mail: ParsedEmail): readonly BodyText[] {
  return mail.document.texts.filter(
    ({ value, parent }) =>
      /[\p{L}\p{N}]/u.test(value) && !unrenderedElements.has(parent.name) && !isTextHidden(mail, parent),
  );
}

interface ColorSource {
  /** Undefined if it can't be determined. */
  readonly color: Color | undefined;
  readonly range?: PartRange;
}

/** Returns an element's own text color; `none` if it declares none. */
function getOwnColor(cascade: Cascade, element: BodyElement): ColorSource | 'none' {
  const decided = cascade.getDeclaration(element, 'color');
  if (decided && !/^(?:inherit|currentcolor)$/iu.test(decided.value))
    return { color: parseColor(decided.value), range: decided.range };
  const attribute = element.name === 'font' ? element.attribute('color') : undefined;
  if (attribute) return { color: parseColor(attribute.value), range: bodyRange(attribute.start, attribute.end) };
  // Links without a declared color get the client's default.
  return element.name === 'a' && element.has('href') && !decided ? { color: undefined } : 'none';
}

function getOwnBackground(cascade: Cascade, element: BodyElement): ColorSource | 'none' {
  if (element.get('background')) return { color: undefined };
  const image = cascade.getDeclaration(element, 'background-image');
  const [shorthand, color] = [
    cascade.getDeclaration(element, 'background'),
    cascade.getDeclaration(element, 'background-color'),
  ];
  if (image && !/^none$/iu.test(image.value)) return { color: undefined };
  const decided = color ?? shorthand;
  if (shorthand && /url\(|gradient/iu.test(shorthand.value)) return { color: undefined };
  if (decided)
    return /^(?:transparent|none|inherit|0 0)$/iu.test(decided.value)
      ? 'none'
      : { color: parseColor(decided.value), range: decided.range };
  const attribute = element.attribute('bgcolor');
  return attribute ? { color: parseColor(attribute.value), range: bodyRange(attribute.start, attribute.end) } : 'none';
}

const defaultTextColor: Color = [0, 0, 0];
const defaultBackground: Color = [255, 255, 255];

type OwnColorReader = (cascade: Cascade, element: BodyElement) => ColorSource | 'none';

/** Returns a function that finds an element's own or inherited color. */
function createColorLookup(
  mail: ParsedEmail,
  readOwn: OwnColorReader,
  fallback: Color,
): (element: BodyElement) => ColorSource {
  const cascade = mail.once(createDesktopCascade);
  const cache = new Map<BodyElement, ColorSource>();
  const read = (element: BodyElement): ColorSource => {
    const cached = cache.get(element);
    if (cached) return cached;
    const ownColor = mail.isSent(element) ? readOwn(cascade, element) : 'none';
    const colorSource = ownColor !== 'none' ? ownColor : element.parent ? read(element.parent) : { color: fallback };
    cache.set(element, colorSource);
    return colorSource;
  };
  return read;
}

const HEADING_SIZES_PX: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 18.7 };

/** Returns a function that finds the font size in pixels; relative units are ignored. */
const createFontSizeLookup = (cascade: Cascade): ((element: BodyElement) => number | undefined) =>
  createInheritedLookup(
    (element) =>
      toPixels(cascade.getDeclaration(element, 'font-size')?.value) ??
      lookUpHeadingSize(HEADING_SIZES_PX, element.name),
  );

const lookUpHeadingSize = (sizes: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(sizes, name) ? sizes[name] : undefined;

const createDesktopFontSizeLookup = (mail: ParsedEmail): ReturnType<typeof createFontSizeLookup> =>
  createFontSizeLookup(mail.once(createDesktopCascade));
const createPhoneFontSizeLookup = (mail: ParsedEmail): ReturnType<typeof createFontSizeLookup> =>
  createFontSizeLookup(mail.once(createPhoneCascade));

const createBoldnessLookup = (mail: ParsedEmail): ((element: BodyElement) => boolean | undefined) =>
  createInheritedLookup((element) => {
    const weight = mail.once(createDesktopCascade).getDeclaration(element, 'font-weight')?.value;
    if (weight) return /^(?:bold|bolder|[6-9]00)$/iu.test(weight);
    return /^(?:b|strong|h[1-6]|th)$/u.test(element.name) || undefined;
  });

function findLowContrast(mail: ParsedEmail): readonly RuleFinding[] {
  const [getColor, getBackground] = [
    createColorLookup(mail, getOwnColor, defaultTextColor),
    createColorLookup(mail, getOwnBackground, defaultBackground),
  ];
  const getRatios = createRatioCache();
  const lowContrast = new Map<
    string,
    { readonly range: PartRange; readonly ratio: number; readonly minRatio: number }
  >();
  const lowDarkContrast = new Map<string, PartRange>();
  for (const text of mail.once(getReadableTexts)) {
    const [textColor, background] = [getColor(text.parent), getBackground(text.parent)];
    if (!textColor.color || !background.color) continue;
    const { ratio, darkRatio } = getRatios(textColor.color, background.color);
    const range = textColor.range ?? background.range ?? toTextRange(mail, text);
    const key = `${range.part} ${range.start}`;
    if (Math.min(ratio, darkRatio) >= 4.5) continue;
    const minRatio = getMinContrast(mail, text.parent);
    if (ratio < minRatio) lowContrast.set(key, pickLowerRatio(lowContrast.get(key), { range, ratio, minRatio }));
    else if (darkRatio < minRatio) lowDarkContrast.set(key, range);
  }
  const [worst, ...others] = [...lowContrast.values()].sort((one, other) => one.ratio - other.ratio);
  const darkFindings = groupFindings(
    [...lowDarkContrast.values()],
    'Outlook.com and new Outlook turn the colors over in the dark: there this text is hard to read.',
    {
      severity: 'info',
      clients: ['Outlook.com and new Outlook'],
    },
  );
  if (!worst) return darkFindings;
  // Truncated, not rounded: 4.48 must not show as 4.5.
  const ratio = Math.floor(worst.ratio * 100) / 100;
  const message = `The contrast of this text is ${ratio} : 1, and ${worst.minRatio} : 1 is what can be read by most.`;
  return [{ ranges: [worst.range, ...others.map(({ range }) => range)], message }, ...darkFindings];
}

/**
 * Returns a function that computes the contrast of two colors as written and in Outlook's dark mode. An email has few color pairs, so
 * results are cached.
 */
function createRatioCache(): (
  textColor: Color,
  background: Color,
) => { readonly ratio: number; readonly darkRatio: number } {
  const cache = new Map<string, { readonly ratio: number; readonly darkRatio: number }>();
  return (textColor, background) => {
    const key = `${textColor.join()} ${background.join()}`;
    const ratioPair = cache.get(key) ?? {
      ratio: getContrast(textColor, background),
      darkRatio: getContrast(toOutlookDarkColor(textColor), toOutlookDarkColor(background)),
    };
    cache.set(key, ratioPair);
    return ratioPair;
  };
}

const pickLowerRatio = <Ratio extends { readonly ratio: number }>(one: Ratio | undefined, other: Ratio): Ratio =>
  one && one.ratio <= other.ratio ? one : other;

/** https://www.w3.org/TR/WCAG22/#dfn-large-scale */
function getMinContrast(mail: ParsedEmail, element: BodyElement): number {
  const size = mail.once(createDesktopFontSizeLookup)(element) ?? 16;
  return size >= 24 || (size >= 18.66 && mail.once(createBoldnessLookup)(element)) ? 3 : 4.5;
}

function toTextRange({ email: { body } }: ParsedEmail, { start, end }: BodyText): PartRange {
  const range = trimRange(body, start, end);
  return bodyRange(range.start, range.end);
}

function findSmallText(mail: ParsedEmail): readonly RuleFinding[] {
  const isSmall = (sizeOf: ReturnType<typeof createFontSizeLookup>, element: BodyElement): boolean =>
    (sizeOf(element) ?? 16) < 14;
  const [desktop, phone] = [mail.once(createDesktopFontSizeLookup), mail.once(createPhoneFontSizeLookup)];
  const elements = new Set(
    mail
      .once(getReadableTexts)
      .map(({ parent }) => parent)
      .filter((parent) => isSmall(desktop, parent) && isSmall(phone, parent)),
  );
  const ranges = new Map<string, PartRange>();
  const getSizeRange = createInheritedLookup((element) => {
    const decided = mail.once(createDesktopCascade).getDeclaration(element, 'font-size');
    return toPixels(decided?.value) === undefined ? undefined : decided?.range;
  });
  for (const element of elements) {
    const range = getSizeRange(element);
    if (range) ranges.set(`${range.part} ${range.start}`, range);
  }
  return groupFindings([...ranges.values()], 'Text below 14 px is hard to read on phones.');
}

function findHeadingProblems(mail: ParsedEmail): readonly RuleFinding[] {
  const headings = mail
    .getElements('h1', 'h2', 'h3', 'h4', 'h5', 'h6')
    .filter((heading) => !isElementHidden(mail, heading));
  const level = ({ name }: BodyElement): number => Number(name[1]);
  const emptyHeadings = headings.filter(
    (heading) => getElementText(heading).trim() === '' && heading.children.length === 0,
  );
  const skippedLevels = headings.filter((heading, index) => {
    const previous = headings[index - 1];
    return previous !== undefined && level(heading) > level(previous) + 1;
  });
  return [
    ...groupFindings(
      skippedLevels.map(startTagRange),
      'This heading skips a level: who goes from heading to heading looks for the one between.',
    ),
    ...groupFindings(
      emptyHeadings
        .filter((heading) => !containsTag(mail.email.body.slice(heading.openEnd, heading.closeStart)))
        .map(startTagRange),
      'This heading is empty.',
    ),
    ...findEmptyControls(mail),
  ];
}

export const readingRules: readonly Rule[] = [
  {
    id: '18',
    name: 'contrast',
    title: 'Low contrast of text',
    severity: 'warning',
    impact: 'Hard to read, in the sun and for many at all times.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum',
    find: findLowContrast,
  },
  {
    id: '21',
    name: 'headings',
    title: 'Order of headings, empty link or button',
    severity: 'warning',
    impact: 'Who finds the way by headings and links gets lost.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships',
    find: findHeadingProblems,
  },
  {
    id: '22',
    name: 'font-size',
    title: 'Text below 14 px on phones',
    severity: 'hint',
    impact: 'Readers must zoom.',
    url: 'https://developer.apple.com/design/human-interface-guidelines/typography',
    find: findSmallText,
  },
];
