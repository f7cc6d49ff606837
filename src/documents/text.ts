import { createHash } from 'node:crypto';

/*
 * Two texts are the same document where they differ in nothing but line endings and a leading byte order mark: editors
 * and services change both without anybody having edited anything.
 */

/** The text in the form in which texts are compared. */
export function normalize(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** Identifies what a text says. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(normalize(text)).digest('base64url');
}

export function sameText(one: string, other: string): boolean {
  return one === other || normalize(one) === normalize(other);
}

/** Equality of field values: texts by `sameText`, "no value" in all its forms, others by their JSON. */
export function sameValue(one: unknown, other: unknown): boolean {
  const left = one ?? '';
  const right = other ?? '';
  if (typeof left === 'string' && typeof right === 'string') return sameText(left, right);
  return JSON.stringify(left) === JSON.stringify(right);
}
