import type { TextEdit } from '../tags/index.ts';

/** Names of the lenses, in the order in which they are offered. */
export const lensNames = [
  'outlookDark',
  'gmailDark',
  'gmail',
  'gmailForeign',
  'outlookWindows',
  'imagesBlocked',
  'readingOrder',
] as const;
export type LensName = (typeof lensNames)[number];

/** What a mail client, or a reader, makes of an email that was sent. An approximation, always. */
export interface Lens {
  readonly label: string;
  /** What it does and does not show, in a sentence. */
  readonly note: string;
  /** Where it is known from, and of when that is. */
  readonly source: string;
  readonly date: string;
  readonly transform: LensTransform;
}

/** Edits of the HTML, or parts of it in another order. Pure: the same HTML gives the same. */
export type LensTransform =
  { readonly edits: (html: string) => readonly TextEdit[] } | { readonly parts: (html: string) => readonly LensPart[] };

/** A text of ours (that a range of the source is shown by, where it has one), or a range of the source as it stands there. */
export type LensPart =
  | { readonly text: string; readonly start: number; readonly end: number }
  | { readonly start: number; readonly end: number };
