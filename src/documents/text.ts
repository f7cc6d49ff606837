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

/** Lists of ids are sets: neither their order nor a repetition says anything. */
function asSet(_: string, value: unknown): unknown {
  const isIds = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id));
  return isIds ? [...new Set(value as readonly number[])].sort((one, other) => one - other) : value;
}

/** Equality of field values: texts by `sameText`, "no value" in all its forms, lists of ids as sets, others by their JSON. */
export function sameValue(one: unknown, other: unknown): boolean {
  const left = one ?? '';
  const right = other ?? '';
  if (typeof left === 'string' && typeof right === 'string') return sameText(left, right);
  return JSON.stringify(left, asSet) === JSON.stringify(right, asSet);
}

/** A text under the byte order mark of the one that it replaces: editors hide it, so nobody has taken it away. */
export function withMarkOf(value: unknown, replaced: unknown): unknown {
  const isMarked = (text: unknown): text is string => typeof text === 'string' && text.startsWith('\uFEFF');
  return typeof value === 'string' && isMarked(replaced) && !isMarked(value) ? `\uFEFF${value}` : value;
}
