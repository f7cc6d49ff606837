import { evaluateCondition } from './conditions.ts';
import { findExtensionMarks } from './extensionMarks.ts';
import type { Range } from '../html/ranges.ts';
import { findMarkup, findRawElements, findTrimmed } from '../html/stripTags.ts';
import { MappedText } from './mappedText.ts';
import type { MappedEdit } from './mappedText.ts';
import { widenToEditorSpans } from './editorSpans.ts';
import type { Rendered, Rendering, TagFamily, TagLanguage, TagPair, TagStep } from './model.ts';
import { readParameters } from './parameters.ts';
import { isTruthy, toPlainText, toText, toInteger } from './php.ts';
import { findConditions, findPairs, findTags, OpenTagTracker } from './scan.ts';
import type { FoundPair } from './scan.ts';
import { translate, getTagValue } from './values.ts';
import type { RenderContext } from './values.ts';

/** Renders the tags in a part of an email for one person. Runs in linear time and never throws. */
export function renderTags(text: string, language: TagLanguage, rendering: Rendering): Rendered {
  if (language.steps.length === 0) return toRendered(MappedText.from(text));
  const context: RenderContext = { rendering, language, choices: new Map() };
  const draft = language.steps.reduce(
    (before, step) => passes[step.kind](before, step, context),
    trimStoredText(text, rendering, language),
  );
  return toRendered(draft);
}

const toRendered = (draft: MappedText): Rendered => ({ text: draft.text, pieces: draft.pieces() });

/** The service strips markup and surrounding whitespace from subject and preheader on save. */
function trimStoredText(text: string, { where }: Rendering, { conditions }: TagLanguage): MappedText {
  if (!conditions || (where !== 'subject' && where !== 'preheader')) return MappedText.from(text);
  const withoutRawElements = MappedText.from(text).replace(findRawElements(text).map(toRemoval));
  const stripped = withoutRawElements.replace(findMarkup(withoutRawElements.text).map(toRemoval));
  const { start, end } = findTrimmed(stripped.text);
  return stripped.replace([
    { start: 0, end: start, parts: [] },
    { start: end, end: stripped.text.length, parts: [] },
  ]);
}

const toRemoval = (range: Range): MappedEdit => ({ ...range, parts: [] });

const passes: Readonly<
  Record<TagStep['kind'], (draft: MappedText, step: TagStep, context: RenderContext) => MappedText>
> = {
  pairs: (draft, step, context) => (step.kind === 'pairs' ? replacePairs(draft, step.group, context) : draft),
  family: (draft, step, context) => {
    const family =
      step.kind === 'family' ? context.language.families.find(({ name }) => name === step.family) : undefined;
    return family?.where.includes(context.rendering.where) ? replaceFamily(draft, family, context) : draft;
  },
  extensionMarks: (draft, _step, { rendering }) =>
    rendering.where === 'body' ? draft.replace(findExtensionMarks(draft)) : draft,
  conditions: (draft, _step, context) => replaceConditions(draft, context),
};

/** Their values are plain text in parts without markup. */
const plainSources: ReadonlySet<TagFamily['source']> = new Set(['list', 'choice', 'translation', 'site']);
const allowsMarkup = ({ where }: Rendering): boolean => where === 'body' || where === 'headers';

function replaceFamily(draft: MappedText, family: TagFamily, context: RenderContext): MappedText {
  const { text } = draft;
  const values = new Map<string, string | undefined>();
  const edits: MappedEdit[] = [];
  for (const { start, end, inner } of findTags(text, [family.name, ...family.aliases])) {
    const source = text.slice(start, end);
    if (!values.has(source)) {
      const value = getTagValue({ family, parameters: readParameters(inner), source, text }, context);
      values.set(
        source,
        value !== undefined && plainSources.has(family.source) && !allowsMarkup(context.rendering)
          ? toPlainText(value)
          : value,
      );
    }
    const value = values.get(source);
    if (value !== undefined) edits.push({ start, end, parts: [value] });
  }
  return draft.replace(widenToEditorSpans(text, edits));
}

function replacePairs(draft: MappedText, group: string, context: RenderContext): MappedText {
  const { rendering, language } = context;
  if (!language.pairs.some((pair) => pair.group === group && pair.where.includes(rendering.where))) return draft;
  const edits = findPairs(draft.text, language, group).map((match): MappedEdit => {
    const content = { start: match.contentStart, end: match.contentEnd };
    return {
      start: match.start,
      end: match.end,
      parts:
        group === 'info' ? createInfoParts(draft.text, content) : createLinkParts(draft.text, match, group, context),
    };
  });
  return draft.replace(widenToEditorSpans(draft.text, mergeLinks(draft.text, edits)));
}

/** Merges a link that is inserted into the opening tag of another link with that link. */
function mergeLinks(text: string, edits: readonly MappedEdit[]): MappedEdit[] {
  const links = new OpenTagTracker(text, 'a');
  let lastEnd = 0;
  return edits.map((edit) => {
    const start = links.before(edit.start);
    const isMerged = start >= lastEnd && edit.parts.some((part) => typeof part === 'string' && part.startsWith('<a '));
    lastEnd = edit.end;
    return isMerged ? { ...edit, start } : edit;
  });
}

type EditParts = MappedEdit['parts'];
type EditRange = Exclude<EditParts[number], string>;

function createLinkParts(
  text: string,
  match: FoundPair,
  group: string,
  { rendering, language }: RenderContext,
): EditParts {
  const parameters = readParameters(match.inner);
  const pairs = language.pairs.filter((pair) => pair.group === group);
  const id = toText(parameters.get('id'));
  // A name in another case unsubscribes from all lists.
  const pair = pairs.find(({ name }) => name === id) ?? pairs.find(({ name }) => name === 'unsubscribeall') ?? pairs[0];
  if (pair?.name === 'subscribe' && !isTruthy(parameters.get('lists')))
    return [translate('ACYM_EXPORT_SELECT_LIST', language)];
  const emailAddressPattern = rendering.link(pair ? formatTask(pair, pair.name === id ? parameters : new Map()) : id);
  const content: EditRange = { start: match.contentStart, end: match.contentEnd };
  return isTruthy(text.slice(content.start, content.end))
    ? [`<a href="${emailAddressPattern}">`, content, '</a>']
    : [emailAddressPattern];
}

function formatTask(
  { task = '', parameters: parameterNames }: TagPair,
  parameters: ReturnType<typeof readParameters>,
): string {
  const lists = parameterNames.includes('lists')
    ? ` lists=${toText(parameters.get('lists')).split(',').map(toInteger).join(',')}`
    : '';
  const redirect =
    parameterNames.includes('redirect') && isTruthy(parameters.get('redirect'))
      ? ` redirect=${toText(parameters.get('redirect'))}`
      : '';
  return `${task}${lists}${redirect}`;
}

const emailAddressPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,200}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,200}){0,20}@(?:[a-z0-9-]{1,200}\.){1,20}[a-z0-9]{2,20}$/i;
/** The service requests a URL before it links it. Here URLs stay text. */
function createInfoParts(text: string, content: EditRange): EditParts {
  const { start, end } = content;
  const inner = end - start > 2000 ? '' : text.slice(start, end);
  if (emailAddressPattern.test(inner)) return [`<a href="mailto:${inner}">`, content, '</a>'];
  return start < end ? ['', content, ''] : [''];
}

function replaceConditions(draft: MappedText, { rendering, language }: RenderContext): MappedText {
  const { conditions } = language;
  if (!conditions?.where.includes(rendering.where)) return draft;
  const subscriber = language.families.find(({ source }) => source === 'subscriber');
  let result = draft;
  for (let level = 0; level < conditions.levels; level += 1) {
    const { text } = result;
    const edits = findConditions(text, conditions.name).map((match): MappedEdit => {
      const content = { start: match.contentStart, end: match.contentEnd };
      const isMet = evaluateCondition(match.inner, rendering.person, subscriber);
      const isShown = rendering.decide?.(match.inner, isMet) ?? isMet;
      const inner = isShown && !allowsMarkup(rendering) ? text.slice(content.start, content.end) : '';
      const plain = toPlainText(inner);
      const parts: EditParts =
        !isShown || content.start === content.end
          ? ['']
          : plain === inner || allowsMarkup(rendering)
            ? ['', content, '']
            : [plain];
      return { start: match.start, end: match.end, parts };
    });
    if (edits.length === 0) break;
    result = result.replace(widenToEditorSpans(text, edits));
  }
  return result;
}
