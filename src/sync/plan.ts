import { contentHash, pickTexts, type Base, type FieldState, type FieldTexts } from './fields.ts';
import { hasMarks } from './merge.ts';

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
    };

/** A push as the user confirms it. */
export interface PushPlan {
  /** The only fields and texts that may be stored. */
  readonly texts: FieldTexts;
  /** Hashes of the service's texts that the user chose to overwrite. */
  readonly overwrite?: FieldTexts;
}

/** Returns the push of a compared template, and the fields that changed on the service, which block it. */
export function planPush(
  comparison: TemplateComparison,
  overwrite: FieldTexts = {},
): Required<PushPlan> & { readonly behind: readonly string[] } {
  const names = [...comparison.changes.keys()];
  const isOutgoing = (name: string): boolean =>
    comparison.changes.get(name) === 'push' || overwrite[name] !== undefined;
  return {
    texts: pickTexts(comparison.local, names.filter(isOutgoing)),
    overwrite,
    behind: names.filter((name) => !isOutgoing(name) && !isRemoteOnly(comparison, name)),
  };
}

/** Returns whether the folder never had a field, so that there is nothing to push. */
function isRemoteOnly({ local, base }: TemplateComparison, name: string): boolean {
  return local[name] === undefined && base[name] === undefined;
}

/** Returns a comparison without the fields that the folder never had. */
export function withoutRemoteOnly(comparison: TemplateComparison): TemplateComparison {
  const changes = [...comparison.changes].filter(([name]) => !isRemoteOnly(comparison, name));
  return { ...comparison, changes: new Map(changes) };
}

/** Returns why a template must not be pushed; undefined if it may. */
export function findRefusal(
  { local, remote, changes }: TemplateComparison,
  { texts, overwrite = {} }: PushPlan,
): PushResult | undefined {
  const isConfirmed = (name: string): boolean =>
    local[name] !== undefined && overwrite[name] === contentHash(remote[name] ?? '');
  const [outgoing, behind] = [new Set(Object.keys(texts)), new Set<string>()];
  for (const [name, state] of changes) (state === 'push' || isConfirmed(name) ? outgoing : behind).add(name);
  const changed = [...outgoing].filter((name) => local[name] !== texts[name]);
  if (changed.length > 0) return { kind: 'changed', fields: changed };
  if (behind.size > 0) return { kind: 'behind', fields: [...behind] };
  const unresolved = findUnresolved(pickTexts(local, changes.keys()), remote);
  return unresolved.length > 0 ? { kind: 'unresolved', fields: unresolved } : undefined;
}

/** Returns the fields with conflict markers that aren't part of the service's text. */
export function findUnresolved(texts: FieldTexts, remote: FieldTexts): readonly string[] {
  return Object.keys(texts).filter((name) => hasMarks(texts[name] ?? '', remote[name]));
}
