import { formatCount, formatServiceDateTime } from '../../../platform/ui/format.ts';
import { humanizeFieldName } from '../../../email/compose/fieldText.ts';
import { sumBounceReasons } from './bounces.ts';
import type { StatisticsRow } from '../model.ts';
import type { FigureOptions, MeasuredFigure } from './figures.ts';
import { findStatisticsField, isBlank, getFieldLabel, parseNumber, mapRolesToKeys, getMappedValue } from './fields.ts';
import type { FieldRole } from './fields.ts';
import { formatChange, NO_VALUE, formatFieldValue } from './formatValues.ts';

const MAX_OTHER_FIELDS = 100;
/** Distinct values of one field to list. */
const MAX_LISTED_VALUES = 5;

/** Recognized fields without a count. They are listed with the unrecognized ones. */
const descriptiveRoles: ReadonlySet<FieldRole> = new Set<FieldRole>([
  'sendDate',
  'mail',
  'versionName',
  'versionSubject',
]);

/** Last words of field names whose numbers have no meaningful sum. */
const unsummableWords = new Set([
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
/** Last words of field names whose numbers are identifiers: they are not formatted. */
const identifierWords = new Set([
  'id',
  'ids',
  'year',
  'version',
  'status',
  'type',
  'flag',
  'code',
  'number',
  'no',
  'timestamp',
]);

const getLastWord = (field: string): string => humanizeFieldName(field).toLowerCase().split(' ').at(-1) ?? '';
const parseQuantity = (value: unknown): number | undefined =>
  typeof value === 'boolean' || (typeof value === 'string' && /^\s*[+-]?0\d/.test(value))
    ? undefined
    : parseNumber(value);

/** Lists the fields that figures, sales and bounces don't cover, in the order of the record. */
function listOtherKeys(rows: readonly StatisticsRow[]): string[] {
  const keys = new Set<string>();
  const { unreadableKeys } = sumBounceReasons(rows);
  for (const row of rows) {
    const roles = mapRolesToKeys('campaign', row);
    const usedKeys = new Set(roles.values());
    for (const key of Object.keys(row)) {
      if (keys.size >= MAX_OTHER_FIELDS) return [...keys];
      const role = usedKeys.has(key) ? findStatisticsField('campaign', key)?.role : undefined;
      const isListed =
        role === undefined ||
        unreadableKeys.has(key) ||
        (descriptiveRoles.has(role) && !isBlank(row[key])) ||
        (role === 'currency' && !isBlank(row[key]) && hasNoSales(row, roles));
      if (isListed) keys.add(key);
    }
  }
  return [...keys];
}

const hasNoSales = (row: StatisticsRow, roles: ReadonlyMap<FieldRole, string>): boolean =>
  (parseNumber(getMappedValue(row, roles, 'sales')) ?? 0) === 0;

/** Sums the values of a field; undefined if a value is no number or the sum is meaningless. */
function sumFieldValues(rows: readonly StatisticsRow[], key: string): number | undefined {
  const values = rows.map((row) => row[key]).filter((value) => !isBlank(value));
  const numbers = values.map(parseQuantity).filter((number) => number !== undefined);
  if (
    numbers.length === 0 ||
    numbers.length < values.length ||
    (numbers.length > 1 && unsummableWords.has(getLastWord(key)))
  )
    return undefined;
  return numbers.reduce((sum, number) => sum + number, 0);
}

function listFieldValues(rows: readonly StatisticsRow[], key: string, isIdentifier: boolean): string {
  const formatValue = (value: unknown): string => {
    const number = isIdentifier ? undefined : parseQuantity(value);
    return number === undefined ? formatFieldValue(value) : formatCount(number);
  };
  const values = new Set(
    rows
      .map((row) => row[key])
      .filter((value) => !isBlank(value))
      .map(formatValue),
  );
  if (values.size === 0) return NO_VALUE;
  const listedValues = [...values].slice(0, MAX_LISTED_VALUES).join(', ');
  return values.size > MAX_LISTED_VALUES
    ? `${listedValues} and ${formatCount(values.size - MAX_LISTED_VALUES)} more`
    : listedValues;
}

/** Computes the figures of unrecognized and descriptive fields. Numbers of several versions are summed if the sum is meaningful. */
export function computeOtherFigures(
  rows: readonly StatisticsRow[],
  { previousRows }: FigureOptions = {},
): MeasuredFigure[] {
  return listOtherKeys(rows).map((key) => {
    const field = findStatisticsField('campaign', key);
    const isIdentifier = identifierWords.has(getLastWord(key));
    const sum = isIdentifier ? undefined : sumFieldValues(rows, key);
    const change =
      sum === undefined || previousRows === undefined
        ? undefined
        : formatChange(sum, previousRows.length === 0 ? 0 : sumFieldValues(previousRows, key));
    return {
      key,
      label: getFieldLabel('campaign', key),
      value: sum === undefined ? listFieldValues(rows, key, isIdentifier) : formatCount(sum),
      ...(change === undefined ? {} : { change }),
      ...(field === undefined ? {} : { meaning: field.meaning }),
    };
  });
}

/** Returns the formatted date on which sending began; undefined if no row has one. */
export function formatSendDate(rows: readonly StatisticsRow[]): string | undefined {
  for (const row of rows) {
    const value = getMappedValue(row, mapRolesToKeys('campaign', row), 'sendDate');
    const text = typeof value === 'string' ? formatServiceDateTime(value) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}
