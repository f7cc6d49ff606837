import { readableName } from '../../../email/compose/fieldText.ts';
import { plain } from '../../../platform/ui/text.ts';

/** The four kinds of records: of a campaign, of one of its recipients, of a recipient's clicks on a link, of a link. */
export type Kind = 'campaign' | 'user' | 'click' | 'link';

/** What a field says, whatever a service calls it. */
export type Role =
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

/** A field that has a meaning. */
export interface Field {
  readonly role: Role;
  /** Names it goes by, the API's own first. Case and underscores don't matter. */
  readonly names: readonly string[];
  /** "Unique opens" */
  readonly label: string;
  /** A sentence. */
  readonly meaning: string;
  /** The field of the same record that it is a share of. */
  readonly of?: Role;
}

const mail: Field = { role: 'mail', names: ['mail_id'], label: 'Mail', meaning: 'The id of the version of the mail.' };
const currency: Field = {
  role: 'currency',
  names: ['currency', 'currency_code', 'tracking_currency'],
  label: 'Currency',
  meaning: 'The currency of the sales.',
};
const salesNames = ['tracking_sale', 'tracking_sales', 'sale', 'sales', 'total_sales', 'revenue'];
const user: Field = {
  role: 'user',
  names: ['user_id', 'subscriber_id'],
  label: 'User',
  meaning: 'The id of the recipient.',
};
const email: Field = {
  role: 'email',
  names: ['email', 'user_email', 'email_address'],
  label: 'Email',
  meaning: 'The address of the recipient.',
};
const versionName: Field = {
  role: 'versionName',
  names: ['mail_name', 'version', 'version_name', 'variation', 'name', 'language'],
  label: 'Version',
  meaning: 'The name of the version of the mail.',
};
const versionSubject: Field = {
  role: 'versionSubject',
  names: ['mail_subject', 'subject'],
  label: 'Subject',
  meaning: 'The subject of the version of the mail.',
};

const known: Readonly<Record<Kind, readonly Field[]>> = {
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
      of: 'recipients',
    },
    {
      role: 'failed',
      names: ['fail', 'failed', 'fails', 'failures', 'total_failed'],
      label: 'Failed',
      meaning: 'Messages that could not be sent.',
      of: 'recipients',
    },
    {
      role: 'uniqueOpens',
      names: ['open_unique', 'unique_open', 'unique_opens', 'opens_unique'],
      label: 'Unique opens',
      meaning: 'Recipients who opened the message at least once.',
      of: 'sent',
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
      of: 'sent',
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
      of: 'sent',
    },
    {
      role: 'bounceDetails',
      names: ['bounce_details', 'bounce_detail'],
      label: 'Why messages came back',
      meaning: 'How many came back by each of the service’s rules.',
      of: 'bounces',
    },
    {
      role: 'unsubscribes',
      names: ['unsubscribe_total', 'total_unsubscribe', 'unsubscribe', 'unsubscribes', 'unsubscribed'],
      label: 'Unsubscribes',
      meaning: 'Recipients who unsubscribed by the link in the message.',
      of: 'sent',
    },
    {
      role: 'sales',
      names: salesNames,
      label: 'Sales',
      meaning: 'What recipients bought after a click in the message.',
    },
    currency,
    {
      role: 'sendDate',
      names: ['send_date', 'sending_date', 'sent_date', 'date_sent'],
      label: 'Sending began',
      meaning: 'When the first message left, on the service’s clock.',
    },
    mail,
    versionName,
    versionSubject,
  ],
  user: [
    user,
    email,
    mail,
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
    { role: 'sales', names: salesNames, label: 'Sales', meaning: 'What this recipient bought after a click.' },
    currency,
    { role: 'device', names: ['device'], label: 'Device', meaning: 'What it was opened on, as the service guesses.' },
    {
      role: 'program',
      names: ['opened_with', 'mail_client', 'email_client'],
      label: 'Opened with',
      meaning: 'The program it was opened with, as the service guesses.',
    },
  ],
  click: [
    user,
    email,
    mail,
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
    { ...versionName, names: ['mail_name'] },
    versionSubject,
    mail,
  ],
};

const normalized = (name: string): string => name.toLowerCase().replace(/[\s_-]+/gu, '');

interface Found {
  readonly field: Field;
  /** The place among the field's names: a record may hold two of them. */
  readonly rank: number;
}

function forEachKind<T>(make: (fields: readonly Field[]) => T): Readonly<Record<Kind, T>> {
  return { campaign: make(known.campaign), user: make(known.user), click: make(known.click), link: make(known.link) };
}

const byName = forEachKind(
  (fields) =>
    new Map(
      fields.flatMap((field) =>
        field.names.flatMap((name, rank): [string, Found][] => [
          [name, { field, rank }],
          [normalized(name), { field, rank }],
        ]),
      ),
    ),
);
const ownNames = forEachKind((fields) => new Map(fields.map(({ role, names }) => [role, names[0] ?? ''])));

/** Longer than every known name: what is longer isn't looked at. */
const longestName = 40;

function found(kind: Kind, name: string): Found | undefined {
  if (name.length > longestName) return undefined;
  // Nearly all are spelled as they are known, and there may be a million of them.
  return byName[kind].get(name) ?? byName[kind].get(normalized(name));
}

/** The fields of a kind of records that have a meaning, in the order in which they are shown. */
export function fieldsOf(kind: Kind): readonly Field[] {
  return known[kind];
}

/** What a service's field means; undefined for one that has no meaning here. */
export function fieldOf(kind: Kind, name: string): Field | undefined {
  return found(kind, name)?.field;
}

/** What a field says; undefined for one that has no meaning here. */
export function roleOf(kind: Kind, name: string): Role | undefined {
  return fieldOf(kind, name)?.role;
}

/** A field's name for people, ready to be shown. */
export function labelOf(kind: Kind, name: string): string {
  return fieldOf(kind, name)?.label ?? nameOf(name);
}

/** An unknown field's name for people, ready to be shown. */
export function nameOf(name: string): string {
  return plain(readableName(name)) || '(no name)';
}

/** No value at all, however a service writes that. */
export function isNothing(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}

/** Which field of a record says what, by its role: of several names of the same the first that has a value. */
export function rolesIn(kind: Kind, row: Readonly<Record<string, unknown>>): Map<Role, string> {
  const best = new Map<Role, { readonly key: string; readonly rank: number }>();
  for (const key of Object.keys(row)) {
    const match = found(kind, key);
    if (match === undefined) continue;
    // A name without a value stands behind all that have one.
    const rank = match.rank + (isNothing(row[key]) ? 100 : 0);
    if (rank < (best.get(match.field.role)?.rank ?? Infinity)) best.set(match.field.role, { key, rank });
  }
  return new Map([...best].map(([role, { key }]) => [role, key]));
}

/** The value of a role in a record whose roles are known. */
export function valueAt(row: Readonly<Record<string, unknown>>, roles: ReadonlyMap<Role, string>, role: Role): unknown {
  const key = roles.get(role);
  return key === undefined ? undefined : row[key];
}

/** The value that a record has for a role; undefined where it has none. */
export function valueOf(kind: Kind, row: Readonly<Record<string, unknown>>, role: Role): unknown {
  const own = ownNames[kind].get(role);
  if (own !== undefined && Object.hasOwn(row, own) && !isNothing(row[own])) return row[own];
  let best: { readonly value: unknown; readonly rank: number } | undefined;
  for (const key of Object.keys(row)) {
    const match = found(kind, key);
    if (match?.field.role === role && !isNothing(row[key]) && match.rank < (best?.rank ?? Infinity))
      best = { value: row[key], rank: match.rank };
  }
  return best?.value;
}

/** Beyond, numbers lose their last digits, and no service counts so far. */
const largest = 1e15;

/** A number as services write it, as number or text; undefined for everything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && !/^\s*[+-]?\d{1,16}(?:\.\d{1,20})?\s*$/.test(value)) return undefined;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && Math.abs(number) <= largest ? number + 0 : undefined;
}

/** A text, or a number as text; undefined where there is none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
