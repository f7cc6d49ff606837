import { getSentBlocks } from '../cascade.ts';
import type { BodyElement } from '../document.ts';
import { inherit, memoize } from '../memoize.ts';
import type { PartRange } from '../model.ts';
import { addAttributeEdit, setAttributeEdit, setBodyAttributeEdits } from '../partEdits.ts';
import { bodyRange, startTagRange, type ParsedEmail } from '../parsedEmail.ts';
import type { Rule, RuleFinding } from '../rule.ts';
import { getReadableTexts } from './readability.ts';

/** Frequent words of each language. */
const commonWords: Readonly<Record<string, string>> = {
  en: 'the and you your for with this that are have from our will',
  de: 'der die und das nicht mit Sie ist für Ihre wir ein auf den',
  fr: 'le la les et vous votre pour des une est nous dans avec sur',
  es: 'el la los y que de para su una con por más nuestro es en',
  it: 'il la che di per con una sono del della non è nostro gli',
  nl: 'de het een en van voor met je uw niet dat op zijn wij',
  pt: 'o os e que de para uma com não seu por você mais em da',
  pl: 'i w na się nie do z że jest dla od oraz o twój',
};

const scripts: readonly (readonly [script: RegExp, language: string])[] = [
  [/\p{sc=Hebrew}/gu, 'he'],
  [/\p{sc=Arabic}/gu, 'ar'],
  [/\p{sc=Cyrillic}/gu, 'ru'],
  [/\p{sc=Greek}/gu, 'el'],
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/gu, 'ja'],
  [/\p{sc=Hangul}/gu, 'ko'],
  [/\p{sc=Han}/gu, 'zh'],
  [/\p{sc=Thai}/gu, 'th'],
];

const getLetterShare = (text: string, letter: RegExp): number =>
  (text.match(letter)?.length ?? 0) / Math.max(1, text.match(/\p{L}/gu)?.length ?? 0);

/** Returns the most likely language of a text; undefined if the text is too short. */
function guessLanguage(text: string): string | undefined {
  const byScript = scripts.find(([letter]) => getLetterShare(text, letter) > 0.3);
  if (byScript) return byScript[1];
  const usedWords = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(commonWords).map(([language, list]) => {
    const dictionary = new Set(list.toLowerCase().split(' '));
    return [language, usedWords.filter((word) => dictionary.has(word)).length] as const;
  });
  const [best, secondBest] = scores.sort((one, other) => other[1] - one[1]);
  return best && best[1] > 1 && best[1] > (secondBest?.[1] ?? 0) ? best[0] : undefined;
}

/** Returns whether most letters of a text are from right-to-left scripts. */
function isRightToLeft(text: string): boolean {
  return (
    /[\u0590-\u08FF]/u.test(text) &&
    getLetterShare(text, /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/gu) > 0.5
  );
}

const NO_LANGUAGE_MESSAGE = 'The text has no lang attribute, so screen readers may use the wrong voice.';
const LOST_ATTRIBUTES_MESSAGE = "AcyMailing doesn't send attributes of <html>.";

const hasLanguage = inherit(
  (mail, element): true | undefined => (mail.isSent(element) && Boolean(element.get('lang')?.trim())) || undefined,
);

/** Reports text or alternative text without a language. */
function findMissingLanguage(mail: ParsedEmail): readonly RuleFinding[] {
  const [html] = mail.getElements('html');
  const images = mail.getElements('img').filter((image) => image.get('alt')?.trim());
  const readElements = [...getReadableTexts(mail).map(({ parent }) => parent), ...images];
  // The service adds <html> to a fragment. AcyMailing adds it without a language.
  if ((!html && !mail.isComposed) || readElements.every((element) => hasLanguage(mail, element))) return [];
  const htmlAttribute = mail.isComposed ? readHtmlAttribute(mail, 'lang') : undefined;
  const language = htmlAttribute?.value ?? detectLanguage(mail);
  const edits = html ? [setAttributeEdit(html, 'lang', language)] : setBodyAttributeEdits(mail, 'lang', language);
  return [
    {
      ranges: [htmlAttribute?.range ?? (html ? startTagRange(html) : getFirstContentRange(mail))],
      message: htmlAttribute ? `${LOST_ATTRIBUTES_MESSAGE} ${NO_LANGUAGE_MESSAGE}` : NO_LANGUAGE_MESSAGE,
      fixes: [{ title: `Add lang="${language}"`, edits }],
    },
  ];
}

/** Guesses the language from the first texts of the email. */
function detectLanguage(mail: ParsedEmail): string {
  const texts = getReadableTexts(mail).slice(0, 200);
  const sample = texts.map(({ value }) => value).join(' ');
  return guessLanguage(sample.slice(0, 4000)) ?? 'en';
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
  const rtlBlocks = getReadableTexts(mail)
    .filter(({ value, parent }) => isRightToLeft(value) && !hasDirectionRule(mail) && !hasDirection(mail, parent))
    .map(({ parent }) => findBlockAncestor(parent));
  const message = 'This right-to-left text is laid out left to right.';
  const htmlAttribute = mail.isComposed && rtlBlocks.length > 0 ? readHtmlAttribute(mail, 'dir') : undefined;
  if (htmlAttribute && htmlAttribute.value !== 'ltr') {
    const { range, value } = htmlAttribute;
    const fixes = [{ title: `Add dir="${value}"`, edits: setBodyAttributeEdits(mail, 'dir', value) }];
    return [{ ranges: [range], message: `${LOST_ATTRIBUTES_MESSAGE} ${message}`, fixes }];
  }
  // Nested elements inherit the direction.
  const outerBlocks = [...new Set(rtlBlocks)].filter((element) => element.isInSource);
  const edits = outerBlocks.map((element) => addAttributeEdit(element, 'dir="rtl"'));
  return [{ ranges: outerBlocks.map(startTagRange), message, fixes: [{ title: 'Add dir="rtl"', edits }] }];
}

const hasDirection = inherit(
  (mail, element): true | undefined =>
    (mail.isSent(element) && (element.has('dir') || /direction\s*:\s*rtl/iu.test(element.get('style') ?? ''))) ||
    undefined,
);

const hasDirectionRule = memoize((mail: ParsedEmail): boolean =>
  getSentBlocks(mail).some(
    ({ rule, declarations }) =>
      rule && declarations.some(({ property, value }) => property === 'direction' && value === 'rtl'),
  ),
);

const inlineElements = new Set('a b i em strong span font u small big code abbr sup sub s strike bdo bdi'.split(' '));

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
    title: 'Missing language or text direction',
    severity: 'info',
    hasFix: true,
    impact: 'Screen readers use the wrong voice, and right-to-left text is hard to read.',
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/language-of-page',
    find: (mail) => [...findMissingLanguage(mail), ...findMissingDirection(mail)],
  },
];
