import { trimRange } from '../css.ts';
import { containsTag, readDocument, getElementText, unrenderedElements } from '../document.ts';
import type { Attribute, BodyElement } from '../document.ts';
import { appendHeadersEdit, insertEdit } from '../partEdits.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { PartEdit, RuleFinding, PartRange } from '../model.ts';
import { findRangeAt } from '../../html/ranges.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { isFontUrl, findLinkedStylesheets } from './structure.ts';

const createRemoval = ({ start, end }: { readonly start: number; readonly end: number }): PartEdit => ({
  ...bodyRange(start, end),
  text: '',
});

/** The service always writes these meta tags. */
const isWrittenByService = (meta: BodyElement): boolean =>
  meta.has('charset') ||
  /^content-type$/iu.test(meta.get('http-equiv') ?? '') ||
  /^viewport$/iu.test(meta.get('name') ?? '');

function findOwnHead(mail: ParsedEmail): readonly RuleFinding[] {
  const { body } = mail.email;
  const [head, bodyElement] = ['head', 'body'].map((name) =>
    mail.authored.elements.find((element) => element.name === name),
  );
  const sheets = new Set(findLinkedStylesheets(mail));
  const elements = mail.authored.elements.filter(
    (element) =>
      /^(?:meta|base|link)$/u.test(element.name) &&
      element.parent?.name === 'head' &&
      !isWrittenByService(element) &&
      !sheets.has(element),
  );
  const headEnd = bodyElement?.start ?? head?.end ?? 0;
  const comments = mail.conditions.blocks.filter(
    ({ start, end, isRevealed }) =>
      !isRevealed &&
      end <= headEnd &&
      !/^\s*<xml>\s*<o:OfficeDocumentSettings>[^]*<\/xml>\s*$|^\s*$/iu.test(removeMarkers(body.slice(start, end))),
  );
  const isOutside = ({ start }: BodyElement): boolean => findRangeAt(comments, start) === undefined;
  const lostItems = [...elements.filter(isOutside), ...comments].sort((one, other) => one.start - other.start);
  const movedHtml = lostItems.map(({ start, end }) => body.slice(start, end)).join('\n');
  const edits = [...lostItems.map(createRemoval), appendHeadersEdit(mail, movedHtml)];
  const message =
    "The service does not send the template's own head: this goes to the headers field, which it does send.";
  return groupFindings(
    lostItems.map(({ start, end }) => bodyRange(start, end)),
    message,
    { fixes: [{ title: 'Move it to the headers field', edits }] },
  );
}

const removeMarkers = (block: string): string =>
  block.replace(/<!--\[if[^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->|<noscript>|<\/noscript>/giu, '');

function findUnsentStylesheets(mail: ParsedEmail): readonly RuleFinding[] {
  const imports = mail.sheets.flatMap(({ atRules, toRange }) =>
    atRules
      .filter(({ name }) => name === 'import')
      .map(({ start, end, prelude }) => ({ range: toRange(start, end), address: prelude })),
  );
  const links = findLinkedStylesheets(mail).filter((link) => !mail.isSent(link));
  const all = [...imports, ...links.map((link) => ({ range: startTagRange(link), address: link.get('href') ?? '' }))];
  const ranges = (isForFonts: boolean): readonly PartRange[] =>
    all.filter(({ address }) => isFontUrl(address) === isForFonts).map(({ range }) => range);
  const fonts = 'The service never sends this: write @font-face into the styles, or the link into the headers field.';
  return [
    ...groupFindings(ranges(true), fonts, { severity: 'info' }),
    ...groupFindings(ranges(false), 'AcyMailing never sends these styles: write them into a <style>.'),
  ];
}

function findRemovedClasses(mail: ParsedEmail): readonly RuleFinding[] {
  const headers = mail.email.headers ?? '';
  if (!/<style/iu.test(headers)) return [];
  const named = new Set(
    readDocument(headers)
      .elements.filter(({ name }) => name === 'style')
      .flatMap((style) => findClassNames(headers.slice(style.openEnd, style.closeStart))),
  );
  for (const { rules } of mail.sheets) {
    for (const rule of rules)
      if (rule.atRule)
        for (const { text } of rule.selectors) for (const name of findClassNames(text)) named.delete(name);
  }
  const ranges = mail.document.elements.flatMap((element) => {
    const attribute = named.size > 0 && element.has('class') ? element.attribute('class') : undefined;
    if (!attribute) return [];
    const raw = mail.email.body.slice(attribute.valueStart, attribute.valueEnd);
    return [...raw.matchAll(/\S+/gu)]
      .filter(([name]) => named.has(name))
      .map(({ 0: name, index }) => bodyRange(attribute.valueStart + index, attribute.valueStart + index + name.length));
  });
  return groupFindings(
    ranges,
    'The service takes this class from the element, because only styles in the headers field name it: those styles do nothing.',
  );
}

const findClassNames = (css: string): readonly string[] =>
  [...css.matchAll(/\.(-?[a-z_][\w-]*)/giu)].map(([, name = '']) => name);

/** Returns all matches of a pattern in visible text. `sign`: a cheaper test that a text must pass first. */
function findInTexts(
  { document: { texts }, email: { body } }: ParsedEmail,
  pattern: RegExp,
  sign: RegExp,
): readonly PartRange[] {
  return texts.flatMap(({ start, end, parent }) => {
    const text = unrenderedElements.has(parent.name) ? '' : body.slice(start, end).trim();
    if (!sign.test(text)) return [];
    const from = body.indexOf(text, start);
    return [...text.matchAll(pattern)].map(({ 0: found, index }) =>
      bodyRange(from + index, from + index + found.length),
    );
  });
}

const findDoubleEscapes = (mail: ParsedEmail): readonly RuleFinding[] =>
  groupFindings(
    findInTexts(mail, /&amp;(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giu, /&amp;/iu),
    'The service turns &amp; into & once more, so that readers see the sign and not its name.',
  );

const findJoinedLines = (mail: ParsedEmail): readonly RuleFinding[] =>
  groupFindings(
    findInTexts(mail, /(?<![^\s<>])[^\s<>]+[\r\n\t]+[^\s<>]+/gu, /[\r\n\t]/u),
    'The text part joins these lines without a space: the words run together.',
  );

/** Attributes whose URL the service makes absolute. */
const absolutizedAttributes = ['href', 'src', 'action', 'background'];

function findAbsolutizedAttributes({ document: { elements } }: ParsedEmail): readonly Attribute[] {
  const found: Attribute[] = [];
  for (const element of elements) {
    for (const name of element.name === 'link' ? [] : absolutizedAttributes) {
      const attribute = element.attribute(name);
      if (attribute) found.push(attribute);
    }
  }
  return found;
}

const getAttributeRange = ({ start, end }: Attribute): PartRange => bodyRange(start, end);

function findSchemelessAddresses(mail: ParsedEmail): readonly RuleFinding[] {
  const all = mail
    .once(findAbsolutizedAttributes)
    .filter(({ value, quote }) => quote === '"' && /^(?:\/\/|www\.)/iu.test(value));
  const edits = all.map(({ valueStart, value }) =>
    insertEdit(valueStart, value.startsWith('/') ? 'https:' : 'https://'),
  );
  const message = "The service puts the site's address in front of this one, so that it leads nowhere.";
  return groupFindings(all.map(getAttributeRange), message, { fixes: [{ title: 'Write https:// in front', edits }] });
}

function findUnresolvedAddresses(mail: ParsedEmail): readonly RuleFinding[] {
  const { body } = mail.email;
  const all = mail
    .once(findAbsolutizedAttributes)
    .filter(
      ({ value, quote, name }) =>
        quote !== '"' && name !== 'background' && value !== '' && !/^(?:[a-z][a-z\d+.-]*:|#|\{|\[|%7b)/iu.test(value),
    );
  const isPlain = all.every(({ valueStart, valueEnd }) => !body.slice(valueStart, valueEnd).includes('"'));
  const edits = all.flatMap(({ valueStart, valueEnd, quote: { length } }) => [
    { ...bodyRange(valueStart - length, valueStart), text: '"' },
    { ...bodyRange(valueEnd, valueEnd + length), text: '"' },
  ]);
  const message =
    'The service makes addresses absolute in double quotes only: this one stays relative, and leads nowhere.';
  return groupFindings(
    all.map(getAttributeRange),
    message,
    isPlain ? { fixes: [{ title: 'Use double quotes', edits }] } : {},
  );
}

const findConditionsInAddresses = (mail: ParsedEmail): readonly RuleFinding[] =>
  groupFindings(
    mail
      .once(findAbsolutizedAttributes)
      .filter(({ value }) => /(?:\{|%7b)if(?::|%3a)/iu.test(value))
      .map(getAttributeRange),
    'The service encodes braces in an address before it reads {if}: it goes out as it is written. Put the condition around the link.',
  );

function findBareConditions({ conditions: { bare } }: ParsedEmail): readonly RuleFinding[] {
  const edits = bare.map(({ start, end, isEnd, condition }) => ({
    ...bodyRange(start, end),
    text: isEnd ? '<!--<![endif]-->' : `<!--[if ${condition}]><!-->`,
  }));
  const message = 'The service makes visible text of this: readers see the brackets.';
  return groupFindings(
    bare.map(({ start, end }) => bodyRange(start, end)),
    message,
    { fixes: [{ title: 'Write it as a comment', edits }] },
  );
}

function findRepeatedAddresses(mail: ParsedEmail): readonly RuleFinding[] {
  const plain = (text: string): string => text.trim().replace(/\/$/u, '');
  const links = mail.getElements('a').filter((link) => {
    const text = plain(getElementText(link));
    return text !== '' && !containsTag(text) && text === plain(link.get('href') ?? '');
  });
  const ranges = links.map(({ openEnd, closeStart }) => {
    const { start, end } = trimRange(mail.email.body, openEnd, closeStart);
    return bodyRange(start, end);
  });
  return groupFindings(ranges, 'The text part has the address behind each link: this one stands there twice.');
}

function findUnusedStylesheet({
  email: { stylesheet = '' },
  options: { supportsStylesheet },
}: ParsedEmail): readonly RuleFinding[] {
  if (supportsStylesheet !== false || stylesheet.trim() === '') return [];
  return groupFindings(
    [{ part: 'stylesheet', start: 0, end: stylesheet.length }],
    'This installation does not keep stylesheets: write the styles into the body.',
  );
}

const serviceRuleDefaults = { profile: 'acymailing', url: 'https://docs.acymailing.com/' } as const;

export const serviceRules: readonly Rule[] = [
  {
    ...serviceRuleDefaults,
    id: '30',
    name: 'own-head',
    title: 'Own content of the head',
    severity: 'info',
    hasFix: true,
    unnecessary: true,
    impact: "Color schemes and Outlook's styles never arrive.",
    find: findOwnHead,
  },
  {
    ...serviceRuleDefaults,
    id: '36',
    name: 'imported-styles',
    title: '@import or linked stylesheet',
    severity: 'warning',
    unnecessary: true,
    impact: 'The fonts and styles never arrive, in no client.',
    find: findUnsentStylesheets,
  },
  {
    ...serviceRuleDefaults,
    id: '38',
    name: 'cut-class',
    title: "Class that only the headers field's styles use",
    severity: 'warning',
    impact: 'The styles do nothing.',
    find: findRemovedClasses,
  },
  {
    ...serviceRuleDefaults,
    id: '41',
    name: 'double-escape',
    title: 'Sign that is escaped twice',
    severity: 'warning',
    impact: 'Readers see < where &lt; was meant.',
    find: findDoubleEscapes,
  },
  {
    ...serviceRuleDefaults,
    id: '43',
    name: 'schemeless',
    title: 'Address that begins with // or www.',
    severity: 'error',
    hasFix: true,
    isMechanical: true,
    impact: 'Links and images lead nowhere.',
    find: findSchemelessAddresses,
  },
  {
    ...serviceRuleDefaults,
    id: '44',
    name: 'single-quotes',
    title: 'Relative address without double quotes',
    severity: 'warning',
    hasFix: true,
    isMechanical: true,
    impact: 'It leads nowhere.',
    find: findUnresolvedAddresses,
  },
  {
    ...serviceRuleDefaults,
    id: '45',
    name: 'condition-in-link',
    title: '{if} in an address',
    severity: 'error',
    impact: 'The link is broken for everybody.',
    find: findConditionsInAddresses,
  },
  {
    ...serviceRuleDefaults,
    id: '46',
    name: 'bare-condition',
    title: '<![if !mso]> without a comment around it',
    severity: 'error',
    hasFix: true,
    changesText: true,
    isMechanical: true,
    impact: 'Readers see the marker as text.',
    find: findBareConditions,
  },
  {
    ...serviceRuleDefaults,
    id: '47',
    name: 'joined-lines',
    title: 'Words on two lines that the text part joins',
    severity: 'info',
    impact: 'Who reads the text part sees two words as one.',
    find: findJoinedLines,
  },
  {
    ...serviceRuleDefaults,
    id: '48',
    name: 'doubled-link',
    title: 'Link whose text is its address',
    severity: 'info',
    impact: 'The address stands twice in the text part.',
    find: findRepeatedAddresses,
  },
  {
    ...serviceRuleDefaults,
    id: '49',
    name: 'unused-stylesheet',
    title: 'Stylesheet that this installation does not keep',
    severity: 'info',
    unnecessary: true,
    impact: 'The styles never arrive.',
    find: findUnusedStylesheet,
  },
];
