import { prepareImages } from '../../sent/images.ts';
import { cascadeOf, isHidden, isTextHidden, pixels } from '../cascade.ts';
import { unseen } from '../document.ts';
import type { Element } from '../document.ts';
import { addAttribute, setAttribute } from '../edits.ts';
import { inBody, tagPlace } from '../mail.ts';
import type { Mail } from '../mail.ts';
import type { Found, Place } from '../model.ts';
import { counted, grouped, listed } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { sentBlocks } from '../sentStyles.ts';
import { featurePage, withoutSupport } from '../support.ts';

/** A picture of a pixel that counts who reads. */
const isPixel = (image: Element): boolean =>
  ['width', 'height'].some((side) => /^[01](?:px)?$/u.test(image.get(side)?.trim() ?? ''));

function withoutAlt(mail: Mail): readonly Found[] {
  const images = mail
    .named('img')
    .filter(
      (image) => !image.has('alt') && image.get('role') !== 'presentation' && image.get('aria-hidden') !== 'true',
    );
  const edits = images.map((image) => addAttribute(mail, image, 'alt=""'));
  const message =
    'Where images are blocked, and to screen readers, this image says its file name at best. Images that only adorn get alt="".';
  return grouped(images.map(tagPlace), message, {
    fixes: [{ title: `Add alt="" to ${counted(images.length, 'image')}`, edits }],
  });
}

function withoutWidth(mail: Mail): readonly Found[] {
  if (!mail.clients.some(({ id }) => id === 'outlook-windows')) return [];
  const images = mail
    .named('img')
    .filter((image) => !image.has('width') && !isPixel(image) && !getsWidth(mail, image))
    .filter((image) => !mail.isHiddenFromOutlook(image.start) && !isHidden(mail, image));
  const known = images.flatMap((image) => {
    const width = knownWidth(mail, image);
    return width === undefined ? [] : [setAttribute(mail, image, 'width', String(width))];
  });
  const fixes =
    known.length === images.length
      ? [{ title: `Add the width to ${counted(images.length, 'image')}`, edits: known }]
      : undefined;
  const message =
    'Outlook for Windows shows this image in its own size, however large: it reads the attribute width only.';
  return grouped(images.map(tagPlace), message, { clients: ['Outlook for Windows'], ...(fixes && { fixes }) });
}

/** Whether AcyMailing adds the attribute, from the image's style. */
const getsWidth = ({ isComposed, email: { body } }: Mail, { start, openEnd }: Element): boolean =>
  isComposed && /\bwidth="\d/iu.test(prepareImages(body.slice(start, openEnd)));

/** An image's width in pixels, as its style or the size in its address says it. */
function knownWidth(mail: Mail, image: Element): number | undefined {
  const { own } = mail.once(cascadeOf);
  const width = pixels(own(image, 'width')?.value) ?? pixels(own(image, 'max-width')?.value);
  return width === undefined || width <= 0 ? undefined : Math.round(width);
}

function dataImages(mail: Mail): readonly Found[] {
  const clients = dropsData(mail);
  if (clients.length === 0) return [];
  const images = mail
    .named('img')
    .filter((image) => /^\s*data:/iu.test(image.get('src') ?? ''))
    .map((image) => attributePlace(image, 'src'));
  const backgrounds = mail
    .once(sentBlocks)
    .flatMap(({ declarations, place }) =>
      declarations
        .filter(({ value }) => /url\(\s*["']?data:image/iu.test(value))
        .map(({ start, end }) => place(start, end)),
    );
  return grouped([...images, ...backgrounds], `${listed(clients)} drop images whose data stands in the email.`, {
    clients,
  });
}

/** Word takes some formats of data, and fails with others. */
const dropsData = (mail: Mail): readonly string[] => {
  const clients = withoutSupport('image-base64', mail.clients);
  return mail.clients
    .map(({ name }) => name)
    .filter((name) => clients.includes(name) || name === 'Outlook for Windows');
};

function attributePlace(element: Element, name: string): Place {
  const attribute = element.attribute(name);
  return attribute ? inBody(attribute.start, attribute.end) : tagPlace(element);
}

const formats: readonly (readonly [ending: RegExp, feature: string, name: string])[] = [
  [/\.svgz?$/iu, 'image-svg', 'SVG'],
  [/\.webp$/iu, 'image-webp', 'WebP'],
  [/\.avif$/iu, 'image-avif', 'AVIF'],
  [/\.heif$|\.heic$/iu, 'image-heif', 'HEIF'],
];

function newFormats(mail: Mail): readonly Found[] {
  const path = (image: Element): string => (image.get('src') ?? '').replace(/[?#][^]*$/u, '');
  const files = formats.flatMap(([ending, feature, name]) => {
    const clients = withoutSupport(feature, mail.clients);
    const images = mail.named('img').filter((image) => ending.test(path(image)));
    return clients.length === 0
      ? []
      : grouped(
          images.map((image) => attributePlace(image, 'src')),
          `${listed(clients)} can't show ${name} images.`,
          {
            clients,
            url: featurePage(feature),
          },
        );
  });
  const clients = withoutSupport('html-svg', mail.clients);
  const drawings = mail.named('svg').filter(({ parent }) => parent?.name !== 'svg' && parent !== undefined);
  return clients.length === 0
    ? files
    : [
        ...files,
        ...grouped(drawings.map(tagPlace), `${listed(clients)} don't show drawings in the email itself.`, {
          clients,
          url: featurePage('html-svg'),
        }),
      ];
}

/** What a character of common size takes, in square pixels. */
const characterArea = 150;
const leastShare = 0.2;
/** Where an image's size is not known. */
const guessed = { width: 300, height: 150 };

function imagesOnly(mail: Mail): readonly Found[] {
  const images = mail.named('img').filter((image) => !isPixel(image) && !isHidden(mail, image));
  const [first] = images;
  if (!first) return [];
  const characters = readCharacters(mail);
  const size = (image: Element, side: 'width' | 'height'): number =>
    Math.min(Number.parseFloat(image.get(side) ?? '') || guessed[side], 1200);
  const pictures = images.reduce((sum, image) => sum + size(image, 'width') * size(image, 'height'), 0);
  const share = (characters * characterArea) / (characters * characterArea + pictures);
  if (share >= leastShare) return [];
  const message =
    characters === 0
      ? 'The email is images only: where they are blocked nothing is left, and filters take it for spam.'
      : `Some ${Math.round(share * 100)} % of the email is text: where images are blocked little is left.`;
  return grouped([tagPlace(first)], message);
}

/** How many characters of the email are read. */
function readCharacters(mail: Mail): number {
  return mail.document.texts.reduce((sum, { value, parent }) => {
    const length = seenLength(value);
    return length === 0 || unseen.has(parent.name) || isTextHidden(mail, parent) ? sum : sum + length;
  }, 0);
}

/** Characters of a text but for white space, and for signs that nobody sees. */
function seenLength(text: string): number {
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
    cost: 'Who does not see the image does not learn what it says.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content',
    find: withoutAlt,
  },
  {
    id: '13',
    name: 'image-width',
    title: 'Image without width',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    cost: 'A large image tears the layout apart in Outlook for Windows.',
    url: featurePage('html-width'),
    find: withoutWidth,
  },
  {
    id: '14',
    name: 'data-image',
    title: 'Image as data: address',
    severity: 'error',
    cost: 'The image is missing.',
    url: featurePage('image-base64'),
    find: dataImages,
  },
  {
    id: '15',
    name: 'image-format',
    title: 'Image in a format that some clients do not show',
    severity: 'warning',
    cost: 'The image is missing.',
    url: 'https://www.caniemail.com/search/?s=image',
    find: newFormats,
  },
  {
    id: '16',
    name: 'images-only',
    title: 'Email of images with little text',
    severity: 'info',
    cost: 'Nothing to read until images are loaded, and more often spam.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/images-of-text',
    find: imagesOnly,
  },
];
