import {
  contentHash,
  hashFields,
  pickTexts,
  type Base,
  type FieldBase,
  type FieldState,
  type FieldTexts,
} from '../fields/fields.ts';
import { hasMarks } from '../merge/merge.ts';

/** The local and remote texts of a template, their common base, and the fields that differ. */
export interface TemplateComparison {
  readonly local: FieldTexts;
  readonly remote: FieldTexts;
  readonly base: Base;
  readonly changes: ReadonlyMap<string, FieldState>;
}

/**
 * Why a push stores nothing:
 * - `stale`: the built output is out of date.
 * - `changed`: the fields changed after the user confirmed the push.
 * - `noBase`: the lock has no state that the texts come from. Pull first.
 * - `older`: the texts are older than those on the service. Pull first.
 * - `newer`: the fields changed on the service. Pull first.
 * - `unresolved`: the fields contain conflict markers.
 * - `unconfirmed`: the service may still store the fields of an earlier push.
 * - `protected`: pushes to the connection need permission.
 */
export type RefusalKind =
  'stale' | 'changed' | 'noBase' | 'older' | 'newer' | 'unresolved' | 'unconfirmed' | 'protected';

export interface Refusal<Kind = RefusalKind> {
  readonly kind: Kind;
  readonly fields: readonly string[];
  /** Why an output is `stale`: a sentence for the user. */
  readonly cause?: string;
}

export type PullResult =
  | Refusal<'unresolved'>
  | {
      readonly kind: 'pulled';
      /** Fields replaced by the service's text. */
      readonly updated: readonly string[];
      readonly merged: readonly string[];
      /** Fields with conflict markers. */
      readonly conflicts: readonly string[];
      /** Fields in `conflicts` that were too large to merge: the markers enclose their whole text. */
      readonly tooLarge?: readonly string[];
      /** Built fields, which are never written. */
      readonly skipped: readonly string[];
    };

export type PushResult =
  | { readonly kind: 'same' }
  | Refusal
  | {
      readonly kind: 'stored';
      readonly fields: readonly string[];
      readonly storedDifferently: readonly string[];
      /** Why the stored fields couldn't be read back. */
      readonly readBackError?: unknown;
      /** Why `mailing.lock.json` couldn't be updated. */
      readonly lockError?: unknown;
    };

/** A push as the user confirms it. */
export interface ConfirmedPush {
  /** The only fields and texts that may be stored. */
  readonly texts: FieldTexts;
  /** Hashes of the service's texts that the user chose to overwrite. */
  readonly overwrite?: FieldTexts | undefined;
}

/** What a push of a template would do. */
export interface PushPlan extends ConfirmedPush {
  readonly comparison: TemplateComparison;
  /** Why nothing may be stored, if there is a reason. */
  readonly refusal?: Refusal | undefined;
  /** Whether the folder has changes. A template without any may still need a pull. */
  readonly hasOwnChanges: boolean;
  /** Whether a field is overwritten that changed on the service. */
  readonly isOverwriting: boolean;
}

/** A plan with the images in its texts that recipients can't see, because they are local files. */
export interface CheckedPlan extends PushPlan {
  readonly localImages: readonly string[];
}

/**
 * Decides the push of a compared template.
 * @param overwrite hashes of the service's texts that the user chose to overwrite; a field with another text there blocks
 * @param confirmed the texts that the user confirmed, if any; the folder must still have them
 */
export function planPush(
  comparison: TemplateComparison,
  { overwrite = {}, texts: confirmed }: Partial<ConfirmedPush> = {},
): PushPlan {
  const { local, remote, base, changes } = comparison;
  const outgoing: string[] = [];
  const behind: string[] = [];
  for (const [name, state] of changes) {
    const isOverwritten = local[name] !== undefined && overwrite[name] === contentHash(remote[name] ?? '');
    if (state === 'push' || isOverwritten) outgoing.push(name);
    // There is nothing to push if the folder never had a field.
    else if (local[name] !== undefined || base[name]) behind.push(name);
  }
  const texts = pickTexts(local, outgoing);
  const isChanged = (name: string) => confirmed !== undefined && local[name] !== confirmed[name];
  const refusals: readonly Refusal[] = [
    { kind: 'changed', fields: Object.keys({ ...confirmed, ...texts }).filter(isChanged) },
    { kind: getBehindKind(behind.map((name) => base[name])), fields: behind },
    { kind: 'unresolved', fields: findUnresolved(texts, remote) },
  ];
  return {
    comparison,
    texts,
    overwrite,
    refusal: refusals.find(({ fields }) => fields.length > 0),
    hasOwnChanges:
      outgoing.length > 0 || [...changes].some(([name, state]) => state === 'both' || base[name]?.isOlder === true),
    isOverwriting: outgoing.some((name) => overwrite[name] !== undefined),
  };
}

function getBehindKind(bases: readonly (FieldBase | undefined)[]) {
  if (bases.includes(undefined)) return 'noBase';
  return bases.some((base) => base?.isOlder === true) ? 'older' : 'newer';
}

/** Returns the hashes of the service's texts that are shown to the user, who may choose to overwrite them. */
export function hashShownTexts({ base, changes, local, remote }: TemplateComparison, withoutBase = false): FieldTexts {
  const isShown = (field: string) => local[field] !== undefined && !(withoutBase && base[field]);
  return hashFields(pickTexts(remote, [...changes.keys()].filter(isShown)));
}

/** Returns the fields with conflict markers that aren't part of the service's text. */
export function findUnresolved(texts: FieldTexts, remote: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => hasMarks(texts[name] ?? '', remote[name]));
}
