import { normalizeSiteUrl } from '../../email/sent/replacements.ts';
import { createTextPart } from '../../email/sent/textPart.ts';
import { renderTags, tagLanguage, type TagLocation } from '../../email/tags/index.ts';
import type { Compose, MessageParts } from './model.ts';
import { buildLinkUrl, createRendering, editorStylesheet, type MailContext } from './recipient.ts';
import { configuration } from './store.ts';

export interface MessageSource extends MailContext {
  readonly id: number;
}

const renderText = (text: string, where: TagLocation, context: MailContext) =>
  renderTags(text, tagLanguage('acymailing'), createRendering(context, where)).text;

/** Renders the subject for a recipient. */
export const renderSubject = (context: MailContext): string => renderText(context.mail.subject, 'subject', context);

/** Composes the message for one recipient as AcyMailing does: headers, HTML and a plain-text alternative with CRLF line ends. */
export async function composeParts(source: MessageSource, compose: Compose): Promise<MessageParts> {
  const { id, mail, campaignId, recipient, sentAt, baseUrl } = source;
  const { person, userId } = recipient;
  const email = { ...mail, stylesheet: mail.stylesheet ?? '', settings: mail.settings ?? '' };
  const sent = await compose(email, { profile: 'acymailing', site: baseUrl, editorStylesheet });
  // The service unescapes these last, after rendering tags.
  const html = renderText(sent.html, 'body', source).replaceAll('&amp;', '&');
  const text = createTextPart(html, normalizeSiteUrl(baseUrl));
  const unsubscribe = buildLinkUrl('unsubscribe', { baseUrl, userId, mailId: mail.id });
  // Most sandboxes never open a message.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const envelope = {
    subject: renderSubject(source),
    preheader: renderText(mail.preheader ?? '', 'preheader', source),
    from_name: mail.from_name || configuration.from_name,
    from_email: mail.from_email || configuration.from_email,
  };
  const composer = new MailComposer({
    from: { name: envelope.from_name, address: envelope.from_email },
    to: { name: person.name, address: person.email },
    ...(mail.reply_to_email && { replyTo: { name: mail.reply_to_name, address: mail.reply_to_email } }),
    subject: envelope.subject,
    date: new Date(sentAt),
    messageId: `<${id}.${mail.id}@sandbox.example.com>`,
    html,
    text,
    headers: [
      { key: 'List-Unsubscribe', value: `<${unsubscribe}>` },
      { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
      ...(campaignId === null ? [] : [{ key: 'X-Campaign', value: String(campaignId) }]),
    ],
    // Templates are untrusted and must not read files or use the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  message.keepBcc = false;
  return { envelope, html, text, source: (await message.build()).toString('utf8') };
}
