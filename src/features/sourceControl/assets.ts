import { posix } from 'node:path';
import type { ImageAddress } from '../../email/checks/images.ts';

/** Folders with images, and the public address that each stands for, the longest path first. */
export type Assets = readonly (readonly [path: string, address: string])[];

/** Finds the images of a text. */
export type FindImages = (text: string, format: 'html' | 'css') => Promise<readonly ImageAddress[]>;

/** Whether a text holds anything that names an image, or that may spell it: without, nothing has to be parsed. */
export function mayNameImages(text: string): boolean {
  return /src|background|poster|href|url|image|[\\&]/iu.test(text);
}

/** Whether an address is the path of a file beside the email, which no reader of the email can see. */
export function isRelative(address: string): boolean {
  return address.trim() !== '' && !/^\s*(?:[a-z][a-z0-9+.-]*:|\/|#|\{|%7b)/iu.test(address);
}

/**
 * Puts public addresses in place of paths.
 * @param folder that the paths begin from
 */
export function withAddresses(text: string, images: readonly ImageAddress[], folder: string, assets: Assets): string {
  return replaceImages(text, images, (image) => resolveAddress(image, folder, assets));
}

/**
 * Puts paths in place of public addresses. Leaves those that `withAddresses` wouldn't restore exactly.
 * @param folder that the paths begin from
 * @param existing images of the file that the text replaces: what stays in it stays spelled as it is
 */
export function withPaths(
  text: string,
  images: readonly ImageAddress[],
  folder: string,
  assets: Assets,
  existing: readonly ImageAddress[] = [],
): string {
  const spellings = collectSpellings(existing, folder, assets);
  return replaceImages(text, images, (image) => {
    const same = spellings.get(spellingKey(image, image.text)) ?? [];
    const spelling = same.length > 1 ? same.pop() : same[0];
    if (spelling?.text === image.text) return undefined;
    const path = spelling?.text ?? resolvePath(image, folder, assets);
    if (path === undefined) return undefined;
    const restored = resolveAddress({ ...image, text: path, value: spelling?.value ?? path }, folder, assets);
    return restored === image.text ? path : undefined;
  });
}

/** How a file spells its addresses, the first of each last. */
function collectSpellings(
  images: readonly ImageAddress[],
  folder: string,
  assets: Assets,
): ReadonlyMap<string, ImageAddress[]> {
  const spellings = new Map<string, ImageAddress[]>();
  for (const image of images.toReversed()) {
    const key = spellingKey(image, resolveAddress(image, folder, assets) ?? image.text);
    const same = spellings.get(key);
    if (same) same.push(image);
    else spellings.set(key, [image]);
  }
  return spellings;
}

/** Addresses are spelled alike only in places where the same characters have a meaning. */
const spellingKey = ({ within, hasReferences }: ImageAddress, address: string): string =>
  `${within} ${hasReferences} ${address}`;

/** The public address of a path; undefined if it has none, or none that can stand in its place. */
function resolveAddress(image: ImageAddress, folder: string, assets: Assets): string | undefined {
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

/** The path that a public address stands for, by the most specific address of `assets` that it begins with. */
function resolvePath(image: ImageAddress, folder: string, assets: Assets): string | undefined {
  const named = assets.filter(([, address]) => image.text.startsWith(`${escapeForImage(address, image)}/`));
  const [asset] = named.toSorted(([, one], [, other]) => other.length - one.length);
  if (asset === undefined) return undefined;
  const [prefix, address] = asset;
  const path = image.text.slice(escapeForImage(address, image).length);
  const nameStart = splitPath(path)[0].lastIndexOf('/');
  const parent = posix.relative(
    escapeForImage(folder, image),
    escapeForImage(prefix, image) + path.slice(0, nameStart),
  );
  const relative = (parent && `${parent}/`) + path.slice(nameStart + 1);
  // Nothing in its first part makes it look like something else than a path.
  return /^[^:{#%&?/]+(?:\/|$)/u.test(relative) ? relative : `./${relative}`;
}

/** Splits an address before its query, its fragment or its first tag: what follows is no path. */
function splitPath(address: string): readonly [path: string, rest: string] {
  const end = /[?#{]|$/u.exec(address)?.index ?? address.length;
  return [address.slice(0, end), address.slice(end)];
}

/** A path or an address as it is written at the place of an image. */
function escapeForImage(text: string, { hasReferences }: ImageAddress): string {
  return hasReferences ? text.replaceAll('&', '&amp;') : text;
}

/** What would end an address, or be read as something else. */
const UNSAFE_CHARACTERS: Readonly<Record<ImageAddress['within'], RegExp>> = {
  quotes: /["'<>\\\n\r\f]/u,
  nothing: /[\s"'`()<>=\\]/u,
  candidates: /[\s"'<>\\]|^,|,$/u,
};

/** Whether a path and an address can stand in each other's place, apart from the end that they share. */
function isSafe({ text, within }: ImageAddress, replacement: string): boolean {
  let shared = 0;
  while (shared < Math.min(text.length, replacement.length) && text.at(-1 - shared) === replacement.at(-1 - shared))
    shared += 1;
  return [text, replacement].every((one) => !UNSAFE_CHARACTERS[within].test(one.slice(0, one.length - shared)));
}

function replaceImages(
  text: string,
  images: readonly ImageAddress[],
  by: (image: ImageAddress) => string | undefined,
): string {
  let last = 0;
  const segments = images.flatMap((image) => {
    const replacement = by(image);
    if (replacement === undefined) return [];
    const before = text.slice(last, image.start);
    last = image.end;
    return [before, replacement];
  });
  return segments.join('') + text.slice(last);
}
