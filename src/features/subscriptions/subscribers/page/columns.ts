import type { ColumnDefinition } from '../../../../platform/webview/table/columns.ts';
import { stringifyFieldValue } from '../../../../email/compose/fieldText.ts';

const createValueFormatter =
  (names: Readonly<Record<string, string>>) =>
  (value: unknown): string => {
    const text = stringifyFieldValue(value);
    return (Object.hasOwn(names, text) ? names[text] : undefined) ?? text;
  };

/** The documented fields of subscribers. Other fields get columns automatically. */
export const subscriberColumns: readonly ColumnDefinition[] = [
  { key: 'email', label: 'Email' },
  { key: 'name', label: 'Name' },
  { key: 'status', label: 'Status', show: createValueFormatter({ 1: 'Subscribed', 0: 'Unsubscribed' }) },
  { key: 'subscription_date', label: 'Subscribed' },
  { key: 'confirmed', label: 'Confirmed', show: createValueFormatter({ 1: 'Yes', 0: 'No' }) },
  { key: 'id', label: 'ID', numeric: true },
];
