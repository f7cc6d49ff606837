import { getNodeValue, parseTree } from 'jsonc-parser';
import { findTooDeepOffset } from '../../../sync/json.ts';
import { isObject, type Row } from '../../../service/client/shapes.ts';
import type { FieldValue, NamedPerson, Person } from '../../../email/tags/index.ts';

const MAX_PEOPLE = 200;
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * Parses the people of a `mailing.people.json`: `{ "people": [{ "name": "Ann", "email": "…", "fields": { "city": "Rome" } }] }`. Invalid entries are
 * ignored.
 */
export function parsePeople(text: string): NamedPerson[] {
  if (findTooDeepOffset(text) !== undefined) return [];
  const root = parseTree(text);
  const value: unknown = root && getNodeValue(root);
  const people = isObject(value) ? value['people'] : undefined;
  if (!Array.isArray(people)) return [];
  return people
    .filter(isObject)
    .slice(0, MAX_PEOPLE)
    .map((person, index) => ({
      id: `team:${index}`,
      title: toText(person['title']) || toText(person['name']) || toText(person['email']) || `Person ${index + 1}`,
      person: parsePerson(person),
    }));
}

function parsePerson({ title: _title, fields, ...columns }: Row): Person {
  const scalars = Object.fromEntries(
    Object.entries(columns).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
  // Conditions treat a person without an id as not stored, and would hide their content.
  const person = { id: 1, confirmed: 1, active: 1, ...scalars };
  return {
    ...person,
    fields: isObject(fields) ? Object.entries(fields).flatMap(([name, value]) => parseField(name, value)) : [],
  };
}

/** Parses `"city": "Rome"`, or a field with the label that conditions use: `"city": { "label": "City", "value": "Rome" }`. */
function parseField(namekey: string, field: unknown): FieldValue[] {
  const { label, value } = isObject(field) ? field : { label: namekey, value: field };
  return typeof value === 'string' || typeof value === 'number'
    ? [{ namekey, label: toText(label) || namekey, value: String(value) }]
    : [];
}
