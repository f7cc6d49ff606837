import { toSingleLine } from '../ui/text.ts';
import type { FilterField, FilterValues } from './model.ts';

/** The values without empty ones and those of fields that the collection doesn't have. */
export function cleanFilter(fields: readonly FilterField[], values: FilterValues): FilterValues {
  const entries = fields.map(({ key }) => [key, typeof values[key] === 'string' ? values[key].trim() : ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export function isFiltered(values: FilterValues): boolean {
  return Object.keys(values).length > 0;
}

/** A filter in words: `name ~ “sale”, type = drag and drop`. Empty where there is none. */
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

/** What a field is set to, as its owner would say it. */
export function getValueLabel(field: FilterField, values: FilterValues): string {
  const value = values[field.key] ?? '';
  return field.choices?.find((choice) => choice.value === value)?.label ?? toSingleLine(value, 60);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLocaleLowerCase() + text.slice(1);
}
