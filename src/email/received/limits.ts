import { t } from '../../l10n.ts';

/** Limits of a received message. Larger ones would take too long to read or to compare. */

const MAX_MESSAGE_BYTES = 20 * 1024 * 1024;
/** The parser keeps an object for each line. Attachments of 20 MB have 280,000 lines. */
const MAX_LINES = 400_000;
const MAX_PARTS = 200;
/** Ten times what Gmail shows. */
const MAX_BODY_CHARS = 1024 * 1024;

function assertReadable(size: number, max: number) {
  if (size <= max) return;
  throw new Error(
    t('The message is too large: more than 20 MB, 200 parts, or 1 MB of text. Send it again without attachments.'),
  );
}

/** @throws if a file is too large to be read */
export const assertMessageSize = (bytes: number): void => assertReadable(bytes, MAX_MESSAGE_BYTES);

/** @throws if a message is too large to be parsed */
export function assertParsable(bytes: Uint8Array): void {
  assertMessageSize(bytes.length);
  const lines = bytes.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0);
  assertReadable(lines, MAX_LINES);
  const delimiters = new TextDecoder('latin1').decode(bytes).match(/^--[^\s:;>]+/gm);
  assertReadable(delimiters?.length ?? 0, MAX_PARTS);
}

/** @throws if the HTML and the text of a message are too long to be compared */
export const assertComparable = (html: string, text: string): void =>
  assertReadable(html.length + text.length, MAX_BODY_CHARS);
