import type { Row } from '../client/shapes.ts';

/** A record from the service, with any fields. All text is untrusted. */
export type StatisticsRow = Row;

/** Key of a recipient row's click count. It can't clash with a field of a service. Absent while the clicks are not loaded. */
export const RECIPIENT_CLICKS_KEY = '#clicks';

/** A number in the overview. All text is sanitized and formatted. */
export interface Figure {
  /** Name of the field, or of the computed figure. */
  readonly key: string;
  /** "Unique opens" */
  readonly label: string;
  /** "1,204" */
  readonly value: string;
  /** `of` names the base of the rate: "of 4,000 sent". */
  readonly rate?: { readonly value: string; readonly of: string };
  /** The rate for charts, 0 to 1. */
  readonly share?: number;
  /** Difference to the previous read: "+12". */
  readonly change?: string;
  /** A sentence that explains the figure. */
  readonly meaning?: string;
  /** Position among the recognized figures. Other figures follow them. */
  readonly rank?: number;
}

/** A step of the funnel. `share` is relative to the first step, 0 to 1, and absent if the first step is 0. */
export interface FunnelStep {
  readonly label: string;
  readonly count: number;
  readonly share?: number;
}

export type ComparisonCell = Pick<Figure, 'value' | 'change'> & { readonly rate?: string };

/** Figures of several email versions, or of several campaigns, in columns. */
export interface ComparisonTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: string; readonly cells: readonly ComparisonCell[] }[];
}

/** Compared campaigns. In `bars`, `values[i]` is the share of the campaign in column `i`, 0 to 1, or null if it is unavailable. */
export interface Comparison extends ComparisonTable {
  readonly bars: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
  /** The columns are mails of a follow-up, which can't be shown alone. */
  readonly isOfMails?: boolean;
}

/** The statistics of one campaign. */
export interface Overview {
  /** Nothing was sent yet, so there are no figures. */
  readonly isUnsent: boolean;
  /** The campaign was sent and has no opens yet. */
  readonly isUnopened: boolean;
  readonly figures: readonly Figure[];
  readonly sales: readonly Figure[];
  /** Unrecognized fields, and descriptive ones. */
  readonly otherFigures: readonly Figure[];
  readonly funnel: readonly FunnelStep[];
  /** Present if the email has several versions. The last column is their sum. */
  readonly versions?: ComparisonTable;
  /** Sentences about contradictory or invalid figures. */
  readonly remarks: readonly string[];
}
