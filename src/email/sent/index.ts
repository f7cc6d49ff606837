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

export { droppedMessages } from './droppedMessages.ts';
export type { Dropped, DroppedKind, Email, Sent, SentOptions } from './model.ts';

/** Start of the result if composing fails unexpectedly. */
export const COMPOSE_ERROR_PREFIX = 'What is sent of this email could not be worked out:';

type ComposedEmail = Pick<Sent, 'html' | 'text' | 'dropped'>;

const composers: Readonly<Record<SentOptions['profile'], (email: Email, options: SentOptions) => ComposedEmail>> = {
  documented: composeDocumented,
  acymailing: composeAcymailing,
};

/** Composes what the service sends, before recipients are known. Never throws: on failure, `html` and `text` are a sentence with the reason. */
export function composeSent(email: Email, options: SentOptions): Sent {
  const { html, text, dropped } = composeOrExplain(email, options);
  return { html, text, dropped, bytes: new TextEncoder().encode(html).length };
}

/** Returns the size of the HTML part in bytes, the same as `composeSent`. Never throws. */
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

/** Internal errors and stack overflows are reported too, because the email is not at fault. */
function describeError(error: unknown): string {
  return error instanceof LimitExceeded
    ? error.message
    : `${COMPOSE_ERROR_PREFIX} ${error instanceof Error ? error.message : String(error)}`;
}

/** The API document doesn't specify the sent email, so this returns the stored body after its stylesheet. */
function composeDocumented({ body, stylesheet = '' }: Email): ComposedEmail {
  const style = stylesheet === '' ? '' : `<style>${stylesheet.replace(/<\/(?=style)/gi, '<\\/')}</style>`;
  return { html: style + body, text: '', dropped: [] };
}

/** Replicates AcyMailing 11, from the stored fields to the input of the mailer. */
function composeAcymailing(email: Email, options: SentOptions): ComposedEmail {
  const { cleaned, inlined, site } = composeHtml(email, options);
  // 8. Create the text part, then encode named characters.
  return { html: finishHtml(cleaned), text: createTextPart(cleaned, site), dropped: findDropped(email, inlined) };
}

const finishHtml = (cleaned: string): string => encodeNamedCharacters(cleaned).replace(/\r\n?/g, '\n');

interface ComposedHtml {
  readonly cleaned: string;
  readonly inlined: ReturnType<typeof inlineRules>;
  readonly site: string | undefined;
}

/** Runs all steps but the last. */
function composeHtml(email: Email, options: SentOptions): ComposedHtml {
  const site = normalizeSiteUrl(options.site);
  // 1. Clean the fields as the service does on save.
  const wellFormed = replaceLoneSurrogates(email);
  assertWithinLimits(Object.values(wellFormed));
  const stored = toStoredFields(wellFormed);
  Object.values(stored).forEach(assertFewUnclosed);
  // 2. Adjust links and images in the text.
  const body = resolveUrls(prepareImages(stored.body), site);
  // 3. Parse with the rules of HTML 4.
  const document = parseEmailDocument(body);
  // 4. Inline the service's own rules, the stylesheet and the document's styles. The remaining rules go into the head.
  const rules = readRules(phpTrim(emailFixes + stored.stylesheet + extractStyles(document)));
  const inlined = inlineRules(document, rules, body.length + stored.stylesheet.length);
  pruneClasses(document, inlined.usedClasses);
  // 5. Serialize the body and add a new head.
  const whole = insertPreheader(
    buildDocument(serializeBody(document.body), writeHeadStyle(rules, inlined.remainingRules), stored),
    stored.preheader,
  );
  // 6. Add open and click tracking.
  const tracked = options.tracked && site ? addTracking(whole, site) : whole;
  // 7. Remove what mail clients don't support.
  const cleaned = cleanHtml(tracked, site);
  assertFewUnclosed(cleaned);
  return { cleaned, inlined, site };
}

/** Replaces lone surrogates, which no service can store, by U+FFFD. */
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
