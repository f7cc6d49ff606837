import {
  isListOf,
  isObject,
  isOneOf,
  isOptional,
  isShape,
  isText,
  isWhole,
  type Shapes,
} from '../../platform/webview/messages.ts';
import type {
  TableTab,
  CampaignRef,
  Choice,
  Row,
  Comparison,
  Overview,
  Reading,
  Timeline,
  CampaignCard,
} from './model.ts';

export type ToPage =
  /** What is watched; sent first, to each page anew. `watch`: seconds between readings, 0 for none. `wide`: it is an editor tab. */
  | {
      readonly type: 'show';
      readonly choice: Choice;
      readonly cards: readonly CampaignCard[];
      readonly pageSize: number;
      readonly watch: number;
      readonly wide: boolean;
    }
  /** How often it is read by itself is another interval now (0: never), or it was given up: `message` says why, in a sentence. */
  | { readonly type: 'watch'; readonly watch: number; readonly message?: string }
  /** The names are known now, or are other ones. */
  | { readonly type: 'cards'; readonly cards: readonly CampaignCard[] }
  /** Of one campaign. */
  | { readonly type: 'overview'; readonly overview: Reading<Overview> }
  | { readonly type: 'timeline'; readonly timeline: Reading<Timeline> }
  /** Of two to five. `failures` names those that could not be read. */
  | { readonly type: 'comparison'; readonly comparison: Reading<Comparison>; readonly failures: readonly string[] }
  /** There are newer rows than those of the tables: they are to be asked for again. */
  | { readonly type: 'reload' }
  /** Rows from `page * pageSize` on. `ended`: there are none after them. `turn` is that of the page's wish. */
  | {
      readonly type: 'rows';
      readonly turn: number;
      readonly page: number;
      readonly rows: readonly Row[];
      readonly ended: boolean;
    }
  | { readonly type: 'failed'; readonly turn: number; readonly page: number; readonly message: string }
  | { readonly type: 'count'; readonly turn: number; readonly count?: number; readonly message?: string };

export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'choose' }
  /** Chooses two to five campaigns to compare. */
  | { readonly type: 'compare' }
  /** Shows one of the compared campaigns alone. */
  | { readonly type: 'single'; readonly ref: CampaignRef }
  | { readonly type: 'refresh' }
  /** Gives up what is being read: what was there before stays. */
  | { readonly type: 'cancel' }
  | { readonly type: 'openInEditor' }
  /** Reads every recipient for the timeline, however many there are. */
  | { readonly type: 'readTimeline' }
  /** The pages that are wanted now and not there: all others that are under way are given up. */
  | { readonly type: 'want'; readonly turn: number; readonly tab: TableTab; readonly pages: readonly number[] }
  | {
      readonly type: 'copy';
      readonly columns: readonly string[];
      readonly rows: readonly Row[];
      readonly missing: number;
    }
  | { readonly type: 'export'; readonly tab: TableTab; readonly expected?: number }
  /** Puts the overview, or the comparison, into the clipboard as Markdown. */
  | { readonly type: 'copyMarkdown' }
  /** A chart as the page drew it. `content` is an SVG document, or a PNG image in Base64. */
  | { readonly type: 'saveChart'; readonly name: string; readonly format: 'svg' | 'png'; readonly content: string }
  /** Lays the clicks of all links over the campaign's preview; `address`: of this one alone is shown as chosen. */
  | { readonly type: 'heatMap'; readonly address?: string };

/** More than a page of the longest table can want at once. */
const mostPages = 1000;

const isRef = isShape<CampaignRef>({ connection: isText, id: isWhole });
const isTable = isOneOf('recipients', 'clicks', 'links');

export const fromPage: Shapes<FromPage> = {
  ready: {},
  choose: {},
  compare: {},
  single: { ref: isRef },
  refresh: {},
  cancel: {},
  openInEditor: {},
  readTimeline: {},
  want: { turn: isWhole, tab: isTable, pages: isListOf(isWhole, { most: mostPages }) },
  copy: { columns: isListOf(isText), rows: isListOf(isObject), missing: isWhole },
  export: { tab: isTable, expected: isOptional(isWhole) },
  copyMarkdown: {},
  saveChart: { name: isText, format: isOneOf('svg', 'png'), content: isText },
  heatMap: { address: isOptional(isText) },
};
