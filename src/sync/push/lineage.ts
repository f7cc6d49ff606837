import { contentHash, type Base, type FieldBase, type FieldTexts } from '../fields/fields.ts';
import type { Target } from '../mapping/mapping.ts';
import { compareOrigin, hasAllChanges } from '../merge/merge.ts';
import type { PushJournal } from '../requests/pushJournal.ts';
import type { RevisionStore, TemplateRef } from './revisions.ts';

/** Reads a template's committed texts, those of the current commit first, then of the commits that it comes from. */
export type ReadHistory = (target: Target) => AsyncIterable<FieldTexts>;

interface LineageParts {
  readonly revisions: RevisionStore;
  readonly journal: PushJournal;
  /** Undefined if the folder isn't in a repository, or its history can't be read. */
  readonly readHistory?: ReadHistory | undefined;
}

/**
 * Finds the state that the texts of a folder come from. The lock may name another one: a branch was switched without it, it was merged
 * alone, or a push had no response.
 */
export class Lineage {
  readonly #parts: LineageParts;
  /** Templates with an earlier state that the user restored. */
  readonly #restored = new Set<string>();

  constructor(parts: LineageParts) {
    this.#parts = parts;
  }

  /** Accepts older texts as edits until the next base is recorded. */
  acceptOlder(target: TemplateRef): void {
    this.#restored.add(refKey(target));
  }

  /** Treats older texts as outdated again. */
  rejectOlder(target: TemplateRef): void {
    this.#restored.delete(refKey(target));
  }

  /** Returns the base to compare with. A field without one is a conflict. */
  async adjustBase(target: Target, base: Base, local: FieldTexts, remote: FieldTexts): Promise<Base> {
    const { base: confirmed, outdated } = await this.#confirmSends(target, base, local, remote);
    const result = { ...confirmed };
    const isEdited = ([name, field]: [string, FieldBase]) => {
      const text = local[name];
      return text !== undefined && ![field.local, contentHash(remote[name] ?? '')].includes(contentHash(text));
    };
    const edited = new Map(this.#restored.has(refKey(target)) ? [] : Object.entries(base).filter(isEdited));
    for (const [name, field] of Object.entries(result)) if (outdated.includes(name)) edited.set(name, field);
    if (edited.size === 0) return result;
    // First the history: a commit may return to an older text on purpose, as a revert does.
    const committed: FieldTexts[] = [];
    for await (const texts of this.#parts.readHistory?.(target) ?? []) {
      committed.push(texts);
      for (const [name, field] of edited) if (contentHash(texts[name] ?? '') === field.local) edited.delete(name);
      if (edited.size === 0) return result;
    }
    const revisions = await this.#parts.revisions.getRevisions(target);
    const stored = [remote, ...revisions.filter(({ isLocal }) => isLocal !== true).map(({ texts }) => texts)];
    for (const name of edited.keys()) {
      const hash = contentHash(local[name] ?? '');
      if (!listTexts(stored, name).some((text) => contentHash(text) === hash)) continue;
      result[name] = olderBase(hash);
      edited.delete(name);
    }
    for (const [name, field] of edited) {
      const origin = findOrigin(local[name] ?? '', field, listTexts(stored, name), listTexts(committed, name));
      if (origin === 'unknown') delete result[name];
      else if (origin) result[name] = origin;
    }
    return result;
  }

  /**
   * Treats a remote text equal to an unconfirmed send as our own. Any other remote text may derive from that send or from the base, so the
   * field then has no base.
   * @returns also the fields whose text was on the service before that send: another branch has them, or a crash kept the base from being recorded
   */
  async #confirmSends(target: Target, base: Base, local: FieldTexts, remote: FieldTexts) {
    const hasChanged = ([name, field]: [string, FieldBase]) =>
      local[name] !== remote[name] && contentHash(remote[name] ?? '') !== field.remote;
    // Reads the records only if a field changed on the service, which is rare.
    if (!Object.entries(base).some(hasChanged)) return { base, outdated: [] };
    const unconfirmed = await this.#parts.journal.getUnconfirmedHashes(target);
    const revisions = unconfirmed.size > 0 ? await this.#parts.revisions.getRevisions(target) : [];
    const outdated: string[] = [];
    const entries = Object.entries(base).flatMap((entry) => {
      const [name, field] = entry;
      const sent = unconfirmed.get(name);
      if (!sent || !hasChanged(entry)) return [entry];
      const theirs = contentHash(remote[name] ?? '');
      const sentAt = sent.get(theirs);
      if (sentAt === undefined) return [];
      const last = revisions.find(({ texts }) => contentHash(texts[name] ?? '') === field.local);
      const confirmed = [name, { local: theirs, remote: theirs }] as const;
      const ours = local[name] ?? '';
      const sentText = remote[name] ?? '';
      // An edit of the text before the send is merged with it.
      if (ours.includes(sentText.trimEnd())) return [confirmed];
      // Nobody knows whether the text is older than the send, or was replaced by it: the user decides.
      if (!last) return [];
      if (contentHash(ours) === field.local) {
        // A later text was replaced by the late send, so it is pushed again.
        if (last.at <= sentAt) outdated.push(name);
        return [confirmed];
      }
      return [hasAllChanges(ours, last.texts[name] ?? '', sentText) ? confirmed : entry];
    });
    return { base: Object.fromEntries(entries) as Base, outdated };
  }
}

/**
 * Returns the older base that a text comes from, `unknown` if it was committed without the base, and undefined if it comes from the base.
 * @param stored the service's texts, newest first
 * @param committed earlier texts, none of which is the base
 */
function findOrigin(text: string, base: FieldBase, stored: readonly string[], committed: readonly string[]) {
  const start = stored.findIndex((one) => contentHash(one) === base.remote);
  const [newest, ...others] = new Set(stored.slice(start));
  // If the base isn't stored, the service has changed since, which blocks pushes.
  if (start === -1 || newest === undefined) return undefined;
  let newer = newest;
  for (const older of others) {
    const origin = compareOrigin(text, older, newer);
    if (origin === 'newer' && newer === newest) return undefined;
    if (origin !== 'older') break;
    newer = older;
  }
  if (newer !== newest) return olderBase(contentHash(newer));
  const origins = committed.map((older) => compareOrigin(text, older, newest));
  return origins.includes('older') && !origins.includes('newer') ? 'unknown' : undefined;
}

function listTexts(states: readonly FieldTexts[], name: string): readonly string[] {
  return states.flatMap(({ [name]: text }) => text ?? []);
}

const olderBase = (hash: string): FieldBase => ({ local: hash, remote: hash, isOlder: true });

const refKey = ({ connection, id }: TemplateRef) => `${connection} ${id}`;
