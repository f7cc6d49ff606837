import * as v from 'valibot';
import { t } from '../../l10n.ts';
import { acymailing, tagLocations } from './data/acymailing.ts';
import { createContentFamily } from './data/content.ts';
import type {
  CustomField,
  Tag,
  TagConditions,
  TagFamily,
  TagLanguage,
  TagPair,
  TagParameter,
  TagStep,
} from './model.ts';

const noTags: TagLanguage = {
  name: 'none',
  families: [],
  pairs: [],
  parameters: [],
  steps: [],
  translations: {},
};

/** Returns the tag language of a service. */
export function tagLanguage(name: 'acymailing' | 'none'): TagLanguage {
  return name === 'acymailing' ? acymailing() : noTags;
}

/** User-defined tag families: `{ "families": { "contact": { "fields": { "first": "Ann" } } } }`. With `"base": "acymailing"`, in addition to AcyMailing's. */
const settingSchema = v.object({
  base: v.fallback(v.optional(v.literal('acymailing')), undefined),
  families: v.record(
    v.string(),
    v.fallback(
      v.optional(
        v.object({
          title: v.optional(v.string()),
          about: v.optional(v.string(), ''),
          /** Example output by field. */
          fields: v.optional(v.record(v.string(), v.fallback(v.optional(v.string()), undefined))),
          where: v.optional(v.array(v.string()), tagLocations),
        }),
      ),
      undefined,
    ),
  ),
});

/** Returns the tag language that a setting names or describes. Invalid settings mean AcyMailing; invalid families and examples are ignored. */
export function readTagLanguage(setting: unknown): TagLanguage {
  if (setting === 'none') return noTags;
  const described = v.safeParse(settingSchema, setting);
  if (!described.success) return acymailing();
  const { base } = described.output;
  const parameters = findFamily(acymailing(), 'mail')?.parameters ?? [];
  const families = Object.entries(described.output.families).flatMap(([name, family]): TagFamily[] => {
    if (!family || !/^[a-z_][a-z0-9_.-]*$/i.test(name)) return [];
    const { title = name, about, fields, where } = family;
    if (!fields) return base ? [createContentFamily(name, 'value')] : [];
    const ids = Object.entries(fields).flatMap(([id, example]) =>
      example === undefined ? [] : [{ id, title: id, example }],
    );
    return [
      {
        name,
        aliases: [],
        title,
        about,
        ids,
        source: 'example',
        where: tagLocations.filter((location) => where.includes(location)),
        parameters,
        example: `{${name}:${ids[0]?.id ?? ''}}`,
        exampleOutput: ids[0]?.example ?? '',
      },
    ];
  });
  const steps = families.flatMap(({ name, source }): TagStep[] =>
    source === 'content' ? [] : [{ kind: 'family', family: name }],
  );
  const known = acymailing();
  if (base) return { ...known, families: [...known.families, ...families], steps: [...known.steps, ...steps] };
  return {
    ...noTags,
    name: 'described',
    families,
    parameters: acymailing().parameters.filter(({ name }) => families.length > 0 && parameters.includes(name)),
    steps,
  };
}

export const findFamily = ({ families }: TagLanguage, family: string): TagFamily | undefined =>
  families.find(({ name }) => name === family);

/** Returns the family of the recipient's fields. */
export const findSubscriber = ({ families }: TagLanguage): TagFamily | undefined =>
  families.find(({ source }) => source === 'subscriber');

/** Returns the family, pair or condition with a name. */
export const findDefinition = (
  { families, pairs, conditions }: TagLanguage,
  family: string,
): TagFamily | TagPair | TagConditions | undefined =>
  families.find(({ name }) => name === family) ??
  pairs.find(({ name }) => name === family) ??
  (conditions?.name === family ? conditions : undefined);

/** Returns the parameters of a family, pair or condition. */
export const listParameters = (
  { parameters }: TagLanguage,
  definition: ReturnType<typeof findDefinition>,
): readonly TagParameter[] => definition?.own ?? parameters.filter(({ name }) => definition?.parameters.includes(name));

/** Returns the names of fields in subscriber records that aren't custom fields. */
export const subscriberColumns = (): ReadonlySet<string> =>
  new Set([
    ...(findSubscriber(acymailing())?.ids ?? []).map(({ id }) => id),
    ...['user_id', 'list_id', 'status', 'subscription_date', 'unsubscribe_date'],
  ]);

const normalizeName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Returns whether tags with an id show a field. A guessed namekey may be any that resembles the label. */
export const hasNamekey = ({ namekey, label, isGuessed }: CustomField, id: string): boolean =>
  namekey === id || (isGuessed === true && /^[a-z0-9_-]+$/.test(id) && normalizeName(id) === normalizeName(label));

/** Returns the custom fields that a tag can stand for although none has its id: their namekeys are guesses. */
export function listPossibleFields(
  { kind, family, id }: Tag,
  language: TagLanguage,
  fields: readonly CustomField[],
): readonly CustomField[] {
  const subscriber = findSubscriber(language);
  const isUnknown =
    kind === 'value' &&
    family === subscriber?.name &&
    /^[a-z0-9_-]{1,60}$/.test(id) &&
    !subscriber.ids.some((choice) => choice.id === id) &&
    !fields.some((field) => hasNamekey(field, id));
  return isUnknown ? fields.filter(({ namekey, label, isGuessed }) => isGuessed || namekey === label) : [];
}

/** Derives custom fields from the additional names in subscriber records. Services list them by label and don't report the namekey, which defaults to the label's lowercase letters, digits and underscores. `namekeys`: the namekeys that the user chose, by label. */
export function createCustomFields(
  names: readonly string[],
  namekeys: ReadonlyMap<string, string> = new Map(),
): CustomField[] {
  const columns = subscriberColumns();
  return names
    .filter((name) => !columns.has(name))
    .map((label): CustomField =>
      namekeys.has(label) || /^[a-z0-9_-]+$/.test(label)
        ? { namekey: namekeys.get(label) ?? label, label }
        : { namekey: label.toLowerCase().replace(/[^a-z0-9_]/g, ''), label, isGuessed: true },
    )
    .filter(({ namekey }) => namekey !== '');
}

export const describeCustomField = ({ label, isGuessed = false }: CustomField): string =>
  isGuessed
    ? t`Custom field "${label}". The service doesn't report its namekey, so this is a guess.`
    : t`Custom field "${label}"`;
