import type { Envelope } from './compose.ts';

/** Reads subject, preheader and sender from the text of a details document, even if its JSON is incomplete. */
export function readEnvelope(text: string): Envelope {
  return {
    subject: readStringField(text, 'subject'),
    preheader: readStringField(text, 'preheader'),
    from_name: readStringField(text, 'from_name'),
    from_email: readStringField(text, 'from_email'),
    reply_to_name: readStringField(text, 'reply_to_name'),
    reply_to_email: readStringField(text, 'reply_to_email'),
  };
}

/** Reads the field `headers` from the text of a details document. */
export const readHeaders = (text: string): string => readStringField(text, 'headers');

function readStringField(text: string, name: string): string {
  const key = new RegExp(`"${name}"\\s*:\\s*"`, 'gu');
  for (let match = key.exec(text); match; match = key.exec(text)) {
    const end = findStringEnd(text, key.lastIndex);
    if (end === undefined) continue;
    try {
      return String(JSON.parse(text.slice(key.lastIndex - 1, end + 1)));
    } catch {
      return '';
    }
  }
  return '';
}

/** Returns the offset of the closing quote on the same line. A string may be too long for a regular expression. */
function findStringEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') return at;
    if (char === '\n') return undefined;
    if (char === '\\') at += 1;
  }
  return undefined;
}
