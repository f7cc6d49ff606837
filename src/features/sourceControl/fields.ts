import { hashText, normalizeText } from '../../platform/documents/model.ts';

/** The fields of a record that are texts, by the API document's names. One that is absent is not kept on that side. */
export type FieldTexts = Readonly<Record<string, string>>;

/** What a field was on both sides when they last agreed: fingerprints. A service may keep a text differently than it was sent. */
export interface FieldBase {
  readonly local: string;
  readonly remote: string;
}
export type Base = Readonly<Record<string, FieldBase>>;

/** Where a field differs, and on which side it was changed since. */
export type FieldState = 'same' | 'push' | 'pull' | 'both';

/** What a text says: line ends, a byte order mark and white space at its end are changed by editors and services, and say nothing. */
export function contentHash(text: string): string {
  return hashText(normalizeText(text).trimEnd());
}

const EMPTY_TEXT_HASH = contentHash('');

/** By content alone: times are never asked. */
export function getFieldState(base: FieldBase | undefined, local: string | undefined, remote: string): FieldState {
  if (local === remote) return 'same';
  const theirs = contentHash(remote);
  // A field that the folder does not have is not its own: it comes with the next change on the service.
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

/** The state of each field of a record, but those that are the same. */
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

/** What is known of both sides now, as the base of what comes next. Fields that are still different keep the base they have. */
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
