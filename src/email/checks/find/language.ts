import { createInheritedLookup } from '../document.ts';
import type { BodyElement } from '../document.ts';
import { addAttributeEdit, setAttributeEdit, setBodyAttributeEdits } from '../partEdits.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { createSentBlocks } from '../sentStyles.ts';
import { guessLanguage, isRightToLeft } from './guessLanguage.ts';
import { getReadableTexts } from './readability.ts';

const NO_LANGUAGE_MESSAGE = "Screen readers don't know in which language to read this.";
const LOST_ATTRIBUTES_MESSAGE = "AcyMailing doesn't send attributes of <html>.";

function findMissingLanguage(mail: ParsedEmail): readonly RuleFinding[] {
  const [html] = mail.getElements('html');
  // The service adds <html> to a fragment. AcyMailing adds it without a language.
  const isChecked = html !== undefined || mail.isComposed;
  return [
    ...(isChecked && !isLanguageDeclared(mail) ? createLanguageFinding(mail, html) : []),
    ...findMissingDirection(mail),
  ];
}

/** Returns whether all text and alternative text is in elements with a language. */
function isLanguageDeclared(mail: ParsedEmail): boolean {
  const texts = mail.once(getReadableTexts).map(({ parent }) => parent);
  const images = mail.getElements('img').filter((image) => image.get('alt')?.trim());
  const cache = new Map<BodyElement, boolean>();
  const hasLanguage = (element: BodyElement): boolean => {
    const cached = cache.get(element);
    if (cached !== undefined) return cached;
    const hasOwnLanguage = mail.isSent(element) && Boolean(element.get('lang')?.trim());
    const isInherited = hasOwnLanguage || (element.parent !== undefined && hasLanguage(element.parent));
    cache.set(element, isInherited);
    return isInherited;
  };
  return [...texts, ...images].every(hasLanguage);
}

function createLanguageFinding(mail: ParsedEmail, html: BodyElement | undefined): readonly RuleFinding[] {
  const htmlAttribute = mail.isComposed ? readHtmlAttribute(mail, 'lang') : undefined;
  const language = htmlAttribute?.value ?? detectLanguage(mail);
  const edits = html ? [setAttributeEdit(mail, html, 'lang', language)] : setBodyAttributeEdits(mail, 'lang', language);
  const range = htmlAttribute?.range ?? (html ? startTagRange(html) : getFirstContentRange(mail));
  return groupFindings(
    [range],
    htmlAttribute ? `${LOST_ATTRIBUTES_MESSAGE} ${NO_LANGUAGE_MESSAGE}` : NO_LANGUAGE_MESSAGE,
    {
      fixes: [{ title: `Add lang="${language}"`, edits }],
    },
  );
}

/** Guesses the language from the first texts of the email. */
function detectLanguage(mail: ParsedEmail): string {
  const texts = mail.once(getReadableTexts).slice(0, 200);
  return (
    guessLanguage(
      texts
        .map(({ value }) => value)
        .join(' ')
        .slice(0, 4000),
    ) ?? 'en'
  );
}

/** Returns an attribute of `<html>` with a valid value. */
function readHtmlAttribute(
  { authored: { elements } }: ParsedEmail,
  name: string,
): { readonly range: PartRange; readonly value: string } | undefined {
  const attribute = elements.find((element) => element.name === 'html')?.attribute(name);
  const value = attribute?.value.trim() ?? '';
  return attribute && /^[\w-]+$/u.test(value) ? { range: bodyRange(attribute.start, attribute.end), value } : undefined;
}

function getFirstContentRange({ document: { elements, texts } }: ParsedEmail): PartRange {
  const [first] = elements;
  const [text] = texts;
  return first && first.start <= (text?.start ?? Infinity)
    ? startTagRange(first)
    : bodyRange(text?.start ?? 0, text?.end ?? 0);
}

function findMissingDirection(mail: ParsedEmail): readonly RuleFinding[] {
  const rtlBlocks = mail
    .once(getReadableTexts)
    .filter(({ value, parent }) => isRightToLeft(value) && !hasDirection(mail, parent))
    .map(({ parent }) => findBlockAncestor(parent));
  const message = 'This text is read from right to left, and is set from left to right.';
  const htmlAttribute = mail.isComposed && rtlBlocks.length > 0 ? readHtmlAttribute(mail, 'dir') : undefined;
  if (htmlAttribute && htmlAttribute.value !== 'ltr') {
    const fixes = [
      { title: `Add dir="${htmlAttribute.value}"`, edits: setBodyAttributeEdits(mail, 'dir', htmlAttribute.value) },
    ];
    return groupFindings([htmlAttribute.range], `${LOST_ATTRIBUTES_MESSAGE} ${message}`, { fixes });
  }
  // Nested elements inherit the direction.
  const outerBlocks = [...new Set(rtlBlocks)].filter((element) => element.isInSource);
  const edits = outerBlocks.map((element) => addAttributeEdit(mail, element, 'dir="rtl"'));
  return groupFindings(outerBlocks.map(startTagRange), message, { fixes: [{ title: 'Add dir="rtl"', edits }] });
}

const hasDirection = (mail: ParsedEmail, element: BodyElement): boolean =>
  mail.once(hasDirectionRule) || mail.once(createDirectionLookup)(element) === true;

/** Returns a function that checks if a sent element or an ancestor declares its direction. */
const createDirectionLookup = ({ isSent }: ParsedEmail): ((element: BodyElement) => true | undefined) =>
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

const inlineElements = new Set([
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

/** Returns the nearest block-level ancestor, or the element itself. */
function findBlockAncestor(element: BodyElement): BodyElement {
  let current = element;
  while (inlineElements.has(current.name) && current.parent?.isInSource && current.parent.name !== 'body')
    current = current.parent;
  return current;
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
    find: findMissingLanguage,
  },
];
