import * as l10n from '@vscode/l10n';
import { localized } from '../../../l10n.ts';
import { createValueFormatter, parseCount, type ColumnDefinition } from '../../../platform/webview/table/columns.ts';
import type { RowFilter, TableTexts } from '../../../platform/webview/table/model.ts';
import { getActivityLabels, RECIPIENT_CLICKS_KEY, type TableTab } from '../model.ts';

interface TableDefinition extends TableTexts {
  readonly columns: readonly ColumnDefinition[];
  readonly filters?: readonly RowFilter[];
}

const formatYesNo = createValueFormatter(() => ({ 1: l10n.t('Yes'), 0: l10n.t('No') }));

const getSharedColumns = localized(() => ({
  email: { key: 'email', label: l10n.t({ message: 'Email', comment: 'Email address, column title' }) },
  userId: { key: 'user_id', label: l10n.t('User ID'), numeric: true, rare: true },
}));

/** Returns the recognized fields of each table, in column order. Other fields get columns automatically. */
export const getTableDefinitions = localized((): { readonly [Tab in TableTab]: TableDefinition } => ({
  recipients: {
    label: l10n.t('Recipients'),
    empty: l10n.t('No emails sent yet.'),
    columns: [
      getSharedColumns().email,
      { key: 'open', label: getActivityLabels().opens, numeric: true },
      { key: RECIPIENT_CLICKS_KEY, label: getActivityLabels().clicks, numeric: true },
      { key: 'open_date', label: l10n.t({ message: 'Opened on', comment: 'Title of a column of dates' }) },
      {
        key: 'bounce',
        label: l10n.t({ message: 'Bounced', comment: 'Whether the email to a recipient bounced' }),
        show: formatYesNo,
      },
      { key: 'bounce_rule', label: l10n.t('Bounce reason') },
      {
        key: 'unsubscribe',
        label: l10n.t({ message: 'Unsubscribed', comment: 'Whether the recipient unsubscribed' }),
        show: formatYesNo,
      },
      { key: 'device', label: l10n.t('Device') },
      {
        key: 'opened_with',
        label: l10n.t({ message: 'Opened with', comment: 'Title of a column of mail clients' }),
      },
      { key: 'send_date', label: l10n.t({ message: 'Sent on', comment: 'Title of a column of dates' }) },
      {
        key: 'sent',
        label: l10n.t({ message: 'Sent', comment: 'Number of sent emails' }),
        rare: true,
      },
      {
        key: 'fail',
        label: l10n.t({ message: 'Failed', comment: "Number of emails that couldn't be sent" }),
        rare: true,
      },
      { key: 'tracking_sale', label: l10n.t('Sales'), numeric: true, rare: true },
      { key: 'currency', label: l10n.t('Currency'), rare: true },
      getSharedColumns().userId,
      { key: 'mail_id', label: l10n.t('Email ID'), numeric: true, rare: true },
    ],
    filters: (
      [
        ['opened', l10n.t({ message: 'Opened', comment: 'Filter of recipients' }), 'open', true],
        ['unopened', l10n.t({ message: 'Not opened', comment: 'Filter of recipients' }), 'open', false],
        ['clicked', l10n.t({ message: 'Clicked', comment: 'Filter of recipients' }), RECIPIENT_CLICKS_KEY, true],
        ['bounced', l10n.t({ message: 'Bounced', comment: 'Filter of recipients' }), 'bounce', true],
        ['unsubscribed', l10n.t({ message: 'Unsubscribed', comment: 'Filter of recipients' }), 'unsubscribe', true],
      ] as const
    ).map(([key, label, field, isCounted]) => ({
      key,
      label,
      test: (row) => parseCount(row, field) > 0 === isCounted,
    })),
  },
  clicks: {
    label: getActivityLabels().clicks,
    empty: l10n.t('No clicks yet.'),
    columns: [
      getSharedColumns().email,
      { key: 'url', label: l10n.t('Link') },
      { key: 'click', label: getActivityLabels().clicks, numeric: true },
      { key: 'date_click', label: l10n.t({ message: 'Clicked on', comment: 'Title of a column of dates' }) },
      getSharedColumns().userId,
      { key: 'url_id', label: l10n.t('Link ID'), numeric: true, rare: true },
    ],
  },
  links: {
    label: l10n.t('Links'),
    empty: l10n.t('No links clicked yet.'),
    columns: [
      { key: 'name', label: l10n.t('Link') },
      { key: 'total_click', label: l10n.t('Total clicks'), numeric: true, bar: true },
      { key: 'unique_click', label: l10n.t('Unique clicks'), numeric: true },
      { key: 'mail_subject', label: l10n.t('Subject') },
      { key: 'mail_name', label: l10n.t('Version') },
      { key: 'id', label: l10n.t('Link ID'), numeric: true, rare: true },
    ],
  },
}));
