import { formatOf, mostPictures, type LocalPicture } from '../protocol.ts';

/** Where the e-mail's file is, and the folder that its pictures may be in: addresses that end in a slash. */
export interface PicturePlace {
  readonly base?: string;
  readonly root?: string;
}

/** What gives the `data:` address of a picture of the folder, an empty one while there is none; undefined for every other address. */
export type FindPicture = (address: string) => string | undefined;

/** Shows nothing, and is not looked for. */
const nothing = 'data:,';

/** Pictures of the folder that a local e-mail is in. The host is asked for those that are met. */
export class Pictures {
  readonly #ask: (paths: readonly string[]) => void;
  #place: PicturePlace = {};
  /** By path below the root: undefined where there is none, or it isn't known yet. */
  #known = new Map<string, string | undefined>();
  #unasked: string[] = [];

  constructor(ask: (paths: readonly string[]) => void) {
    this.#ask = ask;
  }

  /** Another e-mail: nothing is known of its pictures. */
  begin(place: PicturePlace): void {
    this.#place = place;
    this.#known = new Map();
    this.#unasked = [];
  }

  set(pictures: readonly LocalPicture[]): void {
    for (const { path, data } of pictures) this.#known.set(path, data);
  }

  readonly find: FindPicture = (address) => {
    const path = pathOf(address, this.#place);
    if (path === undefined) return undefined;
    if (!this.#known.has(path) && this.#known.size < mostPictures) {
      this.#known.set(path, undefined);
      if (this.#unasked.push(path) === 1) queueMicrotask(() => this.#askAll());
    }
    return this.#known.get(path) ?? nothing;
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
    return formatOf(path) && path;
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
  const styled: FindPicture = (style) => style.replace(inStyle, (all, ...addresses: (string | undefined)[]) => {
    const picture = find(addresses.slice(0, 3).find((address) => address !== undefined) ?? '');
    return picture === undefined ? all : `url("${picture}")`;
  });
  // Widths and densities stand between the addresses; a comma may follow at once.
  const listed: FindPicture = (list) => list.replace(/[^\s,]\S*/gu, (word) => {
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
