import { formatCount, formatDateTime } from '../../../platform/ui/format.ts';
import { readableName } from '../../../email/compose/fieldText.ts';
import { bounceReasons } from './bounces.ts';
import type { StatisticsRow } from './counts.ts';
import type { FigureOptions, Measured } from './figures.ts';
import { fieldOf, isNothing, labelOf, numberOf, rolesIn, valueAt } from './fields.ts';
import type { Role } from './fields.ts';
import { changeOf, none, shown } from './show.ts';

/** More fields than these are not looked at: no installation has them. */
const most = 100;
/** Different values of one field that are listed. */
const mostValues = 5;

/** Known fields that tell no count: they are told with the unknown ones. */
const told: ReadonlySet<Role> = new Set<Role>(['sendDate', 'mail', 'versionName', 'versionSubject']);

/** Numbers whose sum says nothing, by the last word of the field's name. */
const notSummed = new Set([
  'id',
  'ids',
  'date',
  'time',
  'timestamp',
  'year',
  'version',
  'rate',
  'ratio',
  'percent',
  'percentage',
  'share',
  'average',
  'avg',
  'mean',
  'median',
  'min',
  'max',
  'status',
  'type',
  'flag',
  'code',
  'number',
  'no',
  'score',
]);
/** Numbers that name something: they are written as they are. */
const names = new Set(['id', 'ids', 'year', 'version', 'status', 'type', 'flag', 'code', 'number', 'no', 'timestamp']);

const lastWord = (field: string): string => readableName(field).toLowerCase().split(' ').at(-1) ?? '';
const asNumber = (value: unknown): number | undefined =>
  typeof value === 'boolean' || (typeof value === 'string' && /^\s*[+-]?0\d/.test(value)) ? undefined : numberOf(value);

/** The fields that figures, sales and bounces don't tell of, in the order in which they come. */
function fieldsLeft(rows: readonly StatisticsRow[]): string[] {
  const left = new Set<string>();
  const { unread } = bounceReasons(rows);
  for (const row of rows) {
    const roles = rolesIn('campaign', row);
    const used = new Set(roles.values());
    for (const key of Object.keys(row)) {
      if (left.size >= most) return [...left];
      const role = used.has(key) ? fieldOf('campaign', key)?.role : undefined;
      const isTold =
        role === undefined ||
        unread.has(key) ||
        (told.has(role) && !isNothing(row[key])) ||
        (role === 'currency' && !isNothing(row[key]) && isUnsold(row, roles));
      if (isTold) left.add(key);
    }
  }
  return [...left];
}

const isUnsold = (row: StatisticsRow, roles: ReadonlyMap<Role, string>): boolean =>
  (numberOf(valueAt(row, roles, 'sales')) ?? 0) === 0;

/** The one number that all rows' values of a field make; undefined where they make none. */
function sumOf(rows: readonly StatisticsRow[], key: string): number | undefined {
  const values = rows.map((row) => row[key]).filter((value) => !isNothing(value));
  const numbers = values.map(asNumber).filter((number) => number !== undefined);
  if (numbers.length === 0 || numbers.length < values.length || (numbers.length > 1 && notSummed.has(lastWord(key))))
    return undefined;
  return numbers.reduce((sum, number) => sum + number, 0);
}

function listOf(rows: readonly StatisticsRow[], key: string, isName: boolean): string {
  const write = (value: unknown): string => {
    const number = isName ? undefined : asNumber(value);
    return number === undefined ? shown(value) : formatCount(number);
  };
  const values = new Set(
    rows
      .map((row) => row[key])
      .filter((value) => !isNothing(value))
      .map(write),
  );
  if (values.size === 0) return none;
  const listed = [...values].slice(0, mostValues).join(', ');
  return values.size > mostValues ? `${listed} and ${formatCount(values.size - mostValues)} more` : listed;
}

/**
 * Every field that has no meaning here, and those known ones that count nothing. Numbers of several versions are summed where that says
 * something.
 */
export function othersOf(rows: readonly StatisticsRow[], { before }: FigureOptions = {}): Measured[] {
  return fieldsLeft(rows).map((key) => {
    const field = fieldOf('campaign', key);
    const isName = names.has(lastWord(key));
    const sum = isName ? undefined : sumOf(rows, key);
    const change =
      sum === undefined || before === undefined
        ? undefined
        : changeOf(sum, before.length === 0 ? 0 : sumOf(before, key));
    return {
      key,
      label: labelOf('campaign', key),
      value: sum === undefined ? listOf(rows, key, isName) : formatCount(sum),
      ...(change === undefined ? {} : { change }),
      ...(field === undefined ? {} : { meaning: field.meaning }),
    };
  });
}

/** When the sending began, as text; undefined where no row says so. */
export function beganOn(rows: readonly StatisticsRow[]): string | undefined {
  for (const row of rows) {
    const value = valueAt(row, rolesIn('campaign', row), 'sendDate');
    const text = typeof value === 'string' ? formatDateTime(value) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}
