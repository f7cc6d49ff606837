import { absoluteAddresses, siteAddress } from './addresses.ts';
import { cleanHtml } from './clean.ts';
import { readRules } from './cssRules.ts';
import { documentOf } from './document.ts';
import { droppedOf } from './dropped.ts';
import { emailFixes } from './emailFixes.ts';
import { nameCharacters } from './entities.ts';
import { headStyle, pruneClasses } from './headStyle.ts';
import { inlineRules, takeStyles } from './inline.ts';
import { refuseAbsurd, refuseOpen } from './limits.ts';
import { TooMuch } from './model.ts';
import type { Email, Sent, SentOptions } from './model.ts';
import { preparePictures } from './pictures.ts';
import { bodyText, rebuild, withPreheader } from './rebuild.ts';
import { storedFields } from './stored.ts';
import { phpTrim } from './stripTags.ts';
import { textPartOf } from './textPart.ts';
import { trackLinks } from './tracking.ts';

export { droppedKinds } from './droppedKinds.ts';
export type { Dropped, DroppedKind, Email, Sent, SentOptions } from './model.ts';

/** How the answer begins where what is sent could not be worked out. */
export const notComposed = 'What is sent of this email could not be worked out:';

type Composed = Pick<Sent, 'html' | 'text' | 'dropped'>;

/** What each kind of service makes of an email. */
const profiles: Readonly<Record<SentOptions['profile'], (email: Email, options: SentOptions) => Composed>> = {
  documented: composeDocumented,
  acymailing: composeAcymailing,
};

/**
 * What the service sends of an email, as it is known before there is a person to send it to. Never throws:
 * of what can't be composed in bounded time, HTML and text are a sentence that says so.
 */
export function composeSent(email: Email, options: SentOptions): Sent {
  const { html, text, dropped } = compose(email, options);
  return { html, text, dropped, bytes: new TextEncoder().encode(html).length };
}

/** Bytes of the HTML part alone, for who asks for nothing else: those of `composeSent`. Never throws. */
export function sentSize(email: Email, options: SentOptions): number {
  try {
    const html =
      options.profile === 'acymailing' ? htmlOf(composeHtml(email, options).cleaned) : composeDocumented(email).html;
    return new TextEncoder().encode(html).length;
  } catch (error) {
    return new TextEncoder().encode(reasonOf(error)).length;
  }
}

function compose(email: Email, options: SentOptions): Composed {
  try {
    return profiles[options.profile](email, options);
  } catch (error) {
    const said = reasonOf(error);
    return { html: said, text: said, dropped: [] };
  }
}

/** A mistake of ours, or a recursion that went too deep, is told as well: the email itself is not at fault. */
function reasonOf(error: unknown): string {
  return error instanceof TooMuch
    ? error.message
    : `${notComposed} ${error instanceof Error ? error.message : String(error)}`;
}

/** The document says nothing of what is sent: the body as it is stored, its stylesheet before it. */
function composeDocumented({ body, stylesheet = '' }: Email): Composed {
  const style = stylesheet === '' ? '' : `<style>${stylesheet.replace(/<\/(?=style)/gi, '<\\/')}</style>`;
  return { html: style + body, text: '', dropped: [] };
}

/** AcyMailing 11, from the stored fields to what is handed to the mailer. */
function composeAcymailing(email: Email, options: SentOptions): Composed {
  const { cleaned, inlined, site } = composeHtml(email, options);
  // 8. Text from HTML; then characters get names.
  return { html: htmlOf(cleaned), text: textPartOf(cleaned, site), dropped: droppedOf(email, inlined) };
}

const htmlOf = (cleaned: string): string => nameCharacters(cleaned).replace(/\r\n?/g, '\n');

interface ComposedHtml {
  readonly cleaned: string;
  readonly inlined: ReturnType<typeof inlineRules>;
  readonly site: string | undefined;
}

/** All but the last steps. */
function composeHtml(email: Email, options: SentOptions): ComposedHtml {
  const site = siteAddress(options.site);
  // 1. What is kept when it is saved.
  const given = wellFormed(email);
  refuseAbsurd(Object.values(given));
  const stored = storedFields(given);
  Object.values(stored).forEach(refuseOpen);
  // 2. Links and images, by their text.
  const body = absoluteAddresses(preparePictures(stored.body), site);
  // 3. A tree, by an HTML 4 parser.
  const document = documentOf(body);
  // 4. The service's own rules, the stylesheet, and the styles of the document: into style attributes, the rest into the head.
  const rules = readRules(phpTrim(emailFixes + stored.stylesheet + takeStyles(document)));
  const inlined = inlineRules(document, rules, body.length + stored.stylesheet.length);
  pruneClasses(document, inlined.classes);
  // 5. The body as text, with a new head.
  const whole = withPreheader(
    rebuild(bodyText(document.body), headStyle(rules, inlined.remaining), stored),
    stored.preheader,
  );
  // 6. Counting of opens and clicks.
  const tracked = options.tracked && site ? trackLinks(whole, site) : whole;
  // 7. What is not for mail clients goes.
  const cleaned = cleanHtml(tracked, site);
  refuseOpen(cleaned);
  return { cleaned, inlined, site };
}

/** Half characters, which no service can store, as a sign for one. */
function wellFormed(email: Email): Required<Email> {
  const mended = (text = ''): string =>
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
  const { body, stylesheet, subject, preheader, headers } = email;
  return {
    body: mended(body),
    stylesheet: mended(stylesheet),
    subject: mended(subject),
    preheader: mended(preheader),
    headers: mended(headers),
  };
}
