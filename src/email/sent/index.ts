import { resolveUrls, normalizeSiteUrl } from './urls.ts';
import { cleanHtml } from './clean.ts';
import { readRules } from './cssRules.ts';
import { parseEmailDocument } from './document.ts';
import { findDropped } from './dropped.ts';
import { emailFixes } from './emailFixes.ts';
import { encodeNamedCharacters } from './entities.ts';
import { writeHeadStyle, pruneClasses } from './headStyle.ts';
import { inlineRules, extractStyles } from './inline.ts';
import { assertWithinLimits, assertFewUnclosed } from './limits.ts';
import { LimitExceeded } from './model.ts';
import type { Email, Sent, SentOptions } from './model.ts';
import { prepareImages } from './images.ts';
import { serializeBody, buildDocument, insertPreheader } from './rebuild.ts';
import { toStoredFields } from './storedFields.ts';
import { phpTrim } from './stripTags.ts';
import { createTextPart } from './textPart.ts';
import { addTracking } from './tracking.ts';

export { droppedMessages as droppedKinds } from './droppedMessages.ts';
export type { Dropped, DroppedKind, Email, Sent, SentOptions } from './model.ts';

/** How the answer begins where what is sent could not be worked out. */
export const COMPOSE_ERROR_PREFIX = 'What is sent of this email could not be worked out:';

type ComposedEmail = Pick<Sent, 'html' | 'text' | 'dropped'>;

/** What each kind of service makes of an email. */
const composers: Readonly<Record<SentOptions['profile'], (email: Email, options: SentOptions) => ComposedEmail>> = {
  documented: composeDocumented,
  acymailing: composeAcymailing,
};

/**
 * What the service sends of an email, as it is known before there is a person to send it to. Never throws:
 * of what can't be composed in bounded time, HTML and text are a sentence that says so.
 */
export function composeSent(email: Email, options: SentOptions): Sent {
  const { html, text, dropped } = composeOrExplain(email, options);
  return { html, text, dropped, bytes: new TextEncoder().encode(html).length };
}

/** Bytes of the HTML part alone, for who asks for nothing else: those of `composeSent`. Never throws. */
export function measureSentBytes(email: Email, options: SentOptions): number {
  try {
    const html =
      options.profile === 'acymailing'
        ? finishHtml(composeHtml(email, options).cleaned)
        : composeDocumented(email).html;
    return new TextEncoder().encode(html).length;
  } catch (error) {
    return new TextEncoder().encode(describeError(error)).length;
  }
}

function composeOrExplain(email: Email, options: SentOptions): ComposedEmail {
  try {
    return composers[options.profile](email, options);
  } catch (error) {
    const message = describeError(error);
    return { html: message, text: message, dropped: [] };
  }
}

/** A mistake of ours, or a recursion that went too deep, is told as well: the email itself is not at fault. */
function describeError(error: unknown): string {
  return error instanceof LimitExceeded
    ? error.message
    : `${COMPOSE_ERROR_PREFIX} ${error instanceof Error ? error.message : String(error)}`;
}

/** The document says nothing of what is sent: the body as it is stored, its stylesheet before it. */
function composeDocumented({ body, stylesheet = '' }: Email): ComposedEmail {
  const style = stylesheet === '' ? '' : `<style>${stylesheet.replace(/<\/(?=style)/gi, '<\\/')}</style>`;
  return { html: style + body, text: '', dropped: [] };
}

/** AcyMailing 11, from the stored fields to what is handed to the mailer. */
function composeAcymailing(email: Email, options: SentOptions): ComposedEmail {
  const { cleaned, inlined, site } = composeHtml(email, options);
  // 8. Text from HTML; then characters get names.
  return { html: finishHtml(cleaned), text: createTextPart(cleaned, site), dropped: findDropped(email, inlined) };
}

const finishHtml = (cleaned: string): string => encodeNamedCharacters(cleaned).replace(/\r\n?/g, '\n');

interface ComposedHtml {
  readonly cleaned: string;
  readonly inlined: ReturnType<typeof inlineRules>;
  readonly site: string | undefined;
}

/** All but the last steps. */
function composeHtml(email: Email, options: SentOptions): ComposedHtml {
  const site = normalizeSiteUrl(options.site);
  // 1. What is kept when it is saved.
  const wellFormed = replaceLoneSurrogates(email);
  assertWithinLimits(Object.values(wellFormed));
  const stored = toStoredFields(wellFormed);
  Object.values(stored).forEach(assertFewUnclosed);
  // 2. Links and images, by their text.
  const body = resolveUrls(prepareImages(stored.body), site);
  // 3. A tree, by an HTML 4 parser.
  const document = parseEmailDocument(body);
  // 4. The service's own rules, the stylesheet, and the styles of the document: into style attributes, the rest into the head.
  const rules = readRules(phpTrim(emailFixes + stored.stylesheet + extractStyles(document)));
  const inlined = inlineRules(document, rules, body.length + stored.stylesheet.length);
  pruneClasses(document, inlined.usedClasses);
  // 5. The body as text, with a new head.
  const whole = insertPreheader(
    buildDocument(serializeBody(document.body), writeHeadStyle(rules, inlined.remainingRules), stored),
    stored.preheader,
  );
  // 6. Counting of opens and clicks.
  const tracked = options.tracked && site ? addTracking(whole, site) : whole;
  // 7. What is not for mail clients goes.
  const cleaned = cleanHtml(tracked, site);
  assertFewUnclosed(cleaned);
  return { cleaned, inlined, site };
}

/** Half characters, which no service can store, as a sign for one. */
function replaceLoneSurrogates(email: Email): Required<Email> {
  const replaceIn = (text = ''): string =>
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
  const { body, stylesheet, subject, preheader, headers } = email;
  return {
    body: replaceIn(body),
    stylesheet: replaceIn(stylesheet),
    subject: replaceIn(subject),
    preheader: replaceIn(preheader),
    headers: replaceIn(headers),
  };
}
