import { refusalOf } from '../html/limits.ts';
import type { Rendered } from '../tags/index.ts';
import { gmailDark, outlookDark } from './dark.ts';
import { gmail, gmailForeign } from './gmail.ts';
import { imagesBlocked } from './images.ts';
import type { Lens, LensName } from './model.ts';
import { outlookWindows } from './outlook.ts';
import { assembled, edited } from './pieces.ts';
import { readingOrder } from './reading.ts';

export { lensNames } from './model.ts';
export type { Lens, LensName } from './model.ts';

const caniemail = { source: 'caniemail.com', date: '2026-06-29' } as const;

export const lenses: Readonly<Record<LensName, Lens>> = {
  outlookDark: {
    label: 'Outlook.com, dark',
    note: 'Outlook.com and the new Outlook turn over the lightness of text and backgrounds, not of images.',
    source: 'Microsoft’s published formula (roosterjs, getDarkColor) and hteumeuleu.com',
    date: '2019',
    look: { edits: outlookDark },
  },
  gmailDark: {
    label: 'Gmail app, dark',
    note: 'The app on iOS turns over the lightness of every colour; the one on Android changes light backgrounds and dark text only.',
    source: 'hteumeuleu.com',
    date: '2021',
    look: { edits: gmailDark },
  },
  gmail: {
    label: 'Gmail',
    note: 'Styles past 16 KB, nested at-rules, and selectors and properties that it doesn’t know are cut out.',
    ...caniemail,
    look: { edits: gmail },
  },
  gmailForeign: {
    label: 'Gmail, another account',
    note: 'With an account of another service, Gmail’s app reads no style sheet at all.',
    ...caniemail,
    look: { edits: gmailForeign },
  },
  outlookWindows: {
    label: 'Outlook for Windows, its branch',
    note: 'What is meant for it is shown, what Word ignores is not applied. The branch, not the pixels: Word lays it out in its own way.',
    ...caniemail,
    look: { edits: outlookWindows },
  },
  imagesBlocked: {
    label: 'Images blocked',
    note: 'Each image is a frame of its size with its alternative text. Clients differ in what they draw around it.',
    source: 'what mail clients have in common',
    date: '2026-11',
    look: { edits: imagesBlocked },
  },
  readingOrder: {
    label: 'Reading order',
    note: 'What a screen reader says, line by line: roles, names, alternative texts. Readers differ in their words.',
    source: 'HTML Accessibility API Mappings (w3.org)',
    date: '2026-11',
    look: { parts: readingOrder },
  },
};

/** An email seen through a lens, and what of it comes from where. What is too much for a browser stays as it is. Never throws. */
export function seenThrough(name: LensName, html: string): Rendered {
  const { look } = lenses[name];
  if (refusalOf(html) !== undefined) return edited(html, []);
  return 'edits' in look ? edited(html, look.edits(html)) : assembled(html, look.parts(html));
}
