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
