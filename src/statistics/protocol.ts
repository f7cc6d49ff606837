import { isListOf, isObject, isOneOf, isOptional, isShape, isText, isWhole, type Shapes } from '../webviews/messages.ts';

/** The four readings of the service, as the page shows them. */
export type Tab = 'overview' | 'recipients' | 'clicks' | 'links';
/** Those that are tables of records. */
export type TableTab = Exclude<Tab, 'overview'>;

/** A campaign of a connection. */
export interface CampaignRef {
  readonly connection: string;
  readonly id: number;
}

/** What is watched: one campaign, or two to five that are compared. None: nothing was chosen yet. */
export type Choice = readonly CampaignRef[];

/** A record as the service gave it: any fields, all text hostile. */
export type Row = Readonly<Record<string, unknown>>;

/** Where a recipient's row holds how often they clicked, a number: a name that no field of a service has. Absent where that isn't known. */
export type ClicksKey = '#clicks';

/** A number of the overview. All text is ready to be shown. */
export interface Figure {
  /** Name of the field, or of what was computed. */
  readonly key: string;
  /** "Unique opens" */
  readonly label: string;
  /** "1,204" */
  readonly value: string;
  /** `of` says what it is a rate of: "of 4,000 sent". */
  readonly rate?: { readonly value: string; readonly of: string };
  /** What is different since the reading before: "+12". */
  readonly change?: string;
  /** What the figure means, in a sentence. */
  readonly meaning?: string;
}

/** A step of the way from the recipients to the clicks. `share` is of the first step, 0 to 1; absent where that is none. */
export interface FunnelStep {
  readonly label: string;
  readonly count: number;
  readonly share?: number;
}

/** Figures of several versions of a mail, or of several campaigns, side by side. */
export interface SideBySide {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    readonly cells: readonly { readonly value: string; readonly rate?: string; readonly change?: string }[];
  }[];
}

/** Shares of the campaigns that are compared, for grouped bars: `values[i]` belongs to `names[i]`, 0 to 1, null where it isn't known. */
export interface Comparison extends SideBySide {
  readonly names: readonly string[];
  readonly bars: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/** What is known of one campaign. */
export interface Overview {
  /** Nothing was sent yet: there is no figure. */
  readonly unsent: boolean;
  /** Something was sent, and nobody has opened it so far. */
  readonly unopened: boolean;
  readonly figures: readonly Figure[];
  readonly sales: readonly Figure[];
  /** Fields that have no meaning here. */
  readonly others: readonly Figure[];
  readonly funnel: readonly FunnelStep[];
  /** Where there are several versions of the mail; the last column is their sum. */
  readonly versions?: SideBySide;
  /** Figures that contradict each other, and the like, in sentences. */
  readonly remarks: readonly string[];
}

/** Something that is read from the service. `at` is when it was, as text; `old` says why there is nothing newer. */
export type Reading<T> =
  | { readonly kind: 'loading'; readonly last?: T; readonly at?: string }
  | { readonly kind: 'known'; readonly value: T; readonly at: string }
  | { readonly kind: 'failed'; readonly message: string; readonly last?: T; readonly at?: string };

/** Opens and clicks over time. */
export interface Timeline {
  readonly unit: 'hour' | 'day';
  /** `time` is the start of the hour or day on the service's clock, as if in UTC: milliseconds since 1970. */
  readonly points: readonly { readonly time: number; readonly label: string; readonly opens: number; readonly clicks: number }[];
  /** What the counts are of: the service keeps one date for each recipient and one for each link that was clicked. */
  readonly meaning: string;
  /** Recipients that were read, and how many there are where that is known. */
  readonly read: number;
  readonly of?: number;
  readonly complete: boolean;
  /** Opens and clicks without a date. */
  readonly undated: number;
}

/** A campaign as the header names it. */
export interface CampaignCard {
  readonly ref: CampaignRef;
  readonly name: string;
  /** What is told beside the name: "sent 20 Nov 2026, 08:24", "draft", "deleted". */
  readonly state: string;
  /** Whether the service still has it. */
  readonly gone: boolean;
  /** Name of the connection. */
  readonly service: string;
}

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
  | { readonly type: 'rows'; readonly turn: number; readonly page: number; readonly rows: readonly Row[]; readonly ended: boolean }
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
  | { readonly type: 'copy'; readonly columns: readonly string[]; readonly rows: readonly Row[]; readonly missing: number }
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
