import { composeSegments, GMAIL_CLIP_BYTES, countUtf8Bytes } from '../../compose/compose.ts';
import { composeSent } from '../../sent/index.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';

/** Above this size, tracking links added by the service may exceed Gmail's limit. */
const WARNING_SIZE_BYTES = 90 * 1024;

/** Below this size, nothing that a service adds makes an email too large, so it need not be composed. */
const MIN_COMPOSED_SIZE_BYTES = 32 * 1024;

/**
 * Returns the size of the sent email in bytes, if the service's composition is supported; otherwise of the body with its stylesheet and
 * preheader.
 */
export function getSentBytes({ email: source, isComposed, options: { supportsStylesheet } }: ParsedEmail): number {
  const email = supportsStylesheet === false ? { ...source, stylesheet: '' } : source;
  const { body, stylesheet = '', subject = '', preheader = '' } = email;
  const pieces = composeSegments({ body, stylesheet, envelope: { subject, preheader } });
  const authored = pieces.reduce((sum, { text }) => sum + countUtf8Bytes(text), 0);
  const isDecided =
    authored <= MIN_COMPOSED_SIZE_BYTES ||
    (MIN_SENT_SHARE * authored > GMAIL_CLIP_BYTES && getMinSentBytes(body) > GMAIL_CLIP_BYTES);
  return !isComposed || isDecided ? authored : composeSent(email, { profile: 'acymailing' }).bytes;
}

/** The least share of a body that remains after the service removes classes and overridden declarations. */
const MIN_SENT_SHARE = 0.7;

/** Returns a lower bound for the sent bytes of a body. */
export function getMinSentBytes(body: string): number {
  return (
    MIN_SENT_SHARE *
    countUtf8Bytes(body.replace(/<!--[^]*?(?:-->|$)|<(style|script|head|title)\b[^]*?(?:<\/\1\s*>|$)/giu, ''))
  );
}

function findOversize(mail: ParsedEmail): readonly RuleFinding[] {
  const bytes = mail.once(getSentBytes);
  if (bytes <= WARNING_SIZE_BYTES) return [];
  const size = `${(bytes / 1024).toFixed(0)} KB`;
  const isClipped = bytes > GMAIL_CLIP_BYTES;
  const message = isClipped
    ? `With ${size}, Gmail shows the first 102 KB and hides the rest, the link to unsubscribe too.`
    : `With ${size}, little is left to the 102 KB at which Gmail cuts.`;
  return groupFindings([isClipped ? getClippedRange(mail, bytes) : getFirstTagRange(mail)], message, {
    clients: ['Gmail'],
    severity: isClipped ? 'error' : 'warning',
  });
}

/** Returns the range of the body that Gmail hides. Content that the service adds counts before the body. */
function getClippedRange({ email: { body } }: ParsedEmail, bytes: number): PartRange {
  const remainingBytes = Math.max(0, GMAIL_CLIP_BYTES - (bytes - countUtf8Bytes(body)));
  return bodyRange(new TextEncoder().encodeInto(body, new Uint8Array(remainingBytes)).read, body.length);
}

const getFirstTagRange = ({
  document: {
    elements: [first],
  },
}: ParsedEmail): PartRange => (first ? startTagRange(first) : bodyRange(0, 0));

export const sizeRules: readonly Rule[] = [
  {
    id: '23',
    name: 'size',
    title: 'Over 102 KB, or near it',
    severity: 'error',
    impact: 'Gmail hides the end of the email.',
    url: 'https://mailchimp.com/help/gmail-is-clipping-my-email/',
    find: findOversize,
  },
];
