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
export function guessLanguage(text: string): string | undefined {
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
export function isRightToLeft(text: string): boolean {
  return (
    /[\u0590-\u08FF]/u.test(text) &&
    getLetterShare(text, /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/gu) > 0.5
  );
}
