import { createHash } from 'node:crypto';

/** Texts of a record by field name. The folder doesn't manage a missing field. */
export type FieldTexts = Readonly<Record<string, string>>;

/** Hashes of a field after the last sync. They differ if the service stores a text in another form than it was sent. */
export interface FieldBase {
  readonly local: string;
  readonly remote: string;
  /** The lock has a newer base, which the folder's text doesn't come from. */
  readonly isOlder?: true;
}
export type Base = Readonly<Record<string, FieldBase>>;

/** The side on which a field changed since the last sync. */
export type FieldState = 'push' | 'pull' | 'both';

/** Returns a text in the form used for comparisons. Editors and services change line ends and the byte order mark without an edit. */
export function normalizeText(text: string): string {
  const marked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // Most texts have none, and `includes` is much faster than `replace`.
  return marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked;
}

/** Returns the SHA-256 hash of the normalized text. */
export function hashText(text: string): string {
  return createHash('sha256').update(normalizeText(text)).digest('base64url');
}

/** Hashes a text without line ends, byte order mark and trailing white space, which editors and services change. */
export function contentHash(text: string): string {
  return hashText(normalizeText(text).trimEnd());
}

export function hashFields(texts: FieldTexts): FieldTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, contentHash(text)]));
}

/** Returns some fields. A missing one is empty. */
export function pickTexts(texts: FieldTexts, names: Iterable<string>): FieldTexts {
  return Object.fromEntries(Array.from(names, (name) => [name, texts[name] ?? '']));
}

/** Returns the fields whose content differs in two versions. */
export function findDifferent(texts: FieldTexts, other: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => contentHash(texts[name] ?? '') !== contentHash(other[name] ?? ''));
}

const EMPTY_TEXT_HASH = contentHash('');

/** Compares content only, never timestamps. Returns undefined if both sides are equal. */
function getFieldState(base: FieldBase | undefined, local: string | undefined, remote: string): FieldState | undefined {
  if (local === remote) return undefined;
  const theirs = contentHash(remote);
  // A field that is missing in the folder is pulled with the next change on the service.
  if (local === undefined) return theirs === (base?.remote ?? EMPTY_TEXT_HASH) ? undefined : 'pull';
  const ours = contentHash(local);
  if (ours === theirs) return undefined;
  if (!base) {
    if (ours === EMPTY_TEXT_HASH) return 'pull';
    return theirs === EMPTY_TEXT_HASH ? 'push' : 'both';
  }
  const isChangedRemotely = theirs !== base.remote;
  if (ours !== base.local) return isChangedRemotely ? 'both' : 'push';
  return isChangedRemotely ? 'pull' : undefined;
}

/** Returns the state of each field that differs. */
export function findChanges(base: Base, local: FieldTexts, remote: FieldTexts): ReadonlyMap<string, FieldState> {
  const changes = new Map<string, FieldState>();
  for (const [name, text] of Object.entries(remote)) {
    const state = getFieldState(base[name], local[name], text);
    if (state !== undefined) changes.set(name, state);
  }
  return changes;
}

/** Returns the base for the next comparison. Fields that still differ keep their previous base. */
export function mergeBase(base: Base, local: FieldTexts, remote: FieldTexts): Base {
  const entries = Object.entries(remote).flatMap(([name, theirs]) => {
    const [ours, previous] = [local[name], base[name]];
    const hash = contentHash(theirs);
    const isEqual =
      ours === undefined ? getFieldState(previous, ours, theirs) === undefined : contentHash(ours) === hash;
    if (isEqual) return [[name, { local: hash, remote: hash }]];
    return previous ? [[name, previous]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns the base of fields after a transfer. The service may store another form than it was sent, so the base has both. */
export function createBase(sent: FieldTexts, remote: FieldTexts): Base {
  const entries = Object.entries(sent).map(([name, text]) => [
    name,
    { local: contentHash(text), remote: contentHash(remote[name] ?? '') },
  ]);
  return Object.fromEntries(entries);
}
