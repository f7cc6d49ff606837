import { formatNumber, t } from '../../../l10n.ts';
import { memoize } from '../document.ts';
import { composeSegments, GMAIL_CLIP_BYTES, WARNING_SIZE_BYTES, countUtf8Bytes } from '../../compose/compose.ts';
import { composeSent } from '../../sent/index.ts';
import { isEditorEmail } from '../../sent/visualEditor.ts';
import type { ParsedEmail, Rule } from '../rule.ts';

/** Below this size, nothing that a service adds makes an email too large, so it need not be composed. */
const MIN_COMPOSED_SIZE_BYTES = 32 * 1024;

/**
 * Returns the size of the sent email in bytes, if the service's composition is supported; otherwise of the body with its stylesheet and
 * preheader. `isPartial`: the service adds styles that aren't known.
 */
export const getSentSize = memoize(({ email: source, isComposed, options }: ParsedEmail) => {
  const email = options.supportsStylesheet === false ? { ...source, stylesheet: '' } : source;
  const { body, stylesheet = '', subject = '', preheader = '' } = email;
  const segments = composeSegments({ body, stylesheet, envelope: { subject, preheader } });
  const authored = segments.reduce((sum, { text }) => sum + countUtf8Bytes(text), 0);
  const isDecided =
    (authored <= MIN_COMPOSED_SIZE_BYTES && !isEditorEmail(body)) ||
    (MIN_SENT_SHARE * authored > GMAIL_CLIP_BYTES && getMinSentBytes(body) > GMAIL_CLIP_BYTES);
  if (!isComposed || isDecided) return { bytes: authored, isPartial: false };
  const { editorStylesheet, cms } = options;
  const { bytes, missing = [] } = composeSent(email, { profile: 'acymailing', editorStylesheet, cms });
  return { bytes, isPartial: missing.includes('editorStylesheet') };
});

/** The least share of a body that remains after the service removes classes and overridden declarations. */
const MIN_SENT_SHARE = 0.7;

/** Returns a lower bound for the sent bytes of a body. */
export function getMinSentBytes(body: string): number {
  const unsent = /<!--[^]*?(?:-->|$)|<(style|script|head|title)\b[^]*?(?:<\/\1\s*>|$)/giu;
  return MIN_SENT_SHARE * countUtf8Bytes(body.replace(unsent, ''));
}

export const getSizeRules = (): readonly Rule[] => [
  {
    id: '23',
    name: 'size',
    title: t('Email near or over 102 KB'),
    severity: 'error',
    impact: t('Gmail hides the end of the email, including the unsubscribe link.'),
    url: 'https://mailchimp.com/help/gmail-is-clipping-my-email/',
    find(mail) {
      const { bytes } = getSentSize(mail);
      if (bytes <= WARNING_SIZE_BYTES) return [];
      const size = formatNumber(Math.round(bytes / 1024));
      const clients = ['Gmail'];
      const [first = { start: 0, end: 0 }] = mail.elements;
      if (bytes <= GMAIL_CLIP_BYTES) {
        const message = t`The email is ${size} KB. Gmail clips emails over 102 KB, and tracking links add to the size.`;
        return { ranges: [first], message, clients, severity: 'warning' };
      }
      // Content that the service adds counts before the body.
      const { body } = mail.email;
      const shownBytes = Math.max(0, GMAIL_CLIP_BYTES - (bytes - countUtf8Bytes(body)));
      const shownEnd = new TextEncoder().encodeInto(body, new Uint8Array(shownBytes)).read;
      const message = t`The email is ${size} KB. Gmail shows the first 102 KB and hides the rest, including the unsubscribe link.`;
      return { ranges: [{ start: shownEnd, end: body.length }], message, clients };
    },
  },
];
