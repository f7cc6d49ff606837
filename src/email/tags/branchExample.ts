import { evaluateCondition, readCondition } from './conditions.ts';
import type { Person, TagLanguage } from './model.ts';

/** A field value that makes a condition true or false. */
export interface BranchExample {
  readonly field: string;
  /** Empty: the field is empty. */
  readonly value: string;
}

/** Longer conditions are not parsed as tags. */
const MAX_BRANCH_CONDITION_CHARS = 2000;

/** Finds a field value for which a condition's content is shown or hidden, by trying likely values. Undefined: none found. */
export function findBranchExample(
  condition: string,
  shown: boolean,
  { families }: TagLanguage,
): BranchExample | undefined {
  const read = condition.length > MAX_BRANCH_CONDITION_CHARS ? undefined : readCondition(condition);
  if (!read || read.isText || read.field === '') return undefined;
  const subscriber = families.find(({ source }) => source === 'subscriber');
  const offset = condition.toLowerCase().lastIndexOf(read.value);
  const wanted = offset < 0 ? read.value : condition.slice(offset, offset + read.value.length);
  const number = Number(wanted);
  const neighbors = Number.isFinite(number) ? [number + 1, number - 1].map(String) : [`${wanted}a`, 'a'];
  const values = [...wanted.split(';').map((one) => one.trim()), '', ...neighbors];
  const value = values.find(
    (candidate) => evaluateCondition(condition, createPersonWith(read.field, candidate), subscriber) === shown,
  );
  return value === undefined ? undefined : { field: read.field, value };
}

const createPersonWith = (field: string, value: string): Person => ({
  id: 1,
  [field]: value,
  fields: [{ namekey: field, label: field, value }],
});
