import { t } from '@vscode/l10n';
import { formatNumber, localized, plural } from '../../l10n.ts';
import type { RecordKey } from '../../platform/connections/model.ts';

/** Id of the view. Used in `when` clauses: `view == mailing.statistics`. */
export const viewId = 'mailing.statistics';
/** View type of editor tabs. Used in `when` clauses: `activeWebviewPanelId == 'mailing.statisticsPanel'`. */
export const panelType = 'mailing.statisticsPanel';

/** Tabs that show a table of records. */
export const tableTabs = ['recipients', 'clicks', 'links'] as const;
export type TableTab = (typeof tableTabs)[number];
/** The page's tabs, one for each statistics operation of the service. */
export const statisticsTabs = ['overview', ...tableTabs] as const;
export type StatisticsTab = (typeof statisticsTabs)[number];

/** A campaign, or a follow-up. */
export interface StatisticsRef extends RecordKey {
  readonly collection?: 'follow-ups';
}

/** The shown campaigns: one, two to five to compare, or none before the user selects any. Or one follow-up. */
export type CampaignSelection = readonly StatisticsRef[];

export const isFollowUp = (selection: CampaignSelection): boolean => selection[0]?.collection === 'follow-ups';

/** Returns a key that is equal for equal campaigns in equal order. */
export function getSelectionKey(selection: CampaignSelection): string {
  return JSON.stringify(
    selection.map(({ connection, id, collection }) => [connection, id, collection === 'follow-ups']),
  );
}

export const MAX_COMPARED_CAMPAIGNS = 5;

/** The names of numbers of opens and clicks. */
export const getActivityLabels = localized(() => ({
  opens: t({ message: 'Opens', comment: 'Number of opened emails, column title' }),
  clicks: t({ message: 'Clicks', comment: 'Number of clicks on links, column title' }),
}));

/** A value that is read from the service: the last one that could be read, and the formatted time of its read. */
export type LoadState<T> =
  | { readonly kind: 'loading'; readonly value?: T; readonly at?: string }
  | { readonly kind: 'loaded'; readonly value: T; readonly at: string }
  | { readonly kind: 'failed'; readonly message: string; readonly value?: T; readonly at?: string };

/** Opens and clicks over time. */
export interface ActivityTimeline {
  readonly unit: 'hour' | 'day';
  /** `time` is the start of the hour or day in the service's local time, treated as UTC: milliseconds since 1970. */
  readonly points: readonly {
    readonly time: number;
    readonly label: string;
    readonly opens: number;
    readonly clicks: number;
  }[];
  /** Sentences that explain the counts: the service stores one date per recipient and per clicked link. */
  readonly meaning: string;
  /** Number of recipients read so far, and in total if the service reports it. */
  readonly readCount: number;
  readonly totalCount?: number;
  readonly isComplete: boolean;
  /** Number of opens and clicks without a date. */
  readonly undated: number;
}

/** Says of how many recipients a timeline that isn't complete consists. */
export function describePartialTimeline({ readCount, totalCount }: ActivityTimeline): string {
  if (readCount === 0) return t("Shows only clicks, because the recipients weren't loaded.");
  return totalCount === undefined
    ? t`Based on the first ${formatNumber(readCount)} recipients.`
    : t`Based on the first ${formatNumber(readCount)} of ${formatNumber(totalCount)} recipients.`;
}

export function describeUndated(count: number): string {
  return plural(
    count,
    t("{0} open or click has no date and isn't shown."),
    t("{0} opens and clicks have no date and aren't shown."),
  );
}

/** A campaign as the page's header shows it. */
export interface CampaignCard {
  readonly name: string;
  /** Shown beside the name: "sent 20 Nov 2026, 08:24", "draft", "deleted". */
  readonly state: string;
  /** Whether the campaign was deleted or its connection was removed. */
  readonly isMissing: boolean;
  /** Name of the connection. */
  readonly service: string;
}
