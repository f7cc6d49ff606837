import { fieldsOfType, isSendingType, type CampaignDetails } from '../model.ts';
import type { FieldChange, Values } from '../../../platform/documents/form/text.ts';

/** What an automatic campaign starts with, so that a rhythm is there to be changed. */
const firstValues: Values = { frequency: 'every', frequency_options: { unit: 'week', value: 1 }, need_confirm: 1 };

/** The fields that a sending type and a frequency give a meaning to, of those that depend on them. */
function meant(type: unknown, frequency: unknown): ReadonlySet<keyof CampaignDetails> {
  const fields = new Set(isSendingType(type) ? fieldsOfType[type] : []);
  if (frequency !== 'every') fields.delete('frequency_options');
  return fields;
}

const dependent: readonly (keyof CampaignDetails)[] = [...new Set(Object.values(fieldsOfType).flat())];

/**
 * Makes the changes that an edit of the form means: a choice that leaves fields without a meaning takes them away, and brings back those
 * that have one again, with the last value they had.
 */
export class Choices {
  /** Values of the fields that a choice took away. */
  readonly #left = new Map<string, unknown>();

  changes(details: Values, { path, value }: FieldChange): readonly FieldChange[] {
    const own: FieldChange = value === undefined ? { path } : { path, value };
    const [field] = path;
    if (path.length !== 1 || (field !== 'sending_type' && field !== 'frequency')) return [own];

    const type = field === 'sending_type' ? value : details['sending_type'];
    const frequency = field === 'frequency' ? value : (details['frequency'] ?? this.#last('frequency'));
    const keep = meant(type, frequency);
    const changes: FieldChange[] = [own];
    for (const name of dependent.filter((each) => each !== field)) {
      const present = Object.hasOwn(details, name);
      if (present && !keep.has(name)) {
        this.#left.set(name, details[name]);
        changes.push({ path: [name] });
      } else if (!present && keep.has(name)) {
        const last = this.#last(name);
        if (last !== undefined) changes.push({ path: [name], value: last });
      }
    }
    return changes;
  }

  #last(name: string): unknown {
    return this.#left.get(name) ?? firstValues[name];
  }
}

/** The ids of the chosen lists, as far as they are ids. Undefined where the text has none. */
export function chosenLists(details: Values): readonly number[] | undefined {
  const { listIds } = details;
  return Array.isArray(listIds)
    ? [...new Set(listIds.filter((id): id is number => Number.isInteger(id) && id > 0))]
    : undefined;
}
