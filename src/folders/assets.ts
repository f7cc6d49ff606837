import { posix } from 'node:path';
import type { DefaultTreeAdapterTypes } from 'parse5';

/** Folders with images, and the public address that each stands for, the longest path first. */
export type Assets = readonly (readonly [path: string, address: string])[];

/** The address of an image in a text, with UTF-16 offsets. */
export interface ImageAddress {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Attributes that name an image, and elements that name other things by them. */
const imageAttributes = ['src', 'background', 'poster'];
const cssAddress = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s][^)\s]*))\s*\)/giu;

/** Where the HTML of an e-mail names images. The parser is loaded with the first. */
export async function imagesOf(html: string): Promise<readonly ImageAddress[]> {
  const { parse } = await import('parse5');
  const found: ImageAddress[] = [];
  const walk = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes) {
      if (!('attrs' in child)) continue;
      for (const [name, place] of Object.entries(child.sourceCodeLocation?.attrs ?? {})) {
        const written = html.slice(place.startOffset, place.endOffset);
        const [before = '', value = ''] = /^([^=]*=\s*["']?)([\s\S]*?)["']?$/u.exec(written)?.slice(1) ?? [];
        const start = place.startOffset + before.length;
        if (imageAttributes.includes(name)) found.push({ start, end: start + value.length, text: value });
        else if (name === 'style') found.push(...addressesInStyle(value, start));
      }
      const inner = child.sourceCodeLocation;
      if (child.nodeName === 'style' && inner?.startTag && inner.endTag) {
        const start = inner.startTag.endOffset;
        found.push(...addressesInStyle(html.slice(start, inner.endTag.startOffset), start));
      }
      walk('content' in child ? child.content : child);
    }
  };
  walk(parse(html, { sourceCodeLocationInfo: true }));
  return found.sort((one, other) => one.start - other.start);
}

/** Where a style names images. `start`: offset of the style in its document. */
export function addressesInStyle(style: string, start: number = 0): readonly ImageAddress[] {
  return [...style.matchAll(cssAddress)].map((match) => {
    const text = match[1] ?? match[2] ?? match[3] ?? '';
    const at = start + match.index + match[0].indexOf(text, 4);
    return { start: at, end: at + text.length, text };
  });
}

/** Whether an address is the path of a file beside the e-mail, which no reader of the e-mail can see. */
export function isRelative(address: string): boolean {
  return address.trim() !== '' && !/^\s*(?:[a-z][a-z0-9+.-]*:|\/|#|\{|%7b)/iu.test(address);
}

/**
 * Puts public addresses in place of paths.
 * @param folder that the paths begin from
 */
export function withAddresses(text: string, images: readonly ImageAddress[], folder: string, assets: Assets): string {
  return replaced(text, images, ({ text: written }) => {
    if (!isRelative(written)) return undefined;
    const path = posix.join(folder, written.trim());
    const asset = assets.find(([prefix]) => path.startsWith(`${prefix}/`));
    return asset && `${asset[1]}${path.slice(asset[0].length)}`;
  });
}

/** Puts paths in place of public addresses: the other way round. */
export function withPaths(text: string, images: readonly ImageAddress[], folder: string, assets: Assets): string {
  return replaced(text, images, ({ text: written }) => {
    const asset = assets.find(([, address]) => written.startsWith(`${address}/`));
    return asset && posix.relative(folder, `${asset[0]}${written.slice(asset[1].length)}`);
  });
}

function replaced(text: string, images: readonly ImageAddress[], by: (image: ImageAddress) => string | undefined): string {
  let last = 0;
  const pieces = images.flatMap((image) => {
    const replacement = by(image);
    if (replacement === undefined) return [];
    const before = text.slice(last, image.start);
    last = image.end;
    return [before, replacement];
  });
  return pieces.join('') + text.slice(last);
}
