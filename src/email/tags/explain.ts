import { evaluateCondition, readCondition } from './conditions.ts';
import { describeCustomField } from './customFields.ts';
import { dateLetters, percentCodes } from './dates.ts';
import type { CustomField, Rendering, TextRange, Tag, TagLanguage, TagLocation } from './model.ts';
import { parseTags } from './parse.ts';
import { renderTags } from './render.ts';
import { isTruthy } from './php.ts';

export interface TagExplanation extends TextRange {
  /** Source text of the tag or half. */
  readonly tag: string;
  readonly title: string;
  readonly about: string;
  /** Explanations of the id and of each parameter. */
  readonly details: readonly { readonly name: string; readonly about: string }[];
  /** Parts of an email in which the service replaces it. */
  readonly where: readonly TagLocation[];
  /** Output for the person, or whether a condition's content is shown to them. */
  readonly result?: { readonly text: string } | { readonly shown: boolean };
}

export interface ExplainContext {
  readonly fields?: readonly CustomField[];
  /** If undefined, the explanation has no output. */
  readonly rendering?: Rendering;
}

/** Explains the tag at an offset. */
export function explainTag(
  text: string,
  offset: number,
  language: TagLanguage,
  context: ExplainContext = {},
): TagExplanation | undefined {
  const tags = parseTags(text, language);
  const tag = tags.findLast(({ start, end, kind }) => start <= offset && offset <= end && kind !== 'unknown');
  if (!tag) return undefined;
  const base = { start: tag.start, end: tag.end, tag: text.slice(tag.start, tag.end) };
  if (tag.kind === 'if' || tag.kind === 'endIf') return { ...base, ...explainCondition(tag, tags, language, context) };
  const pair = language.pairs.find(({ name }) => name === tag.family);
  const other = tag.partner === undefined ? undefined : tags[tag.partner];
  if (pair && tag.kind !== 'value') {
    const [first, last] = tag.kind === 'open' ? [tag, other] : [other, tag];
    const result =
      context.rendering && first && last
        ? { result: { text: renderTags(text.slice(first.start, last.end), language, context.rendering).text } }
        : {};
    return {
      ...base,
      title: pair.title,
      about: pair.about,
      details: explainParameters(first ?? tag, language),
      where: pair.where,
      ...result,
    };
  }
  const family = language.families.find(({ name }) => name === tag.family);
  if (!family) return undefined;
  const result =
    context.rendering && tag.isClosed
      ? { result: { text: renderTags(base.tag, language, context.rendering).text } }
      : {};
  return {
    ...base,
    title: family.title,
    about: family.about,
    details: [...explainId(tag, language, context), ...explainParameters(tag, language)],
    where: family.where,
    ...result,
  };
}

function explainId(tag: Tag, language: TagLanguage, { fields = [] }: ExplainContext): TagExplanation['details'] {
  const family = language.families.find(({ name }) => name === tag.family);
  const definition = family?.ids.find(({ id }) =>
    family.idsIgnoreCase ? id.toLowerCase() === tag.id.trim().toLowerCase() : id === tag.id,
  );
  if (definition) return [{ name: definition.id, about: definition.title }];
  const field = family?.idSources.includes('customFields')
    ? fields.find(({ namekey }) => namekey === tag.id)
    : undefined;
  if (field) return [{ name: field.namekey, about: describeCustomField(field) }];
  return family?.idSources.includes('dateFormat') ? explainDateLetters(tag.id) : [];
}

/** Explains each letter and code of a date format. */
function explainDateLetters(format: string): TagExplanation['details'] {
  const letters = [...format.matchAll(/%?[A-Za-z]/g)].slice(0, 20).map(([sign]) => ({
    sign,
    letter: Object.hasOwn(percentCodes, sign) ? percentCodes[sign] : sign.replace('%', ''),
  }));
  return [...new Map(letters.map(({ sign, letter }) => [sign, letter])).entries()].flatMap(([sign, letter]) =>
    letter !== undefined && Object.hasOwn(dateLetters, letter)
      ? [{ name: sign, about: dateLetters[letter]?.title ?? '' }]
      : [],
  );
}

function explainParameters(tag: Tag, language: TagLanguage): TagExplanation['details'] {
  const acceptedNames =
    language.families.find(({ name }) => name === tag.family)?.parameters ??
    language.pairs.find(({ name }) => name === tag.family)?.parameters ??
    [];
  return tag.params.flatMap(({ name, value }) => {
    const definition = acceptedNames.includes(name)
      ? language.parameters.find((parameter) => parameter.name === name)
      : undefined;
    const valueTitle = definition?.values?.find((choice) => choice.value === value)?.title;
    return [
      {
        name: value === true ? name : `${name}:${value}`,
        about: definition ? (valueTitle ?? definition.title) : 'Does nothing here.',
      },
    ];
  });
}

function explainCondition(
  tag: Tag,
  tags: readonly Tag[],
  language: TagLanguage,
  { rendering }: ExplainContext,
): Omit<TagExplanation, 'start' | 'end' | 'tag'> {
  const opening = tag.kind === 'if' ? tag : tag.partner === undefined ? undefined : tags[tag.partner];
  const condition = opening && readCondition(opening.id);
  const sign = language.conditions?.operators.find((operator) => operator.sign === condition?.operator);
  const subscriber = language.families.find(({ source }) => source === 'subscriber');
  const renderedCondition = opening && rendering ? renderTags(opening.id, language, rendering).text : '';
  const details = condition ? [{ name: condition.field, about: `${sign?.title ?? ''}: ${condition.value}` }] : [];
  return {
    title: 'Condition',
    about:
      opening && !condition && isTruthy(opening.id)
        ? 'There is no operator with a value in it: everybody sees what stands here.'
        : (language.conditions?.about ?? ''),
    details,
    where: language.conditions?.where ?? [],
    ...(opening && rendering
      ? { result: { shown: evaluateCondition(renderedCondition, rendering.person, subscriber) } }
      : {}),
  };
}
