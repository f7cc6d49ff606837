import type { Range } from '../html/ranges.ts';
import { findMarkup, findRawElements, findTrimmed } from '../html/stripTags.ts';
import { ForwardSearch } from '../html/text.ts';
import { evaluateCondition } from './conditions.ts';
import { findExtensionMarks, MappedText } from './mappedText.ts';
import type { MappedEdit } from './mappedText.ts';
import type { Rendered, Rendering, TagFamily, TagLanguage, TagPair, TagStep } from './model.ts';
import { Parameters } from './parameters.ts';
import { findFamily, findSubscriber } from './languages.ts';
import { isTruthy, toPlainText, toInteger } from './php.ts';
import { findConditions, findPairs, findTags, OpenTagTracker } from './scan.ts';
import type { FoundPair } from './scan.ts';
import { translate, getTagValue } from './values.ts';
import type { RenderContext } from './values.ts';

/** Renders the tags in a part of an email for one person. Runs in linear time and never throws. */
export function renderTags(text: string, language: TagLanguage, rendering: Rendering): Rendered {
  const context: RenderContext = { rendering, language, choices: new Map() };
  const draft = language.steps.reduce(
    (before, step) => applyStep(before, step, context),
    trimStoredText(text, rendering, language),
  );
  return { text: draft.text, pieces: draft.pieces() };
}

/** The service strips markup and surrounding whitespace from subject and preheader on save. */
function trimStoredText(text: string, { where }: Rendering, { conditions }: TagLanguage): MappedText {
  if (!conditions || (where !== 'subject' && where !== 'preheader')) return MappedText.from(text);
  const withoutRawElements = removeMappedRanges(MappedText.from(text), findRawElements(text));
  const stripped = removeMappedRanges(withoutRawElements, findMarkup(withoutRawElements.text));
  const { start, end } = findTrimmed(stripped.text);
  return removeMappedRanges(stripped, [
    { start: 0, end: start },
    { start: end, end: stripped.text.length },
  ]);
}

const removeMappedRanges = (draft: MappedText, ranges: readonly Range[]): MappedText =>
  draft.replace(ranges.map((range) => ({ ...range, text: '' })));

function applyStep(draft: MappedText, step: TagStep, context: RenderContext): MappedText {
  const { where } = context.rendering;
  if (step.kind === 'pairs') return replacePairs(draft, step.group, context);
  if (step.kind === 'conditions') return replaceConditions(draft, context);
  if (step.kind === 'extensionMarks') return where === 'body' ? draft.replace(findExtensionMarks(draft)) : draft;
  const family = findFamily(context.language, step.family);
  return family?.where.includes(where) ? replaceFamily(draft, family, context) : draft;
}

/** Their values are plain text in parts without markup. */
const plainSources: ReadonlySet<TagFamily['source']> = new Set(['list', 'choice', 'translation', 'site']);
const allowsMarkup = ({ where }: Rendering): boolean => where === 'body' || where === 'headers';

function replaceFamily(draft: MappedText, family: TagFamily, context: RenderContext): MappedText {
  const { text } = draft;
  const isPlain = plainSources.has(family.source) && !allowsMarkup(context.rendering);
  const values = new Map<string, string | undefined>();
  const edits: MappedEdit[] = [];
  for (const { start, end, inner } of findTags(text, [family.name, ...family.aliases])) {
    const source = text.slice(start, end);
    if (!values.has(source)) {
      const value = getTagValue({ family, parameters: new Parameters(inner), source, text }, context);
      values.set(source, isPlain && value !== undefined ? toPlainText(value) : value);
    }
    const value = values.get(source);
    if (value !== undefined) edits.push({ start, end, text: value });
  }
  return draft.replace(widenToEditorSpans(text, edits));
}

function replacePairs(draft: MappedText, group: string, context: RenderContext): MappedText {
  const { rendering, language } = context;
  const { text } = draft;
  const pairs = language.pairs.filter((pair) => pair.group === group);
  if (!pairs.some(({ where }) => where.includes(rendering.where))) return draft;
  const edits = findPairs(text, language, group).map((match): MappedEdit =>
    group === 'info' ? createInfoEdit(text, match) : createLinkEdit(text, match, pairs, context),
  );
  // A link that is inserted into the opening tag of another link is merged with that link.
  const links = new OpenTagTracker(text, 'a');
  let lastEnd = 0;
  const merged = edits.map((edit) => {
    const start = links.before(edit.start);
    const isMerged = start >= lastEnd && edit.text.startsWith('<a ');
    lastEnd = edit.end;
    return isMerged ? { ...edit, start } : edit;
  });
  return draft.replace(widenToEditorSpans(text, merged));
}

const keepContent = ({ start, end, content }: FoundPair, text = '', textAfter = ''): MappedEdit => ({
  start,
  end,
  text,
  ...(content.start < content.end && { content }),
  textAfter,
});

function createLinkEdit(
  text: string,
  match: FoundPair,
  pairs: readonly TagPair[],
  { rendering, language }: RenderContext,
): MappedEdit {
  const { start, end, content, inner } = match;
  const parameters = new Parameters(inner);
  const id = parameters.text('id');
  const own = pairs.find(({ name }) => name === id);
  // A name in another case unsubscribes from all lists.
  const pair = own ?? pairs.find(({ name }) => name === 'unsubscribeall') ?? pairs[0];
  if (pair?.name === 'subscribe' && !parameters.isOn('lists'))
    return { start, end, text: translate('ACYM_EXPORT_SELECT_LIST', language) };
  const url = rendering.link(pair ? formatTask(pair, own ? parameters : new Parameters('')) : id);
  return isTruthy(text.slice(content.start, content.end))
    ? keepContent(match, `<a href="${url}">`, '</a>')
    : { start, end, text: url };
}

function formatTask({ task = '', parameters: names }: TagPair, parameters: Parameters): string {
  const listIds = parameters.text('lists').split(',').map(toInteger).join(',');
  const redirect = names.includes('redirect') ? parameters.text('redirect') : '';
  return `${task}${names.includes('lists') ? ` lists=${listIds}` : ''}${isTruthy(redirect) ? ` redirect=${redirect}` : ''}`;
}

const emailAddressPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,200}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,200}){0,20}@(?:[a-z0-9-]{1,200}\.){1,20}[a-z0-9]{2,20}$/i;

/** The service requests a URL before it links it. Here URLs stay text. */
function createInfoEdit(text: string, match: FoundPair): MappedEdit {
  const { start, end } = match.content;
  const inner = end - start > 2000 ? '' : text.slice(start, end);
  return emailAddressPattern.test(inner)
    ? keepContent(match, `<a href="mailto:${inner}">`, '</a>')
    : keepContent(match);
}

function replaceConditions(draft: MappedText, { rendering, language }: RenderContext): MappedText {
  const { conditions } = language;
  if (!conditions?.where.includes(rendering.where)) return draft;
  let result = draft;
  for (let level = 0; level < conditions.levels; level += 1) {
    const { text } = result;
    const edits = findConditions(text, conditions.name).map((match): MappedEdit => {
      const { start, end, content, inner } = match;
      const isMet = evaluateCondition(inner, rendering.person, findSubscriber(language));
      if (!(rendering.decide?.(inner, isMet) ?? isMet)) return { start, end, text: '' };
      const shown = text.slice(content.start, content.end);
      const plain = allowsMarkup(rendering) ? shown : toPlainText(shown);
      return plain === shown ? keepContent(match) : { start, end, text: plain };
    });
    if (edits.length === 0) break;
    result = result.replace(widenToEditorSpans(text, edits));
  }
  return result;
}

/** The service's visual editor wraps a tag's sample value in a `<span>` with the tag in an attribute and an `<em>` at the end. The whole span is replaced. */
function widenToEditorSpans(text: string, edits: readonly MappedEdit[]): readonly MappedEdit[] {
  if (edits.length === 0 || !/<\/em>/i.test(text)) return edits;
  const ends = new ForwardSearch(text, /<\/em>[^<]*<\/span>/gi);
  const spans = new OpenTagTracker(text, 'span');
  const widened: MappedEdit[] = [];
  let lastEnd = 0;
  for (const edit of edits) {
    if (edit.start < lastEnd) continue;
    const span = spans.before(edit.start);
    const end = span >= lastEnd ? ends.from(edit.end + 1) : undefined;
    lastEnd = end?.end ?? edit.end;
    widened.push(end ? { ...edit, start: span, end: lastEnd } : edit);
  }
  return widened;
}
