import { prepareImages } from '../../sent/replacements.ts';
import { createDesktopCascade, isElementHidden, isTextHidden, toPixels } from '../cascade.ts';
import { unrenderedElements } from '../document.ts';
import type { BodyElement } from '../document.ts';
import { addAttributeEdit, setAttributeEdit } from '../partEdits.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { formatCount, groupFindings, joinNames } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { createSentBlocks } from '../sentStyles.ts';
import { featureUrl, findUnsupportingClients } from '../support.ts';

/** Returns whether an image is a tracking pixel. */
const isTrackingPixel = (image: BodyElement): boolean =>
  ['width', 'height'].some((side) => /^[01](?:px)?$/u.test(image.get(side)?.trim() ?? ''));

function findMissingAlt(mail: ParsedEmail): readonly RuleFinding[] {
  const images = mail
    .getElements('img')
    .filter(
      (image) => !image.has('alt') && image.get('role') !== 'presentation' && image.get('aria-hidden') !== 'true',
    );
  const edits = images.map((image) => addAttributeEdit(mail, image, 'alt=""'));
  const message =
    'Where images are blocked, and to screen readers, this image says its file name at best. Images that only adorn get alt="".';
  return groupFindings(images.map(startTagRange), message, {
    fixes: [{ title: `Add alt="" to ${formatCount(images.length, 'image')}`, edits }],
  });
}

function findMissingWidth(mail: ParsedEmail): readonly RuleFinding[] {
  if (!mail.clients.some(({ id }) => id === 'outlook-windows')) return [];
  const images = mail
    .getElements('img')
    .filter((image) => !image.has('width') && !isTrackingPixel(image) && !receivesWidth(mail, image))
    .filter((image) => !mail.isHiddenFromOutlook(image.start) && !isElementHidden(mail, image));
  const edits = images.flatMap((image) => {
    const width = inferWidth(mail, image);
    return width === undefined ? [] : [setAttributeEdit(mail, image, 'width', String(width))];
  });
  const fixes =
    edits.length === images.length
      ? [{ title: `Add the width to ${formatCount(images.length, 'image')}`, edits }]
      : undefined;
  const message =
    'Outlook for Windows shows this image in its own size, however large: it reads the attribute width only.';
  return groupFindings(images.map(startTagRange), message, {
    clients: ['Outlook for Windows'],
    ...(fixes && { fixes }),
  });
}

/** Returns whether AcyMailing derives the width attribute from the image's style. */
const receivesWidth = ({ isComposed, email: { body } }: ParsedEmail, { start, openEnd }: BodyElement): boolean =>
  isComposed && /\bwidth="\d/iu.test(prepareImages(body.slice(start, openEnd)));

/** Returns an image's width in pixels from its styles; undefined if they don't set one. */
function inferWidth(mail: ParsedEmail, image: BodyElement): number | undefined {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const width = toPixels(getDeclaration(image, 'width')?.value) ?? toPixels(getDeclaration(image, 'max-width')?.value);
  return width === undefined || width <= 0 ? undefined : Math.round(width);
}

function findDataImages(mail: ParsedEmail): readonly RuleFinding[] {
  const clients = findClientsWithoutDataImages(mail);
  if (clients.length === 0) return [];
  const images = mail
    .getElements('img')
    .filter((image) => /^\s*data:/iu.test(image.get('src') ?? ''))
    .map((image) => getNamedAttributeRange(image, 'src'));
  const backgrounds = mail
    .once(createSentBlocks)
    .flatMap(({ declarations, toRange }) =>
      declarations
        .filter(({ value }) => /url\(\s*["']?data:image/iu.test(value))
        .map(({ start, end }) => toRange(start, end)),
    );
  return groupFindings(
    [...images, ...backgrounds],
    `${joinNames(clients)} drop images whose data stands in the email.`,
    {
      clients,
    },
  );
}

/** Outlook for Windows supports only some formats of data images. */
const findClientsWithoutDataImages = (mail: ParsedEmail): readonly string[] => {
  const clients = findUnsupportingClients('image-base64', mail.clients);
  return mail.clients
    .map(({ name }) => name)
    .filter((name) => clients.includes(name) || name === 'Outlook for Windows');
};

function getNamedAttributeRange(element: BodyElement, name: string): PartRange {
  const attribute = element.attribute(name);
  return attribute ? bodyRange(attribute.start, attribute.end) : startTagRange(element);
}

const imageFormats: readonly (readonly [ending: RegExp, feature: string, name: string])[] = [
  [/\.svgz?$/iu, 'image-svg', 'SVG'],
  [/\.webp$/iu, 'image-webp', 'WebP'],
  [/\.avif$/iu, 'image-avif', 'AVIF'],
  [/\.heif$|\.heic$/iu, 'image-heif', 'HEIF'],
];

function findUnsupportedFormats(mail: ParsedEmail): readonly RuleFinding[] {
  const path = (image: BodyElement): string => (image.get('src') ?? '').replace(/[?#][^]*$/u, '');
  const files = imageFormats.flatMap(([ending, feature, name]) => {
    const clients = findUnsupportingClients(feature, mail.clients);
    const images = mail.getElements('img').filter((image) => ending.test(path(image)));
    return clients.length === 0
      ? []
      : groupFindings(
          images.map((image) => getNamedAttributeRange(image, 'src')),
          `${joinNames(clients)} can't show ${name} images.`,
          {
            clients,
            url: featureUrl(feature),
          },
        );
  });
  const clients = findUnsupportingClients('html-svg', mail.clients);
  const drawings = mail.getElements('svg').filter(({ parent }) => parent?.name !== 'svg' && parent !== undefined);
  return clients.length === 0
    ? files
    : [
        ...files,
        ...groupFindings(
          drawings.map(startTagRange),
          `${joinNames(clients)} don't show drawings in the email itself.`,
          {
            clients,
            url: featureUrl('html-svg'),
          },
        ),
      ];
}

/** Area of an average character, in square pixels. */
const CHARACTER_AREA_PX2 = 150;
const MIN_TEXT_SHARE = 0.2;
/** Assumed for images without size attributes. */
const DEFAULT_IMAGE_SIZE_PX = { width: 300, height: 150 };

function findImageOnlyEmail(mail: ParsedEmail): readonly RuleFinding[] {
  const images = mail.getElements('img').filter((image) => !isTrackingPixel(image) && !isElementHidden(mail, image));
  const [first] = images;
  if (!first) return [];
  const characters = countReadableCharacters(mail);
  const size = (image: BodyElement, side: 'width' | 'height'): number =>
    Math.min(Number.parseFloat(image.get(side) ?? '') || DEFAULT_IMAGE_SIZE_PX[side], 1200);
  const imageArea = images.reduce((sum, image) => sum + size(image, 'width') * size(image, 'height'), 0);
  const textShare = (characters * CHARACTER_AREA_PX2) / (characters * CHARACTER_AREA_PX2 + imageArea);
  if (textShare >= MIN_TEXT_SHARE) return [];
  const message =
    characters === 0
      ? 'The email is images only: where they are blocked nothing is left, and filters take it for spam.'
      : `Some ${Math.round(textShare * 100)} % of the email is text: where images are blocked little is left.`;
  return groupFindings([startTagRange(first)], message);
}

/** Returns the number of visible characters in the email. */
function countReadableCharacters(mail: ParsedEmail): number {
  return mail.document.texts.reduce((sum, { value, parent }) => {
    const length = countVisibleCharacters(value);
    return length === 0 || unrenderedElements.has(parent.name) || isTextHidden(mail, parent) ? sum : sum + length;
  }, 0);
}

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
    title: 'Image without alt',
    severity: 'warning',
    hasFix: true,
    impact: 'Who does not see the image does not learn what it says.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content',
    find: findMissingAlt,
  },
  {
    id: '13',
    name: 'image-width',
    title: 'Image without width',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    impact: 'A large image tears the layout apart in Outlook for Windows.',
    url: featureUrl('html-width'),
    find: findMissingWidth,
  },
  {
    id: '14',
    name: 'data-image',
    title: 'Image as data: address',
    severity: 'error',
    impact: 'The image is missing.',
    url: featureUrl('image-base64'),
    find: findDataImages,
  },
  {
    id: '15',
    name: 'image-format',
    title: 'Image in a format that some clients do not show',
    severity: 'warning',
    impact: 'The image is missing.',
    url: 'https://www.caniemail.com/search/?s=image',
    find: findUnsupportedFormats,
  },
  {
    id: '16',
    name: 'images-only',
    title: 'Email of images with little text',
    severity: 'info',
    impact: 'Nothing to read until images are loaded, and more often spam.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/images-of-text',
    find: findImageOnlyEmail,
  },
];
