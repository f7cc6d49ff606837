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

/** The same for the same campaigns in the same order. */
export function keyOf(choice: Choice): string {
  return JSON.stringify(choice.map(({ connection, id }) => [connection, id]));
}

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
  readonly points: readonly {
    readonly time: number;
    readonly label: string;
    readonly opens: number;
    readonly clicks: number;
  }[];
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
