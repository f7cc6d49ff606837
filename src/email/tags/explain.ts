import type { Range } from '../html/ranges.ts';
import { evaluateCondition, readCondition } from './conditions.ts';
import { dateLetters, percentCodes } from './dates.ts';
import { describeCustomField, findFamily, findPair, findSubscriber, listAcceptedParameters } from './languages.ts';
import type { CustomField, Rendering, Tag, TagLanguage, TagLocation } from './model.ts';
import { parseTags } from './parse.ts';
import { renderTags } from './render.ts';
import { isTruthy } from './php.ts';

interface ExplanationText {
  readonly title: string;
  readonly about: string;
  /** Explanations of the id and of each parameter. */
  readonly details: readonly { readonly name: string; readonly about: string }[];
  /** Parts of an email in which the service replaces it. */
  readonly where: readonly TagLocation[];
  /** Output for the person, or whether a condition's content is shown to them. */
  readonly result?: { readonly text: string } | { readonly shown: boolean };
}

export interface TagExplanation extends Range, ExplanationText {
  /** Source text of the tag or half. */
  readonly tag: string;
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
  { fields = [], rendering }: ExplainContext = {},
): TagExplanation | undefined {
  const tags = parseTags(text, language);
  const tag = tags.findLast(({ start, end, kind }) => start <= offset && offset <= end && kind !== 'unknown');
  if (!tag) return undefined;
  const other = tags[tag.partner ?? -1];
  const opening = tag.kind === 'close' || tag.kind === 'endIf' ? other : tag;
  const isCondition = tag.kind === 'if' || tag.kind === 'endIf';
  const explanation = isCondition
    ? explainCondition(opening, language, rendering)
    : explainValue(opening ?? tag, language, fields);
  if (!explanation) return undefined;
  const { start, end } = tag;
  const base = { start, end, tag: text.slice(start, end), ...explanation };
  const isWhole = tag.kind === 'value' ? tag.isClosed : opening && other;
  if (!rendering || isCondition || !isWhole) return base;
  const whole = text.slice(Math.min(start, other?.start ?? start), Math.max(end, other?.end ?? end));
  return { ...base, result: { text: renderTags(whole, language, rendering).text } };
}

function explainValue(tag: Tag, language: TagLanguage, fields: readonly CustomField[]): ExplanationText | undefined {
  const definition = tag.kind === 'value' ? findFamily(language, tag.family) : findPair(language, tag.family);
  if (!definition) return undefined;
  const { title, about, where } = definition;
  const id = tag.kind === 'value' ? explainId(tag, language, fields) : [];
  return { title, about, details: [...id, ...explainParameters(tag, language)], where };
}

function explainId(tag: Tag, language: TagLanguage, fields: readonly CustomField[]): ExplanationText['details'] {
  const { ids = [], source } = findFamily(language, tag.family) ?? {};
  const own = source === 'list' ? tag.id.trim().toLowerCase() : tag.id;
  const definition = ids.find(({ id }) => id === own);
  if (definition) return [{ name: definition.id, about: definition.title }];
  const field = source === 'subscriber' ? fields.find(({ namekey }) => namekey === tag.id) : undefined;
  if (field) return [{ name: field.namekey, about: describeCustomField(field) }];
  return source === 'date' ? explainDateLetters(tag.id) : [];
}

/** Explains each letter and code of a date format. */
function explainDateLetters(format: string): ExplanationText['details'] {
  const signs = [...format.matchAll(/%?[A-Za-z]/g)].slice(0, 20).map(([sign]) => sign);
  return [...new Set(signs)].flatMap((name) => {
    const letter = percentCodes[name] ?? name.replace('%', '');
    const about = dateLetters[letter]?.[0];
    return about === undefined ? [] : [{ name, about }];
  });
}

function explainParameters(tag: Tag, language: TagLanguage): ExplanationText['details'] {
  const acceptedNames = listAcceptedParameters(language, tag) ?? [];
  return tag.params.map(({ name, value }) => {
    const definition = language.parameters.find((parameter) => parameter.name === name && acceptedNames.includes(name));
    const choice = definition?.values.find((candidate) => candidate.value === value);
    return {
      name: value === true ? name : `${name}:${value}`,
      about: choice?.title ?? definition?.title ?? 'Has no effect here.',
    };
  });
}

function explainCondition(
  opening: Tag | undefined,
  language: TagLanguage,
  rendering: Rendering | undefined,
): ExplanationText {
  const { about = '', where = [], operators = [] } = language.conditions ?? {};
  const condition = opening && readCondition(opening.id);
  const sign = operators.find((operator) => operator.sign === condition?.operator);
  return {
    title: 'Condition',
    about:
      opening && !condition && isTruthy(opening.id)
        ? 'The condition has no operator with a value. All recipients see the content.'
        : about,
    details: condition ? [{ name: condition.field, about: `${sign?.title ?? ''}: ${condition.value}` }] : [],
    where,
    ...(opening && rendering
      ? {
          result: {
            shown: evaluateCondition(
              renderTags(opening.id, language, rendering).text,
              rendering.person,
              findSubscriber(language),
            ),
          },
        }
      : {}),
  };
}
