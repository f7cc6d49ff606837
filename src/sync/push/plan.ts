import { contentHash, pickTexts, type Base, type FieldState, type FieldTexts } from '../fields/fields.ts';
import { hasMarks } from '../merge/merge.ts';

/** The local and remote texts of a template, their common base, and the fields that differ. */
export interface TemplateComparison {
  readonly local: FieldTexts;
  readonly remote: FieldTexts;
  readonly base: Base;
  readonly changes: ReadonlyMap<string, FieldState>;
}

/** Some fields still contain conflict markers. Nothing was changed. */
interface UnresolvedConflicts {
  readonly kind: 'unresolved';
  readonly fields: readonly string[];
}

export type PullResult =
  | UnresolvedConflicts
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
  /** These fields changed on the service. Pull first. */
  | { readonly kind: 'behind'; readonly fields: readonly string[] }
  /** These fields changed after the user confirmed the push. Nothing was stored. */
  | { readonly kind: 'changed'; readonly fields: readonly string[] }
  | UnresolvedConflicts
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
export interface PushPlan {
  /** The only fields and texts that may be stored. */
  readonly texts: FieldTexts;
  /** Hashes of the service's texts that the user chose to overwrite. */
  readonly overwrite?: FieldTexts;
}

/**
 * Returns the push of a compared template, and the fields that changed on the service, which block it.
 * @param overwrite hashes of the service's texts that the user chose to overwrite; a field with another text there blocks
 */
export function planPush(
  { local, remote, base, changes }: TemplateComparison,
  overwrite: FieldTexts = {},
): Required<PushPlan> & { readonly behind: readonly string[] } {
  const outgoing: string[] = [];
  const behind: string[] = [];
  for (const [name, state] of changes) {
    const isOverwritten = local[name] !== undefined && overwrite[name] === contentHash(remote[name] ?? '');
    if (state === 'push' || isOverwritten) outgoing.push(name);
    // There is nothing to push if the folder never had a field.
    else if (local[name] !== undefined || base[name] !== undefined) behind.push(name);
  }
  return { texts: pickTexts(local, outgoing), overwrite, behind };
}

/** Returns the fields to store, and why a template must not be pushed as the user confirmed it. */
export function checkPush(
  comparison: TemplateComparison,
  confirmed: PushPlan,
): { readonly fields: FieldTexts; readonly refusal?: PushResult } {
  const { local, remote } = comparison;
  const { texts: fields, behind } = planPush(comparison, confirmed.overwrite);
  const changed = Object.keys({ ...confirmed.texts, ...fields }).filter(
    (name) => local[name] !== confirmed.texts[name],
  );
  if (changed.length > 0) return { fields, refusal: { kind: 'changed', fields: changed } };
  if (behind.length > 0) return { fields, refusal: { kind: 'behind', fields: behind } };
  const unresolved = findUnresolved(fields, remote);
  return unresolved.length > 0 ? { fields, refusal: { kind: 'unresolved', fields: unresolved } } : { fields };
}

/** Returns the fields with conflict markers that aren't part of the service's text. */
export function findUnresolved(texts: FieldTexts, remote: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => hasMarks(texts[name] ?? '', remote[name]));
}
