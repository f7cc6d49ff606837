import { shownText } from '../../../email/compose/fieldText.ts';
import {
  isPicture,
  largestPicture,
  largestPictures,
  mostPictures,
  type LeftOut,
  type LocalPicture,
} from '../protocol.ts';

/** Where the email's file is, and the folder that its pictures may be in: addresses that end in a slash. */
export interface PicturePlace {
  readonly base?: string;
  readonly root?: string;
}

/** What gives the `data:` address of a picture of the folder, one of nothing while there is none; undefined for every other address. */
export type FindPicture = (address: string) => string | undefined;

/** An address that shows nothing, is not looked for, and says which picture it stands for. */
const nothingFor = (path: string): string => `data:,#${encodeURIComponent(path)}`;

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

const causes: Readonly<Record<LeftOut, string>> = {
  large: `larger than ${megabytes(largestPicture)}`,
  all: `all together are larger than ${megabytes(largestPictures)}`,
  format: 'no PNG, JPEG, GIF, WebP or SVG',
};
/** Pictures that a sentence names. */
const mostNamed = 3;

/** Pictures of the folder that a local email is in. The host is asked for those that are met. */
export class Pictures {
  readonly #ask: (paths: readonly string[]) => void;
  #place: PicturePlace = {};
  /** By path below the root: undefined while it isn't known. */
  #known = new Map<string, LocalPicture | undefined>();
  #unasked: string[] = [];

  constructor(ask: (paths: readonly string[]) => void) {
    this.#ask = ask;
  }

  /** Another email: nothing is known of its pictures. */
  begin(place: PicturePlace): void {
    this.#place = place;
    this.#known = new Map();
    this.#unasked = [];
  }

  set(pictures: readonly LocalPicture[]): void {
    for (const picture of pictures) this.#known.set(picture.path, picture);
  }

  /** Says which pictures of a document are left out though they are there, and why; nothing where none is. */
  leftOut(document: Document): string | undefined {
    const reasons = new Map<string, string>();
    for (const { path, leftOut } of [...this.#known.values()].filter((picture) => picture !== undefined))
      if (leftOut) reasons.set(nothingFor(path), `${shownText(path)} (${causes[leftOut]})`);
    if (reasons.size === 0) return undefined;
    const met = new Set<string>();
    placePictures(document, (address) => {
      const reason = reasons.get(address.replace(/,$/u, ''));
      if (reason !== undefined) met.add(reason);
      return undefined;
    });
    const named = [...met].slice(0, mostNamed).join(', ');
    if (met.size === 0) return undefined;
    return `Pictures that the preview does not show: ${named}${met.size > mostNamed ? `, and ${met.size - mostNamed} more` : ''}`;
  }

  readonly find: FindPicture = (address) => {
    const path = pathOf(address, this.#place);
    if (path === undefined) return undefined;
    if (!this.#known.has(path) && this.#known.size < mostPictures) {
      this.#known.set(path, undefined);
      if (this.#unasked.push(path) === 1) queueMicrotask(() => this.#askAll());
    }
    // The comma ends it in a `srcset`: what else stands there is shown.
    return this.#known.get(path)?.data ?? `${nothingFor(path)},`;
  };

  #askAll(): void {
    const paths = this.#unasked;
    this.#unasked = [];
    if (paths.length > 0) this.#ask(paths);
  }
}

/** The path of a picture below the root; undefined where it is none, or elsewhere. */
function pathOf(address: string, { base, root }: PicturePlace): string | undefined {
  if (base === undefined || /^\s*data:/iu.test(address)) return undefined;
  try {
    const { origin, pathname } = new URL(address.trim(), base);
    const folder = new URL(root ?? base);
    if (origin !== folder.origin || !pathname.startsWith(folder.pathname)) return undefined;
    const path = decodeURIComponent(pathname.slice(folder.pathname.length));
    return isPicture(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

const inAttributes = [
  ['img, input', ['src']],
  ['[background]', ['background']],
  ['video', ['poster']],
  ['image', ['href', 'xlink:href']],
] as const;
/** An unquoted address holds no bracket: each is looked at once, whatever the text. */
const inStyle = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*\)/giu;

/** Puts pictures of the folder in place of their addresses. Gives whether there were any. */
export function placePictures(document: Document, find: FindPicture): boolean {
  let isChanged = false;
  const place = (element: Element, name: string, picture: FindPicture): void => {
    const value = element.getAttribute(name);
    const made = value ? picture(value) : undefined;
    if (value === null || made === undefined || made === value) return;
    element.setAttribute(name, made);
    isChanged = true;
  };
  const styled: FindPicture = (style) =>
    style.replace(inStyle, (all, ...addresses: (string | undefined)[]) => {
      const picture = find(addresses.slice(0, 3).find((address) => address !== undefined) ?? '');
      return picture === undefined ? all : `url("${picture}")`;
    });
  // Widths and densities stand between the addresses; a comma may follow at once.
  const listed: FindPicture = (list) =>
    list.replace(/[^\s,]\S*/gu, (word) => {
      const [address = '', comma = ''] = /^(.*?)(,*)$/su.exec(word)?.slice(1) ?? [];
      return `${find(address) ?? address}${comma}`;
    });
  for (const [selector, names] of inAttributes) {
    for (const element of document.querySelectorAll(selector)) for (const name of names) place(element, name, find);
  }
  for (const element of document.querySelectorAll('[srcset]')) place(element, 'srcset', listed);
  for (const element of document.querySelectorAll('[style*="url(" i]')) place(element, 'style', styled);
  for (const element of document.querySelectorAll('style')) {
    const text = element.textContent;
    const made = /url\(/iu.test(text) ? styled(text) : undefined;
    if (made === undefined || made === text) continue;
    element.textContent = made;
    isChanged = true;
  }
  return isChanged;
}
