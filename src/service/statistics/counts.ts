import { localized, t } from '../../l10n.ts';
import { stringifyFieldValue } from '../../email/compose/fieldText.ts';
import { RECIPIENT_CLICKS_KEY, type StatisticsRow } from './model.ts';

export type CountKey =
  | 'total_subscribers'
  | 'sent'
  | 'fail'
  | 'delivered'
  | 'open_unique'
  | 'open_total'
  | 'click_unique'
  | 'click_total'
  | 'bounce_unique'
  | 'unsubscribe_total';

interface CountField {
  readonly key: CountKey;
  /** The count that this one is a share of. */
  readonly whole?: 'total_subscribers' | 'sent';
  /** The count of recipients that this one is an average over. */
  readonly averageOver?: 'open_unique' | 'click_unique';
}

/** The counts of a campaign, in display order. Services report all of them except `delivered`. */
export const countFields: readonly CountField[] = [
  { key: 'total_subscribers' },
  { key: 'sent', whole: 'total_subscribers' },
  { key: 'fail', whole: 'total_subscribers' },
  { key: 'delivered', whole: 'sent' },
  { key: 'open_unique', whole: 'sent' },
  { key: 'open_total', averageOver: 'open_unique' },
  { key: 'click_unique', whole: 'sent' },
  { key: 'click_total', averageOver: 'click_unique' },
  { key: 'bounce_unique', whole: 'sent' },
  { key: 'unsubscribe_total', whole: 'sent' },
];

interface CountTexts {
  /** "Unique opens" */
  readonly label: string;
  /** A sentence that explains the count. */
  readonly meaning: string;
}

export const getCountTexts = localized((): Readonly<Record<CountKey, CountTexts>> => ({
  total_subscribers: { label: t('Recipients'), meaning: t('Everyone the campaign is sent to.') },
  sent: {
    label: t({ message: 'Sent', comment: 'Number of sent emails' }),
    meaning: t('Emails that the service handed over to the mail servers.'),
  },
  fail: {
    label: t({ message: 'Failed', comment: "Number of emails that couldn't be sent" }),
    meaning: t("Emails that couldn't be sent."),
  },
  delivered: {
    label: t({ message: 'Delivered', comment: 'Number of delivered emails' }),
    meaning: t("Emails that were sent and didn't bounce."),
  },
  open_unique: {
    label: t('Unique opens'),
    meaning: t('Recipients who opened the email at least once.'),
  },
  open_total: {
    label: t('Total opens'),
    meaning: t('All opens, including repeated opens by the same recipient.'),
  },
  click_unique: { label: t('Unique clicks'), meaning: t('Recipients who clicked at least one link.') },
  click_total: {
    label: t('Total clicks'),
    meaning: t('All clicks, including repeated clicks by the same recipient.'),
  },
  bounce_unique: { label: t('Bounces'), meaning: t('Emails that bounced.') },
  unsubscribe_total: {
    label: t('Unsubscribes'),
    meaning: t('Recipients who unsubscribed with the link in the email.'),
  },
}));

/** Counts by field. Those that the service doesn't report are missing. */
export type Counts = Readonly<Partial<Record<CountKey, number>>>;

/** Sums the counts of all rows and ignores values that are not numbers. */
export function sumCounts(rows: readonly StatisticsRow[]): Counts {
  const counts: Partial<Record<CountKey, number>> = {};
  for (const row of rows)
    for (const { key } of countFields) {
      const number = parseNumber(row[key]);
      if (number !== undefined) counts[key] = (counts[key] ?? 0) + number;
    }

  const { sent, bounce_unique: bounces } = counts;
  if (sent !== undefined && bounces !== undefined) counts.delivered ??= Math.max(0, sent - bounces);
  return counts;
}

/** Returns whether the row reports that nothing was sent, and no other field contradicts that. */
export function isUnsent(row: StatisticsRow): boolean {
  const { sent, send_date: sendDate } = row;
  if (sent === undefined || !(isBlank(sent) || parseNumber(sent) === 0)) return false;
  const hasBegun = !isBlank(sendDate) && !String(sendDate).startsWith('0000');
  return !hasBegun && countFields.every(({ key }) => key === 'total_subscribers' || !parseNumber(row[key]));
}

/** Returns whether a field has no value: null, undefined or empty text. */
export function isBlank(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}

/** Larger numbers lose precision. */
const MAX_NUMBER = 1e15;

/** Parses a number or its text; undefined for everything else. */
export function parseNumber(value: unknown): number | undefined {
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && /^\s*[+-]?\d{1,16}(?:\.\d{1,20})?\s*$/.test(value));
  const number = isNumeric ? Number(value) : NaN;
  return Math.abs(number) <= MAX_NUMBER ? number + 0 : undefined;
}

/** Counts the clicks of each user. A row without a count is one click. */
export function countClicksByUser(clicks: readonly StatisticsRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of clicks) {
    const user = stringifyFieldValue(row['user_id']);
    counts.set(user, (counts.get(user) ?? 0) + readClickCount(row));
  }
  return counts;
}

/** Returns the click count of a row of the clicks table; 1 if it has none. */
export function readClickCount({ click }: StatisticsRow): number {
  return Math.max(0, parseNumber(click) ?? 1);
}

/**
 * Adds each recipient's click count under `RECIPIENT_CLICKS_KEY`.
 * @param clicks the result of `countClicksByUser`; if undefined, the rows get no count
 */
export function addClickCounts(
  rows: readonly StatisticsRow[],
  clicks: ReadonlyMap<string, number> | undefined,
): StatisticsRow[] {
  return rows.map((row) => {
    const { [RECIPIENT_CLICKS_KEY]: _own, ...fields } = row;
    const { user_id: user } = fields;
    return !clicks || isBlank(user)
      ? fields
      : { ...fields, [RECIPIENT_CLICKS_KEY]: clicks.get(stringifyFieldValue(user)) ?? 0 };
  });
}

/** The clicks on a link of a sent email. */
export interface LinkClicks {
  /** The address as stored by the service. Untrusted text. */
  readonly address: string;
  readonly total: number;
  /** The number of people who clicked. */
  readonly unique: number;
  /** Share of the clicks on all links, 0 to 1. */
  readonly share: number;
}

const CLICKABLE_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_LINKS = 2000;

/**
 * Returns the links of a campaign with their clicks, the most clicked first. Rows with the same address (one for each version of the email)
 * are summed. Addresses with other schemes than web, mail and telephone are left out.
 */
export function sumLinkClicks(links: readonly StatisticsRow[]): LinkClicks[] {
  const sums = new Map<string, { total: number; unique: number }>();
  for (const { name, total_click, unique_click } of links) {
    const address = typeof name === 'string' ? name.trim() : '';
    if (!URL.canParse(address) || !CLICKABLE_SCHEMES.has(new URL(address).protocol)) continue;
    const sum = sums.get(address) ?? { total: 0, unique: 0 };
    sum.total += Math.max(0, parseNumber(total_click) ?? 0);
    sum.unique += Math.max(0, parseNumber(unique_click) ?? 0);
    sums.set(address, sum);
  }
  const totalClicks = [...sums.values()].reduce((clicks, { total }) => clicks + total, 0);
  return [...sums]
    .map(([address, sum]) => ({ address, ...sum, share: totalClicks === 0 ? 0 : sum.total / totalClicks }))
    .sort((a, b) => b.total - a.total || b.unique - a.unique || (a.address < b.address ? -1 : 1))
    .slice(0, MAX_LINKS);
}
