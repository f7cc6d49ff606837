import * as v from 'valibot';
import { countSchema, recordSchema } from '../../platform/webview/messages.ts';
import type {
  TableTab,
  CampaignSelection,
  StatisticsRow,
  Comparison,
  Overview,
  LoadState,
  ActivityTimeline,
  CampaignCard,
} from './model.ts';

export type ToPage =
  /** First message to every loaded page. `intervalSeconds`: time between automatic reads, 0 for none. `wide`: the page is in an editor tab. */
  | {
      readonly type: 'show';
      readonly selection: CampaignSelection;
      readonly cards: readonly CampaignCard[];
      readonly pageSize: number;
      readonly intervalSeconds: number;
      readonly wide: boolean;
    }
  /** The interval of automatic reads changed (0: none). If they were stopped, `message` is a sentence with the reason. */
  | { readonly type: 'interval'; readonly seconds: number; readonly message?: string }
  /** The names or states of the campaigns changed. */
  | { readonly type: 'cards'; readonly cards: readonly CampaignCard[] }
  /** For a single campaign. */
  | { readonly type: 'overview'; readonly overview: LoadState<Overview> }
  | { readonly type: 'timeline'; readonly timeline: LoadState<ActivityTimeline> }
  /** For two to five campaigns. `failures` lists the ones that couldn't be read. */
  | { readonly type: 'comparison'; readonly comparison: LoadState<Comparison>; readonly failures: readonly string[] }
  /** The rows of the tables are outdated: request them again. */
  | { readonly type: 'reload' }
  /** Rows from `page * pageSize` on. `isLast`: no rows follow. `generation` is the one of the request. */
  | {
      readonly type: 'rows';
      readonly generation: number;
      readonly page: number;
      readonly rows: readonly StatisticsRow[];
      readonly isLast: boolean;
    }
  | { readonly type: 'failed'; readonly generation: number; readonly page: number; readonly message: string }
  | { readonly type: 'count'; readonly generation: number; readonly count?: number; readonly message?: string };

/** More pages than the longest table needs at a time. */
const MAX_TABLE_PAGES = 1000;

const tabSchema = v.picklist(['recipients', 'clicks', 'links']) satisfies v.GenericSchema<TableTab>;

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
      'openInEditor',
      // Reads all recipients for the timeline, regardless of their number.
      'readTimeline',
      // Copies the overview or the comparison as Markdown.
      'copyMarkdown',
    ]),
  }),
  /** Shows only one of the compared campaigns. */
  v.object({ type: v.literal('showCampaign'), ref: v.object({ connection: v.string(), id: countSchema }) }),
  /** Requests the missing pages that the table needs now, and cancels requests for all other pages. */
  v.object({
    type: v.literal('requestPages'),
    generation: countSchema,
    tab: tabSchema,
    pages: v.pipe(v.array(countSchema), v.maxLength(MAX_TABLE_PAGES), v.readonly()),
  }),
  v.object({
    type: v.literal('copy'),
    columns: v.pipe(v.array(v.string()), v.readonly()),
    rows: v.pipe(v.array(recordSchema), v.readonly()),
    missing: countSchema,
  }),
  v.object({ type: v.literal('export'), tab: tabSchema, expected: v.optional(countSchema) }),
  /** Saves a chart. `content` is an SVG document, or a PNG image in Base64. */
  v.object({
    type: v.literal('saveChart'),
    name: v.string(),
    format: v.picklist(['svg', 'png']),
    content: v.string(),
  }),
  /** Shows the clicks on all links over the campaign's preview, with the link `address` selected. */
  v.object({ type: v.literal('heatMap'), address: v.optional(v.string()) }),
]);
export type FromPage = v.InferOutput<typeof fromPage>;
