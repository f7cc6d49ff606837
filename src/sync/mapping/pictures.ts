import { posix } from 'node:path';
import { isExcessivePicture } from '../../email/checks/pictureLimits.ts';
import { getPictureMediaType, MAX_PICTURE_BYTES, MAX_REPORT_PICTURE_BYTES } from '../../email/html/pictures.ts';
import type { ReviewedEmail } from '../../email/report/index.ts';
import type { SentOptions } from '../../email/sent/index.ts';
import { isRelative, type FindImages } from './assets.ts';
import type { NodeFiles } from '../files.ts';
import type { EmailTexts } from './placedFindings.ts';

/**
 * Reads the pictures of an email for a report. Ignores files that are missing or may not be read.
 * @param written the texts of the email's files
 * @param texts the same with public addresses
 * @param folder the folder that paths are relative to
 * @param total counts the bytes of all pictures in the report
 */
export async function readPictures(
  files: NodeFiles,
  written: EmailTexts,
  texts: EmailTexts,
  folder: string,
  total: { bytes: number },
  { site }: SentOptions,
  findImages: FindImages,
): Promise<Pick<ReviewedEmail, 'pictures' | 'omittedPictures'>> {
  const toSite = (address: string) => (URL.canParse(address, site) ? new URL(address, site).href : address);
  const images: (readonly [address: string, path: string])[] = [];
  for (const part of ['body', 'stylesheet'] as const) {
    const format = part === 'body' ? 'html' : 'css';
    const [paths, sent] = await Promise.all(
      [written, texts].map(async (each) => findImages(each[part]?.text ?? '', format)),
    );
    // As sent, addresses are public.
    for (const [index, { value }] of (paths ?? []).entries())
      images.push([toSite(sent?.[index]?.value ?? value), value]);
  }
  const pictures = new Map<string, string>();
  const omittedPictures = new Set<string>();
  for (const [address, name] of images) {
    const path = posix.join(folder, name.replace(/[?#{].*$/su, ''));
    const type = getPictureMediaType(path);
    const bytes = type && isRelative(name) ? await files.readBytes(path).catch(() => undefined) : undefined;
    if (!bytes || pictures.has(address)) continue;
    if (
      bytes.length > MAX_PICTURE_BYTES ||
      total.bytes + bytes.length > MAX_REPORT_PICTURE_BYTES ||
      isExcessivePicture(type ?? '', Buffer.from(bytes).toString('latin1'))
    ) {
      omittedPictures.add(path);
      continue;
    }
    total.bytes += bytes.length;
    pictures.set(address, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`);
  }
  return { pictures, omittedPictures };
}
