import type { CampaignStatistics } from '../../../service/client/records.ts';
import type { Comparison } from '../model.ts';
import { isUnsent } from './counts.ts';
import { fieldOf } from './fields.ts';
import type { Role } from './fields.ts';
import { clickToOpenKey, deliveredKey, figuresOf, reasonKey, salesOf } from './figures.ts';
import type { Measured } from './figures.ts';
import { othersOf } from './others.ts';
import { columnNames, sideBySide } from './sides.ts';

/** A campaign to compare. `rows`: undefined where they could not be read. */
export interface Compared {
  readonly name: string;
  readonly rows: readonly CampaignStatistics[] | undefined;
}

/** The rates that are drawn as bars, by the figures they belong to. */
const bars: readonly (readonly [key: string, label: string])[] = [
  [deliveredKey, 'Delivered'],
  ['open_unique', 'Unique opens'],
  ['click_unique', 'Unique clicks'],
  [clickToOpenKey, 'Click-to-open rate'],
  ['bounce_unique', 'Bounces'],
  ['unsubscribe_total', 'Unsubscribes'],
];

/** What tells a campaign's versions apart says nothing of two campaigns. */
const ofVersions: ReadonlySet<Role | undefined> = new Set<Role>(['mail', 'versionName', 'versionSubject']);

function figuresIn(
  rows: readonly CampaignStatistics[] | undefined,
  before: readonly CampaignStatistics[] | undefined,
): Measured[] | undefined {
  if (rows === undefined || rows.every(isUnsent)) return undefined;
  const figures = figuresOf(rows, { before }).filter(({ key }) => !key.startsWith(reasonKey));
  const others = othersOf(rows, { before }).filter(({ key }) => !ofVersions.has(fieldOf('campaign', key)?.role));
  return [...figures, ...salesOf(rows, { before }), ...others];
}

/**
 * Several campaigns side by side: all versions of each summed. A campaign that was not sent, or could not be read, has "–" everywhere.
 * @param before the rows of the reading before, in the same order
 */
export function compare(
  campaigns: readonly Compared[],
  before?: readonly (readonly CampaignStatistics[] | undefined)[],
): Comparison {
  const names = columnNames(
    campaigns.map(({ name }) => name),
    (at) => `Campaign ${at + 1}`,
  );
  const figures = campaigns.map(({ rows }, at) => figuresIn(rows, before?.[at]));
  const shareIn = (column: readonly Measured[] | undefined, wanted: string): number | null =>
    column?.find(({ key }) => key === wanted)?.share ?? null;
  return {
    ...sideBySide(names, figures),
    names,
    bars: bars.map(([key, label]) => ({ label, values: figures.map((column) => shareIn(column, key)) })),
  };
}
