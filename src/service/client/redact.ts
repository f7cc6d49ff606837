const MAX_QUOTED_INPUT_CHARS = 20_000;

/** Longer parts of a key are redacted, because services often quote its beginning. */
const MIN_SECRET_PART = 8;

export const REDACTED = '•••';

/** Truncates a text by code points. */
function shorten(text: string, max: number) {
  const points = [...text];
  return points.length > max ? `${points.slice(0, max).join('')}…` : text;
}

/** Returns a single line without control, invisible or direction characters. */
function sanitize(text: string) {
  return text
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Converts ASCII letters to lowercase without changing offsets, because host names that repeat a key are lowercase. */
function foldCase(text: string) {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** Returns the Base64 forms of a key at all three alignments, without characters that depend on adjacent bytes. */
function getBase64Forms(key: string) {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = Math.floor(bytes.length / 3) * 4;
    return bytes.toString('base64').slice(before === 0 ? 0 : 4, before === 0 ? undefined : whole);
  });
}

/** Returns the forms in which a response may echo a key. */
function getKeyForms(key: string) {
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

/** Creates a function that redacts every part of a key that is at least `MIN_SECRET_PART` characters long. */
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
      let found = 0;
      for (const size of sizes) if (size > found && pieces.has(compared.slice(at, at + size))) found = size;
      if (found > 0 && at > hiddenTo) shown += REDACTED;
      if (found > 0) hiddenTo = Math.max(hiddenTo, at + found);
      if (at >= hiddenTo) shown += text[at];
    }
    return shown;
  };
}

/** Sanitizes a text of the service for messages: redacts the key and truncates to `max` characters. */
export type Quote = (text: string, max: number) => string;

/** Creates a quoting function that redacts a key. */
export function createQuote(key: string | undefined): Quote {
  let forms: readonly string[] = [];
  let redact: ReturnType<typeof createRedactor> | undefined;
  return (text, max) => {
    // Most responses aren't quoted.
    if (!redact) {
      forms = key === undefined ? [] : getKeyForms(key);
      redact = createRedactor(forms);
    }
    const cut = text.length > MAX_QUOTED_INPUT_CHARS;
    const part = redact(sanitize(redact(cut ? text.slice(0, MAX_QUOTED_INPUT_CHARS) : text)));
    return shorten(cut ? trimPartialKey(part, forms) : part, max);
  };
}

/** Redacts all significant parts of a key in a text of any length. */
export function redactKey(text: string, key: string): string {
  return createRedactor(getKeyForms(key))(text);
}

const quoteUnredacted = createQuote(undefined);

/** Returns whether a text contains the key of `quote` or a significant part. */
export function containsKey(text: string, quote: Quote): boolean {
  return quote(text, text.length) !== quoteUnredacted(text, text.length);
}

/** Removes the beginning of a key at the end of a text, where truncation would prevent the key from being recognized. */
function trimPartialKey(text: string, forms: readonly string[]) {
  const compared = foldCase(text);
  const lengths = forms.flatMap((form) =>
    Array.from(form, (_, index) => index + 1).filter((length) => compared.endsWith(form.slice(0, length))),
  );
  return text.slice(0, text.length - Math.max(0, ...lengths));
}
