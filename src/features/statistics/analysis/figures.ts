import type { Figure } from '../model.ts';
import { formatCount, formatShare } from '../../../platform/ui/format.ts';
import { plain } from '../../../platform/ui/text.ts';
import { bounceReasons } from './bounces.ts';
import { countFields, countsOf } from './counts.ts';
import type { CountRole, Counts, StatisticsRow } from './counts.ts';
import { numberOf, rolesIn, textOf, valueAt } from './fields.ts';
import { changeOf, money, shareOf } from './show.ts';

/** A figure with what charts need of it. */
export interface Measured extends Figure {
  /** The rate's length in a chart, 0 to 1. */
  readonly share?: number;
}

export interface FigureOptions {
  /** The rows of the reading before; without them no figure has a change. */
  readonly before?: readonly StatisticsRow[];
  /** How many recipients there are, where that is known from elsewhere: for services that don't say. */
  readonly recipients?: number;
}

/** Keys of what is computed. */
export const deliveredKey = 'delivered';
export const clickToOpenKey = 'click_to_open';
/** Begins the key of a reason for bounces. */
export const reasonKey = 'bounce_details:';

/** Begins the key of the sales in a currency. */
export const salesKey = 'tracking_sale:';

/** What a count is a rate of, in words that follow its number. */
const wholes: Readonly<Partial<Record<CountRole, string>>> = {
  recipients: 'recipients',
  sent: 'sent',
  bounces: 'bounces',
};
/** Counts of each time, with those of each recipient. */
const averages: Readonly<Partial<Record<CountRole, readonly [CountRole, string]>>> = {
  totalOpens: ['uniqueOpens', 'per recipient who opened'],
  totalClicks: ['uniqueClicks', 'per recipient who clicked'],
};

/** The rate of a part, and its length; nothing where there is nothing to be a rate of. */
export function rateOf(part: number, whole: number | undefined, words: string): Pick<Measured, 'rate' | 'share'> {
  const share = shareOf(part, whole);
  if (share === undefined || whole === undefined || part < 0) return {};
  return { rate: { value: formatShare(part / whole), of: `of ${formatCount(whole)} ${words}` }, share };
}

function averageOf(role: CountRole, counts: Counts): Pick<Measured, 'rate'> {
  const [each, words] = averages[role] ?? [];
  const [total, unique] = [counts[role], each === undefined ? undefined : counts[each]];
  if (total === undefined || unique === undefined || words === undefined || unique < 1 || total < 0) return {};
  return { rate: { value: formatCount(Math.round((total / unique) * 100) / 100), of: words } };
}

/** The counts of a reading before. Where nothing was there, everything was nothing. */
function countsBefore(before: readonly StatisticsRow[] | undefined): Counts {
  if (before === undefined) return {};
  return before.length > 0 ? countsOf(before) : Object.fromEntries(countFields.map(({ role }) => [role, 0]));
}

const withChange = (change: string | undefined): Pick<Figure, 'change'> => (change === undefined ? {} : { change });

/** How many were delivered, and how many clicked of those who opened, as far as it is known. */
export function deliveredOf({ sent, bounces }: Counts): number | undefined {
  return sent === undefined || bounces === undefined ? undefined : Math.max(0, sent - bounces);
}

/** The figures that have a meaning, in the order in which they are shown. Only what the service tells is there. */
export function figuresOf(rows: readonly StatisticsRow[], { before, recipients }: FigureOptions = {}): Measured[] {
  const told = countsOf(rows);
  const counts: Counts = told.recipients === undefined && recipients !== undefined ? { ...told, recipients } : told;
  const earlier = countsBefore(before);
  return countFields.flatMap(({ role, names: [key = role], label, meaning, of }): Measured[] => {
    const count = counts[role];
    if (count === undefined) return [];
    const change = told[role] === undefined ? undefined : changeOf(count, earlier[role]);
    const whole: CountRole | undefined = of === 'recipients' || of === 'sent' || of === 'bounces' ? of : undefined;
    const rate = whole === undefined ? averageOf(role, counts) : rateOf(count, counts[whole], wholes[whole] ?? '');
    const figure: Measured = { key, label, value: formatCount(count), ...rate, ...withChange(change), meaning };
    if (role === 'failed') return [figure, ...delivered(counts, earlier)];
    if (role === 'totalClicks') return [figure, ...clickToOpen(counts)];
    return role === 'bounces' ? [figure, ...reasons(rows, before, count)] : [figure];
  });
}

function delivered(counts: Counts, earlier: Counts): Measured[] {
  const count = deliveredOf(counts);
  if (count === undefined) return [];
  const change = changeOf(count, deliveredOf(earlier));
  return [
    {
      key: deliveredKey,
      label: 'Delivered',
      value: formatCount(count),
      ...rateOf(count, counts.sent, 'sent'),
      ...withChange(change),
      meaning: 'Messages that were sent and did not come back.',
    },
  ];
}

function clickToOpen({ uniqueOpens, uniqueClicks }: Counts): Measured[] {
  const share = shareOf(uniqueClicks ?? 0, uniqueOpens);
  if (share === undefined || uniqueOpens === undefined || uniqueClicks === undefined || uniqueClicks < 0) return [];
  return [
    {
      key: clickToOpenKey,
      label: 'Click-to-open rate',
      value: formatShare(uniqueClicks / uniqueOpens),
      share,
      meaning: 'Of those who opened the message, how many clicked.',
      rate: { value: formatCount(uniqueClicks), of: `of ${formatCount(uniqueOpens)} who opened` },
    },
  ];
}

/** More reasons than these are told as one. */
const mostReasons = 20;

function reasons(
  rows: readonly StatisticsRow[],
  before: readonly StatisticsRow[] | undefined,
  bounces: number,
): Measured[] {
  const earlier = before === undefined ? undefined : bounceReasons(before).counts;
  const all = [...bounceReasons(rows).counts].sort(([, a], [, b]) => b - a);
  const rest = all.slice(mostReasons).reduce((sum, [, count]) => sum + count, 0);
  const figure = (key: string, label: string, count: number, was: number | undefined): Measured => ({
    key: `${reasonKey}${key}`,
    label,
    value: formatCount(count),
    ...rateOf(count, bounces, 'bounces'),
    ...withChange(changeOf(count, was)),
    meaning: 'Messages that came back by this rule of the service.',
  });
  return [
    ...all
      .slice(0, mostReasons)
      .map(([reason, count]) =>
        figure(reason, plain(reason, 80) || '(no reason)', count, earlier && (earlier.get(reason) ?? 0)),
      ),
    ...(all.length > mostReasons ? [figure('', 'Other reasons', rest, undefined)] : []),
  ];
}

/** What was sold, by currency: that is, what isn't nothing. */
function soldIn(rows: readonly StatisticsRow[]): Map<string, number> {
  const sold = new Map<string, number>();
  for (const row of rows) {
    const roles = rolesIn('campaign', row);
    const amount = numberOf(valueAt(row, roles, 'sales'));
    if (amount === undefined || amount === 0) continue;
    const currency = (textOf(valueAt(row, roles, 'currency')) ?? '').trim();
    sold.set(currency, (sold.get(currency) ?? 0) + amount);
  }
  return sold;
}

/** More currencies than these no campaign earns. */
const mostCurrencies = 20;

/** The sales in a currency, where there are such in several. */
export function salesLabel(currency: string): string {
  return `Sales in ${plain(currency, 20) || 'no currency'}`;
}

/** What was sold. Amounts in several currencies are not summed. */
export function salesOf(rows: readonly StatisticsRow[], { before }: FigureOptions = {}): Measured[] {
  const sold = [...soldIn(rows)].slice(0, mostCurrencies);
  const earlier = before === undefined ? undefined : soldIn(before);
  return sold.map(([currency, amount]) => {
    const change =
      earlier === undefined
        ? undefined
        : changeOf(amount, earlier.get(currency) ?? 0, (difference) => money(difference, currency));
    return {
      key: `${salesKey}${currency}`,
      label: sold.length === 1 ? 'Sales' : salesLabel(currency),
      value: money(amount, currency),
      ...withChange(change),
      meaning:
        currency === ''
          ? 'What recipients bought after a click. The service names no currency.'
          : 'What recipients bought after a click in the message.',
    };
  });
}
