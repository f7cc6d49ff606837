import { getDisplayRefusal } from '../html/limits.ts';
import type { Rendered, TextEdit } from '../tags/index.ts';
import { createGmailDarkEdits, createOutlookDarkEdits } from './dark.ts';
import { applyEdits, assembleParts } from './edits.ts';
import {
  createGmailEdits,
  createImagesBlockedEdits,
  createOtherAccountEdits,
  createOutlookWindowsEdits,
} from './mailClients.ts';
import type { LensName } from './model.ts';
import { createReadingOrder } from './reading.ts';

export { lensNames } from './model.ts';
export type { LensName } from './model.ts';

/** Approximates how a mail client or screen reader presents a sent email. */
export interface Lens {
  readonly label: string;
  /** One sentence on what the lens shows and what it doesn't. */
  readonly note: string;
  /** Where the behavior is documented; `date` is the date of that source. */
  readonly source: string;
  readonly date: string;
  /** Returns the result with its mapping to the HTML. */
  readonly render: (html: string) => Rendered;
}

const edit =
  (createEdits: (html: string) => readonly TextEdit[]): Lens['render'] =>
  (html) =>
    applyEdits(html, createEdits(html));

const caniemail = { source: 'caniemail.com', date: '2026-06-29' } as const;

export const lenses: Readonly<Record<LensName, Lens>> = {
  outlookDark: {
    label: 'Outlook.com, dark',
    note: 'Outlook.com and new Outlook invert the lightness of text and backgrounds, but not of images.',
    source: 'Microsoft’s published formula (roosterjs, getDarkColor) and hteumeuleu.com',
    date: '2019',
    render: edit(createOutlookDarkEdits),
  },
  gmailDark: {
    label: 'Gmail app, dark',
    note: 'The iOS app inverts the lightness of every color. The Android app changes light backgrounds and dark text only.',
    source: 'hteumeuleu.com',
    date: '2021',
    render: edit(createGmailDarkEdits),
  },
  gmail: {
    label: 'Gmail',
    note: 'Gmail removes styles beyond 16 KB, nested at-rules, and unsupported selectors and properties.',
    ...caniemail,
    render: edit(createGmailEdits),
  },
  gmailForeign: {
    label: 'Gmail, another account',
    note: 'With an account of another service, the Gmail app ignores all style sheets.',
    ...caniemail,
    render: edit(createOtherAccountEdits),
  },
  outlookWindows: {
    label: 'Outlook for Windows',
    note: 'Shows the conditional content for Outlook and removes styles that Word ignores. Word’s layout differs.',
    ...caniemail,
    render: edit(createOutlookWindowsEdits),
  },
  imagesBlocked: {
    label: 'Images blocked',
    note: 'A frame of the same size with the alternative text replaces each image. Mail clients draw different frames.',
    source: 'Common behavior of mail clients',
    date: '2026-11',
    render: edit(createImagesBlockedEdits),
  },
  readingOrder: {
    label: 'Reading order',
    note: 'The announcements of a screen reader, line by line: roles, names, alternative texts. Screen readers use different words.',
    source: 'HTML Accessibility API Mappings (w3.org)',
    date: '2026-11',
    render: (html) => assembleParts(html, createReadingOrder(html)),
  },
};

/** Applies a lens to an HTML email and maps the result to the source. HTML that exceeds the parser's limits stays unchanged. Never throws. */
export function applyLens(name: LensName, html: string): Rendered {
  return getDisplayRefusal(html) === undefined ? lenses[name].render(html) : applyEdits(html, []);
}
