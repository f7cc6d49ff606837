import {
  isArrayOf,
  isObject,
  isOneOf,
  isOptional,
  isShape,
  isString,
  isCount,
  type MessageShapes,
} from '../../platform/webview/messages.ts';
import type {
  TableTab,
  CampaignRef,
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

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'choose' }
  /** Lets the user select two to five campaigns to compare. */
  | { readonly type: 'compare' }
  /** Shows only one of the compared campaigns. */
  | { readonly type: 'showCampaign'; readonly ref: CampaignRef }
  | { readonly type: 'refresh' }
  /** Cancels running reads. The page keeps the last values. */
  | { readonly type: 'cancel' }
  | { readonly type: 'openInEditor' }
  /** Reads all recipients for the timeline, regardless of their number. */
  | { readonly type: 'readTimeline' }
  /** Requests the missing pages that the table needs now, and cancels requests for all other pages. */
  | {
      readonly type: 'requestPages';
      readonly generation: number;
      readonly tab: TableTab;
      readonly pages: readonly number[];
    }
  | {
      readonly type: 'copy';
      readonly columns: readonly string[];
      readonly rows: readonly StatisticsRow[];
      readonly missing: number;
    }
  | { readonly type: 'export'; readonly tab: TableTab; readonly expected?: number }
  /** Copies the overview or the comparison as Markdown. */
  | { readonly type: 'copyMarkdown' }
  /** Saves a chart. `content` is an SVG document, or a PNG image in Base64. */
  | { readonly type: 'saveChart'; readonly name: string; readonly format: 'svg' | 'png'; readonly content: string }
  /** Shows the clicks on all links over the campaign's preview, with the link `address` selected. */
  | { readonly type: 'heatMap'; readonly address?: string };

/** More pages than the longest table needs at a time. */
const MAX_TABLE_PAGES = 1000;

const isRef = isShape<CampaignRef>({ connection: isString, id: isCount });
const isTableTab = isOneOf('recipients', 'clicks', 'links');

export const fromPage: MessageShapes<FromPage> = {
  ready: {},
  choose: {},
  compare: {},
  showCampaign: { ref: isRef },
  refresh: {},
  cancel: {},
  openInEditor: {},
  readTimeline: {},
  requestPages: { generation: isCount, tab: isTableTab, pages: isArrayOf(isCount, { maxLength: MAX_TABLE_PAGES }) },
  copy: { columns: isArrayOf(isString), rows: isArrayOf(isObject), missing: isCount },
  export: { tab: isTableTab, expected: isOptional(isCount) },
  copyMarkdown: {},
  saveChart: { name: isString, format: isOneOf('svg', 'png'), content: isString },
  heatMap: { address: isOptional(isString) },
};
