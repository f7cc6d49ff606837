import { findMarkup, findRawElements, findTrimmed } from '../html/stripTags.ts';
import { byStart, findFirstIndex, ForwardSearch, type Range, type TextEdit } from '../html/text.ts';
import { evaluateCondition } from './conditions.ts';
import type { Piece, Rendered, Rendering, TagFamily, TagLanguage, TagPair, TagStep } from './model.ts';
import { createOpenTagFinder, findConditions, findPairs, findTags, type FoundPair } from './parse.ts';
import { isTruthy, toInteger, toPlainText } from './php.ts';
import { getTagValue, Parameters, translate, type RenderContext } from './values.ts';

/** Renders the tags in a part of an email for one person. Runs in linear time and never throws. */
export function renderTags(text: string, language: TagLanguage, rendering: Rendering): Rendered {
  const context: RenderContext = { rendering, language, choices: new Map() };
  const draft = language.steps.reduce(
    (before, step) => applyStep(before, step, context),
    trimStoredText(text, rendering, language),
  );
  return { text: draft.text, pieces: draft.pieces };
}

/** The service strips markup and surrounding whitespace from subject and preheader on save. */
function trimStoredText(text: string, { where }: Rendering, { conditions }: TagLanguage) {
  if (!conditions || (where !== 'subject' && where !== 'preheader')) return MappedText.from(text);
  const withoutRawElements = MappedText.from(text).replace(findRawElements(text));
  const stripped = withoutRawElements.replace(findMarkup(withoutRawElements.text));
  const { start, end } = findTrimmed(stripped.text);
  return stripped.replace([
    { start: 0, end: start },
    { start: end, end: stripped.text.length },
  ]);
}

function applyStep(draft: MappedText, step: TagStep, context: RenderContext) {
  const { where } = context.rendering;
  if (step.kind === 'pairs') return replacePairs(draft, step.group, context);
  if (step.kind === 'conditions') return replaceConditions(draft, context);
  if (step.kind === 'extensionMarks') return where === 'body' ? draft.replace(findExtensionMarks(draft)) : draft;
  const families = context.language.families.filter((family) =>
    step.kind === 'family' ? family.name === step.family : family.source === 'content',
  );
  return replaceFamilies(
    draft,
    families.filter((family) => family.where.includes(where)),
    context,
  );
}

/** Their values are plain text in parts without markup. */
const plainSources = new Set(['list', 'choice', 'translation', 'site', 'content']);
const allowsMarkup = ({ where }: Rendering) => where === 'body' || where === 'headers';

function replaceFamilies(draft: MappedText, families: readonly TagFamily[], context: RenderContext) {
  const { text } = draft;
  const byName = new Map(
    families.flatMap((family) => [family.name, ...family.aliases].map((name) => [name.toLowerCase(), family] as const)),
  );
  const values = new Map<string, string | undefined>();
  const edits: MappedEdit[] = [];
  for (const { name, start, end, inner } of findTags(text, [...byName.keys()])) {
    const source = text.slice(start, end);
    const family = byName.get(name);
    if (family && !values.has(source)) {
      const parameters = new Parameters(inner);
      const isPlain = plainSources.has(family.source) && !allowsMarkup(context.rendering);
      const value = getTagValue({ ...context, family, parameters, source, text });
      values.set(source, isPlain && value !== undefined ? toPlainText(value) : value);
    }
    const value = values.get(source);
    if (value !== undefined) edits.push({ start, end, text: value });
  }
  return draft.replace(widenToEditorSpans(text, widenToEditorRows(text, edits)));
}

function replacePairs(draft: MappedText, group: string, context: RenderContext) {
  const { rendering, language } = context;
  const { text } = draft;
  const pairs = language.pairs.filter((pair) => pair.group === group);
  if (!pairs.some(({ where }) => where.includes(rendering.where))) return draft;
  const edits = findPairs(text, language, group).map((match) =>
    group === 'info' ? createInfoEdit(text, match) : createLinkEdit(text, match, pairs, context),
  );
  // A link that is inserted into the opening tag of another link is merged with that link.
  const findLink = createOpenTagFinder(text, 'a');
  let lastEnd = 0;
  const merged = edits.map((edit) => {
    const start = findLink(edit.start);
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

function formatTask({ task = '', parameters: names }: TagPair, parameters: Parameters) {
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

function replaceConditions(draft: MappedText, { rendering, language }: RenderContext) {
  const { conditions } = language;
  if (!conditions?.where.includes(rendering.where)) return draft;
  let result = draft;
  for (let level = 0; level < conditions.levels; level += 1) {
    const { text } = result;
    const edits = findConditions(text, conditions.name).map((match) => {
      const { start, end, content, inner } = match;
      const isMet = evaluateCondition(inner, rendering.person, language);
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
function widenToEditorSpans(text: string, edits: readonly MappedEdit[]) {
  if (edits.length === 0 || !/<\/em>/i.test(text)) return edits;
  const ends = new ForwardSearch(text, /<\/em>[^<]*<\/span>/gi);
  const findSpan = createOpenTagFinder(text, 'span');
  const widened: MappedEdit[] = [];
  let lastEnd = 0;
  for (const edit of edits) {
    if (edit.start < lastEnd) continue;
    const span = findSpan(edit.start);
    const end = span >= lastEnd ? ends.from(edit.end + 1) : undefined;
    lastEnd = end?.end ?? edit.end;
    widened.push(end ? { ...edit, start: span, end: lastEnd } : edit);
  }
  return widened;
}

/** The visual editor keeps content in the row of a table, with the tag in an attribute and an `<i>` at the end. The service replaces the content of the row's cell. */
function widenToEditorRows(text: string, edits: readonly MappedEdit[]) {
  const attribute = 'data-dynamic="';
  const cell = /"\s+[^\s<>][^<>]*>\s*<td[^<>]*>/iy;
  const ends = new ForwardSearch(text, /<\/i>\s*<\/td>\s*<\/tr>/gi);
  let lastEnd = 0;
  return edits.flatMap((edit) => {
    const start = edit.start - attribute.length;
    if (edit.start < lastEnd) return [];
    cell.lastIndex = edit.end;
    const isInRow = start >= lastEnd && text.startsWith(attribute, start) && cell.test(text);
    const end = isInRow ? ends.from(cell.lastIndex) : undefined;
    lastEnd = end?.end ?? edit.end;
    if (!end) return edit;
    const content = { start: edit.end + 1, end: cell.lastIndex };
    return { start, end: lastEnd, text: '', content, textAfter: `${edit.text}</td></tr>` };
  });
}

/** Replaces a range by a text, or by two texts around a subrange that stays. */
interface MappedEdit extends TextEdit {
  readonly content?: Range;
  readonly textAfter?: string;
}

/** Text that is edited in passes and maps each character to the source. */
class MappedText implements Rendered {
  text = '';
  readonly pieces: Piece[] = [];

  static from(source: string): MappedText {
    const mapped = new MappedText();
    mapped.#append(source, { sourceStart: 0, sourceEnd: source.length, kind: 'text' });
    return mapped;
  }

  /** `edits`: sorted, without overlaps. */
  replace(edits: readonly (Range & Partial<MappedEdit>)[]): MappedText {
    if (edits.length === 0) return this;
    const result = new MappedText();
    let from = 0;
    const copy = (until: number) => {
      for (const piece of this.#cut(from, until)) result.#append(this.text.slice(piece.start, piece.end), piece);
      from = until;
    };
    const insert = (until: number, text: string) => {
      let sourceStart = Infinity;
      let sourceEnd = 0;
      for (const piece of this.#cut(from, until)) {
        sourceStart = Math.min(sourceStart, piece.sourceStart);
        sourceEnd = Math.max(sourceEnd, piece.sourceEnd);
      }
      if (from === until) sourceStart = sourceEnd = this.#toSource(from);
      result.#append(text, { sourceStart, sourceEnd, kind: 'tag' });
      from = until;
    };
    for (const { start, end, text = '', content, textAfter = '' } of edits) {
      copy(start);
      insert(content?.start ?? end, text);
      if (content) copy(content.end);
      insert(end, textAfter);
    }
    copy(this.text.length);
    return result;
  }

  #append(text: string, { sourceStart, sourceEnd, kind }: Omit<Piece, 'start' | 'end'>) {
    if (text === '') return;
    const start = this.text.length;
    this.text += text;
    const end = this.text.length;
    const last = this.pieces.at(-1);
    if (last && kind === 'text' && last.kind === 'text' && last.sourceEnd === sourceStart)
      this.pieces[this.pieces.length - 1] = { ...last, end, sourceEnd };
    else this.pieces.push({ start, end, sourceStart, sourceEnd, kind });
  }

  #findIndex(offset: number) {
    return findFirstIndex(this.pieces, ({ end }) => end > offset);
  }

  #toSource(offset: number) {
    const piece = this.pieces[this.#findIndex(offset)];
    if (!piece) return this.pieces.at(-1)?.sourceEnd ?? 0;
    return piece.sourceStart + (piece.kind === 'text' ? offset - piece.start : 0);
  }

  /** Yields the parts of the pieces in a range. */
  *#cut(from: number, until: number): Generator<Piece> {
    for (let index = this.#findIndex(from); ; index += 1) {
      const piece = this.pieces[index];
      if (!piece || piece.start >= until) return;
      const [start, end] = [Math.max(from, piece.start), Math.min(until, piece.end)];
      const isText = piece.kind === 'text';
      const sourceStart = piece.sourceStart + (isText ? start - piece.start : 0);
      yield { ...piece, start, end, sourceStart, sourceEnd: isText ? sourceStart + end - start : piece.sourceEnd };
    }
  }
}

/** Marks of other extensions, which the service removes from the body. */
const extensionMarkPattern =
  /\{\/?(?:reg|pub)\}|\{(?:tab[ =][^{}]*|\/tabs|jcomments\s+(?:on|off|lock)|youtube[^{}]+)\}|\{youtube\}(?:([^{]*)\{\/youtube\})?|\{vimeo\}([^{]+)\{\/vimeo\}/gi;

/** Finds extension marks, which the service removes before it evaluates conditions, and image URLs with spaces from tag values. */
function findExtensionMarks(mapped: MappedText) {
  const { text } = mapped;
  const edits = [...text.matchAll(extensionMarkPattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text:
      match[1] !== undefined ? formatYoutubeLink(match[1]) : match[2] !== undefined ? formatVimeoFrame(match[2]) : '',
  }));
  return [...edits, ...encodeImageSpaces(mapped)]
    .sort(byStart)
    .filter(({ start }, index, all) => start >= (all[index - 1]?.end ?? 0));
}

function formatYoutubeLink(content: string) {
  const id = /[\s\S]v=([^&]+)/.exec(content)?.[1];
  return id
    ? `<a target="_blank" href="https://www.youtube.com/watch?v=${id}"><img src="https://img.youtube.com/vi/${id}/0.jpg"/></a>`
    : '';
}

const formatVimeoFrame = (content: string) =>
  `<iframe src="${content.startsWith('https://vimeo.com/') ? content : `https://player.vimeo.com/video/${content}`}"></iframe>`;

/** The service writes `src="a b"` as `src='a%20b'`. Only spaces from tag values are encoded here. */
function encodeImageSpaces(mapped: MappedText) {
  const inserted = mapped.pieces.filter(({ kind }) => kind === 'tag');
  return [...mapped.text.matchAll(/src="([^"]*)"/gi)].flatMap((match) => {
    const [whole, value = ''] = match;
    const [start, end] = [match.index, match.index + whole.length];
    const next = inserted[findFirstIndex(inserted, (piece) => piece.end > start)];
    return value.includes(' ') && next && next.start < end
      ? [{ start, end, text: `src='${value.replaceAll(' ', '%20')}'` }]
      : [];
  });
}
