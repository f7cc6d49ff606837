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

function field(text: string, name: string): string {
  const literal = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, 'u').exec(text)?.[1];
  try {
    return literal === undefined ? '' : String(JSON.parse(literal));
  } catch {
    return '';
  }
}
