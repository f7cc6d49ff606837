import { holds, readCondition } from './conditions.ts';
import type { Person, TagLanguage } from './model.ts';

/** A value of a field that decides a condition. */
export interface Witness {
  readonly field: string;
  /** Empty: the field is empty. */
  readonly value: string;
}

/** Longer ones are no tag: the parser breaks them off. Characters. */
const LONGEST = 2000;

/** Who sees what stands in a condition, or does not: found by trying, and asked of what decides. Undefined: nobody was found. */
export function witnessOf(condition: string, shown: boolean, { families }: TagLanguage): Witness | undefined {
  const read = condition.length > LONGEST ? undefined : readCondition(condition);
  if (!read || read.isText || read.field === '') return undefined;
  const subscriber = families.find(({ source }) => source === 'subscriber');
  const at = condition.toLowerCase().lastIndexOf(read.value);
  const wanted = at < 0 ? read.value : condition.slice(at, at + read.value.length);
  const number = Number(wanted);
  const near = Number.isFinite(number) ? [number + 1, number - 1].map(String) : [`${wanted}a`, 'a'];
  const values = [...wanted.split(';').map((one) => one.trim()), '', ...near];
  const value = values.find((each) => holds(condition, personWith(read.field, each), subscriber) === shown);
  return value === undefined ? undefined : { field: read.field, value };
}

const personWith = (field: string, value: string): Person => ({
  id: 1,
  [field]: value,
  fields: [{ namekey: field, label: field, value }],
});
