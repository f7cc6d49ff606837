/** Characters that inboxes show of a subject: on a phone held upright, and on a desktop. */
const phone = 33;
const desktop = 60;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How long a subject is, as a reader counts, and where inboxes cut it. */
export function lengthHint(subject: string): string {
  const letters = [...graphemes.segment(subject.trim())].map(({ segment }) => segment);
  const { length } = letters;
  if (length === 0) return `Inboxes show about ${phone} characters on a phone and ${desktop} on a desktop.`;
  const count = `${length} ${length === 1 ? 'character' : 'characters'}`;
  if (length <= phone) return `${count}: fits on a phone and on a desktop.`;
  const start = letters.slice(0, phone).join('').trimEnd();
  return length <= desktop
    ? `${count}: a phone shows about “${start}…”`
    : `${count}: a desktop cuts it after about ${desktop}, a phone shows about “${start}…”`;
}
