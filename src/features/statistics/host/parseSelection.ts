import type { CampaignRef, CampaignSelection } from '../model.ts';

export const [MIN_COMPARED_CAMPAIGNS, MAX_COMPARED_CAMPAIGNS] = [2, 5] as const;

/**
 * Parses one campaign, or up to five. The value may come from a command's caller, the stored state of a page or an earlier version of the
 * extension, and is untrusted. Returns an empty selection if the value has no campaign or too many.
 */
export function parseSelection(value: unknown): CampaignSelection {
  const refs = Array.isArray(value)
    ? value.flatMap((entry: unknown) => parseCampaignRef(entry) ?? [])
    : [...parseCampaignRefs(value)];
  const selection = [...new Map(refs.map((ref) => [JSON.stringify([ref.connection, ref.id]), ref])).values()];
  return selection.length > MAX_COMPARED_CAMPAIGNS ? [] : selection;
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
  // The ids of other collections' nodes are not campaign ids.
  if (collection !== undefined && collection !== 'campaigns') return undefined;
  return typeof connection === 'string' && typeof id === 'number' && Number.isSafeInteger(id) && id > 0
    ? { connection, id }
    : undefined;
}
