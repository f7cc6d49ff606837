import * as v from 'valibot';
import { countSchema } from '../../ui/protocol.ts';
import { createTableSchemas } from '../../ui/page/table/protocol.ts';
import type { Comparison, Overview } from '../../service/statistics/model.ts';
import {
  getSelectionKey,
  isFollowUp,
  MAX_COMPARED_CAMPAIGNS,
  tableTabs,
  type ActivityTimeline,
  type CampaignCard,
  type CampaignSelection,
  type LoadState,
  type TableTab,
} from './model.ts';

const idSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const refSchema = v.object({
  connection: v.string(),
  id: idSchema,
  // The ids of other collections' nodes are not campaign ids.
  collection: v.optional(v.picklist(['campaigns', 'follow-ups'])),
});
const groupSchema = v.object({ connection: v.string(), ids: v.array(idSchema) });

/**
 * Parses one campaign, or up to five. The value may come from a command's caller or the stored state of a page, and is untrusted. Returns an
 * empty selection if the value has no campaign or too many.
 */
export function parseSelection(value: unknown): CampaignSelection {
  const group = v.safeParse(groupSchema, value);
  const entries: readonly unknown[] = group.success
    ? group.output.ids.map((id) => ({ connection: group.output.connection, id }))
    : [value].flat();
  const refs = entries.flatMap((entry) => {
    const ref = v.safeParse(refSchema, entry);
    if (!ref.success) return [];
    const { connection, id, collection } = ref.output;
    return [{ connection, id, ...(collection === 'follow-ups' && { collection }) }];
  });
  // Follow-ups can't be compared.
  const campaigns = refs.length === 1 ? refs : refs.filter((ref) => !isFollowUp([ref]));
  const distinctRefs = new Map(campaigns.map((ref) => [getSelectionKey([ref]), ref]));
  return distinctRefs.size > MAX_COMPARED_CAMPAIGNS ? [] : [...distinctRefs.values()];
}

export type ToPage =
  /** First message to every loaded page. `wide`: the page is in an editor tab. */
  | {
      readonly type: 'show';
      readonly selection: CampaignSelection;
      readonly cards: readonly CampaignCard[];
      readonly pageSize: number;
      readonly wide: boolean;
    }
  /** The names or states of the campaigns changed. */
  | { readonly type: 'cards'; readonly cards: readonly CampaignCard[] }
  /** An overview of a single campaign, or a comparison of several. `failures` lists the compared campaigns that couldn't be read. */
  | {
      readonly type: 'figures';
      readonly figures: LoadState<Overview | Comparison>;
      readonly failures: readonly string[];
    }
  /** For a single campaign. */
  | { readonly type: 'timeline'; readonly timeline: LoadState<ActivityTimeline> }
  /** The rows of a table, or of all, are outdated: request them again. */
  | { readonly type: 'reload'; readonly tab?: TableTab };

export const fromPage = v.variant('type', [
  v.object({
    type: v.picklist([
      'ready',
      'choose',
      // Lets the user select two to five campaigns to compare.
      'compare',
      'refresh',
      // Cancels running reads. The page keeps the last values.
      'cancel',
      // Reads all recipients for the timeline, regardless of their number.
      'readTimeline',
    ]),
  }),
  /** Whether the page has too little space for a comparison. The page posts it when it is loaded, and when it changes. */
  v.object({ type: v.literal('width'), isNarrow: v.boolean() }),
  /** Shows only one of the compared campaigns. */
  v.object({ type: v.literal('showCampaign'), index: countSchema }),
  ...createTableSchemas(tableTabs),
  /** Shows the clicks on all links over the campaign's preview, with the link `address` selected. */
  v.object({ type: v.literal('heatMap'), address: v.optional(v.string()) }),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
