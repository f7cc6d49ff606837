import { createInheritedLookup } from '../document.ts';
import type { BodyElement } from '../document.ts';
import { addAttributeEdit, setAttributeEdit, setBodyAttributeEdits } from '../edits.ts';
import { bodyRange, startTagRange } from '../mail.ts';
import type { ParsedEmail } from '../mail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { createSentBlocks } from '../sentStyles.ts';
import { guessLanguage, isRightToLeft } from './languages.ts';
import { readTexts } from './reading.ts';

const unsaid = "Screen readers don't know in which language to read this.";
const lost = "AcyMailing doesn't send attributes of <html>.";

function missingLanguage(mail: ParsedEmail): readonly RuleFinding[] {
  const [html] = mail.getElements('html');
  // A fragment gets its <html> from what sends it. AcyMailing's says no language.
  const isJudged = html !== undefined || mail.isComposed;
  return [...(isJudged && !isLanguageSaid(mail) ? unsaidLanguage(mail, html) : []), ...missingDirection(mail)];
}

/** Whether all that is read aloud is in elements that say their language. */
function isLanguageSaid(mail: ParsedEmail): boolean {
  const texts = mail.once(readTexts).map(({ parent }) => parent);
  const images = mail.getElements('img').filter((image) => image.get('alt')?.trim());
  const known = new Map<BodyElement, boolean>();
  const isSaid = (element: BodyElement): boolean => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const isOwn = mail.isSent(element) && Boolean(element.get('lang')?.trim());
    const said = isOwn || (element.parent !== undefined && isSaid(element.parent));
    known.set(element, said);
    return said;
  };
  return [...texts, ...images].every(isSaid);
}

function unsaidLanguage(mail: ParsedEmail, html: BodyElement | undefined): readonly RuleFinding[] {
  const own = mail.isComposed ? htmlAttribute(mail, 'lang') : undefined;
  const language = own?.value ?? languageOf(mail);
  const edits = html ? [setAttributeEdit(mail, html, 'lang', language)] : setBodyAttributeEdits(mail, 'lang', language);
  const range = own?.range ?? (html ? startTagRange(html) : firstPlace(mail));
  return groupFindings([range], own ? `${lost} ${unsaid}` : unsaid, {
    fixes: [{ title: `Add lang="${language}"`, edits }],
  });
}

/** The most likely language of the texts that come first. */
function languageOf(mail: ParsedEmail): string {
  const texts = mail.once(readTexts).slice(0, 200);
  return (
    guessLanguage(
      texts
        .map(({ value }) => value)
        .join(' ')
        .slice(0, 4000),
    ) ?? 'en'
  );
}

/** An attribute of `<html>` with a value. */
function htmlAttribute(
  { authored: { elements } }: ParsedEmail,
  name: string,
): { readonly range: PartRange; readonly value: string } | undefined {
  const attribute = elements.find((element) => element.name === 'html')?.attribute(name);
  const value = attribute?.value.trim() ?? '';
  return attribute && /^[\w-]+$/u.test(value) ? { range: bodyRange(attribute.start, attribute.end), value } : undefined;
}

function firstPlace({ document: { elements, texts } }: ParsedEmail): PartRange {
  const [first] = elements;
  const [text] = texts;
  return first && first.start <= (text?.start ?? Infinity)
    ? startTagRange(first)
    : bodyRange(text?.start ?? 0, text?.end ?? 0);
}

function missingDirection(mail: ParsedEmail): readonly RuleFinding[] {
  const turned = mail
    .once(readTexts)
    .filter(({ value, parent }) => isRightToLeft(value) && !hasDirection(mail, parent))
    .map(({ parent }) => block(parent));
  const message = 'This text is read from right to left, and is set from left to right.';
  const own = mail.isComposed && turned.length > 0 ? htmlAttribute(mail, 'dir') : undefined;
  if (own && own.value !== 'ltr') {
    const fixes = [{ title: `Add dir="${own.value}"`, edits: setBodyAttributeEdits(mail, 'dir', own.value) }];
    return groupFindings([own.range], `${lost} ${message}`, { fixes });
  }
  // An element within another that gets the direction has it from there.
  const outer = [...new Set(turned)].filter((element) => element.isInSource);
  const edits = outer.map((element) => addAttributeEdit(mail, element, 'dir="rtl"'));
  return groupFindings(outer.map(startTagRange), message, { fixes: [{ title: 'Add dir="rtl"', edits }] });
}

const hasDirection = (mail: ParsedEmail, element: BodyElement): boolean =>
  mail.once(hasDirectionRule) || mail.once(directionsOf)(element) === true;

/** Whether an element that is sent, or one that it is in, says its direction. */
const directionsOf = ({ isSent }: ParsedEmail): ((element: BodyElement) => true | undefined) =>
  createInheritedLookup(
    (element) =>
      (isSent(element) && (element.has('dir') || /direction\s*:\s*rtl/iu.test(element.get('style') ?? ''))) ||
      undefined,
  );

const hasDirectionRule = (mail: ParsedEmail): boolean =>
  mail
    .once(createSentBlocks)
    .some(
      ({ rule, declarations }) =>
        rule && declarations.some(({ property, value }) => property === 'direction' && value === 'rtl'),
    );

const inline = new Set([
  'a',
  'b',
  'i',
  'em',
  'strong',
  'span',
  'font',
  'u',
  'small',
  'big',
  'code',
  'abbr',
  'sup',
  'sub',
  's',
  'strike',
  'bdo',
  'bdi',
]);

/** The block that an element stands in. */
function block(element: BodyElement): BodyElement {
  let at = element;
  while (inline.has(at.name) && at.parent?.isInSource && at.parent.name !== 'body') at = at.parent;
  return at;
}

export const languageRules: readonly Rule[] = [
  {
    id: '19',
    name: 'language',
    title: 'No lang, or no dir for text from right to left',
    severity: 'info',
    hasFix: true,
    impact: 'Screen readers use the wrong voice; lines stand the wrong way round.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/language-of-page',
    find: missingLanguage,
  },
];
