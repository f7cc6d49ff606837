import { t } from '../../l10n.ts';
import type { Range } from '../html/text.ts';
import { evaluateCondition, readCondition } from './conditions.ts';
import { dateLetters, percentCodes } from './dates.ts';
import { describeCustomField, findDefinition, findFamily, listParameters } from './languages.ts';
import type { CustomField, Rendering, TagFamily, TagLanguage, TagLocation } from './model.ts';
import { parseTags } from './parse.ts';
import { isTruthy } from './php.ts';
import { renderTags } from './render.ts';

interface TagDetail {
  readonly name: string;
  readonly about: string;
}

export interface TagExplanation extends Range {
  /** Source text of the tag or half. */
  readonly tag: string;
  /** Heading of the tag in the documentation. */
  readonly family: string;
  readonly title: string;
  readonly about: string;
  /** Explanations of the id and of each parameter. */
  readonly details: readonly TagDetail[];
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

const MAX_DETAILS = 40;

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
  const { start, end, kind } = tag;
  const other = tags[tag.partner ?? -1];
  const opening = kind === 'close' || kind === 'endIf' ? other : tag;
  const { id, params, family } = opening ?? tag;
  const definition = findDefinition(language, family);
  if (!definition) return undefined;
  const { name, title, about, where, own } = definition;
  const base = { start, end, tag: text.slice(start, end), family: own ? 'content-tags' : name, title, where };
  const parameters = listParameters(language, definition);
  if (kind === 'if' || kind === 'endIf') {
    const condition = opening && readCondition(id);
    const sign = language.conditions?.operators.find((operator) => operator.id === condition?.operator);
    const isShown = (to: Rendering) => evaluateCondition(renderTags(id, language, to).text, to.person, language);
    return {
      ...base,
      about:
        opening && !condition && isTruthy(id)
          ? t('The condition has no operator with a value. All recipients will see the content.')
          : about,
      details: condition ? [{ name: condition.field, about: `${sign?.title ?? ''}: ${condition.value}` }] : [],
      ...(opening && rendering && { result: { shown: isShown(rendering) } }),
    };
  }
  const details = [
    ...(kind === 'value' ? explainId(id, findFamily(language, family), fields) : []),
    ...params.slice(0, MAX_DETAILS).map(({ name, value }) => {
      const parameter = parameters.find((one) => one.name === name);
      const choice = parameter?.values.find((candidate) => candidate.id === value);
      return {
        name: value === true ? name : `${name}:${value}`,
        about: (choice?.title || parameter?.title) ?? (own ? '' : t('Has no effect here.')),
      };
    }),
  ];
  const isWhole = kind === 'value' ? tag.isClosed : other;
  if (!rendering || !isWhole || own) return { ...base, about, details };
  const whole = text.slice(Math.min(start, other?.start ?? start), Math.max(end, other?.end ?? end));
  return { ...base, about, details, result: { text: renderTags(whole, language, rendering).text } };
}

function explainId(id: string, family: TagFamily | undefined, fields: readonly CustomField[]) {
  const { ids = [], source } = family ?? {};
  const name = source === 'list' ? id.trim().toLowerCase() : id;
  const choice = ids.find((one) => one.id === name);
  if (choice) return [{ name, about: choice.title }];
  const field = source === 'subscriber' ? fields.find(({ namekey }) => namekey === id) : undefined;
  if (field) return [{ name: id, about: describeCustomField(field) }];
  if (source !== 'date') return [];
  // Each letter and code of a date format.
  const titles: Readonly<Record<string, string | undefined>> = dateLetters();
  const signs = [...id.matchAll(/%?[A-Za-z]/g)].slice(0, 20).map(([sign]) => sign);
  return [...new Set(signs)].flatMap((sign) => {
    const title = titles[percentCodes[sign] ?? sign.replace('%', '')];
    return title === undefined ? [] : [{ name: sign, about: title }];
  });
}
