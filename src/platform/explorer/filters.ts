import { toSingleLine } from '../ui/text.ts';
import type { FilterField, FilterValues } from './model.ts';

/** Removes empty values and fields that the collection doesn't have. */
export function cleanFilter(fields: readonly FilterField[], values: FilterValues): FilterValues {
  const entries = fields.map(({ key }) => [key, typeof values[key] === 'string' ? values[key].trim() : ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export function isFiltered(values: FilterValues): boolean {
  return Object.keys(values).length > 0;
}

/** Describes a filter: `name ~ “sale”, type = drag and drop`. Empty if nothing is filtered. */
export function describeFilter(fields: readonly FilterField[], values: FilterValues): string {
  return fields
    .filter((field) => values[field.key] !== undefined)
    .map((field) => {
      const name = lowerFirst(field.label);
      return field.choices
        ? `${name} = ${lowerFirst(getValueLabel(field, values))}`
        : `${name} ~ “${getValueLabel(field, values)}”`;
    })
    .join(', ');
}

/** Returns the label of a field's value. */
export function getValueLabel(field: FilterField, values: FilterValues): string {
  const value = values[field.key] ?? '';
  return field.choices?.find((choice) => choice.value === value)?.label ?? toSingleLine(value, 60);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLocaleLowerCase() + text.slice(1);
}
