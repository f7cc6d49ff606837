import languages from '../data/languages.json' with { type: 'json' };
import { t } from '../../../l10n.ts';
import { inherit, type BodyElement } from '../document.ts';
import { type ParsedEmail, type Rule, setAttributeEdit, wrapContentEdits } from '../rule.ts';
import { getReadableTexts } from './readability.ts';

const scripts = Object.entries(languages.scripts).map(([language, letter]) => ({
  language,
  letter: new RegExp(letter, 'gu'),
}));

const getLetterShare = (text: string, letter: RegExp) =>
  (text.match(letter)?.length ?? 0) / Math.max(1, text.match(/\p{L}/gu)?.length ?? 0);

/** Returns the most likely language of a text; undefined if the text is too short. */
function guessLanguage(text: string) {
  const byScript = scripts.find(({ letter }) => getLetterShare(text, letter) > 0.3);
  if (byScript) return byScript.language;
  const usedWords = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(languages.words).map(([language, list]) => {
    const dictionary = new Set(list.toLowerCase().split(' '));
    return { language, score: usedWords.filter((word) => dictionary.has(word)).length };
  });
  const [best, secondBest] = scores.sort((one, other) => other.score - one.score);
  return best && best.score > Math.max(1, secondBest?.score ?? 0) ? best.language : undefined;
}

/** Returns whether most letters of a text are from right-to-left scripts. */
function isRightToLeft(text: string) {
  return (
    /[\u0590-\u08FF]/u.test(text) &&
    getLetterShare(text, /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/gu) > 0.5
  );
}

const explainLostAttributes = () => t("AcyMailing doesn't send the attributes of <html>.");

const hasLanguage = inherit((element) => (element.isSent && Boolean(element.get('lang')?.trim())) || undefined);

/** Reports text or alternative text without a language. */
function findMissingLanguage(mail: ParsedEmail) {
  const [html] = mail.getElements('html');
  const images = mail.getElements('img').filter((image) => image.get('alt')?.trim());
  const texts = getReadableTexts(mail);
  // The service adds <html> to a fragment. AcyMailing adds it without a language.
  if (!html && !mail.isComposed) return [];
  if ([...texts.map(({ parent }) => parent), ...images].every(hasLanguage)) return [];
  const lost = readLostAttribute(mail, 'lang');
  // The first texts are enough to detect the language.
  const sample = texts.slice(0, 200).map(({ value }) => value);
  const language = lost?.value ?? guessLanguage(sample.join(' ').slice(0, 4000)) ?? 'en';
  const edits = html ? [setAttributeEdit(html, 'lang', language)] : setBodyAttributeEdits(mail, 'lang', language);
  const {
    elements: [element],
    texts: [text],
  } = mail;
  const first = element && element.start <= (text?.start ?? Infinity) ? element : (text ?? { start: 0, end: 0 });
  const problem = t('The text has no lang attribute, so screen readers may use the wrong voice.');
  const message = lost ? `${explainLostAttributes()} ${problem}` : problem;
  return { ranges: [lost?.range ?? html ?? first], message, fixes: [{ title: t`Add lang="${language}"`, edits }] };
}

/** Returns an attribute of `<html>` with a valid value that AcyMailing doesn't send. */
function readLostAttribute({ isComposed, authored: { elements } }: ParsedEmail, name: string) {
  const range = isComposed ? elements.find((element) => element.name === 'html')?.attribute(name) : undefined;
  const value = range?.value.trim() ?? '';
  return range && /^[\w-]+$/u.test(value) ? { range, value } : undefined;
}

/** Sets an attribute of `<body>`, or wraps the content in a `<div>` with it if there is no `<body>`. */
function setBodyAttributeEdits(mail: ParsedEmail, name: string, value: string) {
  const [body] = mail.getElements('body');
  return body ? [setAttributeEdit(body, name, value)] : wrapContentEdits(mail, `<div ${name}="${value}">`, '</div>');
}

function findMissingDirection(mail: ParsedEmail) {
  const blocks = getReadableTexts(mail)
    .filter(({ value, parent }) => isRightToLeft(value) && !hasDirection(parent))
    .map(({ parent }) => findBlockAncestor(parent));
  if (blocks.length === 0 || hasDirectionRule(mail)) return [];
  const message = t('This right-to-left text is laid out left to right.');
  const lost = readLostAttribute(mail, 'dir');
  if (lost && lost.value !== 'ltr') {
    const fixes = [{ title: t`Add dir="${lost.value}"`, edits: setBodyAttributeEdits(mail, 'dir', lost.value) }];
    return { ranges: [lost.range], message: `${explainLostAttributes()} ${message}`, fixes };
  }
  // Nested elements inherit the direction.
  const ranges = [...new Set(blocks)].filter((element) => element.isInSource);
  const edits = ranges.map((element) => setAttributeEdit(element, 'dir', 'rtl'));
  return { ranges, message, fixes: [{ title: t`Add dir="${'rtl'}"`, edits }] };
}

const hasDirection = inherit(
  (element) =>
    (element.isSent && (element.has('dir') || /direction\s*:\s*rtl/iu.test(element.get('style') ?? ''))) || undefined,
);

const hasDirectionRule = ({ sentBlocks }: ParsedEmail) =>
  sentBlocks.some(
    ({ rule, declarations }) =>
      rule && declarations.some(({ property, value }) => property === 'direction' && value === 'rtl'),
  );

const inlineElements = new Set('a b i em strong span font u small big code abbr sup sub s strike bdo bdi'.split(' '));

/** Returns the nearest block-level ancestor, or the element itself. */
function findBlockAncestor(element: BodyElement) {
  let current = element;
  while (inlineElements.has(current.name) && current.parent?.isInSource && current.parent.name !== 'body')
    current = current.parent;
  return current;
}

export const getLanguageRules = (): readonly Rule[] => [
  {
    id: '19',
    name: 'language',
    title: t('Missing language or text direction'),
    severity: 'info',
    fix: 'choice',
    impact: t('Screen readers use the wrong voice, and right-to-left text is hard to read.'),
    url: 'https://www.w3.org/WAI/WCAG22/Understanding/language-of-page',
    find: (mail) => [findMissingLanguage(mail), findMissingDirection(mail)].flat(),
  },
];
