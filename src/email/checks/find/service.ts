import { findRangeAt } from '../../html/ranges.ts';
import { trimRange } from '../css.ts';
import { containsTag, getElementText, readDocument, unrenderedElements } from '../document.ts';
import type { Attribute, BodyElement } from '../document.ts';
import { memoize } from '../memoize.ts';
import type { PartRange } from '../model.ts';
import { appendHeadersEdit, insertEdit } from '../partEdits.ts';
import { bodyRange, toBodyRange, type ParsedEmail } from '../parsedEmail.ts';
import { acyMailingRule } from '../rule.ts';
import type { Rule, RuleFinding } from '../rule.ts';
import { findImports, findLinkedStylesheets, toStyleReference } from './structure.ts';

/** The service always writes these meta tags. */
const isWrittenByService = (meta: BodyElement): boolean =>
  meta.has('charset') ||
  /^content-type$/iu.test(meta.get('http-equiv') ?? '') ||
  /^viewport$/iu.test(meta.get('name') ?? '');

function findOwnHead(mail: ParsedEmail): readonly RuleFinding[] {
  const { body } = mail.email;
  const { elements } = mail.authored;
  const [head, bodyElement] = ['head', 'body'].map((name) => elements.find((element) => element.name === name));
  const headEnd = bodyElement?.start ?? head?.end ?? 0;
  const comments = mail.conditions.blocks.filter(
    ({ start, end, isRevealed }) =>
      !isRevealed &&
      end <= headEnd &&
      !/^\s*<xml>\s*<o:OfficeDocumentSettings>[^]*<\/xml>\s*$|^\s*$/iu.test(removeMarkers(body.slice(start, end))),
  );
  const sheets = new Set(findLinkedStylesheets(mail));
  const lostElements = elements.filter(
    (element) =>
      /^(?:meta|base|link)$/u.test(element.name) &&
      element.parent?.name === 'head' &&
      !isWrittenByService(element) &&
      !sheets.has(element) &&
      findRangeAt(comments, element.start) === undefined,
  );
  const ranges = [...lostElements, ...comments].sort((one, other) => one.start - other.start).map(toBodyRange);
  const movedHtml = ranges.map(({ start, end }) => body.slice(start, end)).join('\n');
  const edits = [...ranges.map((range) => ({ ...range, text: '' })), appendHeadersEdit(mail, movedHtml)];
  const message = "AcyMailing doesn't send the template's own head. It sends the headers field instead.";
  return [{ ranges, message, fixes: [{ title: 'Move to the headers field', edits }] }];
}

const removeMarkers = (block: string): string =>
  block.replace(/<!--\[if[^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->|<noscript>|<\/noscript>/giu, '');

const findClassNames = (css: string): readonly string[] =>
  [...css.matchAll(/\.(-?[a-z_][\w-]*)/giu)].map(([, name = '']) => name);

function findRemovedClasses(mail: ParsedEmail): readonly RuleFinding[] {
  const { headers = '', body } = mail.email;
  if (!/<style/iu.test(headers)) return [];
  const removed = new Set(
    readDocument(headers)
      .elements.filter(({ name }) => name === 'style')
      .flatMap((style) => findClassNames(headers.slice(style.openEnd, style.closeStart))),
  );
  for (const rule of mail.sheets.flatMap(({ rules }) => rules.filter(({ atRule }) => atRule)))
    for (const name of rule.selectors.flatMap(({ text }) => findClassNames(text))) removed.delete(name);
  const ranges = mail.document.elements.flatMap((element) => {
    const attribute = removed.size > 0 ? element.attribute('class') : undefined;
    if (!attribute) return [];
    const { valueStart, valueEnd } = attribute;
    return [...body.slice(valueStart, valueEnd).matchAll(/\S+/gu)]
      .filter(([name]) => removed.has(name))
      .map(({ 0: name, index }) => bodyRange(valueStart + index, valueStart + index + name.length));
  });
  const message =
    'AcyMailing removes this class, because only styles in the headers field use it. Those styles have no effect.';
  return [{ ranges, message }];
}

/** Returns all matches of a pattern in visible text. `sign`: a cheaper test that a text must pass first. */
function findInTexts({ document, email: { body } }: ParsedEmail, pattern: RegExp, sign: RegExp): readonly PartRange[] {
  return document.texts.flatMap(({ start, end, parent }) => {
    const text = trimRange(body, start, end);
    const visible = unrenderedElements.has(parent.name) ? '' : body.slice(text.start, text.end);
    const matches = sign.test(visible) ? [...visible.matchAll(pattern)] : [];
    return matches.map(({ 0: { length }, index }) => bodyRange(text.start + index, text.start + index + length));
  });
}

/** Returns the attributes whose URL the service makes absolute. */
const findAbsolutizedAttributes = memoize(({ document }: ParsedEmail) =>
  document.elements.flatMap((element) =>
    (element.name === 'link' ? [] : ['href', 'src', 'action', 'background']).flatMap(
      (name) => element.attribute(name) ?? [],
    ),
  ),
);

/** Returns an edit that replaces a quote of an attribute's value with a double one, or adds it. */
const createQuoteEdit = ({ quote }: Attribute, start: number) => ({
  ...bodyRange(start, start + quote.length),
  text: '"',
});

export const serviceRules: readonly Rule[] = [
  {
    ...acyMailingRule,
    id: '30',
    name: 'own-head',
    title: 'Unsent head content',
    severity: 'info',
    hasFix: true,
    unnecessary: true,
    impact: 'Color schemes and styles for Outlook have no effect.',
    find: findOwnHead,
  },
  {
    ...acyMailingRule,
    id: '36',
    name: 'imported-styles',
    title: 'Unsent imported or linked stylesheet',
    severity: 'warning',
    unnecessary: true,
    impact: 'The fonts and styles are missing in all clients.',
    find(mail) {
      const links = findLinkedStylesheets(mail).filter((link) => !mail.isSent(link));
      const all = [...findImports(mail), ...links.map(toStyleReference)];
      const getRanges = (isFont: boolean): readonly PartRange[] =>
        all.filter((reference) => reference.isFont === isFont).map(({ range }) => range);
      return [
        {
          ranges: getRanges(true),
          message:
            "AcyMailing doesn't send this font. Add @font-face to the styles, or the <link> to the headers field.",
          severity: 'info',
        },
        { ranges: getRanges(false), message: "AcyMailing doesn't send this stylesheet. Use a <style> element." },
      ];
    },
  },
  {
    ...acyMailingRule,
    id: '38',
    name: 'cut-class',
    title: 'Class removed by AcyMailing',
    severity: 'warning',
    impact: 'The styles in the headers field have no effect.',
    find: findRemovedClasses,
  },
  {
    ...acyMailingRule,
    id: '41',
    name: 'double-escape',
    title: 'Double-escaped character',
    severity: 'warning',
    impact: 'Recipients see < instead of &lt;.',
    find: (mail) => [
      {
        ranges: findInTexts(mail, /&amp;(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giu, /&amp;/iu),
        message: 'AcyMailing decodes &amp; twice. Recipients see the character instead of its HTML name.',
      },
    ],
  },
  {
    ...acyMailingRule,
    id: '43',
    name: 'schemeless',
    title: 'URL without https:',
    severity: 'error',
    hasFix: true,
    isMechanical: true,
    impact: 'Links are broken and images are missing.',
    find(mail) {
      const all = findAbsolutizedAttributes(mail).filter(
        ({ value, quote }) => quote === '"' && /^(?:\/\/|www\.)/iu.test(value),
      );
      const edits = all.map(({ valueStart, value }) =>
        insertEdit(valueStart, value.startsWith('/') ? 'https:' : 'https://'),
      );
      const message = "AcyMailing puts the site's URL in front of this URL, which breaks it.";
      return [{ ranges: all.map(toBodyRange), message, fixes: [{ title: 'Add https://', edits }] }];
    },
  },
  {
    ...acyMailingRule,
    id: '44',
    name: 'single-quotes',
    title: 'Relative URL without double quotes',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    impact: 'Links are broken and images are missing.',
    find(mail) {
      const { body } = mail.email;
      const all = findAbsolutizedAttributes(mail).filter(
        ({ value, quote, name }) =>
          quote !== '"' && name !== 'background' && value !== '' && !/^(?:[a-z][a-z\d+.-]*:|#|\{|\[|%7b)/iu.test(value),
      );
      const isPlain = all.every(({ valueStart, valueEnd }) => !body.slice(valueStart, valueEnd).includes('"'));
      const edits = (isPlain ? all : []).flatMap((attribute) => [
        createQuoteEdit(attribute, attribute.valueStart - attribute.quote.length),
        createQuoteEdit(attribute, attribute.valueEnd),
      ]);
      const message = 'AcyMailing makes URLs absolute only in double quotes. This URL stays relative and is broken.';
      return [{ ranges: all.map(toBodyRange), message, fixes: [{ title: 'Use double quotes', edits }] }];
    },
  },
  {
    ...acyMailingRule,
    id: '45',
    name: 'condition-in-link',
    title: 'Condition in a URL',
    severity: 'error',
    impact: 'The link is broken for all recipients.',
    find: (mail) => [
      {
        ranges: findAbsolutizedAttributes(mail)
          .filter(({ value }) => /(?:\{|%7b)if(?::|%3a)/iu.test(value))
          .map(toBodyRange),
        message: 'AcyMailing encodes braces in URLs, so {if} is sent as typed. Put the condition around the link.',
      },
    ],
  },
  {
    ...acyMailingRule,
    id: '46',
    name: 'bare-condition',
    title: 'Conditional marker outside a comment',
    severity: 'error',
    hasFix: true,
    changesText: true,
    isMechanical: true,
    impact: 'Recipients see the marker as text.',
    find({ conditions: { bare } }) {
      const edits = bare.map((marker) => ({
        ...toBodyRange(marker),
        text: marker.isEnd ? '<!--<![endif]-->' : `<!--[if ${marker.condition}]><!-->`,
      }));
      const message = 'AcyMailing turns this marker into text, which recipients see.';
      return [{ ranges: bare.map(toBodyRange), message, fixes: [{ title: 'Convert to a comment', edits }] }];
    },
  },
  {
    ...acyMailingRule,
    id: '47',
    name: 'joined-lines',
    title: 'Joined words in the plain-text part',
    severity: 'info',
    impact: 'Recipients who read the plain-text part see two words as one.',
    find: (mail) => [
      {
        ranges: findInTexts(mail, /(?<![^\s<>])[^\s<>]+[\r\n\t]+[^\s<>]+/gu, /[\r\n\t]/u),
        message: 'The plain-text part joins these lines without a space, so their words run together.',
      },
    ],
  },
  {
    ...acyMailingRule,
    id: '48',
    name: 'doubled-link',
    title: 'Link text equal to its URL',
    severity: 'info',
    impact: 'The plain-text part contains the URL twice.',
    find(mail) {
      const normalize = (text: string): string => text.trim().replace(/\/$/u, '');
      const links = mail.getElements('a').filter((link) => {
        const text = normalize(getElementText(link));
        return text !== '' && !containsTag(text) && text === normalize(link.get('href') ?? '');
      });
      return [
        {
          ranges: links.map((link) => toBodyRange(trimRange(mail.email.body, link.openEnd, link.closeStart))),
          message: 'The plain-text part adds the URL after each link, so this one appears twice.',
        },
      ];
    },
  },
  {
    ...acyMailingRule,
    id: '49',
    name: 'unused-stylesheet',
    title: 'Unsupported stylesheet field',
    severity: 'info',
    unnecessary: true,
    impact: 'The styles are missing in all clients.',
    find({ email: { stylesheet = '' }, options: { supportsStylesheet } }) {
      if (supportsStylesheet !== false || stylesheet.trim() === '') return [];
      const message = "This installation doesn't store stylesheets. Move the styles to a <style> element in the body.";
      return [{ ranges: [{ part: 'stylesheet', start: 0, end: stylesheet.length }], message }];
    },
  },
];
