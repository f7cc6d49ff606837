import type { CampaignRef, CampaignSelection } from '../model.ts';

/** How many campaigns can be compared. */
export const [MIN_COMPARED_CAMPAIGNS, MAX_COMPARED_CAMPAIGNS] = [2, 5] as const;

/**
 * What a value names: one campaign, or two to five. The value comes from a command's caller, from what a page kept or from an earlier
 * version of this
 * extension, and is trusted as little as what a service sends. Nothing where it names no campaign or too many.
 */
export function parseSelection(value: unknown): CampaignSelection {
  const found = Array.isArray(value)
    ? value.flatMap((one: unknown) => parseCampaignRef(one) ?? [])
    : [...parseCampaignRefs(value)];
  const choice = [...new Map(found.map((ref) => [JSON.stringify([ref.connection, ref.id]), ref])).values()];
  return choice.length > MAX_COMPARED_CAMPAIGNS ? [] : choice;
}

function parseCampaignRefs(value: unknown): readonly CampaignRef[] {
  const { connection, ids } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly connection?: unknown;
    readonly ids?: unknown;
  };
  if (Array.isArray(ids)) return ids.flatMap((id: unknown) => parseCampaignRef({ connection, id }) ?? []);
  const ref = parseCampaignRef(value);
  return ref === undefined ? [] : [ref];
}

function parseCampaignRef(value: unknown): CampaignRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { connection, id, collection } = value as {
    readonly connection?: unknown;
    readonly id?: unknown;
    readonly collection?: unknown;
  };
  // A node of another collection has an id of that collection.
  if (collection !== undefined && collection !== 'campaigns') return undefined;
  return typeof connection === 'string' && typeof id === 'number' && Number.isSafeInteger(id) && id > 0
    ? { connection, id }
    : undefined;
}
