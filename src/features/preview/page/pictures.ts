import { t } from '@vscode/l10n';
import { EXCESSIVE_PICTURE, MAX_MEGAPIXELS } from '../../../email/checks/pictureLimits.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import {
  isPicture,
  MAX_PICTURE_BYTES,
  MAX_TOTAL_PICTURE_BYTES,
  MAX_PICTURES,
  type OmissionReason,
  type LocalPicture,
} from '../../../email/html/pictures.ts';
import { formatList, formatNumber } from '../../../l10n.ts';
import type { PreviewContent } from '../protocol.ts';

/** The folder of the email's file, and the folder that pictures may be in, as addresses that end in a slash. */
type PictureLocation = Pick<PreviewContent, 'base' | 'root'>;

/** Returns the `data:` address of a local picture, a placeholder while it is missing, or undefined for any other address. */
export type FindPicture = (address: string) => string | undefined;

/** Returns an empty `data:` address that identifies its picture. */
const getPlaceholder = (path: string) => `data:,#${encodeURIComponent(path)}`;

const toMegabytes = (bytes: number) => formatNumber(bytes / 1024 / 1024);

/** Describe why an image isn't shown. */
const omissionTexts: Readonly<Record<OmissionReason, (path: string) => string>> = {
  large: (path) => t`${path} (larger than ${toMegabytes(MAX_PICTURE_BYTES)} MB)`,
  all: (path) => t`${path} (images exceed ${toMegabytes(MAX_TOTAL_PICTURE_BYTES)} MB in total)`,
  format: (path) => t`${path} (not a PNG, JPEG, GIF, WebP, or SVG file)`,
  excessive: (path) => t`${path} (more than ${MAX_MEGAPIXELS} megapixels, or an SVG that takes too long to draw)`,
};
const MAX_NAMED_PICTURES = 3;

/** The local pictures of an email. It requests each of them once, as they occur. */
export class Pictures {
  readonly #request: (paths: readonly string[]) => void;
  #location: PictureLocation = {};
  /** Pictures by path relative to the root. Undefined while requested. */
  #pictures = new Map<string, LocalPicture | undefined>();
  #unrequested: string[] = [];

  constructor(request: (paths: readonly string[]) => void) {
    this.#request = request;
  }

  /** Discards the pictures of the previous email. */
  reset({ base, root }: PictureLocation): void {
    this.#location = { base, root };
    this.#pictures = new Map();
    this.#unrequested = [];
  }

  set(read: readonly LocalPicture[]): void {
    for (const picture of read) this.#pictures.set(picture.path, picture);
  }

  /** Finds the pictures in the folder of the email's file. Undefined without a file. */
  get find(): FindPicture | undefined {
    const { base, root = base } = this.#location;
    if (base === undefined || root === undefined) return undefined;
    return (address) => {
      const path = toPicturePath(address, base, root);
      if (path === undefined) return undefined;
      if (!this.#pictures.has(path) && this.#pictures.size < MAX_PICTURES) {
        this.#pictures.set(path, undefined);
        if (this.#unrequested.push(path) === 1) queueMicrotask(() => this.#requestAll());
      }
      // In a `srcset` the comma ends this candidate, so that the others are still shown.
      return this.#pictures.get(path)?.data ?? `${getPlaceholder(path)},`;
    };
  }

  /** Returns a sentence about the document's omitted pictures, or undefined if none is omitted. */
  describeOmitted(document: Document): string | undefined {
    const reasons = new Map([[EXCESSIVE_PICTURE, omissionTexts.excessive('data:')]]);
    for (const picture of this.#pictures.values())
      if (picture?.omissionReason)
        reasons.set(getPlaceholder(picture.path), omissionTexts[picture.omissionReason](toDisplayText(picture.path)));
    const omitted = new Set<string>();
    insertPictures(document, (address) => {
      const reason = reasons.get(address.replace(/,$/u, ''));
      if (reason !== undefined) omitted.add(reason);
      return undefined;
    });
    if (omitted.size === 0) return undefined;
    const named = [...omitted].slice(0, MAX_NAMED_PICTURES);
    const others = omitted.size - named.length;
    if (others > 0)
      named.push(t({ message: '{0} more', args: [formatNumber(others)], comment: 'Number of further images' }));
    return t`Images not shown: ${formatList(named)}`;
  }

  #requestAll() {
    const paths = this.#unrequested;
    this.#unrequested = [];
    if (paths.length > 0) this.#request(paths);
  }
}

/** Returns the path of a picture relative to the root, or undefined if it is no picture or elsewhere. */
function toPicturePath(address: string, base: string, root: string) {
  if (/^\s*data:/iu.test(address)) return undefined;
  try {
    const { origin, pathname } = new URL(address.trim(), base);
    const folder = new URL(root);
    if (origin !== folder.origin || !pathname.startsWith(folder.pathname)) return undefined;
    const path = decodeURIComponent(pathname.slice(folder.pathname.length));
    return isPicture(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** An unquoted address contains no parenthesis, which keeps matching linear. */
const styleUrl = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*\)/giu;

/** Replaces the addresses of pictures, stylesheets and fonts that `find` returns another address for. Returns whether anything changed. */
export function insertPictures(document: Document, find: FindPicture): boolean {
  let isChanged = false;
  const replaceInStyle: FindPicture = (style) =>
    style.replace(styleUrl, (all, ...addresses: (string | undefined)[]) => {
      const picture = find(addresses.slice(0, 3).find((address) => address !== undefined) ?? '');
      return picture === undefined ? all : `url("${picture}")`;
    });
  // Addresses are separated by widths, densities and commas; a comma may directly follow an address.
  const replaceInSrcset: FindPicture = (list) =>
    list.replace(/[^\s,]\S*/gu, (word) => {
      const [address = '', comma = ''] = /^(.*?)(,*)$/su.exec(word)?.slice(1) ?? [];
      return `${find(address) ?? address}${comma}`;
    });
  for (const [selector, name, replace] of [
    ['[src]', 'src', find],
    ['[background]', 'background', find],
    ['[poster]', 'poster', find],
    ['image, link', 'href', find],
    ['image', 'xlink:href', find],
    ['[srcset]', 'srcset', replaceInSrcset],
    ['[style*="url(" i]', 'style', replaceInStyle],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const old = element.getAttribute(name);
      const made = old ? replace(old) : undefined;
      if (made === undefined || made === old) continue;
      element.setAttribute(name, made);
      isChanged = true;
    }
  }
  for (const element of document.querySelectorAll('style')) {
    const made = replaceInStyle(element.textContent);
    if (made === element.textContent) continue;
    element.textContent = made ?? '';
    isChanged = true;
  }
  return isChanged;
}

/** Returns the number of distinct remote images, fonts and stylesheets in an email. */
export function countRemote(document: Document): number {
  const found = new Set<string>();
  insertPictures(document, (address) => {
    if (/^\s*(?:https?:)?\/\//i.test(address)) found.add(address.trim());
    return undefined;
  });
  return found.size;
}
