import { t } from '@vscode/l10n';
import { localized } from '../../../l10n.ts';
import { formatYesNo, parseCount, type ColumnDefinition } from '../../../ui/page/table/columns.ts';
import type { RowFilter, TableTexts } from '../../../ui/page/table/model.ts';
import { RECIPIENT_CLICKS_KEY } from '../../../service/statistics/model.ts';
import { getActivityLabels, type TableTab } from '../model.ts';

interface TableDefinition extends TableTexts {
  readonly columns: readonly ColumnDefinition[];
  readonly filters?: readonly RowFilter[];
}

const getSharedColumns = localized(() => ({
  email: { key: 'email', label: t({ message: 'Email', comment: 'Email address, column title' }) },
  userId: { key: 'user_id', label: t('User ID'), numeric: true, rare: true },
}));

/** Returns the recognized fields of each table, in column order. Other fields get columns automatically. */
export const getTableDefinitions = localized((): { readonly [Tab in TableTab]: TableDefinition } => ({
  recipients: {
    label: t('Recipients'),
    empty: t('No emails sent yet.'),
    columns: [
      getSharedColumns().email,
      { key: 'open', label: getActivityLabels().opens, numeric: true },
      { key: RECIPIENT_CLICKS_KEY, label: getActivityLabels().clicks, numeric: true },
      { key: 'open_date', label: t({ message: 'Opened on', comment: 'Title of a column of dates' }) },
      {
        key: 'bounce',
        label: t({ message: 'Bounced', comment: 'Whether the email to a recipient bounced' }),
        show: formatYesNo,
      },
      { key: 'bounce_rule', label: t('Bounce reason') },
      {
        key: 'unsubscribe',
        label: t({ message: 'Unsubscribed', comment: 'Whether the recipient unsubscribed' }),
        show: formatYesNo,
      },
      { key: 'device', label: t('Device') },
      {
        key: 'opened_with',
        label: t({ message: 'Opened with', comment: 'Title of a column of mail clients' }),
      },
      { key: 'send_date', label: t({ message: 'Sent on', comment: 'Title of a column of dates' }) },
      {
        key: 'sent',
        label: t({ message: 'Sent', comment: 'Number of sent emails' }),
        rare: true,
      },
      {
        key: 'fail',
        label: t({ message: 'Failed', comment: "Number of emails that couldn't be sent" }),
        rare: true,
      },
      { key: 'tracking_sale', label: t('Sales'), numeric: true, rare: true },
      { key: 'currency', label: t('Currency'), rare: true },
      getSharedColumns().userId,
      { key: 'mail_id', label: t('Email ID'), numeric: true, rare: true },
    ],
    filters: (
      [
        ['opened', t({ message: 'Opened', comment: 'Filter of recipients' }), 'open', true],
        ['unopened', t({ message: 'Not opened', comment: 'Filter of recipients' }), 'open', false],
        ['clicked', t({ message: 'Clicked', comment: 'Filter of recipients' }), RECIPIENT_CLICKS_KEY, true],
        ['bounced', t({ message: 'Bounced', comment: 'Filter of recipients' }), 'bounce', true],
        ['unsubscribed', t({ message: 'Unsubscribed', comment: 'Filter of recipients' }), 'unsubscribe', true],
      ] as const
    ).map(([key, label, field, isCounted]) => ({
      key,
      label,
      test: (row) => parseCount(row, field) > 0 === isCounted,
    })),
  },
  clicks: {
    label: getActivityLabels().clicks,
    empty: t('No clicks yet.'),
    columns: [
      getSharedColumns().email,
      { key: 'url', label: t('Link') },
      { key: 'click', label: getActivityLabels().clicks, numeric: true },
      { key: 'date_click', label: t({ message: 'Clicked on', comment: 'Title of a column of dates' }) },
      getSharedColumns().userId,
      { key: 'url_id', label: t('Link ID'), numeric: true, rare: true },
    ],
  },
  links: {
    label: t('Links'),
    empty: t('No links clicked yet.'),
    columns: [
      { key: 'name', label: t('Link') },
      { key: 'total_click', label: getActivityLabels().clicks, numeric: true, bar: true },
      { key: 'unique_click', label: t('Unique clicks'), numeric: true },
      { key: 'mail_name', label: t('Version') },
      { key: 'mail_subject', label: t('Subject') },
      { key: 'id', label: t('Link ID'), numeric: true, rare: true },
    ],
  },
}));
