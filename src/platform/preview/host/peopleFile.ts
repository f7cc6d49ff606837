import { getNodeValue, parseTree } from 'jsonc-parser';
import { findTooDeepOffset } from '../../documents/jsonReader.ts';
import type { FieldValue, NamedPerson, Person } from '../../../email/tags/index.ts';

/** People of one file, at most. */
const most = 200;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * The people of a `mailing.people.json`: `{ "people": [{ "name": "Ann", "email": "…", "fields": { "city": "Rome" } }] }`. Whatever else
 * stands there is left out.
 */
export function peopleOf(text: string): NamedPerson[] {
  if (findTooDeepOffset(text) !== undefined) return [];
  const root = parseTree(text);
  const value: unknown = root && getNodeValue(root);
  const people = isRecord(value) ? value['people'] : undefined;
  if (!Array.isArray(people)) return [];
  return people
    .filter(isRecord)
    .slice(0, most)
    .map((person, index) => ({
      id: `team:${index}`,
      title: textOf(person['title']) || textOf(person['name']) || textOf(person['email']) || `Person ${index + 1}`,
      person: personOf(person),
    }));
}

function personOf({ title: _title, fields, ...columns }: Readonly<Record<string, unknown>>): Person {
  const plain = Object.fromEntries(
    Object.entries(columns).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
  // Somebody who is not stored would see nothing of any condition.
  const person = { id: 1, confirmed: 1, active: 1, ...plain };
  return {
    ...person,
    fields: isRecord(fields) ? Object.entries(fields).flatMap(([name, value]) => fieldOf(name, value)) : [],
  };
}

/** `"city": "Rome"`, or with the name that conditions know it by: `"city": { "label": "City", "value": "Rome" }`. */
function fieldOf(namekey: string, written: unknown): FieldValue[] {
  const { label, value } = isRecord(written) ? written : { label: namekey, value: written };
  return typeof value === 'string' || typeof value === 'number'
    ? [{ namekey, label: textOf(label) || namekey, value: String(value) }]
    : [];
}
