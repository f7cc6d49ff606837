import { normalizeSiteUrl } from '../../email/sent/replacements.ts';
import type { Email, Sent, SentOptions } from '../../email/sent/index.ts';
import { createTextPart } from '../../email/sent/textPart.ts';
import { renderTags, tagLanguage } from '../../email/tags/index.ts';
import type { TagLocation } from '../../email/tags/index.ts';
import type { Compose, MessageParts, SandboxProfile } from './model.ts';
import { toPlainText } from './plainText.ts';
import { buildLinkUrl, createRendering } from './recipient.ts';
import type { MailContext } from './recipient.ts';
import { configuration } from './store.ts';

export interface MessageSource extends MailContext {
  readonly id: number;
}

const acymailingTags = tagLanguage('acymailing');

/** How messages are composed: a plain document for the documented profile, and the output of AcyMailing for its profile. */
export interface Composer {
  readonly profile: SandboxProfile;
  readonly compose: Compose;
}

const documentedComposer: Composer = { profile: 'documented', compose: composeInProcess };

/** Loaded lazily when the first message is read. */
export async function composeInProcess(email: Email, options: SentOptions): Promise<Pick<Sent, 'html' | 'text'>> {
  return (await import('../../email/sent/index.ts')).composeSent(email, options);
}

/** Composes the message for one recipient: headers, HTML and a plain-text alternative with CRLF line ends. */
export async function composeMessage(source: MessageSource, composing = documentedComposer): Promise<string> {
  return (await composeParts(source, composing)).source;
}

/** Composes the message for one recipient and its parts. */
export async function composeParts(source: MessageSource, composing = documentedComposer): Promise<MessageParts> {
  const { html, text } = await composeBodies(source, composing);
  return { html, text, source: await buildSource(source, composing, html, text) };
}

async function composeBodies(
  context: MailContext,
  { profile, compose }: Composer,
): Promise<{ html: string; text: string }> {
  if (profile === 'documented') {
    const html = composeDocument(context);
    return { html, text: await toPlainText(html) };
  }
  const { mail, baseUrl } = context;
  const sent = await compose({ ...mail, stylesheet: mail.stylesheet ?? '' }, { profile, site: baseUrl });
  // The service unescapes these last, after rendering tags.
  const html = renderText(sent.html, 'body', context).replaceAll('&amp;', '&');
  return { html, text: createTextPart(html, normalizeSiteUrl(baseUrl)) };
}

async function buildSource(source: MessageSource, { profile }: Composer, html: string, text: string): Promise<string> {
  const { id, mail, campaignId, recipient, sentAt, baseUrl } = source;
  const { person, userId } = recipient;
  // Loaded lazily, because most sandboxes never need it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const unsubscribe = buildLinkUrl('unsubscribe', { baseUrl, userId, mailId: mail.id });
  const sender = {
    name: mail.from_name || configuration.from_name,
    address: mail.from_email || configuration.from_email,
  };
  const composer = new MailComposer({
    from: sender,
    to: { name: person.name, address: person.email },
    ...(mail.reply_to_email && { replyTo: { name: mail.reply_to_name, address: mail.reply_to_email } }),
    subject: renderSubject(source),
    date: new Date(sentAt),
    messageId: `<${id}.${mail.id}@sandbox.example.com>`,
    html,
    text,
    headers: [
      { key: 'List-Unsubscribe', value: `<${unsubscribe}>` },
      { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
      ...(campaignId === null ? [] : [{ key: 'X-Campaign', value: String(campaignId) }]),
      // AcyMailing inserts its field of this name into the HTML head.
      ...(profile === 'documented'
        ? parseExtraHeaders(mail.headers, (line) => renderText(line, 'headers', source))
        : []),
    ],
    // Templates are untrusted and must not read files or use the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  message.keepBcc = false;
  return (await message.build()).toString('utf8');
}

const renderText = (text: string, where: TagLocation, context: MailContext): string =>
  renderTags(text, acymailingTags, createRendering(context, where)).text;

/** Renders the subject for a recipient. */
export const renderSubject = (context: MailContext): string => renderText(context.mail.subject, 'subject', context);

/** Parses lines of the form `Name: value`. Ignores invalid lines and headers that the service sets. */
function parseExtraHeaders(text: string, render: (line: string) => string): { key: string; value: string }[] {
  const own = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|list-unsubscribe.*)$/i;
  return text.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^([A-Za-z0-9-]+):[ \t]*([\x20-\x7e]+)$/.exec(render(line)) ?? [];
    return key && value && !own.test(key) ? [{ key, value }] : [];
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

function composeDocument(context: MailContext): string {
  const { mail } = context;
  // An end tag inside a stylesheet would close the style element.
  const style = mail.stylesheet ? `<style>\n${mail.stylesheet.replace(/<\//g, '<\\/')}\n</style>\n` : '';
  const hidden = 'display:none;max-height:0;overflow:hidden;mso-hide:all;';
  const preheader = mail.preheader
    ? `<div style="${hidden}">${renderText(escapeHtml(mail.preheader), 'preheader', context)}</div>\n`
    : '';
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(renderSubject(context))}</title>
${style}</head>
<body style="margin:0;">
${preheader}${renderText(mail.body, 'body', context)}
</body>
</html>
`;
}
