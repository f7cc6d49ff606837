import { localized, t } from '../../../l10n.ts';
import { findFirstIndex, insertEdit } from '../../html/text.ts';
import { getDeclaration, getStyle, getUseRange, isElementHidden } from '../cascade.ts';
import { OUTLOOK_WINDOWS } from '../clients.ts';
import { trimRange } from '../css.ts';
import { containsTag, getElementText, type Attribute, type BodyElement, memoize } from '../document.ts';
import type { ParsedEmail, Rule } from '../rule.ts';
import { getVmlBlocks } from './structure.ts';
import { featureUrl } from './support.ts';

/** Returns the URL attributes of elements with trimmed values, without those that contain merge tags. */
const findAddresses = (mail: ParsedEmail, attributeName: string, ...names: string[]) =>
  mail.getElements(...names).flatMap((element) => {
    const attribute = element.attribute(attributeName);
    return attribute && !containsTag(attribute.value) ? [{ ...attribute, value: attribute.value.trim() }] : [];
  });

/** Problems of a link's URL, most severe first. The patterns are mutually exclusive. */
const getAddressProblems = localized(
  () =>
    [
      [
        /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?:[:/?#]|$)/iu,
        'error',
        t("This link opens the recipient's own computer. Use a public URL."),
      ],
      [
        /^(?:file:|[a-z]:[\\/]|\\\\)/iu,
        'error',
        t("This link opens a file on the recipient's computer. Use a public URL."),
      ],
      [/^javascript:/iu, 'error', t('This link runs a script. Mail clients remove it.')],
      [/^$/u, 'warning', t('Empty link: it has no destination.')],
      // With a subject or a text alone, readers choose the recipient.
      [
        /^(?:mailto|tel|sms):\s*$|^mailto:[^@?%]+(?:\?|$)/iu,
        'warning',
        t('This link has no email address or phone number.'),
      ],
      [/^#$/u, 'warning', t('Placeholder link: "#" has no destination.')],
    ] as const,
);

const isRelative = ({ value }: Attribute) =>
  value !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#|[a-z]:[\\/]|\\\\)/iu.test(value);

/** Link texts that don't describe the destination, in common languages. */
const genericLinkTexts = new Set(
  (
    'click here|click|here|click this|this link|link|more|read more|learn more|click here to view|hier klicken|' +
    'klicken sie hier|hier|mehr|weiterlesen|cliquez ici|ici|en savoir plus|lire la suite|haga clic aquí|' +
    'haz clic aquí|clic aquí|aquí|leer más|clicca qui|qui|klik hier|lees meer|clique aqui|aqui|saiba mais|' +
    'kliknij tutaj|tutaj'
  ).split('|'),
);

const normalizeLinkText = (element: BodyElement) =>
  getElementText(element)
    .replace(/[\s\u00A0]+/gu, ' ')
    .replace(/(?<![.!…»>→:])[.!…»>→:]+\s*$/u, '')
    .trim()
    .toLowerCase();

/** Returns links and buttons without an accessible name. */
export const findEmptyControls = (mail: ParsedEmail): readonly BodyElement[] =>
  mail
    .getElements('a', 'button')
    .filter(
      (element) =>
        (element.name === 'button' || element.has('href')) &&
        normalizeLinkText(element) === '' &&
        !hasAccessibleName(element) &&
        !element.children.some(providesAccessibleName) &&
        !isElementHidden(element),
    );

const hasAccessibleName = (element: BodyElement) =>
  ['aria-label', 'aria-labelledby', 'title'].some((name) => (element.get(name) ?? '').trim() !== '');

/** Returns whether an element inside a link provides an accessible name. Images without alt count: rule 12 reports them. */
function providesAccessibleName(element: BodyElement) {
  if (element.name === 'img') return !element.has('alt') || element.get('alt')?.trim() !== '';
  return hasAccessibleName(element) || element.name === 'svg' || element.children.some(providesAccessibleName);
}

/** Returns the padding of a link that resembles a button, in pixels. */
function getPadding(link: BodyElement) {
  const shorthand = getDeclaration(link, 'padding');
  const sides = shorthand?.declaration.value.split(/\s+/u).map((side) => Number.parseFloat(side) || 0) ?? [];
  const readSide = (property: string) => Number.parseFloat(getStyle(link, property) ?? '');
  const vertical = readSide('padding-top') || (sides[0] ?? 0);
  const horizontal = readSide('padding-left') || (sides[1] ?? sides[0] ?? 0);
  const use = shorthand ?? getDeclaration(link, 'padding-top') ?? getDeclaration(link, 'padding-left');
  return use && vertical > 0 ? { vertical, horizontal, range: getUseRange(use) } : undefined;
}

const getBackground = (element: BodyElement) =>
  getStyle(element, 'background-color') ?? getStyle(element, 'background');

/** Returns whether a button has an Outlook variant: a VML shape before it, stretched spaces in it, or padding on its cell. */
function hasOutlookButton(mail: ParsedEmail, link: BodyElement) {
  const { start, openEnd, closeStart, parent } = link;
  const isPadded = (element: BodyElement) => getStyle(element, 'mso-padding-alt') !== undefined;
  const hidden = getOutlookBlocks(mail);
  const within = hidden[findFirstIndex(hidden, (block) => block.start >= openEnd)];
  return (
    link.isHiddenFromOutlook ||
    (within && within.end <= closeStart) ||
    findOffsetsAfterDrawings(mail).has(start) ||
    isPadded(link) ||
    // The background of a cell that has nothing else is smaller than the button, but still resembles one.
    (parent?.name === 'td' &&
      parent.children.length === 1 &&
      (isPadded(parent) || Boolean(parent.get('bgcolor')) || getBackground(parent) !== undefined))
  );
}

const getOutlookBlocks = memoize(({ conditions }: ParsedEmail) =>
  conditions.blocks.filter(({ isRevealed }) => !isRevealed),
);

/** Returns the offsets of the first content after each VML shape. */
const findOffsetsAfterDrawings = memoize(
  (mail: ParsedEmail) =>
    new Set(getVmlBlocks(mail).map(({ end }) => trimRange(mail.email.body, end, mail.email.body.length).start)),
);

export const getLinkRules = (): readonly Rule[] => [
  {
    id: '9',
    name: 'link-address',
    title: t('Broken link'),
    severity: 'warning',
    impact: t('The link does nothing or opens an error page.'),
    url: 'https://www.w3.org/TR/html52/links.html',
    find(mail) {
      const links = findAddresses(mail, 'href', 'a', 'area');
      // AcyMailing makes URLs in double quotes absolute; rule 44 reports the others.
      const isHome = ({ value, quote }: Attribute) => mail.isComposed && value === '' && quote === '"';
      const broken = getAddressProblems().map(([test, severity, message]) => ({
        ranges: links.filter((link) => test.test(link.value) && !isHome(link)),
        severity,
        message,
      }));
      const message = t('Relative URL: emails have no base URL. Use an absolute URL.');
      const imageMessage = t('Relative URL: emails have no base URL, so the image is missing. Use an absolute URL.');
      return [
        ...broken,
        { ranges: links.filter(isHome), message: t("Empty link: AcyMailing inserts the site's URL.") },
        ...(mail.isComposed
          ? []
          : [
              { ranges: links.filter(isRelative), severity: 'error' as const, message },
              { ranges: findAddresses(mail, 'src', 'img').filter(isRelative), message: imageMessage },
            ]),
      ];
    },
  },
  {
    id: '10',
    name: 'http',
    title: t('Unencrypted link or image (http:)'),
    severity: 'info',
    fix: 'choice',
    impact: t('Browsers warn about a page, and some clients block an image.'),
    url: 'https://developer.mozilla.org/en-US/docs/Web/Security/Mixed_content',
    find(mail) {
      const createFinding = (message: string, addresses: readonly Attribute[]) => {
        const ranges = addresses.filter(({ value }) => /^http:\/\/(?!localhost)/iu.test(value));
        const edits = ranges.map(({ valueStart, valueEnd }) => {
          const written = mail.email.body.slice(valueStart, valueEnd).toLowerCase();
          return insertEdit(valueStart + written.indexOf('http:') + 4, 's');
        });
        return { ranges, message, fixes: [{ title: t('Use https:'), edits }] };
      };
      return [
        createFinding(
          t('This link is not encrypted. Browsers warn about the page.'),
          findAddresses(mail, 'href', 'a', 'area'),
        ),
        createFinding(t('This image is not encrypted. Some clients block it.'), findAddresses(mail, 'src', 'img')),
      ];
    },
  },
  {
    id: '11',
    name: 'link-text',
    title: t('Generic link text'),
    severity: 'hint',
    impact: t('Screen reader users who jump between links hear the same words each time.'),
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context',
    find(mail) {
      const links = mail
        .getElements('a')
        .filter((link) => link.has('href') && !link.has('aria-label') && genericLinkTexts.has(normalizeLinkText(link)));
      const ranges = links.map(({ openEnd, closeStart }) => ({ start: openEnd, end: closeStart }));
      return { ranges, message: t("Generic link text: out of context, it doesn't describe the destination.") };
    },
  },
  {
    id: '29',
    name: 'button-padding',
    title: t('Button without padding in Outlook'),
    severity: 'warning',
    fix: 'choice',
    impact: t('In Outlook for Windows, the button shrinks to the size of its text.'),
    url: featureUrl('css-padding'),
    find(mail) {
      if (!mail.isFor('outlook-windows')) return [];
      const buttons = mail.getElements('a').flatMap((link) => {
        const background = getBackground(link);
        const padding = getPadding(link);
        const isButton = link.has('href') && background && !/transparent|none/iu.test(background);
        return isButton && padding && !hasOutlookButton(mail, link) ? [{ link, ...padding }] : [];
      });
      const edits = buttons.flatMap(({ link, vertical, horizontal }) => {
        // Outlook stretches the space to the given width, and raises text by half the height of a raised space.
        const space = (text: string) =>
          `<i style="mso-font-width:${Math.round((horizontal / 16) * 100)}%${text}" hidden>&emsp;</i>`;
        const rise = Math.round(vertical * 0.75);
        const opening = `${space(`;mso-text-raise:${rise * 2}pt`)}<span style="mso-text-raise:${rise}pt">`;
        return [
          insertEdit(link.openEnd, `<!--[if mso]>${opening}<![endif]-->`),
          insertEdit(link.closeStart, `<!--[if mso]></span>${space('')}<![endif]-->`),
        ];
      });
      const message = t(
        'Outlook for Windows ignores padding on links, so this button shrinks to the size of its text.',
      );
      const fixes = [{ title: t('Add padding for Outlook'), edits }];
      return { ranges: buttons.map(({ range }) => range), message, clients: [OUTLOOK_WINDOWS], fixes };
    },
  },
];
