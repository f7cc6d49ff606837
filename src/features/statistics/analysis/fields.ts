import { humanizeFieldName } from '../../../email/compose/fieldText.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';

/** Records of a campaign, of a recipient, of a recipient's clicks on a link, and of a link. */
export type RecordKind = 'campaign' | 'user' | 'click' | 'link';

/** The meaning of a field, independent of its name in a service. */
export type FieldRole =
  | 'recipients'
  | 'sent'
  | 'failed'
  | 'uniqueOpens'
  | 'totalOpens'
  | 'uniqueClicks'
  | 'totalClicks'
  | 'bounces'
  | 'bounceDetails'
  | 'unsubscribes'
  | 'sales'
  | 'currency'
  | 'sendDate'
  | 'mail'
  | 'versionName'
  | 'versionSubject'
  | 'user'
  | 'email'
  | 'opens'
  | 'openDate'
  | 'bounceRule'
  | 'device'
  | 'program'
  | 'link'
  | 'address'
  | 'clicks'
  | 'clickDate';

/** A recognized field. */
export interface StatisticsField {
  readonly role: FieldRole;
  /** Names of the field, the one in the API document first. Case, spaces, hyphens and underscores are ignored. */
  readonly names: readonly string[];
  /** "Unique opens" */
  readonly label: string;
  /** A sentence that explains the field. */
  readonly meaning: string;
  /** The field of the same record that this one is a share of. */
  readonly wholeRole?: FieldRole;
}

const mailIdField: StatisticsField = {
  role: 'mail',
  names: ['mail_id'],
  label: 'Mail',
  meaning: 'The id of the version of the mail.',
};
const currencyField: StatisticsField = {
  role: 'currency',
  names: ['currency', 'currency_code', 'tracking_currency'],
  label: 'Currency',
  meaning: 'The currency of the sales.',
};
const salesFieldNames = ['tracking_sale', 'tracking_sales', 'sale', 'sales', 'total_sales', 'revenue'];
const userField: StatisticsField = {
  role: 'user',
  names: ['user_id', 'subscriber_id'],
  label: 'User',
  meaning: 'The id of the recipient.',
};
const emailField: StatisticsField = {
  role: 'email',
  names: ['email', 'user_email', 'email_address'],
  label: 'Email',
  meaning: 'The address of the recipient.',
};
const versionNameField: StatisticsField = {
  role: 'versionName',
  names: ['mail_name', 'version', 'version_name', 'variation', 'name', 'language'],
  label: 'Version',
  meaning: 'The name of the version of the mail.',
};
const versionSubjectField: StatisticsField = {
  role: 'versionSubject',
  names: ['mail_subject', 'subject'],
  label: 'Subject',
  meaning: 'The subject of the version of the mail.',
};

const statisticsFields: Readonly<Record<RecordKind, readonly StatisticsField[]>> = {
  campaign: [
    {
      role: 'recipients',
      names: ['total_subscribers', 'total_recipients', 'recipients', 'subscribers'],
      label: 'Recipients',
      meaning: 'Everybody the campaign goes to.',
    },
    {
      role: 'sent',
      names: ['sent', 'total_sent', 'sent_total'],
      label: 'Sent',
      meaning: 'Messages that the service has handed over to the mail servers.',
      wholeRole: 'recipients',
    },
    {
      role: 'failed',
      names: ['fail', 'failed', 'fails', 'failures', 'total_failed'],
      label: 'Failed',
      meaning: 'Messages that could not be sent.',
      wholeRole: 'recipients',
    },
    {
      role: 'uniqueOpens',
      names: ['open_unique', 'unique_open', 'unique_opens', 'opens_unique'],
      label: 'Unique opens',
      meaning: 'Recipients who opened the message at least once.',
      wholeRole: 'sent',
    },
    {
      role: 'totalOpens',
      names: ['open_total', 'total_open', 'total_opens', 'opens_total'],
      label: 'Total opens',
      meaning: 'How often the message was opened, each time counted.',
    },
    {
      role: 'uniqueClicks',
      names: ['click_unique', 'unique_click', 'unique_clicks', 'clicks_unique'],
      label: 'Unique clicks',
      meaning: 'Recipients who clicked at least one link.',
      wholeRole: 'sent',
    },
    {
      role: 'totalClicks',
      names: ['click_total', 'total_click', 'total_clicks', 'clicks_total'],
      label: 'Total clicks',
      meaning: 'How often links were clicked, each time counted.',
    },
    {
      role: 'bounces',
      names: ['bounce_unique', 'unique_bounce', 'bounces', 'bounce', 'bounce_total'],
      label: 'Bounces',
      meaning: 'Messages that came back.',
      wholeRole: 'sent',
    },
    {
      role: 'bounceDetails',
      names: ['bounce_details', 'bounce_detail'],
      label: 'Why messages came back',
      meaning: 'How many came back by each of the service’s rules.',
      wholeRole: 'bounces',
    },
    {
      role: 'unsubscribes',
      names: ['unsubscribe_total', 'total_unsubscribe', 'unsubscribe', 'unsubscribes', 'unsubscribed'],
      label: 'Unsubscribes',
      meaning: 'Recipients who unsubscribed by the link in the message.',
      wholeRole: 'sent',
    },
    {
      role: 'sales',
      names: salesFieldNames,
      label: 'Sales',
      meaning: 'What recipients bought after a click in the message.',
    },
    currencyField,
    {
      role: 'sendDate',
      names: ['send_date', 'sending_date', 'sent_date', 'date_sent'],
      label: 'Sending began',
      meaning: 'When the first message left, on the service’s clock.',
    },
    mailIdField,
    versionNameField,
    versionSubjectField,
  ],
  user: [
    userField,
    emailField,
    mailIdField,
    {
      role: 'sendDate',
      names: ['send_date', 'sending_date', 'sent_date', 'date_sent'],
      label: 'Sent on',
      meaning: 'When the message left, on the service’s clock.',
    },
    { role: 'sent', names: ['sent'], label: 'Sent', meaning: 'How often the message was sent to this recipient.' },
    { role: 'failed', names: ['fail', 'failed', 'fails'], label: 'Failed', meaning: 'How often it could not be sent.' },
    {
      role: 'opens',
      names: ['open', 'opens', 'opened', 'open_total'],
      label: 'Opens',
      meaning: 'How often this recipient opened it.',
    },
    {
      role: 'openDate',
      names: ['open_date', 'date_open', 'opened_at', 'opened_date'],
      label: 'Opened on',
      meaning: 'The one date of opening that the service keeps, on its clock.',
    },
    { role: 'bounces', names: ['bounce', 'bounces', 'bounced'], label: 'Bounces', meaning: 'How often it came back.' },
    {
      role: 'bounceRule',
      names: ['bounce_rule', 'bounce_reason'],
      label: 'Bounced because',
      meaning: 'The service’s rule that the returned message met.',
    },
    {
      role: 'unsubscribes',
      names: ['unsubscribe', 'unsubscribed'],
      label: 'Unsubscribed',
      meaning: 'Whether this recipient unsubscribed by the link in the message.',
    },
    { role: 'sales', names: salesFieldNames, label: 'Sales', meaning: 'What this recipient bought after a click.' },
    currencyField,
    { role: 'device', names: ['device'], label: 'Device', meaning: 'What it was opened on, as the service guesses.' },
    {
      role: 'program',
      names: ['opened_with', 'mail_client', 'email_client'],
      label: 'Opened with',
      meaning: 'The program it was opened with, as the service guesses.',
    },
  ],
  click: [
    userField,
    emailField,
    mailIdField,
    { role: 'link', names: ['url_id', 'link_id'], label: 'Link', meaning: 'The id of the link.' },
    { role: 'address', names: ['url', 'link', 'address'], label: 'Address', meaning: 'Where the link leads.' },
    {
      role: 'clicks',
      names: ['click', 'clicks', 'total_click', 'click_total'],
      label: 'Clicks',
      meaning: 'How often this recipient clicked it.',
    },
    {
      role: 'clickDate',
      names: ['date_click', 'click_date', 'clicked_at'],
      label: 'Clicked on',
      meaning: 'The one date of clicking that the service keeps, on its clock.',
    },
  ],
  link: [
    { role: 'link', names: ['id', 'url_id', 'link_id'], label: 'Link', meaning: 'The id of the link.' },
    { role: 'address', names: ['name', 'url', 'link', 'address'], label: 'Address', meaning: 'Where the link leads.' },
    {
      role: 'totalClicks',
      names: ['total_click', 'total_clicks', 'click_total'],
      label: 'Total clicks',
      meaning: 'How often it was clicked, each time counted.',
    },
    {
      role: 'uniqueClicks',
      names: ['unique_click', 'unique_clicks', 'click_unique'],
      label: 'Unique clicks',
      meaning: 'Recipients who clicked it.',
    },
    { ...versionNameField, names: ['mail_name'] },
    versionSubjectField,
    mailIdField,
  ],
};

const normalizeName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/gu, '');

interface FieldMatch {
  readonly field: StatisticsField;
  /** Position among the field's names. If a record has several of them, the lowest rank wins. */
  readonly rank: number;
}

function mapRecordKinds<T>(make: (fields: readonly StatisticsField[]) => T): Readonly<Record<RecordKind, T>> {
  return {
    campaign: make(statisticsFields.campaign),
    user: make(statisticsFields.user),
    click: make(statisticsFields.click),
    link: make(statisticsFields.link),
  };
}

const matchesByName = mapRecordKinds(
  (fields) =>
    new Map(
      fields.flatMap((field) =>
        field.names.flatMap((name, rank): [string, FieldMatch][] => [
          [name, { field, rank }],
          [normalizeName(name), { field, rank }],
        ]),
      ),
    ),
);
const canonicalNames = mapRecordKinds((fields) => new Map(fields.map(({ role, names }) => [role, names[0] ?? ''])));

/** Longer than all recognized names. */
const MAX_FIELD_NAME_LENGTH = 40;

function matchField(kind: RecordKind, name: string): FieldMatch | undefined {
  if (name.length > MAX_FIELD_NAME_LENGTH) return undefined;
  // Normalize only if needed: a table may have a million names, and nearly all match exactly.
  return matchesByName[kind].get(name) ?? matchesByName[kind].get(normalizeName(name));
}

/** Returns the recognized fields of a kind of record, in display order. */
export function getStatisticsFields(kind: RecordKind): readonly StatisticsField[] {
  return statisticsFields[kind];
}

/** Returns the recognized field with a name; undefined if there is none. */
export function findStatisticsField(kind: RecordKind, name: string): StatisticsField | undefined {
  return matchField(kind, name)?.field;
}

/** Returns the role of the field with a name; undefined if it isn't recognized. */
export function findFieldRole(kind: RecordKind, name: string): FieldRole | undefined {
  return findStatisticsField(kind, name)?.role;
}

/** Returns a field's display name. */
export function getFieldLabel(kind: RecordKind, name: string): string {
  return findStatisticsField(kind, name)?.label ?? formatFieldName(name);
}

/** Returns the display name of an unrecognized field. */
export function formatFieldName(name: string): string {
  return toSingleLine(humanizeFieldName(name)) || '(no name)';
}

/** Returns whether a field has no value: null, undefined or empty text. */
export function isBlank(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}

/** Maps roles to a record's keys. If several keys have one role, the first with a value wins. */
export function mapRolesToKeys(kind: RecordKind, row: Readonly<Record<string, unknown>>): Map<FieldRole, string> {
  const best = new Map<FieldRole, { readonly key: string; readonly rank: number }>();
  for (const key of Object.keys(row)) {
    const match = matchField(kind, key);
    if (match === undefined) continue;
    // Rank names without a value after all names that have one.
    const rank = match.rank + (isBlank(row[key]) ? 100 : 0);
    if (rank < (best.get(match.field.role)?.rank ?? Infinity)) best.set(match.field.role, { key, rank });
  }
  return new Map([...best].map(([role, { key }]) => [role, key]));
}

/** Returns the value of a role in a record, by the result of `mapRolesToKeys`. */
export function getMappedValue(
  row: Readonly<Record<string, unknown>>,
  roles: ReadonlyMap<FieldRole, string>,
  role: FieldRole,
): unknown {
  const key = roles.get(role);
  return key === undefined ? undefined : row[key];
}

/** Returns a record's value of a role; undefined if it has none. */
export function getRoleValue(kind: RecordKind, row: Readonly<Record<string, unknown>>, role: FieldRole): unknown {
  const canonicalName = canonicalNames[kind].get(role);
  if (canonicalName !== undefined && Object.hasOwn(row, canonicalName) && !isBlank(row[canonicalName]))
    return row[canonicalName];
  let best: { readonly value: unknown; readonly rank: number } | undefined;
  for (const key of Object.keys(row)) {
    const match = matchField(kind, key);
    if (match?.field.role === role && !isBlank(row[key]) && match.rank < (best?.rank ?? Infinity))
      best = { value: row[key], rank: match.rank };
  }
  return best?.value;
}

/** Larger numbers lose precision. */
const MAX_NUMBER = 1e15;

/** Parses a number, text or boolean; undefined for everything else. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && !/^\s*[+-]?\d{1,16}(?:\.\d{1,20})?\s*$/.test(value)) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && Math.abs(number) <= MAX_NUMBER ? number + 0 : undefined;
}

/** Returns a non-empty text, or a number as text; otherwise undefined. */
export function toFieldText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
