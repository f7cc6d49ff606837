import { localized, t } from '../../l10n.ts';
import { getDisplayRefusal } from '../html/limits.ts';
import type { TextEdit } from '../html/text.ts';
import type { Rendered } from '../tags/index.ts';
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
interface Lens {
  readonly label: string;
  /** One sentence on the effect of the lens and its limits. */
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

export const getLenses = localized((): Readonly<Record<LensName, Lens>> => ({
  outlookDark: {
    label: t('Outlook.com (dark)'),
    note: t('Outlook.com and new Outlook invert the lightness of text and backgrounds, but not of images.'),
    source: t("Microsoft's published formula (roosterjs, getDarkColor) and hteumeuleu.com"),
    date: '2019',
    render: edit(createOutlookDarkEdits),
  },
  gmailDark: {
    label: t('Gmail app (dark)'),
    note: t(
      'The iOS app inverts the lightness of every color. The Android app changes only light backgrounds and dark text.',
    ),
    source: 'hteumeuleu.com',
    date: '2021',
    render: edit(createGmailDarkEdits),
  },
  gmail: {
    label: 'Gmail',
    note: t('Gmail removes styles beyond 16 KB, nested at-rules, and unsupported selectors and properties.'),
    ...caniemail,
    render: edit(createGmailEdits),
  },
  gmailForeign: {
    label: t("Gmail with another provider's account"),
    note: t('The Gmail app ignores all stylesheets for accounts of other providers.'),
    ...caniemail,
    render: edit(createOtherAccountEdits),
  },
  outlookWindows: {
    label: t('Outlook for Windows'),
    note: t("Shows the conditional content for Outlook and removes styles that Word ignores. Word's layout differs."),
    ...caniemail,
    render: edit(createOutlookWindowsEdits),
  },
  imagesBlocked: {
    label: t('Images blocked'),
    note: t('A frame of the same size with the alt text replaces each image. Mail clients draw different frames.'),
    source: t('Common behavior of mail clients'),
    date: '2026-11',
    render: edit(createImagesBlockedEdits),
  },
  readingOrder: {
    label: t('Screen reader'),
    note: t(
      'Lists what a screen reader announces: roles, names and alt text, line by line. Screen readers use different words.',
    ),
    source: 'HTML Accessibility API Mappings (w3.org)',
    date: '2026-11',
    render: (html) => assembleParts(html, createReadingOrder(html)),
  },
}));

/** Applies a lens to an HTML email and maps the result to the source. HTML that exceeds the parser's limits stays unchanged. Never throws. */
export function applyLens(name: LensName, html: string): Rendered {
  return getDisplayRefusal(html) === undefined ? getLenses()[name].render(html) : applyEdits(html, []);
}
