import * as v from 'valibot';
import type { CommandArgument } from '../../../platform/ui/commands.ts';
import { getSelectionKey, type CampaignSelection } from '../model.ts';

export const [MIN_COMPARED_CAMPAIGNS, MAX_COMPARED_CAMPAIGNS] = [2, 5] as const;

const idSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const refSchema = v.object({
  connection: v.string(),
  id: idSchema,
  // The ids of other collections' nodes are not campaign ids.
  collection: v.optional(v.literal('campaigns')),
});
const groupSchema = v.object({ connection: v.string(), ids: v.array(idSchema) });

/**
 * Parses one campaign, or up to five. The value may come from a command's caller, the stored state of a page or an earlier version of the
 * extension, and is untrusted. Returns an empty selection if the value has no campaign or too many.
 */
export function parseSelection(value: CommandArgument): CampaignSelection {
  const group = v.safeParse(groupSchema, value);
  const entries: readonly CommandArgument[] = group.success
    ? group.output.ids.map((id) => ({ connection: group.output.connection, id }))
    : [value].flat();
  const refs = entries.flatMap((entry) => {
    const ref = v.safeParse(refSchema, entry);
    return ref.success ? [{ connection: ref.output.connection, id: ref.output.id }] : [];
  });
  const distinctRefs = new Map(refs.map((ref) => [getSelectionKey([ref]), ref]));
  return distinctRefs.size > MAX_COMPARED_CAMPAIGNS ? [] : [...distinctRefs.values()];
}
