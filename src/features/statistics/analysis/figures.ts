import type { Figure, StatisticsRow } from '../model.ts';
import { formatCount, formatPercent } from '../../../platform/ui/format.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { sumBounceReasons } from './bounces.ts';
import { countFields, sumCounts } from './counts.ts';
import type { CountRole, Counts } from './counts.ts';
import { parseNumber, mapRolesToKeys, toFieldText, getMappedValue } from './fields.ts';
import { formatChange, formatMoney, computeShare } from './formatValues.ts';

/** A figure with the data for charts. */
export interface MeasuredFigure extends Figure {
  /** The rate, clamped to 0 to 1. */
  readonly share?: number;
}

export interface FigureOptions {
  /** The rows of the previous read. Without them, figures have no change. */
  readonly previousRows?: readonly StatisticsRow[];
  /** Number of recipients from another source, for services that don't report it. */
  readonly recipients?: number;
}

/** Keys of computed figures. */
export const DELIVERED_KEY = 'delivered';
export const CLICK_TO_OPEN_KEY = 'click_to_open';
/** Key prefix of a bounce reason. */
export const BOUNCE_REASON_PREFIX = 'bounce_details:';

/** Key prefix of the sales in a currency. */
export const SALES_PREFIX = 'tracking_sale:';

/** Text after the number that a rate is relative to. */
const rateSuffixes: Readonly<Partial<Record<CountRole, string>>> = {
  recipients: 'recipients',
  sent: 'sent',
  bounces: 'bounces',
};
/** Total counts with the unique counts that their averages are based on. */
const averageBases: Readonly<Partial<Record<CountRole, readonly [CountRole, string]>>> = {
  totalOpens: ['uniqueOpens', 'per recipient who opened'],
  totalClicks: ['uniqueClicks', 'per recipient who clicked'],
};

/** Computes the rate of a part; empty if the whole is unavailable or 0. */
export function computeRate(
  part: number,
  whole: number | undefined,
  suffix: string,
): Pick<MeasuredFigure, 'rate' | 'share'> {
  const share = computeShare(part, whole);
  if (share === undefined || whole === undefined || part < 0) return {};
  return { rate: { value: formatPercent(part / whole), of: `of ${formatCount(whole)} ${suffix}` }, share };
}

function computeAverage(role: CountRole, counts: Counts): Pick<MeasuredFigure, 'rate'> {
  const [each, suffix] = averageBases[role] ?? [];
  const [total, unique] = [counts[role], each === undefined ? undefined : counts[each]];
  if (total === undefined || unique === undefined || suffix === undefined || unique < 1 || total < 0) return {};
  return { rate: { value: formatCount(Math.round((total / unique) * 100) / 100), of: suffix } };
}

/** Sums the counts of the previous read. Without any rows, all counts are 0. */
function sumPreviousCounts(previousRows: readonly StatisticsRow[] | undefined): Counts {
  if (previousRows === undefined) return {};
  return previousRows.length > 0
    ? sumCounts(previousRows)
    : Object.fromEntries(countFields.map(({ role }) => [role, 0]));
}

const withChange = (change: string | undefined): Pick<Figure, 'change'> => (change === undefined ? {} : { change });

/** Returns the number of delivered messages; undefined if it can't be computed. */
export function computeDelivered({ sent, bounces }: Counts): number | undefined {
  return sent === undefined || bounces === undefined ? undefined : Math.max(0, sent - bounces);
}

/** Computes the recognized figures that the service reports, in display order. */
export function computeFigures(
  rows: readonly StatisticsRow[],
  { previousRows, recipients }: FigureOptions = {},
): MeasuredFigure[] {
  const reportedCounts = sumCounts(rows);
  const counts: Counts =
    reportedCounts.recipients === undefined && recipients !== undefined
      ? { ...reportedCounts, recipients }
      : reportedCounts;
  const previousCounts = sumPreviousCounts(previousRows);
  return countFields.flatMap(({ role, names: [key = role], label, meaning, wholeRole }): MeasuredFigure[] => {
    const count = counts[role];
    if (count === undefined) return [];
    const change = reportedCounts[role] === undefined ? undefined : formatChange(count, previousCounts[role]);
    const whole: CountRole | undefined =
      wholeRole === 'recipients' || wholeRole === 'sent' || wholeRole === 'bounces' ? wholeRole : undefined;
    const rate =
      whole === undefined ? computeAverage(role, counts) : computeRate(count, counts[whole], rateSuffixes[whole] ?? '');
    const figure: MeasuredFigure = { key, label, value: formatCount(count), ...rate, ...withChange(change), meaning };
    if (role === 'failed') return [figure, ...createDeliveredFigure(counts, previousCounts)];
    if (role === 'totalClicks') return [figure, ...createClickToOpenFigure(counts)];
    return role === 'bounces' ? [figure, ...createReasonFigures(rows, previousRows, count)] : [figure];
  });
}

function createDeliveredFigure(counts: Counts, previousCounts: Counts): MeasuredFigure[] {
  const count = computeDelivered(counts);
  if (count === undefined) return [];
  const change = formatChange(count, computeDelivered(previousCounts));
  return [
    {
      key: DELIVERED_KEY,
      label: 'Delivered',
      value: formatCount(count),
      ...computeRate(count, counts.sent, 'sent'),
      ...withChange(change),
      meaning: 'Messages that were sent and did not come back.',
    },
  ];
}

function createClickToOpenFigure({ uniqueOpens, uniqueClicks }: Counts): MeasuredFigure[] {
  const share = computeShare(uniqueClicks ?? 0, uniqueOpens);
  if (share === undefined || uniqueOpens === undefined || uniqueClicks === undefined || uniqueClicks < 0) return [];
  return [
    {
      key: CLICK_TO_OPEN_KEY,
      label: 'Click-to-open rate',
      value: formatPercent(uniqueClicks / uniqueOpens),
      share,
      meaning: 'Of those who opened the message, how many clicked.',
      rate: { value: formatCount(uniqueClicks), of: `of ${formatCount(uniqueOpens)} who opened` },
    },
  ];
}

/** Further reasons are summed. */
const MAX_REASONS = 20;

function createReasonFigures(
  rows: readonly StatisticsRow[],
  previousRows: readonly StatisticsRow[] | undefined,
  bounces: number,
): MeasuredFigure[] {
  const previousReasons = previousRows === undefined ? undefined : sumBounceReasons(previousRows).counts;
  const all = [...sumBounceReasons(rows).counts].sort(([, a], [, b]) => b - a);
  const rest = all.slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0);
  const figure = (key: string, label: string, count: number, previousCount: number | undefined): MeasuredFigure => ({
    key: `${BOUNCE_REASON_PREFIX}${key}`,
    label,
    value: formatCount(count),
    ...computeRate(count, bounces, 'bounces'),
    ...withChange(formatChange(count, previousCount)),
    meaning: 'Messages that came back by this rule of the service.',
  });
  return [
    ...all
      .slice(0, MAX_REASONS)
      .map(([reason, count]) =>
        figure(
          reason,
          toSingleLine(reason, 80) || '(no reason)',
          count,
          previousReasons && (previousReasons.get(reason) ?? 0),
        ),
      ),
    ...(all.length > MAX_REASONS ? [figure('', 'Other reasons', rest, undefined)] : []),
  ];
}

/** Sums the sales by currency, without amounts of 0. */
function sumSales(rows: readonly StatisticsRow[]): Map<string, number> {
  const sold = new Map<string, number>();
  for (const row of rows) {
    const roles = mapRolesToKeys('campaign', row);
    const amount = parseNumber(getMappedValue(row, roles, 'sales'));
    if (amount === undefined || amount === 0) continue;
    const currency = (toFieldText(getMappedValue(row, roles, 'currency')) ?? '').trim();
    sold.set(currency, (sold.get(currency) ?? 0) + amount);
  }
  return sold;
}

const MAX_CURRENCIES = 20;

/** Returns the label of the sales in one of several currencies. */
export function formatSalesLabel(currency: string): string {
  return `Sales in ${toSingleLine(currency, 20) || 'no currency'}`;
}

/** Computes the sales, one figure for each currency. */
export function computeSales(rows: readonly StatisticsRow[], { previousRows }: FigureOptions = {}): MeasuredFigure[] {
  const sold = [...sumSales(rows)].slice(0, MAX_CURRENCIES);
  const previousSales = previousRows === undefined ? undefined : sumSales(previousRows);
  return sold.map(([currency, amount]) => {
    const change =
      previousSales === undefined
        ? undefined
        : formatChange(amount, previousSales.get(currency) ?? 0, (difference) => formatMoney(difference, currency));
    return {
      key: `${SALES_PREFIX}${currency}`,
      label: sold.length === 1 ? 'Sales' : formatSalesLabel(currency),
      value: formatMoney(amount, currency),
      ...withChange(change),
      meaning:
        currency === ''
          ? 'What recipients bought after a click. The service names no currency.'
          : 'What recipients bought after a click in the message.',
    };
  });
}
