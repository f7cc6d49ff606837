import fc from 'fast-check';
import type { CampaignStatistics } from '../../../../src/service/client/index.ts';
import { countFields } from '../../../../src/service/statistics/counts.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

/** A typical record from the client. */
export const fieldRow: CampaignStatistics = {
  mail_id: 24,
  total_subscribers: 4000,
  sent: 3990,
  send_date: '2026-11-20 08:24:55',
  fail: 10,
  open_unique: 1200,
  open_total: 1800,
  click_unique: 300,
  click_total: 450,
  bounce_unique: 40,
  bounce_details: null,
  unsubscribe_total: 12,
  tracking_sale: null,
  currency: null,
};

/** The names of recognized fields. */
const names = [
  ...Object.keys(fieldRow),
  ...countFields.map(({ key }) => key),
  'user_id',
  'email',
  'open',
  'open_date',
  'click',
  'date_click',
  'name',
  'total_click',
  'unique_click',
];

/** Any JSON value, often similar to a number, a date or markup. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<Json>(
    null,
    '',
    '0',
    '-0',
    '-5',
    '12',
    '4.5',
    '1e309',
    1e300,
    -1,
    '99999999999999999999',
    '0000-00-00 00:00:00',
    '2026-11-20 08:24:55',
    '2999-01-01',
    '1970-01-01 00:00:00',
    1_763_630_695,
    '<img src=x onerror=alert(1)>',
    '| a |\n\n# b',
    '`x`',
    '[x](command:y)',
    '\u202Eevil',
    '{"a":1,"b":"2"}',
    '[{"rule":"full","count":3}]',
    '{"a":{"b":1}}',
    '[',
    [],
    {},
    [null],
    true,
    'EUR',
    'x'.repeat(5000),
  ),
  fc.nat({ max: 5000 }),
);

/** A record with recognized and unrecognized fields in any state. */
export const anyRow = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 12 })), value, {
  maxKeys: 14,
});
export const anyRows = fc.array(anyRow, { maxLength: 4 });

/** A displayed value of a view. */
export type Leaf = string | number | boolean | null | undefined;

/** Returns all displayed texts and numbers of a view, which excludes keys. */
export function leaves(view: object | Leaf): Leaf[] {
  if (typeof view !== 'object' || view === null) return [view];
  return Object.entries(view).flatMap(([name, value]) => (name === 'key' || value === undefined ? [] : leaves(value)));
}

/** Returns whether a displayed value is invalid. Only matches whole texts, because texts of the service may contain these words. */
export function isBroken(leaf: Leaf): boolean {
  if (typeof leaf === 'number') return !Number.isFinite(leaf);
  return (
    typeof leaf === 'string' &&
    (/^(?:[-+−]?(?:NaN|∞|Infinity)%?|undefined|\[object Object\])$/u.test(leaf) ||
      /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(leaf))
  );
}
