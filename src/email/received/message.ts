import { t } from '@vscode/l10n';
import PostalMime from 'postal-mime';

const MAX_MESSAGE_BYTES = 20 * 1024 * 1024;
/** The parser keeps an object for each line. Attachments of 20 MB have 280,000 lines. */
const MAX_LINES = 400_000;
const MAX_PARTS = 200;
/** Ten times what Gmail shows. */
const MAX_BODY_CHARS = 1024 * 1024;
// Nested messages stay attachments.
const limits = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };

/** @throws if a message would take too long to read or to compare */
function assertReadable(size: number, max: number) {
  if (size <= max) return;
  throw new Error(
    t('The message is too large: more than 20 MB, 200 parts, or 1 MB of text. Send it again without attachments.'),
  );
}

/** Reads the content of an `.eml` file. `people`: names and addresses. @throws if it is too large, or no email with HTML */
export async function readMessage(bytes: Uint8Array) {
  assertReadable(bytes.length, MAX_MESSAGE_BYTES);
  assertReadable(
    bytes.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0),
    MAX_LINES,
  );
  const delimiters = new TextDecoder('latin1').decode(bytes).match(/^--[^\s:;>]+/gm);
  assertReadable(delimiters?.length ?? 0, MAX_PARTS);
  const { headers, subject = '', html = '', text = '', from, to, replyTo } = await PostalMime.parse(bytes, limits);
  if (html.trim() === '') throw new Error(t('The file is no email with HTML. Save the received message as .eml.'));
  assertReadable(html.length + text.length, MAX_BODY_CHARS);
  return { headers, subject, html, text, people: JSON.stringify([from, to, replyTo]) };
}
