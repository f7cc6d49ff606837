import { fingerprint, normalize } from '../../platform/documents/model.ts';

/** The fields of a record that are texts, by the API document's names. One that is absent is not kept on that side. */
export type Texts = Readonly<Record<string, string>>;

/** What a field was on both sides when they last agreed: fingerprints. A service may keep a text differently than it was sent. */
export interface FieldBase {
  readonly local: string;
  readonly remote: string;
}
export type Base = Readonly<Record<string, FieldBase>>;

/** Where a field differs, and on which side it was changed since. */
export type FieldState = 'same' | 'push' | 'pull' | 'both';

/** What a text says: line ends, a byte order mark and white space at its end are changed by editors and services, and say nothing. */
export function printOf(text: string): string {
  return fingerprint(normalize(text).trimEnd());
}

const emptyPrint = printOf('');

/** By content alone: times are never asked. */
export function stateOfField(base: FieldBase | undefined, local: string | undefined, remote: string): FieldState {
  if (local === remote) return 'same';
  const theirs = printOf(remote);
  // A field that the folder does not have is not its own: it comes with the next change on the service.
  if (local === undefined) return theirs === (base?.remote ?? emptyPrint) ? 'same' : 'pull';
  const ours = printOf(local);
  if (ours === theirs) return 'same';
  if (base === undefined) {
    if (ours === emptyPrint) return 'pull';
    return theirs === emptyPrint ? 'push' : 'both';
  }
  const isOurs = ours !== base.local;
  const isTheirs = theirs !== base.remote;
  if (isOurs) return isTheirs ? 'both' : 'push';
  return isTheirs ? 'pull' : 'same';
}

/** The state of each field of a record, but those that are the same. */
export function changesOf(base: Base, local: Texts, remote: Texts): ReadonlyMap<string, Exclude<FieldState, 'same'>> {
  const changes = new Map<string, Exclude<FieldState, 'same'>>();
  for (const [name, text] of Object.entries(remote)) {
    const state = stateOfField(base[name], local[name], text);
    if (state !== 'same') changes.set(name, state);
  }
  return changes;
}

/** What is known of both sides now, as the base of what comes next. Fields that are still different keep the base they have. */
export function agreed(base: Base, local: Texts, remote: Texts): Base {
  const entries = Object.entries(remote).map(([name, theirs]): readonly [string, FieldBase] | undefined => {
    const ours = local[name];
    const print = printOf(theirs);
    const kept = base[name];
    const isSame = ours === undefined ? stateOfField(kept, ours, theirs) === 'same' : printOf(ours) === print;
    return isSame ? [name, { local: print, remote: print }] : kept && [name, kept];
  });
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
