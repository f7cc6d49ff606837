const MAX_QUOTED_INPUT_CHARS = 20_000;

/** So many characters of a key in a row give away too much of it. Services like to name a key by its beginning. */
const MIN_SECRET_PART = 8;

/** What stands in the place of a key. */
export const REDACTED = '•••';

/** Ends a text after so many characters (code points). */
function shorten(text: string, max: number): string {
  const points = [...text];
  return points.length > max ? `${points.slice(0, max).join('')}…` : text;
}

/** Text for one line of a message: control characters become spaces, characters that change its direction or can't be seen go. */
function sanitize(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Small letters, one for each capital: no character changes its place. A host name loses its capitals, also one that repeats a key. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** A key within a Base64 text, wherever in it the key begins: without the signs that depend on what stands around it. */
function getBase64Forms(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = Math.floor(bytes.length / 3) * 4;
    return bytes.toString('base64').slice(before === 0 ? 0 : 4, before === 0 ? undefined : whole);
  });
}

/** The forms in which an answer may echo a key. */
function getKeyForms(key: string): string[] {
  const json = JSON.stringify(key).slice(1, -1);
  const html = key.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  const base64 = getBase64Forms(key).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
  const forms = [
    key,
    key.trim(),
    json,
    json.replace(/\//g, '\\/'),
    html,
    encodeURIComponent(key),
    Buffer.from(key).toString('hex'),
    ...base64,
  ];
  return [...new Set(forms.map(foldCase))].filter((form) => form !== '');
}

/** Puts dots in the place of every part of a key that is long enough to tell something of it. */
function createRedactor(forms: readonly string[]): (text: string) => string {
  const pieces = new Set(
    forms.flatMap((form) => {
      const size = Math.min(MIN_SECRET_PART, form.length);
      return Array.from({ length: form.length - size + 1 }, (_, at) => form.slice(at, at + size));
    }),
  );
  const sizes = [...new Set([...pieces].map((piece) => piece.length))];
  return (text) => {
    const compared = foldCase(text);
    let shown = '';
    let hiddenTo = -1;
    for (let at = 0; at < text.length; at += 1) {
      const found = Math.max(0, ...sizes.filter((size) => pieces.has(compared.slice(at, at + size))));
      if (found > 0 && at > hiddenTo) shown += REDACTED;
      if (found > 0) hiddenTo = Math.max(hiddenTo, at + found);
      if (at >= hiddenTo) shown += text[at];
    }
    return shown;
  };
}

/** Makes the service's text fit for messages: cleaned, without the key should it be echoed, and at most `max` characters. */
export type Quote = (text: string, max: number) => string;

/** A quoter for what a service says that holds this key. */
export function createQuote(key: string | undefined): Quote {
  const forms = key === undefined ? [] : getKeyForms(key);
  const redact = createRedactor(forms);
  return (text, max) => {
    const cut = text.length > MAX_QUOTED_INPUT_CHARS;
    const part = redact(sanitize(redact(cut ? text.slice(0, MAX_QUOTED_INPUT_CHARS) : text)));
    return shorten(cut ? trimPartialKey(part, forms) : part, max);
  };
}

/** A text, of any length, with dots in the place of every part of a key that tells something of it. */
export function redactKey(text: string, key: string): string {
  return createRedactor(getKeyForms(key))(text);
}

const quoteUnredacted = createQuote(undefined);

/** Whether a text repeats the key that a quoter knows, or a telling part of it. */
export function containsKey(text: string, quote: Quote): boolean {
  return quote(text, text.length) !== quoteUnredacted(text, text.length);
}

/** A text without the beginning of a key at its end: one that straddles the end of the window is not recognised as a whole. */
function trimPartialKey(text: string, forms: readonly string[]): string {
  const compared = foldCase(text);
  const lengths = forms.flatMap((form) =>
    Array.from(form, (_, index) => index + 1).filter((length) => compared.endsWith(form.slice(0, length))),
  );
  return text.slice(0, text.length - Math.max(0, ...lengths));
}
