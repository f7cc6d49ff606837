import type { ColumnDefinition } from '../../../platform/webview/table/columns.ts';
import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { RowFilter } from '../../../platform/webview/table/controls.ts';
import type { ClicksKey, StatisticsRow, TableTab } from '../model.ts';

export interface TableDefinition {
  readonly noun: string;
  readonly nouns: string;
  readonly empty: string;
  readonly columns: readonly ColumnDefinition[];
  readonly filters?: readonly RowFilter[];
}

const CLICKS_COLUMN_KEY: ClicksKey = '#clicks';

const formatYesNo = (value: unknown): string =>
  ({ 1: 'Yes', 0: 'No' })[stringifyFieldValue(value)] ?? stringifyFieldValue(value);

/** Returns whether a field has a positive count, or another non-empty value except `false`. */
function hasPositiveCount(row: StatisticsRow, ...keys: readonly string[]): boolean {
  return keys.some((key) => {
    const text = stringifyFieldValue(row[key]).trim();
    return text !== '' && (/^[+-]?\d+(?:\.\d+)?$/u.test(text) ? Number(text) > 0 : text !== 'false');
  });
}

const hasOpened = (row: StatisticsRow): boolean =>
  hasPositiveCount(row, 'open', 'opens', 'opened', 'open_total', 'open_date');

const emailColumns: readonly ColumnDefinition[] = [{ key: 'email', label: 'Email' }];

/** The recognized fields of each table, in column order. Other fields get columns automatically. */
export const tableDefinitions: { readonly [Tab in TableTab]: TableDefinition } = {
  recipients: {
    noun: 'recipient',
    nouns: 'recipients',
    empty: 'It was sent to nobody yet.',
    columns: [
      ...emailColumns,
      { key: 'open', label: 'Opens', numeric: true },
      { key: CLICKS_COLUMN_KEY, label: 'Clicks', numeric: true },
      { key: 'open_date', label: 'Opened on' },
      { key: 'bounce', label: 'Bounced', show: formatYesNo },
      { key: 'bounce_rule', label: 'Bounced because' },
      { key: 'unsubscribe', label: 'Unsubscribed', show: formatYesNo },
      { key: 'device', label: 'Device' },
      { key: 'opened_with', label: 'Opened with' },
      { key: 'send_date', label: 'Sent on' },
      { key: 'sent', label: 'Sent', rare: true },
      { key: 'fail', label: 'Failed', rare: true },
      { key: 'tracking_sale', label: 'Sales', numeric: true, rare: true },
      { key: 'currency', label: 'Currency', rare: true },
      { key: 'user_id', label: 'User ID', numeric: true, rare: true },
      { key: 'mail_id', label: 'Mail ID', numeric: true, rare: true },
    ],
    filters: [
      { key: 'opened', label: 'Opened', test: hasOpened },
      { key: 'unopened', label: 'Not opened', test: (row) => !hasOpened(row) },
      { key: 'clicked', label: 'Clicked', test: (row) => hasPositiveCount(row, CLICKS_COLUMN_KEY, 'click', 'clicks') },
      { key: 'bounced', label: 'Bounced', test: (row) => hasPositiveCount(row, 'bounce', 'bounces', 'bounced') },
      {
        key: 'unsubscribed',
        label: 'Unsubscribed',
        test: (row) => hasPositiveCount(row, 'unsubscribe', 'unsubscribed'),
      },
    ],
  },
  clicks: {
    noun: 'click',
    nouns: 'clicks',
    empty: 'Nobody has clicked yet.',
    columns: [
      ...emailColumns,
      { key: 'url', label: 'Link' },
      { key: 'click', label: 'Clicks', numeric: true },
      { key: 'date_click', label: 'Clicked on' },
      { key: 'user_id', label: 'User ID', numeric: true, rare: true },
      { key: 'url_id', label: 'Link ID', numeric: true, rare: true },
    ],
  },
  links: {
    noun: 'link',
    nouns: 'links',
    empty: 'No link was clicked yet.',
    columns: [
      { key: 'name', label: 'Link' },
      { key: 'total_click', label: 'Total clicks', numeric: true },
      { key: 'unique_click', label: 'Unique clicks', numeric: true },
      { key: 'mail_subject', label: 'Subject' },
      { key: 'mail_name', label: 'Version' },
      { key: 'id', label: 'Link ID', numeric: true, rare: true },
    ],
  },
};

/** Parses a count; 0 if it is none. */
export function parseCount(value: unknown): number {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Number.isFinite(number) ? Math.max(0, number) : 0;
}

/** Possible names of a link's address. */
const linkAddressKeys = ['name', 'url', 'link', 'address'];

/** Returns the unprocessed address of a row of the links table. */
export function getLinkAddress(row: StatisticsRow): string | undefined {
  const key = linkAddressKeys.find((candidate) => typeof row[candidate] === 'string' && row[candidate] !== '');
  return key === undefined ? undefined : (row[key] as string);
}
