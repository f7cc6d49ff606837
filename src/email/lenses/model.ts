import type { TextEdit } from '../tags/index.ts';

/** Names of the lenses in display order. */
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

/** Approximates how a mail client or screen reader presents a sent email. */
export interface Lens {
  readonly label: string;
  /** One sentence on what the lens shows and what it doesn't. */
  readonly note: string;
  /** Where the behavior is documented; `date` is the date of that source. */
  readonly source: string;
  readonly date: string;
  readonly transform: LensTransform;
}

/** Returns edits of the HTML, or its parts in another order. Pure. */
export type LensTransform =
  { readonly edits: (html: string) => readonly TextEdit[] } | { readonly parts: (html: string) => readonly LensPart[] };

/** Inserted text with the source range it represents (possibly empty), or a source range that is copied. */
export type LensPart =
  | { readonly text: string; readonly start: number; readonly end: number }
  | { readonly start: number; readonly end: number };
