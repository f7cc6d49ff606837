import { createDesktopCascade, isElementHidden } from '../cascade.ts';
import type { ConditionalBlock } from '../conditions.ts';
import { skipWhitespace } from '../css.ts';
import { containsTag, getElementText } from '../document.ts';
import type { Attribute, BodyElement } from '../document.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding } from '../model.ts';
import { findFirstIndex } from '../../html/ranges.ts';
import { groupFindings, joinNames } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { featureUrl } from '../support.ts';
import { getVmlBlocks } from './structure.ts';

interface LinkAddress {
  readonly element: BodyElement;
  readonly attribute: Attribute;
  readonly value: string;
}

/** Returns the URL attributes of elements, without those that contain merge tags. */
function findAddressAttributes(
  mail: ParsedEmail,
  names: readonly string[],
  attributeName: string,
): readonly LinkAddress[] {
  return mail.getElements(...names).flatMap((element) => {
    const attribute = element.has(attributeName) ? element.attribute(attributeName) : undefined;
    const value = attribute?.value.trim() ?? '';
    return attribute && !containsTag(value) ? [{ element, attribute, value }] : [];
  });
}

const linkElements = ['a', 'area'];
const toAttributeRange = ({ attribute }: LinkAddress) => bodyRange(attribute.start, attribute.end);

/** Problems of a link's URL, most severe first. The patterns are mutually exclusive. */
const addressProblems: readonly (readonly [test: RegExp, severity: 'error' | 'warning', message: string])[] = [
  [
    /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?:[:/?#]|$)/iu,
    'error',
    'This link leads to the computer of whoever reads it.',
  ],
  [/^(?:file:|[a-z]:[\\/]|\\\\)/iu, 'error', 'This link leads to a file on the computer of whoever reads it.'],
  [/^javascript:/iu, 'error', 'Mail clients remove links that run a script.'],
  [/^$/u, 'warning', 'This link leads nowhere.'],
  [/^#$/u, 'warning', 'This link leads nowhere: "#" stands for an address to come.'],
];

const isRelative = (value: string): boolean =>
  value !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#|[a-z]:[\\/]|\\\\)/iu.test(value);

function findBrokenLinks(mail: ParsedEmail): readonly RuleFinding[] {
  const links = findAddressAttributes(mail, linkElements, 'href');
  // AcyMailing makes URLs in double quotes absolute; rule 44 reports the others.
  const isHome = ({ value, attribute }: LinkAddress): boolean =>
    mail.isComposed && value === '' && attribute.quote === '"';
  const kinds = addressProblems.flatMap(([test, severity, message]) =>
    groupFindings(links.filter((link) => test.test(link.value) && !isHome(link)).map(toAttributeRange), message, {
      severity,
    }),
  );
  if (mail.isComposed) {
    const home = "AcyMailing sends the site's address in place of this empty one.";
    return [...kinds, ...groupFindings(links.filter(isHome).map(toAttributeRange), home, { severity: 'warning' })];
  }
  const images = findAddressAttributes(mail, ['img'], 'src').filter(({ value }) => isRelative(value));
  const message = 'Mail clients know no page that this address could be relative to: write the whole of it.';
  return [
    ...kinds,
    ...groupFindings(links.filter(({ value }) => isRelative(value)).map(toAttributeRange), message, {
      severity: 'error',
    }),
    ...groupFindings(images.map(toAttributeRange), `${message} The image is not shown.`, { severity: 'warning' }),
  ];
}

function findPlainHttp(mail: ParsedEmail): readonly RuleFinding[] {
  const all = [
    ...findAddressAttributes(mail, linkElements, 'href'),
    ...findAddressAttributes(mail, ['img'], 'src'),
  ].filter(({ value }) => /^http:\/\/(?!localhost)/iu.test(value));
  const edits = all.map(({ attribute }) => {
    const at =
      attribute.valueStart +
      mail.email.body.slice(attribute.valueStart, attribute.valueEnd).toLowerCase().indexOf('http:') +
      4;
    return { ...bodyRange(at, at), text: 's' };
  });
  const message = 'Without encryption, browsers warn of the page and some clients block the image.';
  return groupFindings(
    all.sort((one, other) => one.attribute.start - other.attribute.start).map(toAttributeRange),
    message,
    {
      fixes: [{ title: 'Use https:', edits }],
    },
  );
}

/** Link texts that don't describe the destination, in common languages. */
const genericLinkTexts = new Set([
  'click here',
  'click',
  'here',
  'click this',
  'this link',
  'link',
  'more',
  'read more',
  'learn more',
  'click here to view',
  'hier klicken',
  'klicken sie hier',
  'hier',
  'mehr',
  'weiterlesen',
  'cliquez ici',
  'ici',
  'en savoir plus',
  'lire la suite',
  'haga clic aquí',
  'haz clic aquí',
  'clic aquí',
  'aquí',
  'leer más',
  'clicca qui',
  'qui',
  'klik hier',
  'lees meer',
  'clique aqui',
  'aqui',
  'saiba mais',
  'kliknij tutaj',
  'tutaj',
]);

function findGenericLinkTexts(mail: ParsedEmail): readonly RuleFinding[] {
  const links = mail
    .getElements('a')
    .filter((link) => link.has('href') && !link.has('aria-label') && genericLinkTexts.has(normalizeLinkText(link)));
  return groupFindings(
    links.map(({ openEnd, closeStart }) => bodyRange(openEnd, closeStart)),
    'Out of its sentence, this text does not say where the link leads.',
  );
}

const normalizeLinkText = (element: BodyElement): string =>
  getElementText(element)
    .replace(/[\s\u00A0]+/gu, ' ')
    .replace(/(?<![.!…»>→:])[.!…»>→:]+\s*$/u, '')
    .trim()
    .toLowerCase();

function findEmptyControls(mail: ParsedEmail): readonly RuleFinding[] {
  const isEmpty = (element: BodyElement): boolean =>
    normalizeLinkText(element) === '' && !hasAccessibleName(element) && !element.children.some(providesAccessibleName);
  const controls = mail
    .getElements('a', 'button')
    .filter((element) => (element.name === 'button' || element.has('href')) && isEmpty(element));
  return groupFindings(
    controls.filter((element) => !isElementHidden(mail, element)).map(startTagRange),
    'Screen readers have nothing to say of this but its address.',
  );
}

const hasAccessibleName = (element: BodyElement): boolean =>
  ['aria-label', 'aria-labelledby', 'title'].some((name) => (element.get(name) ?? '').trim() !== '');

/** Returns whether an element inside a link provides an accessible name. Images without alt count: rule 12 reports them. */
function providesAccessibleName(element: BodyElement): boolean {
  if (element.name === 'img') return !element.has('alt') || element.get('alt')?.trim() !== '';
  return hasAccessibleName(element) || element.name === 'svg' || element.children.some(providesAccessibleName);
}

/** Outlook for Windows ignores padding on inline links. */
function findPaddedLinks(mail: ParsedEmail): readonly RuleFinding[] {
  if (!mail.clients.some(({ id }) => id === 'outlook-windows')) return [];
  const { getDeclaration } = mail.once(createDesktopCascade);
  const links = mail.getElements('a').flatMap((link) => {
    const background = getDeclaration(link, 'background-color') ?? getDeclaration(link, 'background');
    const padding = getPadding(mail, link);
    if (
      !link.has('href') ||
      !background ||
      /transparent|none/iu.test(background.value) ||
      !padding ||
      hasOutlookButton(mail, link)
    )
      return [];
    return [{ link, padding }];
  });
  const edits = links.flatMap(({ link, padding: { vertical, horizontal } }) => {
    // Outlook stretches the space to the given width, and raises text by half the height of a raised space.
    const space = (text: string): string =>
      `<i style="mso-font-width:${Math.round((horizontal / 16) * 100)}%${text}" hidden>&emsp;</i>`;
    const rise = Math.round(vertical * 0.75);
    return [
      {
        ...bodyRange(link.openEnd, link.openEnd),
        text: `<!--[if mso]>${space(`;mso-text-raise:${rise * 2}pt`)}<span style="mso-text-raise:${rise}pt"><![endif]-->`,
      },
      { ...bodyRange(link.closeStart, link.closeStart), text: `<!--[if mso]></span>${space('')}<![endif]-->` },
    ];
  });
  const message = `${joinNames(['Outlook for Windows'])} gives a link no padding: this button is as small as its text.`;
  return groupFindings(
    links.map(({ padding }) => padding.range),
    message,
    { clients: ['Outlook for Windows'], fixes: [{ title: 'Give the button its size in Outlook', edits }] },
  );
}

function getPadding(mail: ParsedEmail, link: BodyElement) {
  const { getDeclaration } = mail.once(createDesktopCascade);
  const shorthand = getDeclaration(link, 'padding');
  const sides = (shorthand?.value ?? '')
    .trim()
    .split(/\s+/u)
    .map((side) => Number.parseFloat(side) || 0);
  const vertical = Number.parseFloat(getDeclaration(link, 'padding-top')?.value ?? '') || (sides[0] ?? 0);
  const horizontal =
    Number.parseFloat(getDeclaration(link, 'padding-left')?.value ?? '') || (sides[1] ?? sides[0] ?? 0);
  const range = (shorthand ?? getDeclaration(link, 'padding-top') ?? getDeclaration(link, 'padding-left'))?.range;
  return range && vertical > 0 ? { vertical, horizontal, range } : undefined;
}

/** Returns whether a button has an Outlook variant: a VML shape before it, stretched spaces in it, or padding on its cell. */
function hasOutlookButton(mail: ParsedEmail, link: BodyElement): boolean {
  if (mail.isHiddenFromOutlook(link.start)) return true;
  const { getDeclaration } = mail.once(createDesktopCascade);
  const isPadded = (element: BodyElement | undefined): boolean =>
    element !== undefined && getDeclaration(element, 'mso-padding-alt') !== undefined;
  const hidden = mail.once(getOutlookBlocks);
  const within = hidden[findFirstIndex(hidden, ({ start }) => start >= link.openEnd)];
  if (
    (within && within.end <= link.closeStart) ||
    mail.once(findOffsetsAfterDrawings).has(link.start) ||
    isPadded(link)
  )
    return true;
  // The cell's background is smaller than the button, but still looks like one.
  const { parent } = link;
  return (
    parent?.name === 'td' &&
    (isPadded(parent) ||
      Boolean(parent.get('bgcolor')) ||
      getDeclaration(parent, 'background-color') !== undefined ||
      getDeclaration(parent, 'background') !== undefined)
  );
}

const getOutlookBlocks = ({ conditions }: ParsedEmail): readonly ConditionalBlock[] =>
  conditions.blocks.filter(({ isRevealed }) => !isRevealed);

/** Returns the offsets of the first content after each VML shape. */
const findOffsetsAfterDrawings = (mail: ParsedEmail): ReadonlySet<number> =>
  new Set(mail.once(getVmlBlocks).map(({ end }) => skipWhitespace(mail.email.body, end)));

export const linkRules: readonly Rule[] = [
  {
    id: '9',
    name: 'link-address',
    title: 'Link that leads nowhere, or nowhere but at home',
    severity: 'warning',
    impact: 'A click does nothing, or shows an error.',
    url: 'https://www.w3.org/TR/html52/links.html',
    find: findBrokenLinks,
  },
  {
    id: '10',
    name: 'http',
    title: 'Link or image without encryption',
    severity: 'info',
    hasFix: true,
    impact: 'A warning of the browser, an image that is blocked.',
    url: 'https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content',
    find: findPlainHttp,
  },
  {
    id: '11',
    name: 'link-text',
    title: 'Link text such as "click here"',
    severity: 'hint',
    impact: 'Who jumps from link to link hears the same words again and again.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context',
    find: findGenericLinkTexts,
  },
  {
    id: '29',
    name: 'button-padding',
    title: 'Link with padding as a button',
    severity: 'warning',
    hasFix: true,
    impact: 'In Outlook for Windows the button is as small as its text.',
    url: featureUrl('css-padding'),
    find: findPaddedLinks,
  },
];

/** Used by rule 21. */
export { findEmptyControls };
