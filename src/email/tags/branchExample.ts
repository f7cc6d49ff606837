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
  isShown: boolean,
  { families }: TagLanguage,
): BranchExample | undefined {
  const parsed = condition.length > MAX_BRANCH_CONDITION_CHARS ? undefined : readCondition(condition);
  if (!parsed || parsed.isText || parsed.field === '') return undefined;
  const subscriber = families.find(({ source }) => source === 'subscriber');
  const offset = condition.toLowerCase().lastIndexOf(parsed.value);
  const target = offset < 0 ? parsed.value : condition.slice(offset, offset + parsed.value.length);
  const number = Number(target);
  const neighbors = Number.isFinite(number) ? [number + 1, number - 1].map(String) : [`${target}a`, 'a'];
  const values = [...target.split(';').map((one) => one.trim()), '', ...neighbors];
  const value = values.find(
    (candidate) => evaluateCondition(condition, createPersonWith(parsed.field, candidate), subscriber) === isShown,
  );
  return value === undefined ? undefined : { field: parsed.field, value };
}

const createPersonWith = (field: string, value: string): Person => ({
  id: 1,
  [field]: value,
  fields: [{ namekey: field, label: field, value }],
});
