import { prepareImages } from '../../sent/replacements.ts';
import {
  getSentBlocks,
  getStyle,
  getUseRange,
  isElementHidden,
  isTextHidden,
  toDeclarationUses,
  toPixels,
} from '../cascade.ts';
import { unrenderedElements, type BodyElement } from '../document.ts';
import { addAttributeEdit, setAttributeEdit } from '../partEdits.ts';
import { bodyRange, startTagRange, type ParsedEmail } from '../parsedEmail.ts';
import type { PartRange } from '../model.ts';
import { formatCount, joinNames } from '../rule.ts';
import type { Rule, RuleFinding } from '../rule.ts';
import { featureUrl, findUnsupportingClients } from '../support.ts';

const OUTLOOK_WINDOWS = 'Outlook for Windows';

/** Returns whether an image is a tracking pixel. */
const isTrackingPixel = (image: BodyElement): boolean =>
  ['width', 'height'].some((side) => /^[01](?:px)?$/u.test(image.get(side)?.trim() ?? ''));

/** Returns whether AcyMailing derives the width attribute from the image's style. */
const receivesWidth = ({ isComposed, email: { body } }: ParsedEmail, { start, openEnd }: BodyElement): boolean =>
  isComposed && /\bwidth="\d/iu.test(prepareImages(body.slice(start, openEnd)));

/** Returns an image's width in pixels from its styles; undefined if they don't set one. */
function inferWidth(mail: ParsedEmail, image: BodyElement): number | undefined {
  const width = toPixels(getStyle(mail, image, 'width')) ?? toPixels(getStyle(mail, image, 'max-width'));
  return width === undefined || width <= 0 ? undefined : Math.round(width);
}

function getSourceRange(image: BodyElement): PartRange {
  const source = image.attribute('src');
  return source ? bodyRange(source.start, source.end) : startTagRange(image);
}

const imageFormats: readonly (readonly [ending: RegExp, feature: string, name: string])[] = [
  [/\.svgz?$/iu, 'image-svg', 'SVG'],
  [/\.webp$/iu, 'image-webp', 'WebP'],
  [/\.avif$/iu, 'image-avif', 'AVIF'],
  [/\.heif$|\.heic$/iu, 'image-heif', 'HEIF'],
];

/** Returns a finding for uses of a feature; none if all clients support it. */
function createSupportFinding(
  mail: ParsedEmail,
  feature: string,
  ranges: readonly PartRange[],
  noun: string,
): readonly RuleFinding[] {
  const clients = findUnsupportingClients(feature, mail.clients);
  const message = `${joinNames(clients)} can't show ${noun}.`;
  return clients.length === 0 ? [] : [{ ranges, message, clients, url: featureUrl(feature) }];
}

/** Area of an average character, in square pixels. */
const CHARACTER_AREA_PX2 = 150;
const MIN_TEXT_SHARE = 0.2;
/** Assumed for images without size attributes. */
const DEFAULT_IMAGE_SIZE_PX = { width: 300, height: 150 };

/** Returns the number of visible characters in the email. */
const countReadableCharacters = (mail: ParsedEmail): number =>
  mail.document.texts.reduce((sum, { value, parent }) => {
    const length = countVisibleCharacters(value);
    return length === 0 || unrenderedElements.has(parent.name) || isTextHidden(mail, parent) ? sum : sum + length;
  }, 0);

/** Counts the characters of a text without whitespace and zero-width characters. */
function countVisibleCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 32 && (code < 127 || !/[\s\u200B-\u200D]/u.test(text[at] ?? ''))) count += 1;
  }
  return count;
}

export const imageRules: readonly Rule[] = [
  {
    id: '12',
    name: 'image-alt',
    title: 'Missing alt text',
    severity: 'warning',
    hasFix: true,
    impact: 'Screen reader users, and recipients whose client blocks images, miss what the image says.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content',
    find(mail) {
      const images = mail
        .getElements('img')
        .filter(
          (image) => !image.has('alt') && image.get('role') !== 'presentation' && image.get('aria-hidden') !== 'true',
        );
      const message =
        'This image has no alt text. Screen readers, and clients that block images, show its file name at best. Use alt="" for decorative images.';
      const edits = images.map((image) => addAttributeEdit(image, 'alt=""'));
      const title = `Add alt="" to ${formatCount(images.length, 'image')}`;
      return [{ ranges: images.map(startTagRange), message, fixes: [{ title, edits }] }];
    },
  },
  {
    id: '13',
    name: 'image-width',
    title: 'Missing image width',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    impact: 'Large images break the layout in Outlook for Windows.',
    url: featureUrl('html-width'),
    find(mail) {
      if (!mail.isFor('outlook-windows')) return [];
      const images = mail
        .getElements('img')
        .filter((image) => !image.has('width') && !isTrackingPixel(image) && !receivesWidth(mail, image))
        .filter((image) => !mail.isHiddenFromOutlook(image.start) && !isElementHidden(mail, image));
      const edits = images.flatMap((image) => {
        const width = inferWidth(mail, image);
        return width === undefined ? [] : [setAttributeEdit(image, 'width', String(width))];
      });
      const title = `Add the width to ${formatCount(images.length, 'image')}`;
      return [
        {
          ranges: images.map(startTagRange),
          message:
            'This image has no width attribute. Outlook for Windows ignores CSS widths and shows it at its full size.',
          clients: [OUTLOOK_WINDOWS],
          fixes: edits.length === images.length ? [{ title, edits }] : [],
        },
      ];
    },
  },
  {
    id: '14',
    name: 'data-image',
    title: 'Embedded image (data: URL)',
    severity: 'error',
    impact: 'The image is missing.',
    url: featureUrl('image-base64'),
    find(mail) {
      // Outlook for Windows supports only some formats of data images.
      const missing = [...findUnsupportingClients('image-base64', mail.clients), OUTLOOK_WINDOWS];
      const clients = mail.clients.map(({ name }) => name).filter((name) => missing.includes(name));
      if (clients.length === 0) return [];
      const images = mail.getElements('img').filter((image) => /^\s*data:/iu.test(image.get('src') ?? ''));
      const backgrounds = toDeclarationUses(getSentBlocks(mail)).filter(({ declaration: { value } }) =>
        /url\(\s*["']?data:image/iu.test(value),
      );
      return [
        {
          ranges: [...images.map(getSourceRange), ...backgrounds.map(getUseRange)],
          message: `${joinNames(clients)} can't show images embedded as data: URLs. Link to a hosted image.`,
          clients,
        },
      ];
    },
  },
  {
    id: '15',
    name: 'image-format',
    title: 'Unsupported image format',
    severity: 'warning',
    impact: 'The image is missing.',
    url: 'https://www.caniemail.com/search/?s=image',
    find(mail) {
      const getPath = (image: BodyElement): string => (image.get('src') ?? '').replace(/[?#][^]*$/u, '');
      const drawings = mail.getElements('svg').filter(({ parent }) => parent?.name !== 'svg' && parent !== undefined);
      return [
        ...imageFormats.flatMap(([ending, feature, name]) => {
          const images = mail.getElements('img').filter((image) => ending.test(getPath(image)));
          return createSupportFinding(mail, feature, images.map(getSourceRange), `${name} images`);
        }),
        ...createSupportFinding(mail, 'html-svg', drawings.map(startTagRange), 'inline SVG'),
      ];
    },
  },
  {
    id: '16',
    name: 'images-only',
    title: 'Too little text',
    severity: 'info',
    impact: 'Recipients see nothing until images load, and spam filters are more likely to block the email.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/images-of-text',
    find(mail) {
      const images = mail
        .getElements('img')
        .filter((image) => !isTrackingPixel(image) && !isElementHidden(mail, image));
      const getSize = (image: BodyElement, side: 'width' | 'height'): number =>
        Math.min(Number.parseFloat(image.get(side) ?? '') || DEFAULT_IMAGE_SIZE_PX[side], 1200);
      const imageArea = images.reduce((sum, image) => sum + getSize(image, 'width') * getSize(image, 'height'), 0);
      const textArea = countReadableCharacters(mail) * CHARACTER_AREA_PX2;
      const textShare = textArea / (textArea + imageArea);
      if (textShare >= MIN_TEXT_SHARE) return [];
      const message =
        textArea === 0
          ? 'This email has images only. It is blank where images are blocked, and spam filters penalize it.'
          : `Only about ${Math.round(textShare * 100)}% of this email is text. Little remains where images are blocked.`;
      return [{ ranges: images.slice(0, 1).map(startTagRange), message }];
    },
  },
];
