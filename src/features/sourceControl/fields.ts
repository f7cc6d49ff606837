import { hashText, normalizeText } from '../../platform/documents/differences.ts';

/** Texts of a record by field name. The folder doesn't manage a missing field. */
export type FieldTexts = Readonly<Record<string, string>>;

/** Hashes of a field after the last sync. They differ if the service stores a text in another form than it was sent. */
export interface FieldBase {
  readonly local: string;
  readonly remote: string;
}
export type Base = Readonly<Record<string, FieldBase>>;

/** The side on which a field changed since the last sync. */
export type FieldState = 'same' | 'push' | 'pull' | 'both';

/** Hashes a text without line ends, byte order mark and trailing white space, which editors and services change. */
export function contentHash(text: string): string {
  return hashText(normalizeText(text).trimEnd());
}

const EMPTY_TEXT_HASH = contentHash('');

/** Compares content only, never timestamps. */
export function getFieldState(base: FieldBase | undefined, local: string | undefined, remote: string): FieldState {
  if (local === remote) return 'same';
  const theirs = contentHash(remote);
  // A field that is missing in the folder is pulled with the next change on the service.
  if (local === undefined) return theirs === (base?.remote ?? EMPTY_TEXT_HASH) ? 'same' : 'pull';
  const ours = contentHash(local);
  if (ours === theirs) return 'same';
  if (base === undefined) {
    if (ours === EMPTY_TEXT_HASH) return 'pull';
    return theirs === EMPTY_TEXT_HASH ? 'push' : 'both';
  }
  const isChangedLocally = ours !== base.local;
  const isChangedRemotely = theirs !== base.remote;
  if (isChangedLocally) return isChangedRemotely ? 'both' : 'push';
  return isChangedRemotely ? 'pull' : 'same';
}

/** Returns the state of each field that differs. */
export function findChanges(
  base: Base,
  local: FieldTexts,
  remote: FieldTexts,
): ReadonlyMap<string, Exclude<FieldState, 'same'>> {
  const changes = new Map<string, Exclude<FieldState, 'same'>>();
  for (const [name, text] of Object.entries(remote)) {
    const state = getFieldState(base[name], local[name], text);
    if (state !== 'same') changes.set(name, state);
  }
  return changes;
}

/** Returns the base for the next comparison. Fields that still differ keep their previous base. */
export function mergeBase(base: Base, local: FieldTexts, remote: FieldTexts): Base {
  const entries = Object.entries(remote).map(([name, theirs]): readonly [string, FieldBase] | undefined => {
    const ours = local[name];
    const remoteHash = contentHash(theirs);
    const previous = base[name];
    const isEqual =
      ours === undefined ? getFieldState(previous, ours, theirs) === 'same' : contentHash(ours) === remoteHash;
    return isEqual ? [name, { local: remoteHash, remote: remoteHash }] : previous && [name, previous];
  });
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
