/** Limits of the local pictures in one email: their number, the bytes of one, and the bytes of all. */
export const MAX_PICTURES = 500;
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;
export const MAX_TOTAL_PICTURE_BYTES = 16 * 1024 * 1024;
/** A report contains each picture several times. */
export const MAX_REPORT_PICTURE_BYTES = MAX_TOTAL_PICTURE_BYTES / 4;

/** Extensions of pictures that are shown, and of those that are not: most mail clients don't show them either. */
const supportedPicture = /\.(png|jpe?g|gif|webp|svg)$/i;
const unsupportedPicture = /\.(?:apng|avif|bmp|eps|heic|heif|ico|jfif|jxl|pdf|psd|svgz|tiff?)$/i;

/** Returns the media type of a supported picture, or undefined for any other file. */
export function getPictureMediaType(path: string): string | undefined {
  const extension = supportedPicture.exec(path)?.[1]?.toLowerCase();
  return extension && `image/${extension.replace('jpg', 'jpeg').replace('svg', 'svg+xml')}`;
}

/** Returns whether a path has the extension of a picture, supported or not. */
export const isPicture = (path: string): boolean => supportedPicture.test(path) || unsupportedPicture.test(path);

/** Why an existing picture is not shown: it is too large, all pictures together are, its format isn't supported, or it takes too long to draw. */
export type OmissionReason = 'large' | 'all' | 'format' | 'excessive';

export interface LocalPicture {
  /** Path relative to the folder, with slashes. */
  readonly path: string;
  /** A `data:` address. Absent if the picture is missing or may not be shown. */
  readonly data?: string;
  readonly omissionReason?: OmissionReason;
}
