import { createDesktopCascade, isElementHidden, isTextHidden, createPhoneCascade, toPixels } from '../cascade.ts';
import type { Cascade } from '../cascade.ts';
import { getContrast, toOutlookDarkColor, parseColor } from '../color.ts';
import type { Color } from '../color.ts';
import { containsTag, createInheritedLookup, getElementText, unrenderedElements } from '../document.ts';
import type { BodyElement, BodyText } from '../document.ts';
import { trimRange } from '../css.ts';
import { bodyRange, startTagRange } from '../mail.ts';
import type { ParsedEmail } from '../mail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { emptyControls } from './links.ts';

/** Text that is read, with white space at its ends left out. */
export function readTexts(mail: ParsedEmail): readonly BodyText[] {
  return mail.document.texts.filter(
    ({ value, parent }) =>
      /[\p{L}\p{N}]/u.test(value) && !unrenderedElements.has(parent.name) && !isTextHidden(mail, parent),
  );
}

interface Painted {
  /** Undefined where it can't be told. */
  readonly color: Color | undefined;
  readonly range?: PartRange;
}

/** A colour of an element by itself: `none` where it says nothing of it. */
function ownColor(cascade: Cascade, element: BodyElement): Painted | 'none' {
  const decided = cascade.own(element, 'color');
  if (decided && !/^(?:inherit|currentcolor)$/iu.test(decided.value))
    return { color: parseColor(decided.value), range: decided.range };
  const attribute = element.name === 'font' ? element.attribute('color') : undefined;
  if (attribute) return { color: parseColor(attribute.value), range: bodyRange(attribute.start, attribute.end) };
  // Links without a colour have the client's.
  return element.name === 'a' && element.has('href') && !decided ? { color: undefined } : 'none';
}

function ownBackground(cascade: Cascade, element: BodyElement): Painted | 'none' {
  if (element.get('background')) return { color: undefined };
  const image = cascade.own(element, 'background-image');
  const [shorthand, color] = [cascade.own(element, 'background'), cascade.own(element, 'background-color')];
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

const black: Color = [0, 0, 0];
const white: Color = [255, 255, 255];

type Own = (cascade: Cascade, element: BodyElement) => Painted | 'none';

/** What an element has of a colour, by itself or from what it is in. */
function painter(mail: ParsedEmail, own: Own, otherwise: Color): (element: BodyElement) => Painted {
  const cascade = mail.once(createDesktopCascade);
  const known = new Map<BodyElement, Painted>();
  const read = (element: BodyElement): Painted => {
    const before = known.get(element);
    if (before) return before;
    const found = mail.isSent(element) ? own(cascade, element) : 'none';
    const painted = found !== 'none' ? found : element.parent ? read(element.parent) : { color: otherwise };
    known.set(element, painted);
    return painted;
  };
  return read;
}

const headingSizes: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 18.7 };

/** Size in pixels as far as it is said in units that depend on nothing. */
const fontSizeIn = (cascade: Cascade): ((element: BodyElement) => number | undefined) =>
  createInheritedLookup(
    (element) => toPixels(cascade.own(element, 'font-size')?.value) ?? ownOf(headingSizes, element.name),
  );

const ownOf = (sizes: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(sizes, name) ? sizes[name] : undefined;

const fontSizeOf = (mail: ParsedEmail): ReturnType<typeof fontSizeIn> => fontSizeIn(mail.once(createDesktopCascade));
const phoneFontSizeOf = (mail: ParsedEmail): ReturnType<typeof fontSizeIn> => fontSizeIn(mail.once(createPhoneCascade));

const boldnessOf = (mail: ParsedEmail): ((element: BodyElement) => boolean | undefined) =>
  createInheritedLookup((element) => {
    const weight = mail.once(createDesktopCascade).own(element, 'font-weight')?.value;
    if (weight) return /^(?:bold|bolder|[6-9]00)$/iu.test(weight);
    return /^(?:b|strong|h[1-6]|th)$/u.test(element.name) || undefined;
  });

function lowContrast(mail: ParsedEmail): readonly RuleFinding[] {
  const [colorOf, backgroundOf] = [painter(mail, ownColor, black), painter(mail, ownBackground, white)];
  const ratiosOf = rememberRatios();
  const light = new Map<string, { readonly range: PartRange; readonly ratio: number; readonly least: number }>();
  const dark = new Map<string, PartRange>();
  for (const text of mail.once(readTexts)) {
    const [front, back] = [colorOf(text.parent), backgroundOf(text.parent)];
    if (!front.color || !back.color) continue;
    const { ratio, turned } = ratiosOf(front.color, back.color);
    const range = front.range ?? back.range ?? textPlace(mail, text);
    const key = `${range.part} ${range.start}`;
    if (Math.min(ratio, turned) >= 4.5) continue;
    const least = leastContrast(mail, text.parent);
    if (ratio < least) light.set(key, worse(light.get(key), { range, ratio, least }));
    else if (turned < least) dark.set(key, range);
  }
  const [worst, ...others] = [...light.values()].sort((one, other) => one.ratio - other.ratio);
  const inDark = groupFindings(
    [...dark.values()],
    'Outlook.com and new Outlook turn the colours over in the dark: there this text is hard to read.',
    {
      severity: 'info',
      clients: ['Outlook.com and new Outlook'],
    },
  );
  if (!worst) return inDark;
  // Cut, not rounded: 4.48 is not 4.5.
  const ratio = Math.floor(worst.ratio * 100) / 100;
  const message = `The contrast of this text is ${ratio} : 1, and ${worst.least} : 1 is what can be read by most.`;
  return [{ ranges: [worst.range, ...others.map(({ range }) => range)], message }, ...inDark];
}

/** Contrast of two colours as they are, and as Outlook turns them over in the dark. An email has few pairs of them. */
function rememberRatios(): (front: Color, back: Color) => { readonly ratio: number; readonly turned: number } {
  const known = new Map<string, { readonly ratio: number; readonly turned: number }>();
  return (front, back) => {
    const key = `${front.join()} ${back.join()}`;
    const ratios = known.get(key) ?? {
      ratio: getContrast(front, back),
      turned: getContrast(toOutlookDarkColor(front), toOutlookDarkColor(back)),
    };
    known.set(key, ratios);
    return ratios;
  };
}

const worse = <Ratio extends { readonly ratio: number }>(one: Ratio | undefined, other: Ratio): Ratio =>
  one && one.ratio <= other.ratio ? one : other;

/** https://www.w3.org/TR/WCAG22/#dfn-large-scale */
function leastContrast(mail: ParsedEmail, element: BodyElement): number {
  const size = mail.once(fontSizeOf)(element) ?? 16;
  return size >= 24 || (size >= 18.66 && mail.once(boldnessOf)(element)) ? 3 : 4.5;
}

function textPlace({ email: { body } }: ParsedEmail, { start, end }: BodyText): PartRange {
  const range = trimRange(body, start, end);
  return bodyRange(range.start, range.end);
}

function smallText(mail: ParsedEmail): readonly RuleFinding[] {
  const isSmall = (sizeOf: ReturnType<typeof fontSizeIn>, element: BodyElement): boolean =>
    (sizeOf(element) ?? 16) < 14;
  const [desktop, phone] = [mail.once(fontSizeOf), mail.once(phoneFontSizeOf)];
  const elements = new Set(
    mail
      .once(readTexts)
      .map(({ parent }) => parent)
      .filter((parent) => isSmall(desktop, parent) && isSmall(phone, parent)),
  );
  const ranges = new Map<string, PartRange>();
  const sizePlace = createInheritedLookup((element) => {
    const decided = mail.once(createDesktopCascade).own(element, 'font-size');
    return toPixels(decided?.value) === undefined ? undefined : decided?.range;
  });
  for (const element of elements) {
    const range = sizePlace(element);
    if (range) ranges.set(`${range.part} ${range.start}`, range);
  }
  return groupFindings([...ranges.values()], 'Text below 14 px is hard to read on phones.');
}

function headingsAndControls(mail: ParsedEmail): readonly RuleFinding[] {
  const headings = mail
    .getElements('h1', 'h2', 'h3', 'h4', 'h5', 'h6')
    .filter((heading) => !isElementHidden(mail, heading));
  const level = ({ name }: BodyElement): number => Number(name[1]);
  const empty = headings.filter((heading) => getElementText(heading).trim() === '' && heading.children.length === 0);
  const skipping = headings.filter((heading, index) => {
    const before = headings[index - 1];
    return before !== undefined && level(heading) > level(before) + 1;
  });
  return [
    ...groupFindings(
      skipping.map(startTagRange),
      'This heading skips a level: who goes from heading to heading looks for the one between.',
    ),
    ...groupFindings(
      empty
        .filter((heading) => !containsTag(mail.email.body.slice(heading.openEnd, heading.closeStart)))
        .map(startTagRange),
      'This heading is empty.',
    ),
    ...emptyControls(mail),
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
    find: lowContrast,
  },
  {
    id: '21',
    name: 'headings',
    title: 'Order of headings, empty link or button',
    severity: 'warning',
    impact: 'Who finds the way by headings and links gets lost.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships',
    find: headingsAndControls,
  },
  {
    id: '22',
    name: 'font-size',
    title: 'Text below 14 px on phones',
    severity: 'hint',
    impact: 'Readers must zoom.',
    url: 'https://developer.apple.com/design/human-interface-guidelines/typography',
    find: smallText,
  },
];
