import { posix } from 'node:path';
import type { ImageAddress } from '../../email/checks/images.ts';
import { applyEdits, findFirstIndex } from '../../email/html/text.ts';

/** Image folders with their public addresses, the longest path first. */
export type Assets = readonly (readonly [path: string, address: string])[];

export type FindImages = (text: string, format: 'html' | 'css') => Promise<readonly ImageAddress[]>;

/** Returns false if a text can't contain images, so that it needs no parsing. */
export function mayNameImages(text: string): boolean {
  return /src|background|poster|href|url|image|[\\&]/iu.test(text);
}

/** Returns whether an address is a relative path, which mail clients can't load. */
export function isRelative(address: string): boolean {
  return address.trim() !== '' && !/^\s*(?:[a-z][a-z0-9+.-]*:|\/|#|\{|%7b)/iu.test(address);
}

/** A text with public addresses of images. */
export interface PublicText {
  readonly text: string;
  /** Returns the offset in the original text of an offset in this one. */
  toFile(offset: number): number;
}

/**
 * Replaces image paths with public addresses.
 * @param folder the folder that the paths are relative to
 */
export function withAddresses(
  text: string,
  images: readonly ImageAddress[],
  folder: string,
  assets: Assets,
): PublicText {
  const edits = createEdits(images, (image) => resolveAddress(image, folder, assets));
  let shift = 0;
  const placed = edits.map(({ start, end, text: { length } }) => {
    const edit = { start, end, placedStart: start + shift, placedEnd: start + shift + length };
    shift += length - (end - start);
    return edit;
  });
  const toFile = (offset: number) => {
    const last = placed[findFirstIndex(placed, ({ placedStart }) => placedStart > offset) - 1];
    if (!last) return offset;
    const { start, end, placedStart, placedEnd } = last;
    return offset < placedEnd ? Math.min(start + offset - placedStart, end) : end + offset - placedEnd;
  };
  return { text: applyEdits(text, edits), toFile };
}

/**
 * Replaces public addresses with image paths. Keeps addresses that `withAddresses` wouldn't restore exactly.
 * @param folder the folder that the paths are relative to
 * @param existing images of the file that the text replaces; their spelling stays
 */
export function withPaths(
  text: string,
  images: readonly ImageAddress[],
  folder: string,
  assets: Assets,
  existing: readonly ImageAddress[] = [],
): string {
  // The first spelling of each address is the last in its list.
  const spellings = Map.groupBy(existing.toReversed(), (image) =>
    spellingKey(image, resolveAddress(image, folder, assets) ?? image.text),
  );
  const edits = createEdits(images, (image) => {
    const same = spellings.get(spellingKey(image, image.text)) ?? [];
    const spelling = same.length > 1 ? same.pop() : same[0];
    if (spelling?.text === image.text) return undefined;
    const path = spelling?.text ?? resolvePath(image, folder, assets);
    if (path === undefined) return undefined;
    const restored = resolveAddress({ ...image, text: path, value: spelling?.value ?? path }, folder, assets);
    return restored === image.text ? path : undefined;
  });
  return applyEdits(text, edits);
}

/** A spelling is reused only where the same characters are special. */
const spellingKey = ({ within, hasReferences }: ImageAddress, address: string) =>
  `${within} ${hasReferences} ${address}`;

/** Returns the public address of a path; undefined if it has none or the address can't be written there. */
function resolveAddress(image: ImageAddress, folder: string, assets: Assets) {
  if (!isRelative(image.value)) return undefined;
  const [path, rest] = splitPath(image.text);
  // Browsers read a backslash as a slash, and styles as an escape.
  if (path === '' || path.includes('\\')) return undefined;
  const joined = posix.join(escapeForImage(folder, image), path);
  for (const [prefix, address] of assets) {
    const start = `${escapeForImage(prefix, image)}/`;
    if (!joined.startsWith(start)) continue;
    const replacement = `${escapeForImage(address, image)}/${joined.slice(start.length)}${rest}`;
    return isSafe(image, replacement) ? replacement : undefined;
  }
  return undefined;
}

/** Returns the path of a public address. The longest matching address in `assets` wins. */
function resolvePath(image: ImageAddress, folder: string, assets: Assets) {
  const matches = assets.filter(([, address]) => image.text.startsWith(`${escapeForImage(address, image)}/`));
  const [asset] = matches.toSorted(([, one], [, other]) => other.length - one.length);
  if (!asset) return undefined;
  const [prefix, address] = asset;
  const path = image.text.slice(escapeForImage(address, image).length);
  const nameStart = splitPath(path)[0].lastIndexOf('/');
  const parent = posix.relative(
    escapeForImage(folder, image),
    escapeForImage(prefix, image) + path.slice(0, nameStart),
  );
  const relative = (parent && `${parent}/`) + path.slice(nameStart + 1);
  // The first segment must not resemble a scheme, a tag or a query.
  return /^[^:{#%&?/]+(?:\/|$)/u.test(relative) ? relative : `./${relative}`;
}

/** Splits an address before its query, its fragment or its first merge tag. */
function splitPath(address: string): readonly [path: string, rest: string] {
  const end = /[?#{]|$/u.exec(address)?.index ?? address.length;
  return [address.slice(0, end), address.slice(end)];
}

function escapeForImage(text: string, { hasReferences }: ImageAddress) {
  return hasReferences ? text.replaceAll('&', '&amp;') : text;
}

/** Characters that would end an address or change its meaning. */
const UNSAFE_CHARACTERS = {
  quotes: /["'<>\\\n\r\f]/u,
  nothing: /[\s"'`()<>=\\]/u,
  candidates: /[\s"'<>\\]|^,|,$/u,
};

/** Returns whether a path and an address can replace each other, apart from their common suffix. */
function isSafe({ text, within }: ImageAddress, replacement: string) {
  let shared = 0;
  while (shared < Math.min(text.length, replacement.length) && text.at(-1 - shared) === replacement.at(-1 - shared))
    shared += 1;
  return [text, replacement].every((one) => !UNSAFE_CHARACTERS[within].test(one.slice(0, one.length - shared)));
}

const createEdits = (images: readonly ImageAddress[], replace: (image: ImageAddress) => string | undefined) =>
  images.flatMap((image) => {
    const text = replace(image);
    return text === undefined ? [] : [{ start: image.start, end: image.end, text }];
  });
