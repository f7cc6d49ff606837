import { composeSegments, GMAIL_CLIP_BYTES, countUtf8Bytes } from '../../compose/compose.ts';
import { measureSentBytes } from '../../sent/index.ts';
import { bodyRange, startTagRange } from '../mail.ts';
import type { ParsedEmail } from '../mail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';

/** From here on the links that a service puts in may make it too much. Bytes. */
const near = 90 * 1024;

/** Below this, nothing that a service adds makes an email too large: it is not worth composing what is sent. Bytes. */
const small = 32 * 1024;

/** Bytes of the email as it is sent, as far as the service's ways are known; else with its stylesheet and preheader in it. */
export function sizeOf({ email: written, isComposed, options: { supportsStylesheet } }: ParsedEmail): number {
  const email = supportsStylesheet === false ? { ...written, stylesheet: '' } : written;
  const { body, stylesheet = '', subject = '', preheader = '' } = email;
  const pieces = composeSegments({ body, stylesheet, envelope: { subject, preheader } });
  const authored = pieces.reduce((sum, { text }) => sum + countUtf8Bytes(text), 0);
  const isDecided =
    authored <= small || (leastKept * authored > GMAIL_CLIP_BYTES && leastSent(body) > GMAIL_CLIP_BYTES);
  return !isComposed || isDecided ? authored : measureSentBytes(email, { profile: 'acymailing' });
}

/** What the service may cut of a body beside what is taken out here: classes, values that a later one replaces. */
const leastKept = 0.7;

/** Bytes of a body that go out in any case. */
export function leastSent(body: string): number {
  return (
    leastKept *
    countUtf8Bytes(body.replace(/<!--[^]*?(?:-->|$)|<(style|script|head|title)\b[^]*?(?:<\/\1\s*>|$)/giu, ''))
  );
}

function tooLarge(mail: ParsedEmail): readonly RuleFinding[] {
  const bytes = mail.once(sizeOf);
  if (bytes <= near) return [];
  const size = `${(bytes / 1024).toFixed(0)} KB`;
  const isClipped = bytes > GMAIL_CLIP_BYTES;
  const message = isClipped
    ? `With ${size}, Gmail shows the first 102 KB and hides the rest, the link to unsubscribe too.`
    : `With ${size}, little is left to the 102 KB at which Gmail cuts.`;
  return groupFindings([isClipped ? hiddenPart(mail, bytes) : firstTag(mail)], message, {
    clients: ['Gmail'],
    severity: isClipped ? 'error' : 'warning',
  });
}

/** What Gmail hides of the body, with what the service puts in counted before it. */
function hiddenPart({ email: { body } }: ParsedEmail, bytes: number): PartRange {
  const left = Math.max(0, GMAIL_CLIP_BYTES - (bytes - countUtf8Bytes(body)));
  return bodyRange(new TextEncoder().encodeInto(body, new Uint8Array(left)).read, body.length);
}

const firstTag = ({
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
    find: tooLarge,
  },
];
