import { t } from '../../l10n.ts';
import type { Range, TextEdit } from '../html/text.ts';
import { describeCustomField, findDefinition, findSubscriber, listParameters } from './languages.ts';
import type { CustomField, Rendering, Tag, TagLanguage, TagLocation } from './model.ts';
import { createOpenTagFinder, parseTags } from './parse.ts';
import { sampleRendering } from './people.ts';
import { renderTags } from './render.ts';

/** Replaces a range by a text. */
export interface TagCompletion extends TextEdit {
  readonly label: string;
  readonly kind: 'family' | 'field' | 'pair' | 'condition' | 'parameter' | 'value' | 'close';
  /** The text as a VS Code snippet, if it has tab stops. */
  readonly snippet?: string;
  readonly description: string;
  /** Output of the completed tag. */
  readonly example?: string | undefined;
  /** Whether suggestions should open again after insertion. */
  readonly shouldRetrigger: boolean;
}

/** A completion of the range at the cursor. By default, suggestions don't open again. */
type Draft = Pick<TagCompletion, 'label' | 'kind' | 'text' | 'description'> & Partial<TagCompletion>;

export interface CompletionContext {
  readonly where: TagLocation;
  /** The custom fields that Mailing Studio has read. */
  readonly fields?: readonly CustomField[];
  /** Renders the examples. Default: a typical person. */
  readonly rendering?: Rendering;
}

/** Returns the completions at an offset, after a `{`, `:` or `|`. Reads the current line only. Never throws. */
export function completeTags(
  text: string,
  offset: number,
  language: TagLanguage,
  { where, fields = [], rendering = sampleRendering() }: CompletionContext,
): TagCompletion[] {
  const position = parsePosition(text, offset);
  if (!position) return [];
  const request = { ...position, text, language, where, fields, rendering: { ...rendering, where } };
  const drafts = listDrafts(request).map((draft) => ({ ...position.range, shouldRetrigger: false, ...draft }));
  if (text[position.range.end] !== ':') return drafts;
  return drafts.map((draft) =>
    draft.text.endsWith(':')
      ? { ...draft, text: draft.text.slice(0, -1), snippet: undefined, shouldRetrigger: false }
      : draft,
  );
}

function listDrafts(request: CompletionRequest): Draft[] {
  const { family, language, parameter, segment } = request;
  if (request.isClosing) return completeClosingHalves(request);
  if (family === undefined)
    return [
      ...completeFamilies(request, false),
      ...completePairs(request),
      ...completeConditions(request),
      ...completeFamilies(request, true),
    ];
  if (family === language.conditions?.name) return completeConditionFields(request);
  return segment === 0 && parameter === undefined ? completeFields(request) : completeParameters(request);
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
  readonly range: Range;
  /** Whether a closing brace follows. */
  readonly isClosed: boolean;
}

interface CompletionRequest extends TagPosition, Required<CompletionContext> {
  readonly text: string;
  readonly language: TagLanguage;
}

const MAX_TAG_CHARS = 500;

function parsePosition(text: string, offset: number): TagPosition | undefined {
  const end = Math.max(0, Math.min(text.length, Math.trunc(offset) || 0));
  const line = text.slice(Math.max(0, end - MAX_TAG_CHARS), end);
  const openBrace = line.lastIndexOf('{');
  const inner = line.slice(openBrace + 1);
  if (openBrace < 0 || /[}\n]|<|%7D/i.test(inner) || line[openBrace - 1] === '{') return undefined;
  const isClosing = inner.startsWith('/');
  const [head = '', ...tail] = inner.split('|');
  const colon = head.indexOf(':');
  const last = tail.at(-1);
  const valueColon = last?.indexOf(':') ?? -1;
  const typed = isClosing ? inner.slice(1) : last === undefined ? head.slice(colon + 1) : last.slice(valueColon + 1);
  const wordRest = /^[^\s{}|:<>"';,=!~]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0;
  return {
    start: end - line.length + openBrace,
    family: colon >= 0 || last !== undefined ? (head.split(':')[0] ?? '').trim().toLowerCase() : undefined,
    isClosing,
    segment: tail.length,
    parameter: valueColon < 0 ? undefined : last?.slice(0, valueColon).trim(),
    range: { start: end - typed.trimStart().length, end: end + wordRest },
    isClosed: /^[^{}\n<]*\}/.test(text.slice(end + wordRest, end + wordRest + MAX_TAG_CHARS)),
  };
}

const escapeSnippet = (text: string) => text.replace(/[\\$}]/g, '\\$&');
const getClosingBrace = ({ isClosed }: CompletionRequest) => (isClosed ? '' : '}');

function renderExample({ language, rendering }: CompletionRequest, tag: string) {
  const { text } = renderTags(tag, language, rendering);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Whether the name of an existing tag is completed. The tag keeps what follows it. */
const isWritten = ({ isClosed, text, range }: CompletionRequest) => isClosed && text[range.end] !== '}';

function completeFamilies(request: CompletionRequest, hasContent: boolean): Draft[] {
  const { language, where } = request;
  return language.families
    .filter((family) => family.where.includes(where) && (family.source === 'content') === hasContent)
    .map(({ name, title, about, example, exampleOutput, own }) => {
      const isForm = own && !isWritten(request);
      const snippet = isForm ? createFormSnippet(example.slice(1, -1)) + escapeSnippet(getClosingBrace(request)) : '';
      return {
        label: name,
        kind: 'family',
        text: isForm ? expandSnippet(snippet).text : `${name}:`,
        description: `${title}. ${about}`,
        ...(isForm ? { snippet } : { shouldRetrigger: true }),
        ...(!own && { example: `${example} → ${exampleOutput}` }),
      };
    });
}

/** Returns a content tag as the form of the site's editor writes it, with tab stops for its ID and for what it shows. */
const createFormSnippet = (tag: string) =>
  escapeSnippet(tag)
    .replace(/:([^|]*)/, ':${1:$1}')
    .replace(/\| display:([^|]*)/, '| display:${2:$1}');

/** How far matching halves are searched. */
const MAX_PAIR_DISTANCE_CHARS = 20_000;

/** Returns the names of the halves of pairs and conditions without their other half. */
const findLooseHalves = (text: string, language: TagLanguage, ...kinds: readonly Tag['kind'][]) =>
  parseTags(text, language)
    .filter(({ partner, kind }) => partner === undefined && kinds.includes(kind))
    .map(({ family }) => family);

const findOpenHalves = ({ text, start, language }: CompletionRequest) =>
  findLooseHalves(text.slice(Math.max(0, start - MAX_PAIR_DISTANCE_CHARS), start), language, 'open', 'if');

/** Returns a function for the end of an inserted closing half, or for undefined if the text already contains that half. Editors auto-close braces: such a brace then closes the inserted half. */
function createEndReader(request: CompletionRequest): (names: readonly string[]) => '}' | '' | undefined {
  const { text, language, isClosed, range } = request;
  if (!isClosed) return () => '}';
  if (text[range.end] !== '}') return () => undefined;
  const opening = findOpenHalves(request);
  const after = text.slice(range.end, range.end + MAX_PAIR_DISTANCE_CHARS);
  const closing = findLooseHalves(after, language, 'close', 'endIf');
  return (names) => {
    const count = (halves: readonly string[]) => halves.filter((half) => names.includes(half)).length;
    return count(closing) > count(opening) ? undefined : '';
  };
}

/** Completes both halves: without content in an attribute value, where the bare URL is needed; otherwise with a default text. */
function completePairs(request: CompletionRequest): Draft[] {
  const { language, start, where, text } = request;
  const before = text.slice(Math.max(0, start - 2000), start);
  const isInMarkup = createOpenTagFinder(before, '[a-z][a-z0-9]*')(before.length) >= 0;
  const getEnd = createEndReader(request);
  // In a subject, recipients would see the markup of a link.
  const pairs = language.pairs.filter((pair) => pair.where.includes(where) && (!pair.task || where === 'body'));
  return pairs.map(({ name, group, title, about, text: content }) => {
    const added = group === 'info' ? ':site_name' : name === 'subscribe' ? '|lists:${1:1}' : '';
    const opening = name + (isWritten(request) ? '' : added);
    const inner = isInMarkup ? '' : content;
    const end = getEnd(language.pairs.filter((pair) => pair.group === group).map((pair) => pair.name));
    const rest = `\\}${inner && `\${2:${escapeSnippet(inner)}}`}${escapeSnippet(`{/${name}${end}`)}`;
    const snippet = end === undefined ? opening : opening + rest;
    return {
      label: name,
      kind: 'pair',
      text: expandSnippet(snippet).text,
      snippet,
      description: `${title}. ${about}`,
      example: renderExample(request, `{${expandSnippet(opening).text}}${inner}{/${name}}`),
    };
  });
}

function completeConditions(request: CompletionRequest): Draft[] {
  const { conditions } = request.language;
  if (!conditions?.where.includes(request.where)) return [];
  const { name, about, example, operators } = conditions;
  const text = `${name}:`;
  const end = createEndReader(request)([name]);
  const signs = operators.map(({ id }) => id).join(',');
  const parts = `\${1:${escapeSnippet(request.fields[0]?.label ?? 'name')}}\${2|${signs}|}\${3:value}`;
  const snippet = end === undefined ? text : `${text}${parts}\\}$0${escapeSnippet(`{/${name}${end}`)}`;
  const shouldRetrigger = end === undefined;
  return [{ label: name, kind: 'condition', text, snippet, description: about, example, shouldRetrigger }];
}

const findPositionFamily = ({ language, family = '' }: CompletionRequest) =>
  language.families.find(({ name, aliases }) => [name, ...aliases].some((one) => one.toLowerCase() === family));

function completeFields(request: CompletionRequest): Draft[] {
  const family = findPositionFamily(request);
  if (!family) return [];
  const { fields, rendering } = request;
  const stored = rendering.person.fields ?? [];
  const custom = (family.source === 'subscriber' ? fields : []).map((field) => ({
    id: field.namekey,
    title: describeCustomField(field),
    hasExample: stored.some(({ namekey }) => namekey === field.namekey),
  }));
  return [...custom, ...family.ids.map((choice) => ({ ...choice, hasExample: true }))].map(
    ({ id, title, hasExample }) => ({
      label: id,
      kind: 'field',
      text: id + getClosingBrace(request),
      description: title,
      example: hasExample ? renderExample(request, `{${family.name}:${id}}`) : undefined,
    }),
  );
}

/** Completes fields of conditions (custom fields by label), and operators after a complete field. */
function completeConditionFields({ language, range: { start, end }, fields, text }: CompletionRequest): Draft[] {
  const typed = text.slice(start, end);
  if (/[=!<>~]/.test(typed)) return [];
  const custom = fields.map(({ label }) => ({ id: label, title: t('Custom field') }));
  const names = [...custom, ...(findSubscriber(language)?.ids ?? [])];
  const isWhole = names.some(({ id }) => id === typed) && !/^(?:[=!<>~]|&[lg]t;)/i.test(text.slice(end));
  const operators = isWhole ? (language.conditions?.operators ?? []) : [];
  return [
    ...operators.map(({ id, title }): Draft => ({
      label: id,
      kind: 'value',
      text: id,
      description: title,
      start: end,
    })),
    ...names.map(({ id, title }): Draft => ({
      label: id,
      kind: 'field',
      text: id,
      description: title,
      shouldRetrigger: true,
    })),
  ];
}

/** Completes the parameters that the tag accepts and doesn't have yet, or the values of one. */
function completeParameters(request: CompletionRequest): Draft[] {
  const { language, start, range, text, parameter } = request;
  const family = findPositionFamily(request);
  const definitions = listParameters(language, family ?? findDefinition(language, request.family ?? ''));
  const before = text.slice(start, range.start);
  const getExample = (end: string) => (family && !family.own ? renderExample(request, `${before}${end}}`) : undefined);
  if (parameter !== undefined) {
    const value = text.slice(range.start, range.end);
    // A content tag lists the parts that it shows.
    const isList = family?.own && parameter === 'display';
    const parts = isList ? value.split(',') : [value];
    const last = parts.pop() ?? '';
    return (definitions.find(({ name }) => name === parameter)?.values ?? [])
      .filter(({ id }) => !parts.includes(id))
      .map(({ id, title }) => ({
        label: id,
        kind: 'value',
        start: range.end - last.length,
        text: id + (isList ? '' : getClosingBrace(request)),
        description: title,
        example: getExample(id),
      }));
  }
  const usedNames = new Set([...before.matchAll(/\|\s*(\w+)/g)].map(([, name]) => name));
  return definitions
    .filter(({ name }) => !usedNames.has(name))
    .map(({ name, title, example, needsValue }) => ({
      label: name,
      kind: 'parameter',
      text: name + (needsValue ? ':' : getClosingBrace(request)),
      description: title,
      example: getExample(example),
      shouldRetrigger: needsValue,
    }));
}

/** Completes the open halves before the position, innermost first. */
function completeClosingHalves(request: CompletionRequest): Draft[] {
  const { text, range } = request;
  // The completion replaces a brace that the editor closed, so that the cursor is behind it.
  const brace = text[range.end] === '}' ? '}' : '';
  return [...new Set(findOpenHalves(request).toReversed())].map((name) => ({
    label: `/${name}`,
    kind: 'close',
    text: name + (brace || getClosingBrace(request)),
    end: range.end + brace.length,
    description: t('Closes {0}.', `{${name}}`),
  }));
}

/** Filters completions by the typed text: prefix matches first, then other matches. */
export function filterCompletions(
  completions: readonly TagCompletion[],
  text: string,
  offset: number,
): TagCompletion[] {
  const find = ({ label, start }: TagCompletion) =>
    label.toLowerCase().replace(/^\//, '').indexOf(text.slice(start, offset).toLowerCase());
  return [
    ...completions.filter((completion) => find(completion) === 0),
    ...completions.filter((completion) => find(completion) > 0),
  ];
}

/** Returns the output of an example, without its source. */
export const getExampleOutput = ({ example = '' }: TagCompletion): string => example.split(' → ').at(-1) ?? '';

/** A completion as an edit, for fields without snippet support. */
export interface TagInsertion extends TextEdit {
  /** Selected after insertion: the first tab stop, or the end. */
  readonly selection: Range;
}

export function createTagInsertion({ start, end, text, snippet }: TagCompletion): TagInsertion {
  const expanded = expandSnippet(snippet ?? escapeSnippet(text));
  const selection = { start: start + expanded.stop.start, end: start + expanded.stop.end };
  return { start, end, text: expanded.text, selection };
}

/** Expands a snippet and returns its first tab stop. Supports `\}`, `${1:text}`, `${2|one,two|}` and `$0`. */
function expandSnippet(snippet: string) {
  let text = '';
  let last = 0;
  const stops: (Range & { readonly order: number })[] = [];
  for (const match of snippet.matchAll(/\\([\\$}])|\$\{(\d+)(?::((?:\\.|[^\\}])*)|\|([^|]*)\|)\}|\$(\d+)/g)) {
    const [whole, escaped, number, content, choices, bare] = match;
    text += snippet.slice(last, match.index) + (escaped ?? '');
    last = match.index + whole.length;
    if (escaped !== undefined) continue;
    const start = text.length;
    text += content?.replace(/\\([\\$}])/g, '$1') ?? choices?.split(',')[0] ?? '';
    // `$0` is the last tab stop.
    stops.push({ start, end: text.length, order: Number(number ?? bare) || Infinity });
  }
  text += snippet.slice(last);
  const [stop = { start: text.length, end: text.length }] = stops.toSorted((one, other) => one.order - other.order);
  return { text, stop };
}
