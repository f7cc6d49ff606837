import { createDesktopCascade, isElementHidden } from '../cascade.ts';
import type { ConditionalBlock } from '../conditions.ts';
import { skipWhitespace } from '../css.ts';
import { containsTag, getElementText } from '../document.ts';
import type { Attribute, BodyElement } from '../document.ts';
import { bodyRange, startTagRange } from '../mail.ts';
import type { ParsedEmail } from '../mail.ts';
import type { RuleFinding } from '../model.ts';
import { findFirstIndex } from '../../html/ranges.ts';
import { groupFindings, joinNames } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { featureUrl } from '../support.ts';
import { drawings } from './structure.ts';

interface Address {
  readonly element: BodyElement;
  readonly attribute: Attribute;
  readonly value: string;
}

/** Links and other places that lead somewhere, without those that a tag fills. */
function addresses(mail: ParsedEmail, names: readonly string[], attributeName: string): readonly Address[] {
  return mail.getElements(...names).flatMap((element) => {
    const attribute = element.has(attributeName) ? element.attribute(attributeName) : undefined;
    const value = attribute?.value.trim() ?? '';
    return attribute && !containsTag(value) ? [{ element, attribute, value }] : [];
  });
}

const linkNames = ['a', 'area'];
const whole = ({ attribute }: Address) => bodyRange(attribute.start, attribute.end);

/** What can be wrong with a link's address, the worst first; each address has one kind. */
const linkKinds: readonly (readonly [test: RegExp, severity: 'error' | 'warning', message: string])[] = [
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

function brokenLinks(mail: ParsedEmail): readonly RuleFinding[] {
  const links = addresses(mail, linkNames, 'href');
  // AcyMailing puts the site's address before what it finds in double quotes; rule 44 finds the others.
  const isHome = ({ value, attribute }: Address): boolean => mail.isComposed && value === '' && attribute.quote === '"';
  const kinds = linkKinds.flatMap(([test, severity, message]) =>
    groupFindings(links.filter((link) => test.test(link.value) && !isHome(link)).map(whole), message, { severity }),
  );
  if (mail.isComposed) {
    const home = "AcyMailing sends the site's address in place of this empty one.";
    return [...kinds, ...groupFindings(links.filter(isHome).map(whole), home, { severity: 'warning' })];
  }
  const images = addresses(mail, ['img'], 'src').filter(({ value }) => isRelative(value));
  const message = 'Mail clients know no page that this address could be relative to: write the whole of it.';
  return [
    ...kinds,
    ...groupFindings(links.filter(({ value }) => isRelative(value)).map(whole), message, { severity: 'error' }),
    ...groupFindings(images.map(whole), `${message} The image is not shown.`, { severity: 'warning' }),
  ];
}

function plainHttp(mail: ParsedEmail): readonly RuleFinding[] {
  const all = [...addresses(mail, linkNames, 'href'), ...addresses(mail, ['img'], 'src')].filter(({ value }) =>
    /^http:\/\/(?!localhost)/iu.test(value),
  );
  const edits = all.map(({ attribute }) => {
    const at =
      attribute.valueStart +
      mail.email.body.slice(attribute.valueStart, attribute.valueEnd).toLowerCase().indexOf('http:') +
      4;
    return { ...bodyRange(at, at), text: 's' };
  });
  const message = 'Without encryption, browsers warn of the page and some clients block the image.';
  return groupFindings(all.sort((one, other) => one.attribute.start - other.attribute.start).map(whole), message, {
    fixes: [{ title: 'Use https:', edits }],
  });
}

/** Texts that say nothing of where a link leads, in the languages that emails of our users are in. */
const emptyWords = new Set([
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

function emptyLinkTexts(mail: ParsedEmail): readonly RuleFinding[] {
  const links = mail
    .getElements('a')
    .filter((link) => link.has('href') && !link.has('aria-label') && emptyWords.has(plainText(link)));
  return groupFindings(
    links.map(({ openEnd, closeStart }) => bodyRange(openEnd, closeStart)),
    'Out of its sentence, this text does not say where the link leads.',
  );
}

const plainText = (element: BodyElement): string =>
  getElementText(element)
    .replace(/[\s\u00A0]+/gu, ' ')
    .replace(/(?<![.!…»>→:])[.!…»>→:]+\s*$/u, '')
    .trim()
    .toLowerCase();

function emptyControls(mail: ParsedEmail): readonly RuleFinding[] {
  const isEmpty = (element: BodyElement): boolean =>
    plainText(element) === '' && !hasName(element) && !element.children.some(namesItself);
  const controls = mail
    .getElements('a', 'button')
    .filter((element) => (element.name === 'button' || element.has('href')) && isEmpty(element));
  return groupFindings(
    controls.filter((element) => !isElementHidden(mail, element)).map(startTagRange),
    'Screen readers have nothing to say of this but its address.',
  );
}

const hasName = (element: BodyElement): boolean =>
  ['aria-label', 'aria-labelledby', 'title'].some((name) => (element.get(name) ?? '').trim() !== '');

/** Whether something within a link tells what it is: an image with a text, say. An image without any is told of as such. */
function namesItself(element: BodyElement): boolean {
  if (element.name === 'img') return !element.has('alt') || element.get('alt')?.trim() !== '';
  return hasName(element) || element.name === 'svg' || element.children.some(namesItself);
}

/** `a` and a run of text as a button: Word gives a link no padding. */
function paddedLinks(mail: ParsedEmail): readonly RuleFinding[] {
  if (!mail.clients.some(({ id }) => id === 'outlook-windows')) return [];
  const { own } = mail.once(createDesktopCascade);
  const links = mail.getElements('a').flatMap((link) => {
    const background = own(link, 'background-color') ?? own(link, 'background');
    const padding = paddingOf(mail, link);
    if (
      !link.has('href') ||
      !background ||
      /transparent|none/iu.test(background.value) ||
      !padding ||
      hasOwnWay(mail, link)
    )
      return [];
    return [{ link, padding }];
  });
  const edits = links.flatMap(({ link, padding: { vertical, horizontal } }) => {
    // Word stretches a space to a width, and raises text by half of the height that a raised one has.
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

function paddingOf(mail: ParsedEmail, link: BodyElement) {
  const { own } = mail.once(createDesktopCascade);
  const shorthand = own(link, 'padding');
  const sides = (shorthand?.value ?? '')
    .trim()
    .split(/\s+/u)
    .map((side) => Number.parseFloat(side) || 0);
  const vertical = Number.parseFloat(own(link, 'padding-top')?.value ?? '') || (sides[0] ?? 0);
  const horizontal = Number.parseFloat(own(link, 'padding-left')?.value ?? '') || (sides[1] ?? sides[0] ?? 0);
  const range = (shorthand ?? own(link, 'padding-top') ?? own(link, 'padding-left'))?.range;
  return range && vertical > 0 ? { vertical, horizontal, range } : undefined;
}

/** Whether a button brings a form for Word: a drawing before it, stretched spaces in it, or the padding on its cell. */
function hasOwnWay(mail: ParsedEmail, link: BodyElement): boolean {
  if (mail.isHiddenFromOutlook(link.start)) return true;
  const { own } = mail.once(createDesktopCascade);
  const isPadded = (element: BodyElement | undefined): boolean =>
    element !== undefined && own(element, 'mso-padding-alt') !== undefined;
  const hidden = mail.once(hiddenBlocks);
  const within = hidden[findFirstIndex(hidden, ({ start }) => start >= link.openEnd)];
  if ((within && within.end <= link.closeStart) || mail.once(drawnPlaces).has(link.start) || isPadded(link))
    return true;
  // The cell has the button's colour: a smaller one, but a button.
  const { parent } = link;
  return (
    parent?.name === 'td' &&
    (isPadded(parent) ||
      Boolean(parent.get('bgcolor')) ||
      own(parent, 'background-color') !== undefined ||
      own(parent, 'background') !== undefined)
  );
}

const hiddenBlocks = ({ conditions }: ParsedEmail): readonly ConditionalBlock[] =>
  conditions.blocks.filter(({ isRevealed }) => !isRevealed);

/** Where the first content stands behind each drawing for Outlook. */
const drawnPlaces = (mail: ParsedEmail): ReadonlySet<number> =>
  new Set(mail.once(drawings).map(({ end }) => skipWhitespace(mail.email.body, end)));

export const linkRules: readonly Rule[] = [
  {
    id: '9',
    name: 'link-address',
    title: 'Link that leads nowhere, or nowhere but at home',
    severity: 'warning',
    impact: 'A click does nothing, or shows an error.',
    url: 'https://www.w3.org/TR/html52/links.html',
    find: brokenLinks,
  },
  {
    id: '10',
    name: 'http',
    title: 'Link or image without encryption',
    severity: 'info',
    hasFix: true,
    impact: 'A warning of the browser, an image that is blocked.',
    url: 'https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content',
    find: plainHttp,
  },
  {
    id: '11',
    name: 'link-text',
    title: 'Link text such as "click here"',
    severity: 'hint',
    impact: 'Who jumps from link to link hears the same words again and again.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context',
    find: emptyLinkTexts,
  },
  {
    id: '29',
    name: 'button-padding',
    title: 'Link with padding as a button',
    severity: 'warning',
    hasFix: true,
    impact: 'In Outlook for Windows the button is as small as its text.',
    url: featureUrl('css-padding'),
    find: paddedLinks,
  },
];

/** Part of rule 21. */
export { emptyControls };
