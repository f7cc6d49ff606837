import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import { parseCount, type ColumnDefinition } from '../../../platform/webview/table/columns.ts';
import type { RowFilter } from '../../../platform/webview/table/model.ts';
import { RECIPIENT_CLICKS_KEY, type TableTab } from '../model.ts';

interface TableDefinition {
  readonly noun: string;
  readonly nouns: string;
  readonly empty: string;
  readonly columns: readonly ColumnDefinition[];
  readonly filters?: readonly RowFilter[];
}

const formatYesNo: ColumnDefinition['show'] = (value) => {
  const text = stringifyFieldValue(value);
  return { 1: 'Yes', 0: 'No' }[text] ?? text;
};

/** The recognized fields of each table, in column order. Other fields get columns automatically. */
export const tableDefinitions: { readonly [Tab in TableTab]: TableDefinition } = {
  recipients: {
    noun: 'recipient',
    nouns: 'recipients',
    empty: 'No messages sent yet.',
    columns: [
      { key: 'email', label: 'Email' },
      { key: 'open', label: 'Opens', numeric: true },
      { key: RECIPIENT_CLICKS_KEY, label: 'Clicks', numeric: true },
      { key: 'open_date', label: 'Opened on' },
      { key: 'bounce', label: 'Bounced', show: formatYesNo },
      { key: 'bounce_rule', label: 'Bounce reason' },
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
      { key: 'opened', label: 'Opened', test: (row) => parseCount(row, 'open') > 0 },
      { key: 'unopened', label: 'Not opened', test: (row) => parseCount(row, 'open') === 0 },
      { key: 'clicked', label: 'Clicked', test: (row) => parseCount(row, RECIPIENT_CLICKS_KEY) > 0 },
      { key: 'bounced', label: 'Bounced', test: (row) => parseCount(row, 'bounce') > 0 },
      { key: 'unsubscribed', label: 'Unsubscribed', test: (row) => parseCount(row, 'unsubscribe') > 0 },
    ],
  },
  clicks: {
    noun: 'click',
    nouns: 'clicks',
    empty: 'No clicks yet.',
    columns: [
      { key: 'email', label: 'Email' },
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
      { key: 'total_click', label: 'Total clicks', numeric: true, bar: true },
      { key: 'unique_click', label: 'Unique clicks', numeric: true },
      { key: 'mail_subject', label: 'Subject' },
      { key: 'mail_name', label: 'Version' },
      { key: 'id', label: 'Link ID', numeric: true, rare: true },
    ],
  },
};
