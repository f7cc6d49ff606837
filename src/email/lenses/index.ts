import { getDisplayRefusal } from '../html/limits.ts';
import type { Rendered } from '../tags/index.ts';
import { createGmailDarkEdits, createOutlookDarkEdits } from './dark.ts';
import { createGmailEdits, createOtherAccountEdits } from './gmail.ts';
import { createImagesBlockedEdits } from './images.ts';
import type { Lens, LensName } from './model.ts';
import { createOutlookWindowsEdits } from './outlook.ts';
import { assembleParts, applyEdits } from './pieces.ts';
import { createReadingOrder } from './reading.ts';

export { lensNames } from './model.ts';
export type { Lens, LensName } from './model.ts';

const caniemail = { source: 'caniemail.com', date: '2026-06-29' } as const;

export const lenses: Readonly<Record<LensName, Lens>> = {
  outlookDark: {
    label: 'Outlook.com, dark',
    note: 'Outlook.com and the new Outlook turn over the lightness of text and backgrounds, not of images.',
    source: 'Microsoft’s published formula (roosterjs, getDarkColor) and hteumeuleu.com',
    date: '2019',
    transform: { edits: createOutlookDarkEdits },
  },
  gmailDark: {
    label: 'Gmail app, dark',
    note: 'The app on iOS turns over the lightness of every color; the one on Android changes light backgrounds and dark text only.',
    source: 'hteumeuleu.com',
    date: '2021',
    transform: { edits: createGmailDarkEdits },
  },
  gmail: {
    label: 'Gmail',
    note: 'Styles past 16 KB, nested at-rules, and selectors and properties that it doesn’t know are cut out.',
    ...caniemail,
    transform: { edits: createGmailEdits },
  },
  gmailForeign: {
    label: 'Gmail, another account',
    note: 'With an account of another service, Gmail’s app reads no style sheet at all.',
    ...caniemail,
    transform: { edits: createOtherAccountEdits },
  },
  outlookWindows: {
    label: 'Outlook for Windows, its branch',
    note: 'What is meant for it is shown, what Word ignores is not applied. The branch, not the pixels: Word lays it out in its own way.',
    ...caniemail,
    transform: { edits: createOutlookWindowsEdits },
  },
  imagesBlocked: {
    label: 'Images blocked',
    note: 'Each image is a frame of its size with its alternative text. Clients differ in what they draw around it.',
    source: 'what mail clients have in common',
    date: '2026-11',
    transform: { edits: createImagesBlockedEdits },
  },
  readingOrder: {
    label: 'Reading order',
    note: 'What a screen reader says, line by line: roles, names, alternative texts. Readers differ in their words.',
    source: 'HTML Accessibility API Mappings (w3.org)',
    date: '2026-11',
    transform: { parts: createReadingOrder },
  },
};

/** Applies a lens to an HTML email and maps the result to the source. HTML that exceeds the parser's limits stays unchanged. Never throws. */
export function applyLens(name: LensName, html: string): Rendered {
  const { transform } = lenses[name];
  if (getDisplayRefusal(html) !== undefined) return applyEdits(html, []);
  return 'edits' in transform ? applyEdits(html, transform.edits(html)) : assembleParts(html, transform.parts(html));
}
