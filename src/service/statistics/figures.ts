import { formatNumber, getDisplayLanguage, localized, plural, t } from '../../l10n.ts';
import { humanizeFieldName, stringifyFieldValue } from '../../email/compose/fieldText.ts';
import { formatPercent, formatServiceDateTime } from '../format.ts';
import { toSingleLine } from '../text.ts';
import type { Figure, StatisticsRow } from './model.ts';
import { countFields, getCountTexts, isBlank, parseNumber, sumCounts, type Counts } from './counts.ts';

export const CLICK_TO_OPEN_KEY = 'click_to_open';
/** Key prefix of a bounce reason. */
export const BOUNCE_REASON_PREFIX = 'bounce_details:';
/** Key prefix of the sales in a currency. */
export const SALES_PREFIX = 'tracking_sale:';

/** Shown instead of a missing value. */
export const NO_VALUE = '–';

/** Further bounce reasons are summed. */
const MAX_REASONS = 20;
const MAX_CURRENCIES = 20;
const MAX_OTHER_FIELDS = 100;
/** Distinct values of one field to list. */
const MAX_LISTED_VALUES = 5;
/** In characters. */
const MAX_VALUE_LENGTH = 300;
/** In characters. Longer texts are not parsed. */
const MAX_DETAILS_LENGTH = 100_000;

/** Returns the share of a part, clamped to 0 to 1; undefined if the whole is missing or less than 1. */
export function computeShare(part: number, whole: number | undefined): number | undefined {
  return whole === undefined || whole < 1 ? undefined : Math.min(1, Math.max(0, part / whole));
}

/** The texts of bases of a rate, which follow its percentage: "31.2% of 4,000 recipients". */
const rateBases = {
  total_subscribers: (count: number) => plural(count, t('of {0} recipient'), t('of {0} recipients')),
  sent: (count: number) =>
    t({
      message: 'of {0} sent',
      args: [formatNumber(count)],
      comment: 'Follows a percentage: "98% of 4,000 sent" emails',
    }),
  bounces: (count: number) => plural(count, t('of {0} bounce'), t('of {0} bounces')),
};

function computeRate(
  part: number,
  whole: number | undefined,
  base: keyof typeof rateBases,
): Pick<Figure, 'rate' | 'share'> {
  const share = computeShare(part, whole);
  if (share === undefined || whole === undefined || part < 0) return {};
  return { rate: { value: formatPercent(part / whole), of: rateBases[base](whole) }, share };
}

/** The texts that follow an average: "1.5 per recipient who opened". */
const getAverageTexts = localized(() => ({
  open_unique: t({
    message: 'per recipient who opened',
    comment: 'Follows an average number of opens',
  }),
  click_unique: t({
    message: 'per recipient who clicked',
    comment: 'Follows an average number of clicks',
  }),
}));

function computeAverage(
  total: number,
  recipients: number | undefined,
  base: 'open_unique' | 'click_unique',
): Pick<Figure, 'rate'> {
  if (recipients === undefined || recipients < 1 || total < 0) return {};
  return { rate: { value: formatNumber(Math.round((total / recipients) * 100) / 100), of: getAverageTexts()[base] } };
}

/** Formats the difference to the previous read: "+12", "−1". Undefined if there is none. */
function computeChange(
  current: number,
  previous: number | undefined,
  format: (number: number) => string = formatNumber,
) {
  // Floating-point sums differ in insignificant digits.
  const difference = previous === undefined ? 0 : Math.round((current - previous) * 1000) / 1000;
  return difference === 0 ? undefined : `${difference > 0 ? '+' : '−'}${format(Math.abs(difference))}`;
}

/**
 * Computes the figures that the service reports, in display order.
 * @param previousRows the rows of the previous read. Without them, figures have no change
 */
export function computeFigures(rows: readonly StatisticsRow[], previousRows?: readonly StatisticsRow[]): Figure[] {
  const counts = sumCounts(rows);
  const previousCounts = sumCounts(previousRows ?? []);
  return countFields.flatMap(({ key, whole, averageOver }, rank) => {
    const count = counts[key];
    if (count === undefined) return [];
    const figures: Figure[] = [
      {
        key,
        ...getCountTexts()[key],
        value: formatNumber(count),
        ...(whole && computeRate(count, counts[whole], whole)),
        ...(averageOver && computeAverage(count, counts[averageOver], averageOver)),
        change: computeChange(count, previousRows?.length === 0 ? 0 : previousCounts[key]),
      },
    ];
    if (key === 'click_total') figures.push(...createClickToOpenFigure(counts));
    if (key === 'bounce_unique') figures.push(...createReasonFigures(rows, previousRows, count));
    return figures.map((figure) => ({ ...figure, rank }));
  });
}

export function getClickToOpenLabel(): string {
  return t('Click-to-open rate');
}

function createClickToOpenFigure({ open_unique: opens, click_unique: clicks }: Counts): Figure[] {
  const share = computeShare(clicks ?? 0, opens);
  if (share === undefined || opens === undefined || clicks === undefined || clicks < 0) return [];
  return [
    {
      key: CLICK_TO_OPEN_KEY,
      label: getClickToOpenLabel(),
      value: formatPercent(clicks / opens),
      share,
      meaning: t('Share of the recipients who opened the email and then clicked a link.'),
      rate: {
        value: formatNumber(clicks),
        of: t({
          message: 'of {0} who opened',
          args: [formatNumber(opens)],
          comment: 'Follows a number of recipients: "300 of 1,200 who opened"',
        }),
      },
    },
  ];
}

function createReasonFigures(
  rows: readonly StatisticsRow[],
  previousRows: readonly StatisticsRow[] | undefined,
  bounces: number,
): Figure[] {
  const listReasons = (row: StatisticsRow) => parseBounceReasons(row['bounce_details']) ?? [];
  const previousReasons = previousRows && sumByKey(previousRows, listReasons);
  const all = [...sumByKey(rows, listReasons)].sort(([, a], [, b]) => b - a);
  const shownReasons = all.slice(0, MAX_REASONS);
  if (all.length > MAX_REASONS)
    shownReasons.push(['', all.slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0)]);
  return shownReasons.map(([reason, count], index) => ({
    key: `${BOUNCE_REASON_PREFIX}${reason}`,
    label: index === MAX_REASONS ? t('Other reasons') : toSingleLine(reason, 80) || t('(no reason)'),
    value: formatNumber(count),
    ...computeRate(count, bounces, 'bounces'),
    change:
      index < MAX_REASONS ? computeChange(count, previousReasons && (previousReasons.get(reason) ?? 0)) : undefined,
    meaning: t('Emails that bounced for this reason, according to the service.'),
  }));
}

/** Sums amounts by key over all versions. */
function sumByKey(
  rows: readonly StatisticsRow[],
  list: (row: StatisticsRow) => readonly (readonly [key: string, amount: number])[],
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, amount] of rows.flatMap(list)) sums.set(key, (sums.get(key) ?? 0) + amount);
  return sums;
}

/** Parses an object of counts, or its JSON; undefined for all other values. */
function parseBounceReasons(details: unknown): (readonly [reason: string, count: number])[] | undefined {
  const value = typeof details === 'string' && details.length <= MAX_DETAILS_LENGTH ? parseJson(details) : details;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const reasons = Object.entries(value).flatMap(([reason, count]) => {
    const number = parseNumber(count);
    return number === undefined ? [] : [[reason, number] as const];
  });
  return reasons.length === Object.keys(value).length ? reasons : undefined;
}

function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the sales with their currency; none for an amount of 0. */
function listSales({ tracking_sale, currency }: StatisticsRow): (readonly [currency: string, amount: number])[] {
  const amount = parseNumber(tracking_sale);
  return amount ? [[stringifyFieldValue(currency).trim(), amount]] : [];
}

/** Returns the label of the sales in one of several currencies. */
export function formatSalesLabel(currency: string): string {
  const shown = toSingleLine(currency, 20);
  return shown === '' ? t('Sales without currency') : t`Sales in ${shown}`;
}

/** Computes the sales, one figure for each currency. */
export function computeSales(rows: readonly StatisticsRow[], previousRows?: readonly StatisticsRow[]): Figure[] {
  const sales = [...sumByKey(rows, listSales)].slice(0, MAX_CURRENCIES);
  const previousSales = previousRows && sumByKey(previousRows, listSales);
  return sales.map(([currency, amount]) => ({
    key: `${SALES_PREFIX}${currency}`,
    label: sales.length === 1 ? t('Sales') : formatSalesLabel(currency),
    value: formatMoney(amount, currency),
    change: computeChange(amount, previousSales && (previousSales.get(currency) ?? 0), (difference) =>
      formatMoney(difference, currency),
    ),
    meaning: [
      t('Purchases by recipients who clicked a link in the email.'),
      ...(currency === '' ? [t("The service doesn't report the currency.")] : []),
    ].join(' '),
  }));
}

/** Formats an amount of money. `currency` is an ISO code or any other text of the service; empty for none. */
function formatMoney(amount: number, currency: string) {
  if (currency === '') return formatNumber(amount);
  if (!/^[A-Z]{3}$/.test(currency)) return `${formatNumber(amount)} ${toSingleLine(currency, 20)}`;
  const { language } = getDisplayLanguage();
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount);
}

const countKeys: ReadonlySet<string> = new Set(countFields.map(({ key }) => key));
/** Recognized fields without a number. They are listed with the unrecognized ones. */
const getDescriptiveFields = localized(
  () =>
    new Map([
      ['mail_id', { label: t('Email ID'), meaning: t('The ID of this version of the email.') }],
      [
        'send_date',
        {
          label: t('Sending began'),
          meaning: t("When the first email was sent, in the service's time zone."),
        },
      ],
    ]),
);

/** Returns whether a field of a row isn't shown by the figures and sales. */
function isOtherField(row: StatisticsRow, key: string) {
  if (key === 'bounce_details') return !isBlank(row[key]) && parseBounceReasons(row[key]) === undefined;
  if (key === 'currency') return !isBlank(row[key]) && !parseNumber(row['tracking_sale']);
  if (getDescriptiveFields().has(key)) return !isBlank(row[key]);
  return key !== 'tracking_sale' && !countKeys.has(key);
}

/** Lists the unrecognized and descriptive fields with their distinct values. */
export function listOtherFields(rows: readonly StatisticsRow[]): Figure[] {
  const keys = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isOtherField(row, key))));
  return [...keys].slice(0, MAX_OTHER_FIELDS).map((key) => {
    const { label, meaning } = getDescriptiveFields().get(key) ?? {};
    const values = [...new Set(rows.flatMap((row) => (isBlank(row[key]) ? [] : [formatFieldValue(row[key])])))];
    const rest = values.length - MAX_LISTED_VALUES;
    const listed = values.slice(0, MAX_LISTED_VALUES).join(', ') || NO_VALUE;
    return {
      key,
      label: label ?? (toSingleLine(humanizeFieldName(key)) || t('(no name)')),
      value: rest > 0 ? t`${listed} and ${formatNumber(rest)} more` : listed,
      meaning,
    };
  });
}

/** Formats a field's value as sanitized text. */
function formatFieldValue(value: unknown) {
  const text = stringifyFieldValue(value);
  return formatServiceDateTime(text) ?? (toSingleLine(text, MAX_VALUE_LENGTH) || NO_VALUE);
}
