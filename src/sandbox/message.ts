import type { Person } from './data/people.ts';
import type { Mail } from './records.ts';
import { plainText } from './plainText.ts';
import { configuration } from './store.ts';

export interface MessageSource {
  readonly id: number;
  readonly mail: Mail;
  readonly campaignId: number | null;
  readonly userId: number;
  readonly person: Person;
  readonly sentAt: number;
  readonly baseUrl: string;
}

/** Composes the message one recipient gets: headers, HTML and a plain text alternative, CRLF lines. */
export async function composeMessage({ id, mail, campaignId, userId, person, sentAt, baseUrl }: MessageSource): Promise<string> {
  // Loaded here, since a sandbox whose outbox nobody reads never needs it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const unsubscribe = `${baseUrl}/index.php?ctrl=unsubscribe&user=${userId}&mail=${mail.id}`;
  const tags = { ...tagsOf(person, userId), unsubscribe, online: `${baseUrl}/index.php?ctrl=archive&mail=${mail.id}` };
  const html = composeDocument(mail, tags);
  const sender = { name: mail.from_name || configuration.from_name, address: mail.from_email || configuration.from_email };
  const composer = new MailComposer({
    from: sender,
    to: { name: person.name, address: person.email },
    ...(mail.reply_to_email && { replyTo: { name: mail.reply_to_name, address: mail.reply_to_email } }),
    subject: subjectFor(mail, person, userId),
    date: new Date(sentAt),
    messageId: `<${id}.${mail.id}@sandbox.example.com>`,
    html,
    text: await plainText(html),
    headers: [
      { key: 'List-Unsubscribe', value: `<${unsubscribe}>` },
      { key: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
      ...(campaignId === null ? [] : [{ key: 'X-Campaign', value: String(campaignId) }]),
      ...extraHeaders(mail.headers),
    ],
    // A template may say anything; nothing it says reads this machine's files or the network.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  message.keepBcc = false;
  return (await message.build()).toString('utf8');
}

const tagsOf = ({ name, email }: Person, userId: number) => ({ name, email, id: String(userId) });

/** The subject as the recipient sees it. */
export function subjectFor({ subject }: Mail, person: Person, userId: number): string {
  return fill(subject, tagsOf(person, userId), (text) => text);
}

/** Lines `Name: value`; what is no header, or would replace one the service sets, is left out. */
function extraHeaders(text: string): { key: string; value: string }[] {
  const own = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*|list-unsubscribe.*)$/i;
  return text.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^([A-Za-z0-9-]+):[ \t]*([\x20-\x7e]+)$/.exec(line) ?? [];
    return key && value && !own.test(key) ? [{ key, value }] : [];
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Puts the recipient's values into `{name}`, `{email}`, `{id}`, `{unsubscribe}` and `{online}`. */
function fill(text: string, tags: Readonly<Record<string, string>>, escape: (text: string) => string): string {
  return text.replace(/\{(name|email|id|unsubscribe|online)\}/g, (whole, tag: string) => escape(tags[tag] ?? whole));
}

function composeDocument(mail: Mail, tags: Readonly<Record<string, string>>): string {
  // An end tag inside a stylesheet would end the style element early.
  const style = mail.stylesheet ? `<style>\n${mail.stylesheet.replace(/<\//g, '<\\/')}\n</style>\n` : '';
  const preheader = mail.preheader
    ? `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${fill(escapeHtml(mail.preheader), tags, escapeHtml)}</div>\n`
    : '';
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(mail.subject)}</title>
${style}</head>
<body style="margin:0;">
${preheader}${fill(mail.body, tags, escapeHtml)}
</body>
</html>
`;
}
