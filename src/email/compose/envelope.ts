import type { Envelope } from './compose.ts';

/** Subject, preheader and sender from the text of a details document, also while it is being typed: then from what is there. */
export function envelopeOf(text: string): Envelope {
  return {
    subject: field(text, 'subject'),
    preheader: field(text, 'preheader'),
    from_name: field(text, 'from_name'),
    from_email: field(text, 'from_email'),
    reply_to_name: field(text, 'reply_to_name'),
    reply_to_email: field(text, 'reply_to_email'),
  };
}

/** The field `headers` of the text of a details document: what goes into the head. */
export const headersOf = (text: string): string => field(text, 'headers');

function field(text: string, name: string): string {
  const key = new RegExp(`"${name}"\\s*:\\s*"`, 'gu');
  for (let match = key.exec(text); match; match = key.exec(text)) {
    const end = stringEnd(text, key.lastIndex);
    if (end === undefined) continue;
    try {
      return String(JSON.parse(text.slice(key.lastIndex - 1, end + 1)));
    } catch {
      return '';
    }
  }
  return '';
}

/** Where the string that began before `from` has its closing quote, on the same line. A string may be too long for a regular expression. */
function stringEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') return at;
    if (char === '\n') return undefined;
    if (char === '\\') at += 1;
  }
  return undefined;
}
