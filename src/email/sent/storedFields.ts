import { stripTags } from '../html/stripTags.ts';
import { findLastMatchEnd, findLastTagEnd, replaceBefore } from '../html/text.ts';
import { assertFewUnclosed, assertWithinLimits } from './limits.ts';
import type { Email } from './model.ts';

/** Cleans each field as the service does on save: no scripts and no inputs with a value; no tags except in body and headers. Throws if the fields are too large. */
export function toStoredFields({
  body,
  stylesheet = '',
  subject = '',
  preheader = '',
  headers = '',
}: Email): Required<Email> {
  assertWithinLimits([body, stylesheet, subject, preheader, headers]);
  const stored = {
    body: cleanHtmlField(body),
    headers: cleanHtmlField(headers),
    stylesheet: stripTags(replaceLoneSurrogates(stylesheet)),
    subject: stripTags(replaceLoneSurrogates(subject)),
    preheader: stripTags(replaceLoneSurrogates(preheader)),
  };
  Object.values(stored).forEach(assertFewUnclosed);
  return stored;
}

/** Replaces lone surrogates, which no service can store, by U+FFFD. */
const replaceLoneSurrogates = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

function cleanHtmlField(html: string): string {
  const text = replaceLoneSurrogates(html);
  const withoutInputs = replaceBefore(text, findLastTagEnd(text), /<input[^>]*?value="[^"]*?"[^>]*?>/gi, '');
  // Everything from each `<script` to the next `</script>`.
  const lastScriptEnd = findLastMatchEnd(withoutInputs, /<\/script>/gi);
  return replaceBefore(withoutInputs, lastScriptEnd, /<script[^]*?<\/script>/gi, '').replaceAll(
    ' contenteditable="true"',
    '',
  );
}
