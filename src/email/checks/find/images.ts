import { plural, t } from '../../../l10n.ts';
import { prepareImages } from '../../sent/replacements.ts';
import { getStyle, getUseRange, isElementHidden, isTextShown, toPixels } from '../cascade.ts';
import { formatShare, OUTLOOK_WINDOWS } from '../clients.ts';
import { byStart } from '../../html/text.ts';
import type { BodyElement, BodyText } from '../document.ts';
import { type ParsedEmail, type Rule, type RuleFinding, type RuleRange, setAttributeEdit } from '../rule.ts';
import { getFontSize } from './readability.ts';
import { featureUrl, findMissingSupport } from './support.ts';

/** Returns whether an image is a tracking pixel. */
const isTrackingPixel = (image: BodyElement) =>
  ['width', 'height'].some((side) => /^[01](?:px)?$/u.test(image.get(side)?.trim() ?? ''));

/** Returns whether AcyMailing derives the width attribute from the image's style. */
const receivesWidth = ({ isComposed, email: { body } }: ParsedEmail, { start, openEnd }: BodyElement) =>
  isComposed && /\bwidth="\d/iu.test(prepareImages(body.slice(start, openEnd)));

/** Returns an edit that sets an image's width from its styles; none if they don't set one in pixels. */
function createWidthEdits(image: BodyElement) {
  const width = toPixels(getStyle(image, 'width')) ?? toPixels(getStyle(image, 'max-width')) ?? 0;
  return width > 0 ? [setAttributeEdit(image, 'width', String(Math.round(width)))] : [];
}

const getSourceRange = (image: BodyElement) => image.attribute('src') ?? image;

const imageFormats = [
  [/\.svgz?$/iu, 'image-svg', 'SVG'],
  [/\.webp$/iu, 'image-webp', 'WebP'],
  [/\.avif$/iu, 'image-avif', 'AVIF'],
  [/\.heif$|\.heic$/iu, 'image-heif', 'HEIF'],
] as const;

/** Returns a finding for uses of a feature; none if all clients support it. */
function createSupportFinding(
  mail: ParsedEmail,
  feature: string,
  ranges: readonly RuleRange[],
  createMessage: (clients: string) => string,
  otherClients?: readonly string[],
): readonly RuleFinding[] {
  const missing = findMissingSupport(mail, feature, otherClients);
  return missing ? [{ ranges, message: createMessage(missing.names), ...missing }] : [];
}

const MIN_TEXT_SHARE = 0.2;
/** Assumed for images without size attributes. */
const DEFAULT_IMAGE_SIZE_PX = { width: 300, height: 150 };
/** What a window shows of an email of the usual width without scrolling. */
const FOLD_AREA_PX2 = 600 * 600;
/** The area of a headline, an offer and a button. */
const MIN_HEADLINE_AREA_PX2 = 6000;

/** Returns the area of the visible characters of a text, without whitespace and zero-width characters. */
function getTextArea({ value, parent }: BodyText) {
  const size = getFontSize(parent) ?? 16;
  return 0.6 * size * size * value.replace(/[\0-\x20\s\u200B-\u200D]+/gu, '').length;
}

function getImageArea(image: BodyElement) {
  const getSize = (side: 'width' | 'height') =>
    Math.min(Number.parseFloat(image.get(side) ?? '') || DEFAULT_IMAGE_SIZE_PX[side], 1200);
  return getSize('width') * getSize('height');
}

/** Estimates the areas of text and images, in square pixels. Where images are blocked, frames of the same size replace them. */
function measureAreas({ texts }: ParsedEmail, images: readonly BodyElement[]) {
  const shown = texts.filter(({ parent }) => isTextShown(parent));
  let [text, textAboveFold, image] = [0, 0, 0];
  for (const content of [...images, ...shown].sort(byStart)) {
    if ('name' in content) image += getImageArea(content);
    else {
      text += getTextArea(content);
      if (text + image <= FOLD_AREA_PX2) textAboveFold = text;
    }
  }
  return { text, textAboveFold, image };
}

export const getImageRules = (): readonly Rule[] => [
  {
    id: '12',
    name: 'image-alt',
    title: t('Missing alt text'),
    severity: 'warning',
    fix: 'choice',
    impact: t('Screen reader users, and recipients whose client blocks images, miss what the image says.'),
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content',
    find(mail) {
      const ranges = mail
        .getElements('img')
        .filter(
          (image) => !image.has('alt') && image.get('role') !== 'presentation' && image.get('aria-hidden') !== 'true',
        );
      const message = t(
        'This image has no alt text. Screen reader users, and recipients whose client blocks images, get its file name at best. Use alt="" for decorative images.',
      );
      const edits = ranges.map((image) => setAttributeEdit(image, 'alt', ''));
      const title = plural(ranges.length, t('Add alt="" to {0} image'), t('Add alt="" to {0} images'));
      return { ranges, message, fixes: [{ title, edits }] };
    },
  },
  {
    id: '13',
    name: 'image-width',
    title: t('Missing image width'),
    severity: 'warning',
    fix: 'mechanical',
    impact: t('Large images break the layout in Outlook for Windows.'),
    url: featureUrl('html-width'),
    find(mail) {
      if (!mail.isFor('outlook-windows')) return [];
      const ranges = mail
        .getElements('img')
        .filter((image) => !image.has('width') && !isTrackingPixel(image) && !receivesWidth(mail, image))
        .filter((image) => !image.isHiddenFromOutlook && !isElementHidden(image));
      const message = t(
        'This image has no width attribute. Outlook for Windows ignores CSS widths and shows it at its full size.',
      );
      const edits = ranges.flatMap(createWidthEdits);
      const title = plural(ranges.length, t('Add the width to {0} image'), t('Add the width to {0} images'));
      const fixes = edits.length === ranges.length ? [{ title, edits }] : [];
      return { ranges, message, clients: [OUTLOOK_WINDOWS], fixes };
    },
  },
  {
    id: '14',
    name: 'data-image',
    title: t('Embedded image (data: URL)'),
    severity: 'error',
    impact: t('The image is missing.'),
    url: featureUrl('image-base64'),
    find(mail) {
      const images = mail.getElements('img').filter((image) => /^\s*data:/iu.test(image.get('src') ?? ''));
      const backgrounds = mail.findDeclarations(({ value }) => /url\(\s*["']?data:image/iu.test(value));
      const ranges = [...images.map(getSourceRange), ...backgrounds.map(getUseRange)];
      const createMessage = (clients: string) =>
        t`Images embedded as data: URLs are not supported by ${clients}. Link to a hosted image.`;
      // Outlook for Windows supports only some formats of data images.
      return createSupportFinding(mail, 'image-base64', ranges, createMessage, [OUTLOOK_WINDOWS]);
    },
  },
  {
    id: '15',
    name: 'image-format',
    title: t('Unsupported image format'),
    severity: 'warning',
    impact: t('The image is missing.'),
    url: 'https://www.caniemail.com/search/?s=image',
    find(mail) {
      const getPath = (image: BodyElement) => (image.get('src') ?? '').replace(/[?#][^]*$/u, '');
      const drawings = mail.getElements('svg').filter(({ parent }) => parent?.name !== 'svg' && parent !== undefined);
      return [
        ...imageFormats.flatMap(([ending, feature, name]) => {
          const images = mail.getElements('img').filter((image) => ending.test(getPath(image)));
          return createSupportFinding(mail, feature, images.map(getSourceRange), (clients) =>
            t({
              message: '{0} images are not supported by {1}.',
              args: [name, clients],
              comment: '{0}: an image format; {1}: mail clients',
            }),
          );
        }),
        ...createSupportFinding(mail, 'html-svg', drawings, (clients) => t`Inline SVG is not supported by ${clients}.`),
      ];
    },
  },
  {
    id: '16',
    name: 'images-only',
    title: t('Too little text'),
    severity: 'info',
    impact: t('Recipients see nothing until images load, and spam filters are more likely to block the email.'),
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/images-of-text',
    find(mail) {
      const images = mail.getElements('img').filter((image) => !isTrackingPixel(image) && !isElementHidden(image));
      const { text, textAboveFold, image } = measureAreas(mail, images);
      const textShare = text / (text + image);
      if (textShare >= MIN_TEXT_SHARE || textAboveFold >= MIN_HEADLINE_AREA_PX2) return [];
      const message =
        text === 0
          ? t('This email contains only images. It is blank where images are blocked, and spam filters penalize it.')
          : t`Only about ${formatShare(textShare)} of this email is text. Recipients who block images see almost nothing.`;
      return { ranges: images.slice(0, 1), message };
    },
  },
];
