import { parse } from 'jsonc-parser';
import { t } from '../../l10n.ts';
import { findTooDeepOffset } from '../fields/json.ts';
import { isObject, type Row } from '../../service/client/shapes.ts';
import type { FieldValue, NamedPerson } from '../../email/tags/index.ts';

const MAX_PEOPLE = 200;
const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/**
 * Parses the people of a `mailing.people.json`: `{ "people": [{ "name": "Ann", "email": "…", "fields": { "city": "Rome" } }] }`. Invalid entries are
 * ignored.
 */
export function parsePeople(text: string): NamedPerson[] {
  if (findTooDeepOffset(text) !== undefined) return [];
  const value: unknown = parse(text);
  const people = isObject(value) ? value['people'] : undefined;
  if (!Array.isArray(people)) return [];
  return people
    .filter(isObject)
    .slice(0, MAX_PEOPLE)
    .map(({ title, fields, ...columns }, index) => {
      const scalars = Object.fromEntries(Object.entries(columns).filter(([, column]) => isScalar(column)));
      const name = [title, scalars['name'], scalars['email']].find((each) => isScalar(each) && each !== '');
      return {
        id: `team:${index}`,
        title: String(name ?? t`Person ${index + 1}`),
        // Conditions treat a person without an id as not stored, and would hide their content.
        person: { id: 1, confirmed: 1, active: 1, ...scalars, fields: isObject(fields) ? parseFields(fields) : [] },
      };
    });
}

/** Parses `"city": "Rome"`, or a field with the label that conditions use: `"city": { "label": "City", "value": "Rome" }`. */
function parseFields(fields: Row): FieldValue[] {
  return Object.entries(fields).flatMap(([namekey, field]) => {
    const { label, value } = isObject(field) ? field : { label: namekey, value: field };
    const hasLabel = isScalar(label) && label !== '';
    return isScalar(value) ? [{ namekey, label: hasLabel ? String(label) : namekey, value: String(value) }] : [];
  });
}
