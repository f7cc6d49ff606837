import { t } from '../../../l10n.ts';
import { byStart, findRangeAt, insertEdit } from '../../html/text.ts';
import { closedBy } from '../../sent/tree.ts';
import { trimRange } from '../css.ts';
import {
  containsTag,
  getElementText,
  readDocument,
  unrenderedElements,
  memoize,
  type BodyElement,
} from '../document.ts';
import {
  detailsRange,
  findContentStart,
  type ParsedEmail,
  type RuleRange,
  type ServiceRule,
  skipMatches,
  wrapContentEdits,
} from '../rule.ts';
import { findImports, findLinkedStylesheets, isLinkedStylesheet } from './structure.ts';

/** The service always writes these meta tags. */
const isWrittenByService = (meta: BodyElement) =>
  meta.has('charset') ||
  /^content-type$/iu.test(meta.get('http-equiv') ?? '') ||
  /^viewport$/iu.test(meta.get('name') ?? '');

const removeMarkers = (block: string) =>
  block.replace(/<!--\[if[^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->|<noscript>|<\/noscript>/giu, '');

const findClassNames = (css: string) => [...css.matchAll(/\.(-?[a-z_][\w-]*)/giu)].map(([, name = '']) => name);

/** Returns all matches of a global pattern in visible text. */
function findInTexts({ texts, email: { body } }: ParsedEmail, pattern: RegExp) {
  const ranges: RuleRange[] = [];
  for (const { start, end, parent } of texts) {
    if (unrenderedElements.has(parent.name)) continue;
    const text = body.slice(start, end);
    // Texts that the parser moved out of a table and joined: there are tags between them.
    if (/<[a-z/!?]/iu.test(text)) continue;
    for (const { 0: found, index } of text.matchAll(pattern))
      ranges.push({ start: start + index, end: start + index + found.length });
  }
  return ranges;
}

const absolutizedAttributes = ['href', 'src', 'action', 'background'];

/** Returns the attributes whose URL the service makes absolute. */
const findAbsolutizedAttributes = memoize(({ elements }: ParsedEmail) =>
  elements.flatMap((element) =>
    element.name === 'link' ? [] : absolutizedAttributes.flatMap((name) => element.attribute(name) ?? []),
  ),
);

/** A URL that starts with a host. Files can have the ending of a country, such as `.pl`. */
const schemelessUrl = new RegExp(
  String.raw`^(?:\/\/|www\.|[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|net|org|edu|gov|info|biz|eu|de|at|ch|fr|es|it|uk|nl|be|us|ca|au|br|` +
    String.raw`io|co|me|tv|app|dev|shop|store|blog|online)(?:[/?#:]|$))`,
  'iu',
);

/** Elements that the service's parser (libxml, HTML 4) doesn't support as content of a body. */
const unsupportedFirstElements = new Set(
  (
    'article aside audio button canvas del details dialog figcaption figure footer header ins label legend main mark nav ' +
    'object picture progress section summary svg tbody td template time tr video'
  ).split(' '),
);

const tableWrappers: Readonly<Record<string, readonly [open: string, close: string]>> = {
  td: ['<table role="presentation"><tr>', '</tr></table>'],
  tr: ['<table role="presentation">', '</table>'],
  tbody: ['<table role="presentation">', '</table>'],
};

/** Content that belongs in a head. */
const headContent = /\s+|<!--[^]*?-->|<(style|title|script)\b[^]*?<\/\1\s*>|<(?:meta|link|base)\b[^>]*>/iuy;

function findLostFirstElement({ email: { body }, authored }: ParsedEmail) {
  const start = skipMatches(body, headContent, 0);
  const tag = /^<([a-z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>?/iu.exec(body.slice(start));
  const name = tag?.[1]?.toLowerCase() ?? '';
  if (authored.isWhole || !tag || !(unsupportedFirstElements.has(name) || /[-:]/u.test(name))) return [];
  const [open, close] = tableWrappers[name] ?? ['<div>', '</div>'];
  const message = t`Unsupported first element: AcyMailing drops <${name}> and all content up to the next <p>, <div> or <table>. The email may be empty.`;
  const title = t`Wrap in <${tableWrappers[name] ? 'table' : 'div'}>`;
  const edits = [insertEdit(start, open), insertEdit(body.length, close)];
  return { ranges: [{ start, end: start + tag[0].length }], message, fixes: [{ title, edits }] };
}

/** Conditional comments at the start of a body without `<body>`: the service treats them as part of the head. */
function findLostFirstComments(mail: ParsedEmail) {
  if (mail.authored.elements.some(({ name }) => name === 'body')) return [];
  const start = findContentStart(mail);
  const lostBlocks = mail.conditions.blocks.filter(
    (block) => block.start >= start && block.start < mail.sentRange.start,
  );
  return {
    ranges: lostBlocks.map(({ start: from, opener, end, isRevealed }) => ({
      start: from,
      end: isRevealed ? opener.end : end,
    })),
    message: t(
      'AcyMailing drops conditional comments at the start of a body without <body>, but sends their end markers.',
    ),
    fixes: [{ title: t`Wrap in <${'div'}>`, edits: wrapContentEdits(mail, '<div>', '</div>') }],
  };
}

/** What the end of a body may contain without a loss. */
const insignificantEnd = /\s+|<!--[^]*?-->|<\/(?:body|html)\s*>|<(script|style)\b[^]*?<\/\1\s*>/iuy;

/** Finds content after the end of the body, such as a second email in the same file. */
function findUnsentEnd({ email: { body }, sentRange }: ParsedEmail) {
  const start = skipMatches(body, insignificantEnd, sentRange.end);
  if (start >= body.length) return [];
  const after = body.slice(start);
  const text = after.slice(0, after.search(/<\/(?:body|html)\s*>|$/iu)).trimEnd();
  const end = start + text.length;
  const message = t("AcyMailing doesn't send content after </body> or </html>.");
  const edits = [insertEdit(sentRange.end, `${text}\n`), { start, end, text: '' }];
  return { ranges: [{ start, end }], message, fixes: [{ title: t('Move into the body'), edits }] };
}

export const getServiceRules = (): readonly ServiceRule[] => [
  {
    id: '30',
    name: 'own-head',
    title: t('Unsent head content'),
    severity: 'info',
    fix: 'choice',
    unnecessary: true,
    impact: t('Color schemes and styles for Outlook have no effect.'),
    find(mail) {
      const { body, headers = '' } = mail.email;
      const { elements } = mail.authored;
      const [head, bodyElement] = ['head', 'body'].map((name) => elements.find((element) => element.name === name));
      const headEnd = bodyElement?.start ?? head?.end ?? 0;
      const comments = mail.conditions.blocks.filter(
        ({ start, end, isRevealed }) =>
          !isRevealed &&
          end <= headEnd &&
          !/^\s*<xml>\s*<o:OfficeDocumentSettings>[^]*<\/xml>\s*$|^\s*$/iu.test(removeMarkers(body.slice(start, end))),
      );
      const lostElements = elements.filter(
        (element) =>
          /^(?:meta|base|link)$/u.test(element.name) &&
          element.parent?.name === 'head' &&
          !isWrittenByService(element) &&
          !isLinkedStylesheet(element) &&
          findRangeAt(comments, element.start) === undefined,
      );
      const ranges = [...lostElements, ...comments].map(({ start, end }) => ({ start, end })).sort(byStart);
      const movedHtml = ranges.map(({ start, end }) => body.slice(start, end)).join('\n');
      const text = headers === '' || headers.endsWith('\n') ? movedHtml : `\n${movedHtml}`;
      const edits = [
        ...ranges.map((range) => ({ ...range, text: '' })),
        { ...detailsRange('headers', headers.length, headers.length), text },
      ];
      const message = t("AcyMailing doesn't send the email's own head. It sends the headers field instead.");
      return { ranges, message, fixes: [{ title: t('Move to the headers field'), edits }] };
    },
  },
  {
    id: '36',
    name: 'imported-styles',
    title: t('Unsent imported or linked stylesheet'),
    severity: 'warning',
    unnecessary: true,
    impact: t('The fonts and styles are missing in all clients.'),
    find(mail) {
      const [imports, links] = [findImports(mail), findLinkedStylesheets(mail, false)];
      const fontMessage = t(
        "AcyMailing doesn't send this font. Add @font-face to the styles, or the <link> to the headers field.",
      );
      const message = t("AcyMailing doesn't send this stylesheet. Use a <style> element.");
      return [
        { ranges: [...imports.fonts, ...links.fonts], message: fontMessage, severity: 'info' },
        { ranges: [...imports.stylesheets, ...links.stylesheets], message },
      ];
    },
  },
  {
    id: '38',
    name: 'cut-class',
    title: t('Class removed by AcyMailing'),
    severity: 'warning',
    impact: t('The styles in the headers field have no effect.'),
    find(mail) {
      const { headers = '', body } = mail.email;
      if (!/<style/iu.test(headers)) return [];
      const removed = new Set(
        readDocument(headers)
          .elements.filter(({ name }) => name === 'style')
          .flatMap((style) => findClassNames(headers.slice(style.openEnd, style.closeStart))),
      );
      for (const rule of mail.sheets.flatMap(({ rules }) => rules.filter(({ atRule }) => atRule)))
        for (const name of rule.selectors.flatMap(({ text }) => findClassNames(text))) removed.delete(name);
      const ranges = mail.elements.flatMap((element) => {
        const attribute = removed.size > 0 ? element.attribute('class') : undefined;
        if (!attribute) return [];
        const { valueStart, valueEnd } = attribute;
        return [...body.slice(valueStart, valueEnd).matchAll(/\S+/gu)]
          .filter(([name]) => removed.has(name))

          .map(({ 0: name, index }) => ({ start: valueStart + index, end: valueStart + index + name.length }));
      });
      const message = t(
        'AcyMailing removes this class, because only styles in the headers field use it. Those styles have no effect.',
      );
      return { ranges, message };
    },
  },
  {
    id: '41',
    name: 'double-escape',
    title: t('Double-escaped character'),
    severity: 'warning',
    impact: t('Recipients see < instead of &lt;.'),
    find: (mail) => ({
      ranges: findInTexts(mail, /&amp;(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giu),
      message: t('AcyMailing decodes &amp; twice. Recipients see the character instead of its HTML name.'),
    }),
  },
  {
    id: '43',
    name: 'schemeless',
    title: t('URL without a scheme'),
    severity: 'error',
    fix: 'mechanical',
    impact: t('Links are broken and images are missing.'),
    find(mail) {
      const ranges = findAbsolutizedAttributes(mail).filter(
        ({ value, quote }) => quote === '"' && schemelessUrl.test(value),
      );
      const edits = ranges.map(({ valueStart, value }) =>
        insertEdit(valueStart, value.startsWith('/') ? 'https:' : 'https://'),
      );
      const message = t("AcyMailing puts the site's URL in front of this URL, which breaks it.");
      return { ranges, message, fixes: [{ title: t('Add https://'), edits }] };
    },
  },
  {
    id: '44',
    name: 'single-quotes',
    title: t('Relative URL without double quotes'),
    severity: 'warning',
    fix: 'mechanical',
    impact: t('Links are broken and images are missing.'),
    find(mail) {
      const { body } = mail.email;
      const ranges = findAbsolutizedAttributes(mail).filter(
        ({ value, quote, name }) =>
          quote !== '"' && name !== 'background' && value !== '' && !/^(?:[a-z][a-z\d+.-]*:|#|\{|\[|%7b)/iu.test(value),
      );
      const isPlain = ranges.every(({ valueStart, valueEnd }) => !body.slice(valueStart, valueEnd).includes('"'));
      const edits = (isPlain ? ranges : []).flatMap(({ valueStart, valueEnd, quote: { length } }) => [
        { start: valueStart - length, end: valueStart, text: '"' },
        { start: valueEnd, end: valueEnd + length, text: '"' },
      ]);
      const message = t('AcyMailing makes URLs absolute only in double quotes. This URL stays relative and is broken.');
      return { ranges, message, fixes: [{ title: t('Use double quotes'), edits }] };
    },
  },
  {
    id: '45',
    name: 'condition-in-link',
    title: t('Condition in a URL'),
    severity: 'error',
    impact: t('The link is broken for all recipients.'),
    find: (mail) => ({
      ranges: findAbsolutizedAttributes(mail).filter(({ value }) => /(?:\{|%7b)if(?::|%3a)/iu.test(value)),
      message: t('AcyMailing encodes braces in URLs, so {if} is sent as typed. Put the condition around the link.'),
    }),
  },
  {
    id: '46',
    name: 'bare-condition',
    title: t('Conditional marker outside a comment'),
    severity: 'error',
    fix: 'mechanical',
    impact: t('Recipients see the marker as text.'),
    find({ conditions: { bare: ranges } }) {
      const edits = ranges.map((marker) => ({
        ...marker,
        text: marker.isEnd ? '<!--<![endif]-->' : `<!--[if ${marker.condition}]><!-->`,
      }));
      const message = t('AcyMailing turns this marker into text, which recipients see.');
      return { ranges, message, fixes: [{ title: t('Convert to a comment'), edits }] };
    },
  },
  {
    id: '47',
    name: 'joined-lines',
    title: t('Joined words in the plain-text part'),
    severity: 'info',
    impact: t('Recipients who read the plain-text part see two words as one.'),
    find: (mail) => ({
      ranges: findInTexts(mail, /(?<![^\s<>])[^\s<>]+[\r\n\t]+[^\s<>]+/gu),
      message: t('The plain-text part joins these lines without a space, so their words run together.'),
    }),
  },
  {
    id: '48',
    name: 'doubled-link',
    title: t('Link text equal to its URL'),
    severity: 'info',
    impact: t('The plain-text part contains the URL twice.'),
    find(mail) {
      const normalize = (text: string) => text.trim().replace(/\/$/u, '');
      const links = mail.getElements('a').filter((link) => {
        const text = normalize(getElementText(link));
        return text !== '' && !containsTag(text) && text === normalize(link.get('href') ?? '');
      });
      return {
        ranges: links.map((link) => trimRange(mail.email.body, link.openEnd, link.closeStart)),
        message: t('The plain-text part adds the URL after each link, so this URL appears twice.'),
      };
    },
  },
  {
    id: '49',
    name: 'unused-stylesheet',
    title: t('Unsupported stylesheet field'),
    severity: 'info',
    unnecessary: true,
    impact: t('The styles are missing in all clients.'),
    find({ email: { stylesheet = '' }, options: { supportsStylesheet } }) {
      if (supportsStylesheet !== false || stylesheet.trim() === '') return [];
      const message = t(
        "This installation doesn't store stylesheets. Move the styles to a <style> element in the body.",
      );
      return { ranges: [{ part: 'stylesheet', start: 0, end: stylesheet.length }], message };
    },
  },
  {
    id: '35',
    name: 'first-element',
    title: t('Unsupported first element or conditional comment'),
    severity: 'error',
    fix: 'choice',
    impact: t('Part or all of the email is missing.'),
    find: (mail) => [findLostFirstElement(mail), findLostFirstComments(mail)].flat(),
  },
  {
    id: '57',
    name: 'unsent-end',
    title: t('Unsent content after the body'),
    severity: 'warning',
    fix: 'choice',
    unnecessary: true,
    impact: t('Content is missing, such as the footer.'),
    find: findUnsentEnd,
  },
  {
    id: '50',
    name: 'cut-element',
    title: t('Link or heading around a table or paragraph'),
    severity: 'warning',
    impact: t('The table is not a link, or the paragraph is not a heading.'),
    // AcyMailing's parser closes some elements early, at a child that HTML allows.
    find: (mail) =>
      mail.getElements('a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6').flatMap((element) => {
        const child = element.children.find(
          ({ name, isInSource }) => isInSource && closedBy.get(element.name)?.has(name),
        );
        if (!child) return [];
        const message = t({
          message: 'AcyMailing ends this <{0}> before the <{1}> inside it. Move the <{0}> into the <{1}>.',
          args: [element.name, child.name],
          comment: '{0}: a link or heading; {1}: a table or paragraph',
        });
        return { ranges: [element, child], message };
      }),
  },
];
