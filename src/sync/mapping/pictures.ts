import { posix } from 'node:path';
import { isExcessivePicture } from '../../email/checks/pictureLimits.ts';
import { getPictureMediaType, MAX_PICTURE_BYTES, MAX_REPORT_PICTURE_BYTES } from '../../email/html/pictures.ts';
import type { ReviewedEmail } from '../../email/report/index.ts';
import type { SentOptions } from '../../email/sent/index.ts';
import { isRelative, type FindImages } from './assets.ts';
import type { NodeFiles } from '../files.ts';
import type { EmailTexts } from './placedFindings.ts';

interface WrittenEmail {
  /** The texts of the email's files. */
  readonly written: EmailTexts;
  /** The same with public URLs. */
  readonly texts: EmailTexts;
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly findImages: FindImages;
}

/** The pictures of a report. All together never have more than `MAX_REPORT_PICTURE_BYTES`. */
export class ReportPictures {
  #bytes = 0;

  /** Reads the pictures of an email. Ignores files that are missing or may not be read. */
  async read(
    files: NodeFiles,
    { written, texts, folder, findImages }: WrittenEmail,
    { site }: SentOptions,
  ): Promise<Pick<ReviewedEmail, 'pictures' | 'omittedPictures'>> {
    const toSite = (address: string) => (URL.canParse(address, site) ? new URL(address, site).href : address);
    const images: (readonly [address: string, path: string])[] = [];
    for (const part of ['body', 'stylesheet'] as const) {
      const format = part === 'body' ? 'html' : 'css';
      const [paths, sent] = await Promise.all(
        [written, texts].map(async (each) => findImages(each[part]?.text ?? '', format)),
      );
      // As sent, URLs are public.
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
        this.#bytes + bytes.length > MAX_REPORT_PICTURE_BYTES ||
        isExcessivePicture(type ?? '', Buffer.from(bytes).toString('latin1'))
      ) {
        omittedPictures.add(path);
        continue;
      }
      this.#bytes += bytes.length;
      pictures.set(address, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`);
    }
    return { pictures, omittedPictures };
  }
}
