import { formatNumber, t } from '../../../l10n.ts';
import { memoizeByText } from '../../html/text.ts';
import {
  getDeclaration,
  getStyle,
  getUseRange,
  isElementHidden,
  isTextShown,
  toPixels,
  type DeclarationUse,
} from '../cascade.ts';
import { formatHex, getContrast, parseColor, toOutlookDarkColor, type Color } from '../color.ts';
import { trimRange } from '../css.ts';
import {
  containsTag,
  getElementText,
  inherit,
  memoize,
  type Attribute,
  type BodyElement,
  type BodyText,
} from '../document.ts';
import { type ParsedEmail, removeDuplicates, type Rule, type RuleFinding, type RuleRange } from '../rule.ts';
import { findEmptyControls } from './links.ts';

/** Returns the visible texts that contain letters or digits. */
export const getReadableTexts = memoize((mail: ParsedEmail): readonly BodyText[] =>
  mail.texts.filter(({ value, parent }) => /[\p{L}\p{N}]/u.test(value) && isTextShown(parent)),
);

interface ColorSource {
  /** Undefined if it can't be determined. */
  readonly color: Color | undefined;
  readonly range?: RuleRange;
}

const readColorAttribute = (range: Attribute): ColorSource => ({ color: parseColor(range.value), range });

const readColor = (use: DeclarationUse): ColorSource => ({
  color: parseColor(use.declaration.value),
  range: getUseRange(use),
});

const getTextColor = inherit((element): ColorSource | undefined => {
  if (!element.isSent) return undefined;
  const use = getDeclaration(element, 'color');
  if (use && !/^(?:inherit|currentcolor)$/iu.test(use.declaration.value)) return readColor(use);
  const attribute = element.name === 'font' ? element.attribute('color') : undefined;
  if (attribute) return readColorAttribute(attribute);
  // Links without a declared color get the client's default.
  return element.name === 'a' && element.has('href') && !use ? { color: undefined } : undefined;
});

const getBackground = inherit((element): ColorSource | undefined => {
  if (!element.isSent) return undefined;
  const image = getStyle(element, 'background-image') ?? 'none';
  const shorthand = getDeclaration(element, 'background');
  const hasImage =
    element.get('background') || !/^none$/iu.test(image) || /url\(|gradient/iu.test(shorthand?.declaration.value ?? '');
  if (hasImage) return { color: undefined };
  const use = getDeclaration(element, 'background-color') ?? shorthand;
  if (use) return /^(?:transparent|none|inherit|0 0)$/iu.test(use.declaration.value) ? undefined : readColor(use);
  const attribute = element.attribute('bgcolor');
  return attribute && readColorAttribute(attribute);
});

const HEADING_SIZES_PX = new Map([
  ['h1', 32],
  ['h2', 24],
  ['h3', 18.7],
]);

/** Returns an element's font size in pixels; relative units are ignored. */
const createSizeReader = (media: 'desktop' | 'phone') =>
  inherit((element) => toPixels(getStyle(element, 'font-size', media)) ?? HEADING_SIZES_PX.get(element.name));
export const getFontSize = createSizeReader('desktop');
const getPhoneFontSize = createSizeReader('phone');

const isBold = inherit((element) => {
  const weight = getStyle(element, 'font-weight');
  if (weight) return /^(?:bold|bolder|[6-9]00)$/iu.test(weight);
  return /^(?:b|strong|h[1-6]|th)$/u.test(element.name) || undefined;
});

/** https://www.w3.org/TR/WCAG22/#dfn-large-scale */
function getMinContrast(element: BodyElement) {
  const size = getFontSize(element) ?? 16;
  return size >= 24 || (size >= 18.66 && isBold(element)) ? 3 : 4.5;
}

/** The range of the nearest declared font size in pixels. */
const getSizeRange = inherit((element) => {
  const use = getDeclaration(element, 'font-size');
  return use && toPixels(use.declaration.value) !== undefined ? getUseRange(use) : undefined;
});

interface LowContrast {
  readonly range: RuleRange;
  readonly ratio: number;
  readonly minRatio: number;
  readonly color: Color;
  readonly background: Color;
  readonly element: BodyElement;
}

/** Creates a finding for all texts with low contrast. Its message is about the first. */
const createContrastFinding = (
  low: readonly LowContrast[],
  createMessage: (color: string, background: string, tag: string, first: LowContrast) => string,
  options: Partial<RuleFinding> = {},
): readonly RuleFinding[] =>
  low.slice(0, 1).map((first) => ({
    ranges: removeDuplicates(low.map(({ range }) => range)),
    message: createMessage(formatHex(first.color), formatHex(first.background), `<${first.element.name}>`, first),
    ...options,
  }));

export const getReadingRules = (): readonly Rule[] => [
  {
    id: '18',
    name: 'contrast',
    title: t('Low contrast'),
    severity: 'warning',
    impact: t('The text is hard to read, especially in sunlight or with low vision.'),
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum',
    find(mail) {
      // An email has few color pairs.
      const getRatios = memoizeByText(([text, background]: readonly [Color, Color]) => ({
        ratio: getContrast(text, background),
        darkRatio: getContrast(toOutlookDarkColor(text), toOutlookDarkColor(background)),
      }));
      const low: LowContrast[] = [];
      const lowInDark: LowContrast[] = [];
      for (const { parent, start, end } of getReadableTexts(mail)) {
        const text = getTextColor(parent) ?? { color: [0, 0, 0] };
        const background = getBackground(parent) ?? { color: [255, 255, 255] };
        if (!text.color || !background.color) continue;
        const { ratio, darkRatio } = getRatios([text.color, background.color]);
        if (Math.min(ratio, darkRatio) >= 4.5) continue;
        const range = text.range ?? background.range ?? trimRange(mail.email.body, start, end);
        const minRatio = getMinContrast(parent);
        const found = { range, ratio, minRatio, color: text.color, background: background.color, element: parent };
        if (ratio < minRatio) low.push(found);
        else if (darkRatio < minRatio) lowInDark.push(found);
      }
      low.sort((one, other) => one.ratio - other.ratio);
      return [
        ...createContrastFinding(low, (color, background, tag, { ratio, minRatio }) => {
          // Truncated, not rounded: 4.48 must not show as 4.5.
          const shown = formatNumber(Math.floor(ratio * 100) / 100);
          return t`Contrast of ${color} on ${background} in ${tag} is ${shown}:1. Aim for at least ${formatNumber(minRatio)}:1.`;
        }),
        ...createContrastFinding(
          lowInDark,
          (color, background, tag) =>
            t`Low contrast in dark mode: Outlook.com and new Outlook invert the lightness of ${color} on ${background} in ${tag}.`,
          { severity: 'info', clients: ['Outlook.com and new Outlook'] },
        ),
      ];
    },
  },
  {
    id: '21',
    name: 'headings',
    title: t('Skipped heading level, empty heading or empty link'),
    severity: 'warning',
    impact: t('Screen reader users who navigate by headings and links get lost.'),
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships',
    find(mail) {
      const headings = mail
        .getElements('h1', 'h2', 'h3', 'h4', 'h5', 'h6')
        .filter((heading) => !isElementHidden(heading));
      const getLevel = (heading: BodyElement | undefined) => Number(heading?.name[1] ?? Infinity);
      const skipped = headings.filter((heading, index) => getLevel(heading) > getLevel(headings[index - 1]) + 1);
      const empty = headings.filter(
        (heading) =>
          getElementText(heading).trim() === '' &&
          heading.children.length === 0 &&
          !containsTag(mail.email.body.slice(heading.openEnd, heading.closeStart)),
      );
      return [
        {
          ranges: skipped,
          message: t(
            'Skipped heading level. Screen reader users navigate by headings and expect each level after the one above it.',
          ),
        },
        {
          ranges: empty,
          message: t('Empty heading. Screen reader users navigate by headings and find no text here.'),
        },
        {
          ranges: findEmptyControls(mail),
          message: t('Empty link or button. Screen readers announce its URL at best.'),
        },
      ];
    },
  },
  {
    id: '22',
    name: 'font-size',
    title: t('Small text'),
    severity: 'hint',
    impact: t('Recipients have to zoom in on phones.'),
    url: 'https://developer.apple.com/design/human-interface-guidelines/typography',
    find(mail) {
      const elements = new Set(getReadableTexts(mail).map(({ parent }) => parent));
      const small = [...elements].filter(
        (element) => (getFontSize(element) ?? 16) < 14 && (getPhoneFontSize(element) ?? 16) < 14,
      );
      const ranges = small.map((element) => getSizeRange(element)).filter((range) => range !== undefined);
      return { ranges: removeDuplicates(ranges), message: t('Text below 14 px is hard to read on phones.') };
    },
  },
];
