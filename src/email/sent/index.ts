import { t } from '../../l10n.ts';
import { encodeNamedCharacters } from '../html/entities.ts';
import { phpTrim } from '../html/stripTags.ts';
import { readRules } from './cssRules.ts';
import emailFixes from './data/emailFixes.json' with { type: 'json' };
import {
  buildDocument,
  insertPreheader,
  parseEmailDocument,
  serializeBody,
  toStoredFields,
  type EmailDocument,
} from './document.ts';
import { insertFooter } from './footer.ts';
import { extractStyles, inlineRules, pruneClasses, writeHeadStyle } from './inline.ts';
import { assertFewUnclosed, LimitExceeded, type Email, type Sent, type SentOptions } from './model.ts';
import { addTracking, cleanHtml, normalizeSiteUrl, prepareImages, resolveUrls } from './replacements.ts';
import { createTextPart } from './textPart.ts';
import { createSettingsCss, describeMissing, isEditorEmail, isUnknown, unscopeStylesheet } from './visualEditor.ts';

export type { Email, Sent, SentOptions } from './model.ts';

/** Returns the result if composing fails unexpectedly. */
export const describeComposeError = (reason: string): string => t`Couldn't compose the sent email: ${reason}`;

/** Composes the sent email, with its merge tags. Never throws: on failure, `html` and `text` are a sentence with the reason. */
export function composeSent(email: Email, options: SentOptions): Sent {
  const { html, text } = composeOrExplain(email, options);
  const missing = listMissingStyles(email, options);
  return { html, text, bytes: new TextEncoder().encode(html).length, ...(missing.length > 0 && { missing }) };
}

/** Composes an email for display. Without most of its styles, `html` and `text` are a sentence that says so. */
export function composeForDisplay(email: Email, options: SentOptions): Sent {
  const sent = composeSent(email, options);
  const reason = isUnknown(sent.missing) && describeMissing(sent.missing);
  return reason ? { ...sent, html: reason, text: reason } : sent;
}

/** Returns which styles of the service's visual editor are needed but absent. */
function listMissingStyles({ body, settings }: Email, { profile, editorStylesheet }: SentOptions) {
  if (profile !== 'acymailing' || !isEditorEmail(body)) return [];
  return (['editorStylesheet', 'settings'] as const).filter(
    (name) => ({ editorStylesheet, settings })[name] === undefined,
  );
}

function composeOrExplain(email: Email, options: SentOptions) {
  try {
    return options.profile === 'acymailing' ? composeAcymailing(email, options) : composeDocumented(email);
  } catch (error) {
    // Internal errors and stack overflows are reported too, because the email is not at fault.
    const message =
      error instanceof LimitExceeded
        ? error.message
        : describeComposeError(error instanceof Error ? error.message : String(error));
    return { html: message, text: message };
  }
}

/** The API document doesn't specify the sent email, so this returns the stored body after its stylesheet. */
function composeDocumented({ body, stylesheet = '' }: Email) {
  const style = stylesheet === '' ? '' : `<style>${stylesheet.replace(/<\/(?=style)/gi, '<\\/')}</style>`;
  return { html: style + body, text: '' };
}

/** Replicates AcyMailing 11, from the stored fields to the input of the mailer. */
function composeAcymailing(email: Email, options: SentOptions) {
  const site = normalizeSiteUrl(options.site);
  // 1. Clean the fields as the service does on save.
  const stored = toStoredFields(email);
  // 2. Adjust links and images in the text.
  const body = resolveUrls(prepareImages(insertFooter(stored.body, options.footer ?? '')), site);
  // 3. Parse with the rules of HTML 4.
  const document = parseEmailDocument(body);
  // 4. Inline the styles of the visual editor, the service's own rules (for inserted articles), the stylesheet, the settings and the document's styles. The remaining rules go into the head.
  const editorCss = isEditorEmail(stored.body) ? unscopeStylesheet(options.editorStylesheet ?? '') : '';
  const ownCss = stored.stylesheet + createSettingsCss(stored.settings);
  const css = phpTrim(editorCss + emailFixes.join('') + ownCss + extractStyles(document));
  const style = options.isUnstyled ? '' : inlineStyles(document, css, body.length + editorCss.length + ownCss.length);
  // 5. Serialize the body and add a new head.
  const whole = insertPreheader(buildDocument(serializeBody(document.body), style, stored), stored.preheader);
  // 6. Add open and click tracking.
  const tracked = options.tracked && site ? addTracking(whole, site) : whole;
  // 7. Remove what mail clients don't support.
  const cleaned = cleanHtml(tracked, site, options.cms);
  assertFewUnclosed(cleaned);
  // 8. Create the text part, then encode named characters.
  return {
    html: encodeNamedCharacters(cleaned).replace(/\r\n?/g, '\n'),
    text: createTextPart(cleaned, site),
  };
}

/** Inlines CSS and returns the rest. `length`: characters of the email, which limit the effort. */
function inlineStyles(document: EmailDocument, css: string, length: number) {
  const rules = readRules(css);
  const { remainingRules, usedClasses } = inlineRules(document, rules, length);
  pruneClasses(document, usedClasses);
  return writeHeadStyle(rules, remainingRules);
}
