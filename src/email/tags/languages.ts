import { acymailing } from './data/acymailing.ts';
import type { TagFamily, TagId, TagLanguage, TagLocation } from './model.ts';

const emptyLanguage: TagLanguage = {
  name: 'none',
  families: [],
  pairs: [],
  parameters: [],
  steps: [],
  translations: {},
};
const languages: Readonly<Record<'acymailing' | 'none', TagLanguage>> = { acymailing, none: emptyLanguage };

/** Returns the tag language of a service. */
export function tagLanguage(name: 'acymailing' | 'none'): TagLanguage {
  return Object.hasOwn(languages, name) ? languages[name] : emptyLanguage;
}

/** User-defined tag families: `{ "families": { "contact": { "fields": { "first": "Ann" } } } }`. */
export interface TagDescription {
  readonly families: Readonly<Record<string, FamilyDescription>>;
}

export interface FamilyDescription {
  readonly title?: string;
  readonly about?: string;
  /** Example output by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Default: everywhere. */
  readonly where?: readonly TagLocation[];
}

/** Creates a language of families `{family:field|default:…}` from user settings. Invalid names and examples are ignored. */
export function createTagLanguage({ families: descriptions }: TagDescription): TagLanguage {
  const families = Object.entries(descriptions)
    .filter(([name]) => /^[a-z_][a-z0-9_.-]*$/i.test(name))
    .map(([name, description]) => createFamily(name, description));
  const parameters = new Set(families.flatMap((family) => family.parameters));
  return {
    name: 'described',
    families,
    pairs: [],
    parameters: acymailing.parameters.filter(({ name }) => parameters.has(name)),
    steps: families.map(({ name }) => ({ kind: 'family', family: name })),
    translations: {},
  };
}

function createFamily(
  name: string,
  { title = name, about = '', fields, where = ['body', 'subject', 'preheader', 'headers'] }: FamilyDescription,
): TagFamily {
  const ids = Object.entries(fields)
    .filter(([, example]) => typeof example === 'string')
    .map(([id, example]): TagId => ({ id, title: id, example }));
  return {
    name,
    aliases: [],
    title,
    about,
    ids,
    idSources: [],
    idsIgnoreCase: false,
    source: 'example',
    where,
    parameters: acymailing.families.find(({ source }) => source === 'mail')?.parameters ?? [],
    example: `{${name}:${ids[0]?.id ?? ''}}`,
    exampleOutput: ids[0]?.example ?? '',
  };
}
