import { parseTags, tagLanguage } from '../tags/index.ts';
import type { Email } from './model.ts';

/** The site's addresses for replies. Absent if they are unknown. */
interface ReplySettings {
  readonly replyToEmail?: string;
  /** The address for bounces, if the site handles bounces itself. */
  readonly bounceEmail?: string;
}

/**
 * Returns whether AcyMailing sends the header for one-click unsubscribing, or what it lacks: a tag in subject or body, or an address for
 * replies other than the sender's.
 */
export function getUnsubscribeHeader(
  { body, subject = '', replyToEmail }: Email & { readonly replyToEmail?: string },
  site?: ReplySettings,
): 'sent' | 'noTag' | 'noReplyTo' | 'unknown' {
  const language = tagLanguage('acymailing');
  const hasTag = [subject, body].some((text) =>
    parseTags(text, language).some(
      ({ kind, family, partner }) => kind === 'open' && partner !== undefined && /^unsubscribe(?:all)?$/i.test(family),
    ),
  );
  if (!hasTag) return 'noTag';
  if (replyToEmail || site?.replyToEmail || site?.bounceEmail) return 'sent';
  return site ? 'noReplyTo' : 'unknown';
}
