import { posix } from 'node:path';
import { getPictureMediaType, MAX_PICTURE_BYTES, MAX_REPORT_PICTURE_BYTES } from '../email/html/pictures.ts';
import type { ReviewedEmail } from '../email/report/index.ts';
import { isRelative } from './assets.ts';
import type { NodeFiles } from './files.ts';

/**
 * Reads the pictures of an email for a report. Ignores files that are missing or may not be read.
 * @param images pairs of the address in the sent email, and the path as written
 * @param folder the folder that the paths are relative to
 * @param total counts the bytes of all pictures in the report
 */
export async function readPictures(
  files: NodeFiles,
  images: Iterable<readonly [address: string, path: string]>,
  folder: string,
  total: { bytes: number },
): Promise<Pick<ReviewedEmail, 'pictures' | 'omittedPictures'>> {
  const pictures = new Map<string, string>();
  const omittedPictures = new Set<string>();
  for (const [address, written] of images) {
    const path = posix.join(folder, written.replace(/[?#{].*$/su, ''));
    const type = getPictureMediaType(path);
    const bytes = type && isRelative(written) ? await files.readBytes(path).catch(() => undefined) : undefined;
    if (!bytes || pictures.has(address)) continue;
    if (bytes.length > MAX_PICTURE_BYTES || total.bytes + bytes.length > MAX_REPORT_PICTURE_BYTES) {
      omittedPictures.add(path);
      continue;
    }
    total.bytes += bytes.length;
    pictures.set(address, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`);
  }
  return { pictures, omittedPictures };
}
