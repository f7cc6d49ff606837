import { describeCustomField } from './customFields.ts';
import type {
  CustomField,
  Rendering,
  TextRange,
  Tag,
  TagFamily,
  TagLanguage,
  TagParameter,
  TagLocation,
} from './model.ts';
import { parseTags } from './parse.ts';
import { renderTags } from './render.ts';
import { OpenTagTracker } from './scan.ts';
import { sampleRendering } from './sample.ts';

export interface TagCompletion extends TextRange {
  readonly label: string;
  readonly kind: 'family' | 'field' | 'pair' | 'condition' | 'parameter' | 'value' | 'close';
  /** Replaces the range. */
  readonly text: string;
  /** The same as a VS Code snippet, if it has tab stops. */
  readonly snippet?: string;
  readonly description: string;
  /** Output of the completed tag. */
  readonly example?: string;
  /** Whether suggestions should open again after insertion. */
  readonly shouldRetrigger: boolean;
}

export interface CompletionContext {
  readonly where: TagLocation;
  /** The site's known custom fields. */
  readonly fields?: readonly CustomField[];
  /** Renders the examples. Default: a typical person. */
  readonly rendering?: Rendering;
}

/** Returns the completions at an offset, after a `{`, `:` or `|`. Reads the current line only. Never throws. */
export function completeTags(
  text: string,
  offset: number,
  language: TagLanguage,
  context: CompletionContext,
): TagCompletion[] {
  const position = parsePosition(text, offset);
  if (!position) return [];
  const request: CompletionRequest = {
    text,
    position,
    language,
    context,
    rendering: { ...(context.rendering ?? sampleRendering()), where: context.where },
  };
  if (position.isClosing) return completeClosingHalves(request);
  if (position.family === undefined)
    return [...completeFamilies(request), ...completePairs(request), ...completeConditions(request)];
  if (position.family === language.conditions?.name) return completeConditionFields(request);
  return position.parameter === undefined && position.segment === 0
    ? completeFields(request)
    : completeParameters(request);
}

interface TagPosition {
  /** Offset of the opening brace. */
  readonly start: number;
  /** Lowercase name before the colon. Undefined: the cursor is in the name. */
  readonly family: string | undefined;
  readonly isClosing: boolean;
  /** 0: the id; 1 and up: a parameter. */
  readonly segment: number;
  /** The parameter whose value contains the cursor. */
  readonly parameter: string | undefined;
  /** The replaced range, up to the end of the word at the cursor. */
  readonly range: TextRange;
  /** Whether a closing brace follows. */
  readonly isClosed: boolean;
}

interface CompletionRequest {
  readonly text: string;
  readonly position: TagPosition;
  readonly language: TagLanguage;
  readonly context: CompletionContext;
  readonly rendering: Rendering;
}

const MAX_TAG_CHARS = 500;

function parsePosition(text: string, offset: number): TagPosition | undefined {
  const end = Math.max(0, Math.min(text.length, Math.trunc(offset) || 0));
  const line = text.slice(Math.max(0, end - MAX_TAG_CHARS), end);
  const openBrace = line.lastIndexOf('{');
  const inner = openBrace < 0 ? '' : line.slice(openBrace + 1);
  if (openBrace < 0 || /[}\n]|<|%7D/i.test(inner) || line[openBrace - 1] === '{') return undefined;
  const isClosing = inner.startsWith('/');
  const [head = '', ...tail] = inner.split('|');
  const colon = head.indexOf(':');
  const name = (colon < 0 ? head : head.slice(0, colon)).trim().toLowerCase();
  const last = tail.at(-1);
  const valueColon = last?.indexOf(':') ?? -1;
  const typed = isClosing ? inner.slice(1) : last === undefined ? head.slice(colon + 1) : last.slice(valueColon + 1);
  const wordRest = /^[^\s{}|:<>"';,=!~]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0;
  return {
    start: end - line.length + openBrace,
    family: colon >= 0 || tail.length > 0 ? name : undefined,
    isClosing,
    segment: tail.length,
    parameter: last !== undefined && valueColon >= 0 ? last.slice(0, valueColon).trim() : undefined,
    range: { start: end - typed.trimStart().length, end: end + wordRest },
    isClosed: /^[^{}\n<]*\}/.test(text.slice(end + wordRest, end + wordRest + MAX_TAG_CHARS)),
  };
}

const escapeSnippet = (text: string): string => text.replace(/[\\$}]/g, '\\$&');
const getClosingBrace = ({ position }: CompletionRequest): string => (position.isClosed ? '' : '}');

function renderExample({ language, rendering }: CompletionRequest, tag: string): string {
  const { text } = renderTags(tag, language, rendering);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function completeFamilies(request: CompletionRequest): TagCompletion[] {
  const { language, position, context } = request;
  return language.families
    .filter((family) => family.where.includes(context.where))
    .map((family): TagCompletion => ({
      ...position.range,
      label: family.name,
      kind: 'family',
      text: `${family.name}:`,
      description: `${family.title}. ${family.about}`,
      example: `${family.example} → ${family.exampleOutput}`,
      shouldRetrigger: true,
    }));
}

/** Returns the end of an inserted closing half, or undefined if the text already contains that half. Editors auto-close braces: such a brace then closes the inserted half. */
function getClosingHalfEnd(request: CompletionRequest, names: readonly string[]): '}' | '' | undefined {
  const { position, text } = request;
  if (!position.isClosed) return '}';
  return text[position.range.end] !== '}' || hasLooseClosingHalf(request, names) ? undefined : '';
}

/** Whether an unmatched closing half follows that no earlier opening half belongs to. */
function hasLooseClosingHalf({ text, position, language }: CompletionRequest, names: readonly string[]): boolean {
  const countLoose = (part: string, ...kinds: readonly Tag['kind'][]): number =>
    parseTags(part, language).filter(
      ({ partner, kind, family }) => partner === undefined && kinds.includes(kind) && names.includes(family),
    ).length;
  const after = countLoose(
    text.slice(position.range.end, position.range.end + MAX_PAIR_DISTANCE_CHARS),
    'close',
    'endIf',
  );
  return (
    after > 0 &&
    after > countLoose(text.slice(Math.max(0, position.start - MAX_PAIR_DISTANCE_CHARS), position.start), 'open', 'if')
  );
}

/** How far matching halves are searched. */
const MAX_PAIR_DISTANCE_CHARS = 20_000;

/** Completes both halves: without content in an attribute value, where the bare URL is needed; otherwise with a default text. */
function completePairs(request: CompletionRequest): TagCompletion[] {
  const { language, position, context, text } = request;
  const isInMarkup =
    new OpenTagTracker(text.slice(Math.max(0, position.start - 2000), position.start), '[a-z][a-z0-9]*').before(2000) >=
    0;
  const getGroupNames = (pairGroup: string): string[] =>
    language.pairs.filter(({ group }) => group === pairGroup).map(({ name }) => name);
  const groups = new Set(language.pairs.map(({ group }) => group));
  const ends = new Map([...groups].map((group) => [group, getClosingHalfEnd(request, getGroupNames(group))]));
  return (
    language.pairs
      // In a subject, recipients would see the markup of a link.
      .filter(({ where, task }) => where.includes(context.where) && (task === undefined || context.where === 'body'))
      .map((pair): TagCompletion => {
        const head =
          pair.group === 'info'
            ? `${pair.name}:site_name`
            : pair.name === 'subscribe'
              ? `${pair.name}|lists:1`
              : pair.name;
        const opening = pair.name === 'subscribe' ? `${pair.name}|lists:\${1:1}` : head;
        const content = isInMarkup ? '' : pair.text;
        const end = ends.get(pair.group);
        const stop = content === '' ? '' : `\${2:${escapeSnippet(content)}}`;
        const other = `{/${pair.name}${end}`;
        return {
          ...position.range,
          label: pair.name,
          kind: 'pair',
          text: end === undefined ? head : `${head}}${content}${other}`,
          snippet: end === undefined ? opening : `${opening}\\}${stop}${escapeSnippet(other)}`,
          description: `${pair.title}. ${pair.about}`,
          example: renderExample(request, `{${head}}${content}{/${pair.name}}`),
          shouldRetrigger: false,
        };
      })
  );
}

function completeConditions(request: CompletionRequest): TagCompletion[] {
  const {
    language: { conditions: definition },
    position,
    context,
  } = request;
  if (!definition?.where.includes(context.where)) return [];
  const label = context.fields?.[0]?.label ?? 'name';
  const text = `${definition.name}:`;
  const end = getClosingHalfEnd(request, [definition.name]);
  const parts = `\${1:${escapeSnippet(label)}}\${2|=,!=,<,>,~,!~|}\${3:value}`;
  const snippet = end === undefined ? text : `${text}${parts}\\}$0${escapeSnippet(`{/${definition.name}${end}`)}`;
  return [
    {
      ...position.range,
      label: definition.name,
      kind: 'condition',
      text,
      snippet,
      description: definition.about,
      example: definition.example,
      shouldRetrigger: end === undefined,
    },
  ];
}

const findPositionFamily = ({ language, position }: CompletionRequest): TagFamily | undefined =>
  language.families.find(({ name, aliases }) => [name, ...aliases].includes(position.family ?? ''));

function completeFields(request: CompletionRequest): TagCompletion[] {
  const { position, context } = request;
  const family = findPositionFamily(request);
  if (!family) return [];
  const custom = family.idSources.includes('customFields') ? (context.fields ?? []) : [];
  const names = [...custom.map((field) => ({ id: field.namekey, title: describeCustomField(field) })), ...family.ids];
  return names.map(({ id, title }, index): TagCompletion => ({
    ...position.range,
    label: id,
    kind: 'field',
    text: `${id}${getClosingBrace(request)}`,
    description: title,
    // No example without a value for this person.
    ...(index < custom.length && !hasCustomField(request, id)
      ? {}
      : { example: renderExample(request, `{${family.name}:${id}}`) }),
    shouldRetrigger: false,
  }));
}

const hasCustomField = ({ rendering }: CompletionRequest, id: string): boolean =>
  Array.isArray(rendering.person.fields) && rendering.person.fields.some((field) => field?.namekey === id);

/** Completes fields of conditions (custom fields by label), and operators after a complete field. */
function completeConditionFields(request: CompletionRequest): TagCompletion[] {
  const { language, position, context, text } = request;
  const typed = text.slice(position.range.start, position.range.end);
  if (/[=!<>~]/.test(typed)) return [];
  const columns = language.families.find(({ source }) => source === 'subscriber')?.ids ?? [];
  const names = [...(context.fields ?? []).map(({ label }) => ({ id: label, title: 'Custom field' })), ...columns];
  const isWhole = names.some(({ id }) => id === typed) && !/^(?:[=!<>~]|&[lg]t;)/i.test(text.slice(position.range.end));
  const operators = isWhole ? (language.conditions?.operators ?? []) : [];
  return [
    ...operators.map(({ sign, title }): TagCompletion => ({
      start: position.range.end,
      end: position.range.end,
      label: sign,
      kind: 'value',
      text: sign,
      description: title,
      shouldRetrigger: false,
    })),
    ...names.map(({ id, title }): TagCompletion => ({
      ...position.range,
      label: id,
      kind: 'field',
      text: id,
      description: title,
      shouldRetrigger: true,
    })),
  ];
}

function completeParameters(request: CompletionRequest): TagCompletion[] {
  const { language, position, text } = request;
  const family = findPositionFamily(request);
  const pair = language.pairs.find(({ name }) => name === position.family);
  const acceptedNames = new Set(family?.parameters ?? pair?.parameters ?? []);
  const definition = language.parameters.filter(({ name }) => acceptedNames.has(name));
  const before = text.slice(position.start, position.range.start);
  const example = (end: string): { example?: string } =>
    family ? { example: renderExample(request, `${before}${end}}`) } : {};
  if (position.parameter !== undefined) {
    const values = definition.find(({ name }) => name === position.parameter)?.values ?? [];
    return values.map(({ value, title }): TagCompletion => ({
      ...position.range,
      label: value,
      kind: 'value',
      text: `${value}${getClosingBrace(request)}`,
      description: title,
      ...example(value),
      shouldRetrigger: false,
    }));
  }
  const usedNames = new Set([...before.matchAll(/\|\s*([a-z]+)/gi)].map(([, name]) => name));
  return definition
    .filter(({ name }) => !usedNames.has(name))
    .map((parameter): TagCompletion => ({
      ...position.range,
      label: parameter.name,
      kind: 'parameter',
      text: formatParameter(parameter, request),
      description: parameter.title,
      ...example(parameter.example),
      shouldRetrigger: parameter.value === 'always',
    }));
}

const formatParameter = ({ name, value }: TagParameter, request: CompletionRequest): string =>
  value === 'always' ? `${name}:` : `${name}${getClosingBrace(request)}`;

/** Completes the open halves before the position, innermost first. */
function completeClosingHalves(request: CompletionRequest): TagCompletion[] {
  const { text, position, language } = request;
  const from = Math.max(0, position.start - 20_000);
  const openBrace = parseTags(text.slice(from, position.start), language).filter(
    ({ kind, partner }) => partner === undefined && (kind === 'open' || kind === 'if'),
  );
  const names = [...new Set(openBrace.reverse().map(({ family }) => family))];
  return names.map((name): TagCompletion => ({
    ...position.range,
    label: `/${name}`,
    kind: 'close',
    text: `${name}${getClosingBrace(request)}`,
    description: `Closes {${name}}.`,
    shouldRetrigger: false,
  }));
}
