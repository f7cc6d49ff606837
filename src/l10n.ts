import { config, t } from '@vscode/l10n';

export { t };

/** The display language. `texts`: its bundle of `l10n/`; without one, texts are English. */
export interface DisplayLanguage {
  readonly language: string;
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

let display: DisplayLanguage = { language: 'en' };

/** Sets the display language of this thread or page. Call it before anything else makes texts. */
export function setDisplayLanguage(value: DisplayLanguage): void {
  display = value;
  config({ contents: { ...value.texts } });
}

export function getDisplayLanguage(): DisplayLanguage {
  return display;
}

/** Returns a function that creates a value once in the display language, such as a table of texts or an `Intl` format. */
export function localized<Value>(create: (language: string) => Value): () => Value {
  let created: { readonly display: DisplayLanguage; readonly value: Value } | undefined;
  return () => {
    if (created?.display !== display) created = { display, value: create(display.language) };
    return created.value;
  };
}

const numberFormat = localized((language) => new Intl.NumberFormat(language));
const listFormat = localized((language) => new Intl.ListFormat(language));
const pluralRules = localized((language) => new Intl.PluralRules(language));

/** Formats a number with the separators of the display language. */
export function formatNumber(value: number): string {
  return numberFormat().format(value);
}

/** Puts a name into the quotation marks of the display language. */
export function quote(name: string): string {
  return t({ message: '"{0}"', args: [name], comment: 'A name in quotation marks' });
}

/** Puts a label before a value: "Opens: 12". */
export function formatPair(label: string, value: string): string {
  return t({
    message: '{0}: {1}',
    args: [label, value],
    comment: 'A label and its value',
  });
}

/** Joins names: "a, b, and c". */
export function formatList(names: Iterable<string>): string {
  return listFormat().format(names);
}

/**
 * Returns the text for a count, with the count in place of `{0}` and `values` in place of `{1}`, `{2}` …:
 * `plural(2, t('{0} list on {1}'), t('{0} lists on {1}'), service)`.
 */
export function plural(count: number, one: string, other: string, ...values: readonly (string | number)[]): string {
  const text = pluralRules().select(count) === 'one' ? one : other;
  // In one pass, because a value can look like a placeholder.
  const filled = [formatNumber(count), ...values];
  return text.replace(/\{(\d+)\}/gu, (placeholder, index: string) => String(filled[Number(index)] ?? placeholder));
}
