import { checkCondition, checkElse } from './conditionProblems.ts';
import { findFamily, findPair, findSubscriber, listAcceptedParameters } from './languages.ts';
import type { CustomField, Tag, TagLanguage, TagParam, TagLocation } from './model.ts';
import { parseTags } from './parse.ts';
import { OpenTagTracker } from './scan.ts';
import { createFix, createFixes, createProblem, findNearest } from './tagProblem.ts';
import type { TagCheck, RuleContext, TagProblem } from './tagProblem.ts';

export interface ProblemOptions {
  /** The site's custom fields, as far as they are available. */
  readonly fields?: readonly CustomField[];
  /** The tags of the text, if already parsed. */
  readonly tags?: readonly Tag[];
}

/** Finds problems with the tags of a part of an email, in text order. Returns at most 200. Never throws. */
export function findTagProblems(
  text: string,
  language: TagLanguage,
  where: TagLocation,
  { fields = [], tags = parseTags(text, language) }: ProblemOptions = {},
): TagProblem[] {
  const enclosingConditions: Tag[] = [];
  const context = { text, language, where, tags, enclosingConditions, fields, isInLink: createLinkTest(text) };
  const problems: TagProblem[] = findTagsCutByMarkup(text, language, tags);
  for (const [index, tag] of tags.entries()) {
    if (tag.kind === 'endIf' && tag.partner !== undefined) enclosingConditions.pop();
    for (const check of checksByKind[tag.kind]) problems.push(...check(tag, { ...context, index }));
    if (tag.kind === 'if' && tag.partner !== undefined) enclosingConditions.push(tag);
    if (problems.length >= 2 * MAX_PROBLEMS) break;
  }
  return problems.sort((one, other) => one.start - other.start).slice(0, MAX_PROBLEMS);
}

const MAX_PROBLEMS = 200;
/** How many tags ahead a misspelled other half is searched. */
const MAX_TAGS_AHEAD = 50;

const checksByKind: Readonly<Record<Tag['kind'], readonly TagCheck[]>> = {
  value: [checkEnd, checkCase, checkLocation, checkMarkup, checkField, checkParameters],
  open: [checkEnd, checkCase, checkLocation, checkOtherHalf, checkLinkInLink, checkParameters],
  close: [checkEnd, checkOtherHalf],
  if: [checkEnd, checkLocation, checkOtherHalf, checkCondition],
  endIf: [checkEnd, checkOtherHalf],
  unknown: [checkUnknown],
};

const locationNames = {
  body: 'the body',
  subject: 'a subject',
  preheader: 'a preheader',
  headers: 'the headers field',
} as const;

function* checkEnd(tag: Tag, { text }: RuleContext): Iterable<TagProblem> {
  if (tag.isClosed) return;
  if (text[tag.end] === '{')
    yield createProblem('tag-unclosed', 'error', tag, "Tags can't be nested. The first closing brace ends both tags.");
  else
    yield createProblem(
      'tag-unclosed',
      'error',
      tag,
      'Missing closing brace. The service only replaces tags that end on the same line.',
      createFix('Close the tag', { start: tag.end, end: tag.end }, tag.isEncoded ? '%7D' : '}'),
    );
}

/** Families match in any case. A pair's name in another case means another pair. */
function* checkCase(tag: Tag, { language }: RuleContext): Iterable<TagProblem> {
  const { name, family } = tag;
  if (name === family || name.toLowerCase() !== family.toLowerCase()) return;
  const isPair = tag.kind === 'open';
  const isExact = isPair
    ? findPair(language, family)?.group === 'subscription'
    : findFamily(language, family)?.source === 'choice';
  if (!isExact) return;
  const message = isPair
    ? `"${name}" unsubscribes from all lists, because its case is wrong.`
    : `The service only replaces "${family}" in lowercase.`;
  yield createProblem('tag-name-case', 'warning', tag.nameRange, message, ...createFixes(tag.nameRange, family));
}

function* checkLocation(tag: Tag, { language, where }: RuleContext): Iterable<TagProblem> {
  const definition =
    (tag.kind === 'if' ? language.conditions : undefined) ??
    (tag.kind === 'open' ? findPair(language, tag.family) : findFamily(language, tag.family));
  if (!definition) return;
  if (!definition.where.includes(where) || (tag.kind === 'value' && tag.family === 'mail' && tag.id === where))
    yield createProblem(
      'tag-not-here',
      'warning',
      tag,
      `The service doesn't replace "${tag.name}" in ${locationNames[where]}. Recipients will see the tag.`,
    );
  else if (tag.kind === 'open' && where === 'subject')
    yield createProblem(
      'tag-not-here',
      'warning',
      tag,
      `"${tag.family}" creates a link. In a subject, recipients will see its markup.`,
    );
}

function* checkOtherHalf(tag: Tag, { text, tags, index, language }: RuleContext): Iterable<TagProblem> {
  if (tag.partner !== undefined || (language.pairs.length === 0 && !language.conditions)) return;
  const isOpening = tag.kind === 'open' || tag.kind === 'if';
  const other = isOpening ? `{/${tag.name}}` : `{${tag.name}}`;
  const message = `"${text.slice(tag.start, tag.end)}" has no ${isOpening ? 'closing' : 'opening'} half. Recipients will see the tag.`;
  const isOther = ({ kind, partner, family, start }: Tag): boolean =>
    partner === undefined &&
    (kind === 'close' || (kind === 'unknown' && text[start + 1] === '/')) &&
    findNearest(family, [tag.family]) !== undefined;
  const next = isOpening ? tags.slice(index + 1, index + 1 + MAX_TAGS_AHEAD).find(isOther) : undefined;
  const fix = next
    ? createFix(`Replace with "${other}"`, next, other)
    : isOpening && tag.isClosed && tag.kind === 'open'
      ? createFix(`Add "${other}"`, { start: tag.end, end: tag.end }, other)
      : createFix('Remove the tag', tag, '');
  yield createProblem('tag-half-pair', 'error', tag, message, fix);
}

/** With content, a pair outputs a whole link. In an attribute value that breaks the markup. */
function* checkLinkInLink(tag: Tag, { text, tags, isInLink }: RuleContext): Iterable<TagProblem> {
  const close = tags[tag.partner ?? -1];
  if (!close || close.start === tag.end || !isInLink(tag.start)) return;
  const content = { start: tag.end, end: close.start };
  yield createProblem(
    'tag-link-in-link',
    'error',
    content,
    'In a URL, text between the halves of a pair creates a link inside the attribute.',
    createFix(`Remove "${text.slice(content.start, content.end).slice(0, 40)}"`, content, ''),
  );
}

function* checkMarkup(tag: Tag, { text }: RuleContext): Iterable<TagProblem> {
  const source = text.slice(tag.start, tag.end);
  const bare = source.replace(/<[^<>]*>/g, '');
  if (!tag.isClosed || bare === source) return;
  const message = 'The service removes markup inside a tag.';
  yield createProblem('tag-cut-by-markup', 'warning', tag, message, createFix('Remove the markup', tag, bare));
}

function* checkField(tag: Tag, { language, fields }: RuleContext): Iterable<TagProblem> {
  const family = findFamily(language, tag.family);
  if (!family || tag.params.some(({ name }) => name === 'id')) return;
  const { source } = family;
  if (source === 'date' || source === 'choice' || source === 'translation') return;
  const idsIgnoreCase = source === 'list';
  const id = idsIgnoreCase || source === 'site' ? tag.id.trim() : tag.id;
  const hasCustomFields = source === 'subscriber';
  const custom = hasCustomFields ? fields : [];
  const names = [...family.ids.map((definition) => definition.id), ...custom.map(({ namekey }) => namekey)];
  if (names.some((name) => (idsIgnoreCase ? name.toLowerCase() === id.toLowerCase() : name === id))) return;
  const labeled = custom.find(({ label }) => label === id);
  const similar = labeled?.namekey ?? findNearest(id, names);
  const at = tag.idRange.end > tag.idRange.start ? tag.idRange : tag;
  const fixes = createFixes(tag.idRange, similar);
  if (labeled?.isGuessed) {
    const message = `"${id}" is the label of a custom field. Tags need its namekey, which is probably "${labeled.namekey}".`;
    yield createProblem('tag-name-case', 'warning', at, message, ...fixes);
  } else if (similar && similar.toLowerCase() === id.toLowerCase())
    yield createProblem('tag-name-case', 'error', at, `"${id}" is always empty. The field is "${similar}".`, ...fixes);
  else if (id === '') yield createProblem('tag-field', 'error', at, `Missing field after "${family.name}:".`);
  else if (source === 'account' || source === 'mail' || (hasCustomFields && !similar)) return;
  else if (hasCustomFields)
    // The site may have more fields.
    yield createProblem('tag-field', 'warning', at, `Unknown field "${id}". Did you mean "${similar}"?`, ...fixes);
  else {
    const output = source === 'list' ? 'an error message' : source === 'site' ? 'the tag' : 'nothing';
    const message = `"${family.name}" has no field "${id}". Recipients will see ${output}.`;
    yield createProblem('tag-field', 'error', at, message, ...fixes);
  }
}

function* checkParameters(tag: Tag, context: RuleContext): Iterable<TagProblem> {
  const acceptedNames = listAcceptedParameters(context.language, tag);
  // Texts inserted into a translation look like parameters.
  if (!acceptedNames || findFamily(context.language, tag.family)?.source === 'translation') return;
  for (const param of tag.params) yield* checkParameter(param, tag, acceptedNames, context);
  yield* checkShortenedDefault(tag);
}

function* checkParameter(
  param: TagParam,
  tag: Tag,
  acceptedNames: readonly string[],
  { language, text }: RuleContext,
): Iterable<TagProblem> {
  const { name, value, start, end } = param;
  const definition = language.parameters.find((parameter) => parameter.name === name);
  const remove = createFix('Remove the parameter', { start: start - (text[start - 1] === '|' ? 1 : 3), end }, '');
  if (name === 'id') return;
  if (!acceptedNames.includes(name)) {
    const similar = findNearest(name, acceptedNames);
    const fixes = similar ? createFixes(param, text.slice(start, end).replace(name, similar)) : [];
    const rule = similar?.toLowerCase() === name.toLowerCase() ? 'tag-name-case' : 'tag-parameter-name';
    const message = `"${name}" has no effect${definition ? ` in "${tag.family}"` : ''}.`;
    yield createProblem(rule, 'warning', param, message, ...fixes, remove);
    return;
  }
  const warn = (message: string, ...fixes: TagProblem['fixes']): TagProblem =>
    createProblem('tag-parameter-value', 'warning', param, message, ...fixes);
  if (value === true) {
    if (name === 'default')
      yield warn('Without a value, "default" outputs 1.', ...createFixes(param, 'default:friend'));
    else if (definition?.needsValue) yield warn(`"${name}" needs a value.`, remove);
    return;
  }
  if ((name === 'add' || name === 'remove') && !/^\s*\d+\s*$/.test(value))
    yield warn(
      `"${name}" needs a number of seconds. The service reads "${value.trim()}" as ${Number.parseInt(value, 10) || 0}.`,
    );
  const values = definition?.values.map((choice) => choice.value) ?? [];
  if (!['part', 'type', 'info'].includes(name) || values.includes(value)) return;
  if (name === 'part' && /^\s*\d+\s*$/.test(value)) return;
  const similar = findNearest(value, values);
  yield warn(
    `"${value}" isn't a value of "${name}"${name === 'part' ? '. The service uses the first word' : ''}.`,
    ...(similar ? createFixes(param, `${name}:${similar}`) : []),
  );
}

/** `part` also shortens the default. */
function* checkShortenedDefault({ params }: Tag): Iterable<TagProblem> {
  const fallback = params.findLast(({ name }) => name === 'default');
  if (typeof fallback?.value !== 'string' || !params.some(({ name }) => name === 'part')) return;
  const [first, ...others] = fallback.value.trim().split(' ');
  if (others.length === 0) return;
  const message = `"part" also shortens the default: recipients will see one word of "${fallback.value}".`;
  yield createProblem('tag-default-formatted', 'info', fallback, message, ...createFixes(fallback, `default:${first}`));
}

/** Returns a test for offsets in the value of an `href`, `src`, `action` or `background`. Must be called with ascending offsets. */
function createLinkTest(text: string): (offset: number) => boolean {
  const elements = new OpenTagTracker(text, '[a-z][a-z0-9]*');
  return (offset) => {
    const start = elements.before(offset);
    if (start < 0 || offset - start > 5000) return false;
    return /(?:href|src|action|background)\s*=\s*(?:"[^"]*|'[^']*)$/i.test(text.slice(start, offset));
  };
}

/** Marks of other extensions that the service supports. */
const extensionMarkNames = new Set(['reg', 'pub', 'tab', 'tabs', 'jcomments', 'youtube', 'vimeo']);

/** Names of the fields in other services. */
const foreignNames: Readonly<Record<'name' | 'email', RegExp>> = {
  name: /^(?:(?:first|last|full)_?name|[fl]name|user(?:name)?)$/,
  email: /^(?:(?:e[_-])?mail|address)$/,
};

const listTagNames = ({ families, pairs, conditions }: TagLanguage): string[] => [
  ...families.flatMap(({ name, aliases }) => [name, ...aliases]),
  ...pairs.map(({ name }) => name),
  ...(conditions ? [conditions.name] : []),
];

/** Checks tag-like text that isn't part of the language. */
function* checkUnknown(tag: Tag, context: RuleContext): Iterable<TagProblem> {
  const { language, text } = context;
  const source = text.slice(tag.start, tag.end);
  const name = tag.name.toLowerCase();
  const gap = /^(?:\{|%7B)\s*\/?\s*[a-z_]+\s*/i.exec(source)?.[0] ?? '';
  if (/^else(?:if)?$/.test(name)) yield* checkElse(tag, context);
  else if (extensionMarkNames.has(name)) return;
  else if (/\s/.test(gap) && listTagNames(language).includes(name))
    yield createProblem(
      'tag-blank',
      'error',
      tag,
      "Tags can't contain spaces around their name. Recipients will see the tag.",
      createFix('Remove the spaces', tag, gap.replace(/\s+/g, '') + source.slice(gap.length)),
    );
  else {
    const message = `"${source.slice(0, 60)}" isn't a merge tag. Recipients will see it as typed.`;
    const example = language.families.find((family) => family.name === name)?.example;
    const fixes = example ? createFixes(tag, example) : suggestTags(tag, context);
    yield createProblem('tag-unrecognized', 'warning', tag, message, ...fixes);
  }
}

/** Suggests tags of the language with a similar name. */
function suggestTags(tag: Tag, { language, text, fields }: RuleContext): TagProblem['fixes'] {
  const rename = createFixes(tag.nameRange, findNearest(tag.name, listTagNames(language)));
  const subscriber = findSubscriber(language);
  if (!subscriber || /[:|/]/.test(text.slice(tag.start, tag.end))) return rename;
  const name = tag.name.toLowerCase();
  const columns = [...subscriber.ids.map(({ id }) => id), ...fields.map(({ namekey }) => namekey)];
  const foreign = Object.entries(foreignNames).find(([, pattern]) => pattern.test(name))?.[0];
  const field = foreign ?? findNearest(name, columns);
  return field ? [...createFixes(tag, `{${subscriber.name}:${field}}`), ...rename] : rename;
}

/** Finds tags whose name is interrupted by markup. The service doesn't recognize them. */
function findTagsCutByMarkup(text: string, language: TagLanguage, tags: readonly Tag[]): TagProblem[] {
  const tagStarts = new Set(tags.map(({ start }) => start));
  const problems: TagProblem[] = [];
  for (const { 0: source, index: start } of text.matchAll(/\{[^{}\n]{1,600}\}/g)) {
    if (tagStarts.has(start) || !source.includes('<')) continue;
    const bare = source.replace(/<[^<>]*>/g, '');
    const [tag] = parseTags(bare, language);
    if (!tag || tag.kind === 'unknown' || tag.start !== 0 || tag.end !== bare.length) continue;
    const range = { start, end: start + source.length };
    const message = "Markup splits the name of this tag, so the service doesn't replace it.";
    problems.push(
      createProblem('tag-cut-by-markup', 'error', range, message, createFix('Remove the markup', range, bare)),
    );
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems;
}
