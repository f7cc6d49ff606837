const WINDOW = 20_000;

/** Ends a text after so many characters (code points). */
function shorten(text: string, max: number): string {
  const points = [...text];
  return points.length > max ? `${points.slice(0, max).join('')}…` : text;
}

/** Text for one line of a message: control characters become spaces, characters that change its direction or can't be seen go. */
function clean(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The forms in which an answer may echo a key. */
function echoes(key: string): string[] {
  const json = JSON.stringify(key).slice(1, -1);
  const html = key.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  const forms = [key, key.trim(), json, json.replace(/\//g, '\\/'), html, encodeURIComponent(key), Buffer.from(key).toString('base64')];
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
}

/** Makes the service's text fit for messages: cleaned, without the key should it be echoed, and at most `max` characters. */
export type Quote = (text: string, max: number) => string;

/** A quoter for what a service says that holds this key. */
export function quoter(key: string | undefined): Quote {
  const forms = key === undefined ? [] : echoes(key);
  const redact = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
  return (text, max) => {
    const cut = text.length > WINDOW;
    const part = redact(clean(redact(cut ? text.slice(0, WINDOW) : text)));
    return shorten(cut ? withoutBeginning(part, forms) : part, max);
  };
}

/** A text without the beginning of a key at its end: one that straddles the end of the window is not recognised as a whole. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  const lengths = forms.flatMap((form) => Array.from(form, (_, index) => index + 1).filter((length) => text.endsWith(form.slice(0, length))));
  return text.slice(0, text.length - Math.max(0, ...lengths));
}
