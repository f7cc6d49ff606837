import { fieldsBySendingType, isSendingType, type CampaignDetails } from '../model.ts';
import type { FieldChange, Values } from '../../../platform/documents/form/text.ts';

/** Initial values of an automatic campaign, so that the form has a frequency to edit. */
const initialValues: Values = { frequency: 'every', frequency_options: { unit: 'week', value: 1 }, need_confirm: 1 };

/** Returns the dependent fields that apply to a sending type and a frequency. */
function getRelevantFields(type: unknown, frequency: unknown): ReadonlySet<keyof CampaignDetails> {
  const fields = new Set(isSendingType(type) ? fieldsBySendingType[type] : []);
  if (frequency !== 'every') fields.delete('frequency_options');
  return fields;
}

const dependentFieldNames: readonly (keyof CampaignDetails)[] = [...new Set(Object.values(fieldsBySendingType).flat())];

/**
 * Adds the dependent changes to an edit of the sending type or the frequency: removes fields that no longer apply, and restores those
 * that apply again with their last value.
 */
export class DependentFields {
  /** The last value of each removed field. */
  readonly #removedValues = new Map<string, unknown>();

  expandChange(details: Values, { path, value }: FieldChange): readonly FieldChange[] {
    const change: FieldChange = value === undefined ? { path } : { path, value };
    const [field] = path;
    if (path.length !== 1 || (field !== 'sending_type' && field !== 'frequency')) return [change];

    const type = field === 'sending_type' ? value : details['sending_type'];
    const frequency = field === 'frequency' ? value : (details['frequency'] ?? this.#getLastValue('frequency'));
    const relevant = getRelevantFields(type, frequency);
    const changes: FieldChange[] = [change];
    for (const name of dependentFieldNames.filter((each) => each !== field)) {
      const isPresent = Object.hasOwn(details, name);
      if (isPresent && !relevant.has(name)) {
        this.#removedValues.set(name, details[name]);
        changes.push({ path: [name] });
      } else if (!isPresent && relevant.has(name)) {
        const last = this.#getLastValue(name);
        if (last !== undefined) changes.push({ path: [name], value: last });
      }
    }
    return changes;
  }

  #getLastValue(name: string): unknown {
    return this.#removedValues.get(name) ?? initialValues[name];
  }
}

/** Returns the valid ids in `listIds`, without duplicates. Undefined if `listIds` is not an array. */
export function getChosenListIds(details: Values): readonly number[] | undefined {
  const { listIds } = details;
  return Array.isArray(listIds)
    ? [...new Set(listIds.filter((id): id is number => Number.isInteger(id) && id > 0))]
    : undefined;
}
