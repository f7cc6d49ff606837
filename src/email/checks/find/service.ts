import { trimmed } from '../css.ts';
import { holdsTag, readDocument, textOf, unseen } from '../document.ts';
import type { Attribute, Element } from '../document.ts';
import { addHeaders, insert } from '../edits.ts';
import { inBody, tagPlace } from '../mail.ts';
import type { Mail } from '../mail.ts';
import type { Edit, Found, Place } from '../model.ts';
import { rangeAt } from '../../html/ranges.ts';
import { grouped } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isFont, linkedSheets } from './structure.ts';

/** What AcyMailing does to markup on its way out. */
const page = 'https://docs.acymailing.com/';

const remove = ({ start, end }: { readonly start: number; readonly end: number }): Edit => ({
  ...inBody(start, end),
  text: '',
});

/** The service writes these by itself. */
const isReplaced = (meta: Element): boolean =>
  meta.has('charset') ||
  /^content-type$/iu.test(meta.get('http-equiv') ?? '') ||
  /^viewport$/iu.test(meta.get('name') ?? '');

function ownHead(mail: Mail): readonly Found[] {
  const { body } = mail.email;
  const [head, written] = ['head', 'body'].map((name) =>
    mail.authored.elements.find((element) => element.name === name),
  );
  const sheets = new Set(linkedSheets(mail));
  const elements = mail.authored.elements.filter(
    (element) =>
      /^(?:meta|base|link)$/u.test(element.name) &&
      element.parent?.name === 'head' &&
      !isReplaced(element) &&
      !sheets.has(element),
  );
  const headEnd = written?.start ?? head?.end ?? 0;
  const comments = mail.conditions.blocks.filter(
    ({ start, end, isRevealed }) =>
      !isRevealed &&
      end <= headEnd &&
      !/^\s*<xml>\s*<o:OfficeDocumentSettings>[^]*<\/xml>\s*$|^\s*$/iu.test(withoutMarkers(body.slice(start, end))),
  );
  const isOutside = ({ start }: Element): boolean => rangeAt(comments, start) === undefined;
  const lost = [...elements.filter(isOutside), ...comments].sort((one, other) => one.start - other.start);
  const moved = lost.map(({ start, end }) => body.slice(start, end)).join('\n');
  const edits = [...lost.map(remove), addHeaders(mail, moved)];
  const message =
    "The service does not send the template's own head: this goes to the headers field, which it does send.";
  return grouped(
    lost.map(({ start, end }) => inBody(start, end)),
    message,
    { fixes: [{ title: 'Move it to the headers field', edits }] },
  );
}

const withoutMarkers = (block: string): string =>
  block.replace(/<!--\[if[^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->|<noscript>|<\/noscript>/giu, '');

function importsAndLinks(mail: Mail): readonly Found[] {
  const imports = mail.sheets.flatMap(({ atRules, place }) =>
    atRules
      .filter(({ name }) => name === 'import')
      .map(({ start, end, prelude }) => ({ place: place(start, end), address: prelude })),
  );
  const links = linkedSheets(mail).filter((link) => !mail.isSent(link));
  const all = [...imports, ...links.map((link) => ({ place: tagPlace(link), address: link.get('href') ?? '' }))];
  const places = (isForFonts: boolean): readonly Place[] =>
    all.filter(({ address }) => isFont(address) === isForFonts).map(({ place }) => place);
  const fonts = 'The service never sends this: write @font-face into the styles, or the link into the headers field.';
  return [
    ...grouped(places(true), fonts, { severity: 'info' }),
    ...grouped(places(false), 'AcyMailing never sends these styles: write them into a <style>.'),
  ];
}

function cutClasses(mail: Mail): readonly Found[] {
  const headers = mail.email.headers ?? '';
  if (!/<style/iu.test(headers)) return [];
  const named = new Set(
    readDocument(headers)
      .elements.filter(({ name }) => name === 'style')
      .flatMap((style) => classesIn(headers.slice(style.openEnd, style.closeStart))),
  );
  for (const { rules } of mail.sheets) {
    for (const rule of rules)
      if (rule.atRule) for (const { text } of rule.selectors) for (const name of classesIn(text)) named.delete(name);
  }
  const places = mail.document.elements.flatMap((element) => {
    const attribute = named.size > 0 && element.has('class') ? element.attribute('class') : undefined;
    if (!attribute) return [];
    const raw = mail.email.body.slice(attribute.valueStart, attribute.valueEnd);
    return [...raw.matchAll(/\S+/gu)]
      .filter(([name]) => named.has(name))
      .map(({ 0: name, index }) => inBody(attribute.valueStart + index, attribute.valueStart + index + name.length));
  });
  return grouped(
    places,
    'The service takes this class from the element, because only styles in the headers field name it: those styles do nothing.',
  );
}

const classesIn = (css: string): readonly string[] =>
  [...css.matchAll(/\.(-?[a-z_][\w-]*)/giu)].map(([, name = '']) => name);

/** All matches of a pattern in the texts that are read. `sign`: what a text has where there may be one. */
function inTexts({ document: { texts }, email: { body } }: Mail, pattern: RegExp, sign: RegExp): readonly Place[] {
  return texts.flatMap(({ start, end, parent }) => {
    const text = unseen.has(parent.name) ? '' : body.slice(start, end).trim();
    if (!sign.test(text)) return [];
    const from = body.indexOf(text, start);
    return [...text.matchAll(pattern)].map(({ 0: found, index }) => inBody(from + index, from + index + found.length));
  });
}

const doubleEscapes = (mail: Mail): readonly Found[] =>
  grouped(
    inTexts(mail, /&amp;(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giu, /&amp;/iu),
    'The service turns &amp; into & once more, so that readers see the sign and not its name.',
  );

const joinedLines = (mail: Mail): readonly Found[] =>
  grouped(
    inTexts(mail, /(?<![^\s<>])[^\s<>]+[\r\n\t]+[^\s<>]+/gu, /[\r\n\t]/u),
    'The text part joins these lines without a space: the words run together.',
  );

/** Attributes whose address the service makes absolute. */
const addressAttributes = ['href', 'src', 'action', 'background'];

function addressesOf({ document: { elements } }: Mail): readonly Attribute[] {
  const found: Attribute[] = [];
  for (const element of elements) {
    for (const name of element.name === 'link' ? [] : addressAttributes) {
      const attribute = element.attribute(name);
      if (attribute) found.push(attribute);
    }
  }
  return found;
}

const attributePlace = ({ start, end }: Attribute): Place => inBody(start, end);

function schemeless(mail: Mail): readonly Found[] {
  const all = mail.once(addressesOf).filter(({ value, quote }) => quote === '"' && /^(?:\/\/|www\.)/iu.test(value));
  const edits = all.map(({ valueStart, value }) => insert(valueStart, value.startsWith('/') ? 'https:' : 'https://'));
  const message = "The service puts the site's address in front of this one, so that it leads nowhere.";
  return grouped(all.map(attributePlace), message, { fixes: [{ title: 'Write https:// in front', edits }] });
}

function singleQuoted(mail: Mail): readonly Found[] {
  const { body } = mail.email;
  const all = mail
    .once(addressesOf)
    .filter(
      ({ value, quote, name }) =>
        quote !== '"' && name !== 'background' && value !== '' && !/^(?:[a-z][a-z\d+.-]*:|#|\{|\[|%7b)/iu.test(value),
    );
  const isPlain = all.every(({ valueStart, valueEnd }) => !body.slice(valueStart, valueEnd).includes('"'));
  const edits = all.flatMap(({ valueStart, valueEnd, quote: { length } }) => [
    { ...inBody(valueStart - length, valueStart), text: '"' },
    { ...inBody(valueEnd, valueEnd + length), text: '"' },
  ]);
  const message =
    'The service makes addresses absolute in double quotes only: this one stays relative, and leads nowhere.';
  return grouped(all.map(attributePlace), message, isPlain ? { fixes: [{ title: 'Use double quotes', edits }] } : {});
}

const conditionInAddress = (mail: Mail): readonly Found[] =>
  grouped(
    mail
      .once(addressesOf)
      .filter(({ value }) => /(?:\{|%7b)if(?::|%3a)/iu.test(value))
      .map(attributePlace),
    'The service encodes braces in an address before it reads {if}: it goes out as it is written. Put the condition around the link.',
  );

function bareConditions({ conditions: { bare } }: Mail): readonly Found[] {
  const edits = bare.map(({ start, end, isEnd, condition }) => ({
    ...inBody(start, end),
    text: isEnd ? '<!--<![endif]-->' : `<!--[if ${condition}]><!-->`,
  }));
  const message = 'The service makes visible text of this: readers see the brackets.';
  return grouped(
    bare.map(({ start, end }) => inBody(start, end)),
    message,
    { fixes: [{ title: 'Write it as a comment', edits }] },
  );
}

function doubledLinks(mail: Mail): readonly Found[] {
  const plain = (text: string): string => text.trim().replace(/\/$/u, '');
  const links = mail.named('a').filter((link) => {
    const text = plain(textOf(link));
    return text !== '' && !holdsTag(text) && text === plain(link.get('href') ?? '');
  });
  const places = links.map(({ openEnd, closeStart }) => {
    const { start, end } = trimmed(mail.email.body, openEnd, closeStart);
    return inBody(start, end);
  });
  return grouped(places, 'The text part has the address behind each link: this one stands there twice.');
}

function unusedStylesheet({ email: { stylesheet = '' }, options: { keepsStylesheet } }: Mail): readonly Found[] {
  if (keepsStylesheet !== false || stylesheet.trim() === '') return [];
  return grouped(
    [{ part: 'stylesheet', start: 0, end: stylesheet.length }],
    'This installation does not keep stylesheets: write the styles into the body.',
  );
}

const acymailing = { profile: 'acymailing', url: page } as const;

export const serviceRules: readonly Rule[] = [
  {
    ...acymailing,
    id: '30',
    name: 'own-head',
    title: 'Own content of the head',
    severity: 'info',
    hasFix: true,
    unnecessary: true,
    cost: "Color schemes and Outlook's styles never arrive.",
    find: ownHead,
  },
  {
    ...acymailing,
    id: '36',
    name: 'imported-styles',
    title: '@import or linked stylesheet',
    severity: 'warning',
    unnecessary: true,
    cost: 'The fonts and styles never arrive, in no client.',
    find: importsAndLinks,
  },
  {
    ...acymailing,
    id: '38',
    name: 'cut-class',
    title: "Class that only the headers field's styles use",
    severity: 'warning',
    cost: 'The styles do nothing.',
    find: cutClasses,
  },
  {
    ...acymailing,
    id: '41',
    name: 'double-escape',
    title: 'Sign that is escaped twice',
    severity: 'warning',
    cost: 'Readers see < where &lt; was meant.',
    find: doubleEscapes,
  },
  {
    ...acymailing,
    id: '43',
    name: 'schemeless',
    title: 'Address that begins with // or www.',
    severity: 'error',
    hasFix: true,
    isMechanical: true,
    cost: 'Links and images lead nowhere.',
    find: schemeless,
  },
  {
    ...acymailing,
    id: '44',
    name: 'single-quotes',
    title: 'Relative address without double quotes',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    cost: 'It leads nowhere.',
    find: singleQuoted,
  },
  {
    ...acymailing,
    id: '45',
    name: 'condition-in-link',
    title: '{if} in an address',
    severity: 'error',
    cost: 'The link is broken for everybody.',
    find: conditionInAddress,
  },
  {
    ...acymailing,
    id: '46',
    name: 'bare-condition',
    title: '<![if !mso]> without a comment around it',
    severity: 'error',
    hasFix: true,
    changesText: true,
    isMechanical: true,
    cost: 'Readers see the marker as text.',
    find: bareConditions,
  },
  {
    ...acymailing,
    id: '47',
    name: 'joined-lines',
    title: 'Words on two lines that the text part joins',
    severity: 'info',
    cost: 'Who reads the text part sees two words as one.',
    find: joinedLines,
  },
  {
    ...acymailing,
    id: '48',
    name: 'doubled-link',
    title: 'Link whose text is its address',
    severity: 'info',
    cost: 'The address stands twice in the text part.',
    find: doubledLinks,
  },
  {
    ...acymailing,
    id: '49',
    name: 'unused-stylesheet',
    title: 'Stylesheet that this installation does not keep',
    severity: 'info',
    unnecessary: true,
    cost: 'The styles never arrive.',
    find: unusedStylesheet,
  },
];
