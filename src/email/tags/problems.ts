import { t } from '../../l10n.ts';
import { byStart, type Range } from '../html/text.ts';
import { checkCondition, checkElse } from './conditions.ts';
import { checkContent } from './contentProblems.ts';
import { findDefinition, findSubscriber, hasNamekey } from './languages.ts';
import type { CustomField, Tag, TagLanguage, TagParam, TagLocation } from './model.ts';
import { createOpenTagFinder, parseTags } from './parse.ts';
import { decodeUrl } from './php.ts';
import {
  createFix,
  createFixes,
  createProblem,
  findNearest,
  isInLink,
  type CheckedTag,
  type TagProblem,
} from './tagProblem.ts';

export interface ProblemOptions {
  /** The available custom fields of the site. */
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
  const context = {
    text,
    language,
    where,
    tags,
    enclosingConditions,
    fields,
    findAttribute: createAttributeFinder(text),
  };
  const problems = findTagsCutByMarkup(text, language, tags);
  for (const [index, tag] of tags.entries()) {
    if (tag.kind === 'endIf' && tag.partner !== undefined) enclosingConditions.pop();
    const checked = { ...context, tag, index, definition: findDefinition(language, tag.family) };
    for (const check of checksByKind[tag.kind]) problems.push(...check(checked));
    if (tag.kind === 'if' && tag.partner !== undefined) enclosingConditions.push(tag);
    if (problems.length >= 2 * MAX_PROBLEMS) break;
  }
  return problems.sort(byStart).slice(0, MAX_PROBLEMS);
}

const MAX_PROBLEMS = 200;
/** More parameters of a tag are not checked. */
const MAX_PARAMETERS = 100;
/** How many tags ahead a misspelled other half is searched. */
const MAX_TAGS_AHEAD = 50;

const checksByKind = {
  value: [checkEnd, checkCase, checkLocation, checkMarkup, checkField, checkContent, checkParameters],
  open: [checkEnd, checkCase, checkLocation, checkOtherHalf, checkLinkInLink, checkParameters],
  close: [checkEnd, checkOtherHalf],
  if: [checkEnd, checkLocation, checkOtherHalf, checkCondition],
  endIf: [checkEnd, checkOtherHalf],
  unknown: [checkUnknown],
};

const messagesByLocation: Readonly<Record<TagLocation, (tag: string) => string>> = {
  body: (tag) => t`The service doesn't replace "${tag}" in the body. Recipients will see the tag.`,
  subject: (tag) => t`The service doesn't replace "${tag}" in a subject. Recipients will see the tag.`,
  preheader: (tag) => t`The service doesn't replace "${tag}" in a preheader. Recipients will see the tag.`,
  headers: (tag) => t`The service doesn't replace "${tag}" in the headers field. Recipients will see the tag.`,
};

const endOf = ({ end }: Tag) => ({ start: end, end });

function* checkEnd({ tag, text }: CheckedTag) {
  if (tag.isClosed) return;
  if (text[tag.end] === '{')
    yield createProblem('tag-unclosed', tag, t("Tags can't be nested. The first closing brace ends both tags."));
  else {
    const message = t('Missing closing brace. The service only replaces tags that end on the same line.');
    const fix = createFix(t('Close the tag'), endOf(tag), tag.isEncoded ? '%7D' : '}');
    yield createProblem('tag-unclosed', tag, message, fix);
  }
}

/** Families match in any case. A pair's name in another case means another pair. */
function* checkCase({ tag: { name, family, nameRange }, definition }: CheckedTag) {
  if (!definition || name === family || name.toLowerCase() !== family.toLowerCase()) return;
  const isPair = 'group' in definition;
  const isExact = isPair
    ? definition.group === 'subscription'
    : 'source' in definition && definition.source === 'choice';
  if (!isExact) return;
  const message = isPair
    ? t`"${name}" unsubscribes recipients from all lists, because it isn't lowercase.`
    : t`The service only replaces "${family}" in lowercase.`;
  yield createProblem('tag-name-case', nameRange, message, ...createFixes(nameRange, family));
}

function* checkLocation({ tag, definition, where }: CheckedTag) {
  const isOwnSource = tag.kind === 'value' && tag.family === 'mail' && tag.id === where;
  if (!definition?.where.includes(where) || isOwnSource) {
    yield createProblem('tag-not-here', tag, messagesByLocation[where](tag.name));
  } else if (tag.kind === 'open' && where === 'subject') {
    const message = t`"${tag.family}" creates a link. In a subject, recipients will see its markup.`;
    yield createProblem('tag-not-here', tag, message);
  }
}

function* checkOtherHalf({ tag, text, tags, index }: CheckedTag) {
  if (tag.partner !== undefined) return;
  const isOpening = tag.kind === 'open' || tag.kind === 'if';
  const other = `{${isOpening ? '/' : ''}${tag.name}}`;
  const source = text.slice(tag.start, tag.end);
  const message = isOpening
    ? t`"${source}" has no closing tag. Recipients will see it as typed.`
    : t`"${source}" has no opening tag. Recipients will see it as typed.`;
  const isOther = ({ kind, partner, family, start }: Tag) =>
    partner === undefined &&
    (kind === 'close' || (kind === 'unknown' && text[start + 1] === '/')) &&
    findNearest(family, [tag.family]) !== undefined;
  const next = isOpening ? tags.slice(index + 1, index + 1 + MAX_TAGS_AHEAD).find(isOther) : undefined;
  const fix = next
    ? createFix(t`Replace with "${other}"`, next, other)
    : tag.kind === 'open' && tag.isClosed
      ? createFix(t`Add "${other}"`, endOf(tag), other)
      : createFix(t('Remove the tag'), tag, '');
  yield createProblem('tag-half-pair', tag, message, fix);
}

/** With content, a pair outputs a whole link. In an attribute value that breaks the markup. */
function* checkLinkInLink(checked: CheckedTag) {
  const { tag, text, tags } = checked;
  const close = tags[tag.partner ?? -1];
  if (!close || close.start === tag.end || !isInLink(checked)) return;
  const content = { start: tag.end, end: close.start };
  const message = t('In a URL, text between paired tags becomes a nested link and breaks the URL.');
  const excerpt = text.slice(content.start, content.end).slice(0, 40);
  const fix = createFix(t`Remove "${excerpt}"`, content, '');
  yield createProblem('tag-link-in-link', content, message, fix);
}

/** Returns what the service reads in a range of a tag, with the spaces. */
const readRange = (text: string, { start, end }: Range) => decodeUrl(removeMarkup(text.slice(start, end)));
const removeMarkup = (source: string) => source.replace(/<[^<>]*>/g, '');

function* checkMarkup({ tag, text }: CheckedTag) {
  const source = text.slice(tag.start, tag.end);
  const bare = removeMarkup(source);
  if (!tag.isClosed || bare === source) return;
  const fix = createFix(t('Remove the markup'), tag, bare);
  yield createProblem('tag-cut-by-markup', tag, t('The service removes markup inside a tag.'), fix);
}

function* checkField({ tag, definition, fields, text }: CheckedTag) {
  if (!definition || !('source' in definition) || tag.params.some(({ name }) => name === 'id')) return;
  const { source, ids, name } = definition;
  if (['date', 'choice', 'translation', 'content'].includes(source)) return;
  const isTrimmed = source === 'list' || source === 'site';
  const id = isTrimmed ? tag.id.trim() : tag.id;
  if (!isTrimmed && tag.params.length > 0 && /\s$/.test(readRange(text, tag.idRange))) {
    const message = t`Recipients won't see "${id}", because of the space next to it.`;
    yield createProblem('tag-field', tag.idRange, message, ...createFixes(tag.idRange, id));
  }
  const hasCustomFields = source === 'subscriber';
  const custom = hasCustomFields ? fields : [];
  const names = [...ids.map((choice) => choice.id), ...custom.map(({ namekey }) => namekey)];
  if (names.includes(source === 'list' ? id.toLowerCase() : id) || custom.some((field) => hasNamekey(field, id)))
    return;
  const labeled = custom.find(({ label }) => label === id);
  const similar = labeled?.namekey ?? findNearest(id, names);
  const at = tag.idRange.end > tag.idRange.start ? tag.idRange : tag;
  const fixes = createFixes(tag.idRange, similar);
  if (labeled?.isGuessed) {
    const message = t`"${id}" is the label of a custom field. Tags need its namekey, which is probably "${labeled.namekey}".`;
    yield createProblem('tag-name-case', at, message, ...fixes);
  } else if (similar?.toLowerCase() === id.toLowerCase())
    yield createProblem('tag-name-case', at, t`"${id}" is always empty. The field is "${similar}".`, ...fixes);
  else if (id === '') yield createProblem('tag-field', at, t`Missing field after "${name}:".`);
  else if (hasCustomFields) {
    // The site may have more fields.
    if (similar) yield createProblem('tag-field', at, t`Unknown field "${id}". Did you mean "${similar}"?`, ...fixes);
  } else if (source !== 'account' && source !== 'mail') {
    const message =
      source === 'list'
        ? t`"${name}" has no field "${id}". Recipients will see an error message.`
        : source === 'site'
          ? t`"${name}" has no field "${id}". Recipients will see the tag.`
          : t`"${name}" has no field "${id}". Recipients will see nothing.`;
    yield createProblem('tag-field', at, message, ...fixes);
  }
}

function* checkParameters(checked: CheckedTag) {
  const { tag, definition } = checked;
  // Texts inserted into a translation resemble parameters.
  if (!definition || ('source' in definition && definition.source === 'translation')) return;
  for (const param of tag.params.slice(0, MAX_PARAMETERS)) yield* checkParameter(param, definition.parameters, checked);
  // `part` also shortens the default.
  const fallback = tag.params.findLast(({ name }) => name === 'default');
  if (typeof fallback?.value !== 'string' || !tag.params.some(({ name }) => name === 'part')) return;
  const [first, ...others] = fallback.value.trim().split(' ');
  if (others.length === 0) return;
  const message = t`"part" also shortens the default: recipients will see one word of "${fallback.value}".`;
  yield createProblem('tag-default-formatted', fallback, message, ...createFixes(fallback, `default:${first}`));
}

function* checkParameter(param: TagParam, acceptedNames: readonly string[], checked: CheckedTag) {
  const { tag, language, text, definition: family } = checked;
  const { name, value, start, end } = param;
  const definition = language.parameters.find((parameter) => parameter.name === name);
  const remove = () =>
    createFix(t('Remove the parameter'), { start: start - (text[start - 1] === '|' ? 1 : 3), end }, '');
  if (name === 'id') return;
  if (!acceptedNames.includes(name)) {
    const similar = findNearest(name, acceptedNames);
    // A newer add-on may read more.
    if (family?.own && !similar) return;
    const fixes = createFixes(param, similar && text.slice(start, end).replace(name, similar));
    const rule = similar?.toLowerCase() === name.toLowerCase() ? 'tag-name-case' : 'tag-parameter-name';
    const message = definition ? t`"${name}" has no effect in "${tag.family}".` : t`"${name}" has no effect.`;
    yield createProblem(rule, param, message, ...fixes, remove());
    return;
  }
  if (family?.own) return;
  const warn = (message: string, ...fixes: TagProblem['fixes']) =>
    createProblem('tag-parameter-value', param, message, ...fixes);
  if (value === true) {
    if (name === 'default')
      yield warn(t('Without a value, "default" outputs 1.'), ...createFixes(param, 'default:friend'));
    else if (definition?.needsValue) yield warn(t`"${name}" needs a value.`, remove());
    return;
  }
  const isNumber = /^\s*\d+\s*$/.test(value);
  if ((name === 'add' || name === 'remove') && !isNumber) {
    const seconds = Number.parseInt(value, 10) || 0;
    yield warn(t`"${name}" needs a number of seconds. The service reads "${value.trim()}" as ${seconds}.`);
  }
  const values = definition?.values.map(({ id }) => id) ?? [];
  const isPart = name === 'part';
  const written = readRange(text, param).replace(/^[^:]*:/, '');
  // The service trims the end of the tag only.
  const read = param === tag.params.at(-1) ? written.trimEnd() : written;
  const isHarmless = isPart && (isNumber || value === 'first');
  if (!['part', 'type', 'info'].includes(name) || values.includes(read) || isHarmless) return;
  const similar = findNearest(value, values);
  yield warn(
    isPart
      ? t`"${read}" isn't a value of "${name}". The service uses the first word.`
      : t`"${read}" isn't a value of "${name}".`,
    ...createFixes(param, similar && `${name}:${similar}`),
  );
}

/** Returns a function that finds the attribute around an offset, for `CheckedTag`. */
function createAttributeFinder(text: string): CheckedTag['findAttribute'] {
  const findElement = createOpenTagFinder(text, '[a-z][a-z0-9]*');
  return (offset) => {
    const start = findElement(offset);
    if (start < 0 || offset - start > 5000) return '';
    const opened = /([a-z-]{1,40})\s{0,20}=\s{0,20}(?:"[^"]*|'[^']*|[^\s"'=<>]*)$/i.exec(text.slice(start, offset));
    return opened?.[1]?.toLowerCase() ?? '';
  };
}

/** Marks of other extensions that the service supports. */
const extensionMarkNames = new Set('reg pub tab tabs jcomments youtube vimeo'.split(' '));

/** Names of the fields in other services. */
const foreignNames = {
  name: /^(?:(?:first|last|full)_?name|[fl]name|user(?:name)?)$/,
  email: /^(?:(?:e[_-])?mail|address)$/,
};

const listTagNames = ({ families, pairs, conditions }: TagLanguage) => [
  ...families.flatMap(({ name, aliases }) => [name, ...aliases]),
  ...[...pairs, ...(conditions ? [conditions] : [])].map(({ name }) => name),
];

/** Checks tag-like text that isn't part of the language. */
function* checkUnknown(checked: CheckedTag) {
  const { tag, language, text } = checked;
  const source = text.slice(tag.start, tag.end);
  const name = tag.name.toLowerCase();
  const gap = /^(?:\{|%7B)\s*\/?\s*[a-z_]+\s*/i.exec(source)?.[0] ?? '';
  if (/^else(?:if)?$/.test(name)) yield* checkElse(checked);
  else if (extensionMarkNames.has(name)) return;
  else if (/\s/.test(gap) && listTagNames(language).includes(name)) {
    const message = t("Tags can't contain spaces around their name. Recipients will see the tag.");
    const fix = createFix(t('Remove the spaces'), tag, gap.replace(/\s+/g, '') + source.slice(gap.length));
    yield createProblem('tag-blank', tag, message, fix);
  } else {
    const message = t`"${source.slice(0, 60)}" isn't a merge tag. Recipients will see it as typed.`;
    const example = language.families.find((family) => family.name === name)?.example;
    const fixes = example ? createFixes(tag, example) : suggestTags(checked);
    const hasContent = language.families.some(({ form }) => form);
    if (fixes.length === 0 && hasContent && /^(?:\{|%7B)[^/]*(?::|%3A)/i.test(source)) {
      const hint = t(
        '"{0}" is not recognized. If an add-on of your site provides it, add it to `tags`.',
        source.slice(0, 60),
      );
      yield createProblem('tag-add-on', tag, hint);
      return;
    }
    yield createProblem('tag-unrecognized', tag, message, ...fixes);
  }
}

/** Suggests tags of the language with a similar name. */
function suggestTags({ tag, language, text, fields }: CheckedTag) {
  const { name: typed, nameRange } = tag;
  // Add-ons have similar names.
  const maxEdits = Math.min(2, Math.floor(typed.length / 4));
  const families = language.families.filter(({ form }) => !form);
  const similar =
    findNearest(typed, listTagNames({ ...language, families })) ?? findNearest(typed, listTagNames(language), maxEdits);
  const rename = createFixes(nameRange, similar);
  const subscriber = findSubscriber(language);
  if (!subscriber || /[:|/]/.test(text.slice(tag.start, tag.end))) return rename;
  const name = tag.name.toLowerCase();
  const columns = [...subscriber.ids.map(({ id }) => id), ...fields.map(({ namekey }) => namekey)];
  const foreign = Object.entries(foreignNames).find(([, pattern]) => pattern.test(name))?.[0];
  const field = foreign ?? findNearest(name, columns);
  return field ? [...createFixes(tag, `{${subscriber.name}:${field}}`), ...rename] : rename;
}

/** Finds tags whose name is interrupted by markup. The service doesn't recognize them. */
function findTagsCutByMarkup(text: string, language: TagLanguage, tags: readonly Tag[]) {
  const tagStarts = new Set(tags.map(({ start }) => start));
  const problems: TagProblem[] = [];
  for (const { 0: source, index: start } of text.matchAll(/\{[^{}\n]{1,600}\}/g)) {
    if (tagStarts.has(start) || !source.includes('<')) continue;
    const bare = removeMarkup(source);
    const [tag] = parseTags(bare, language);
    if (!tag || tag.kind === 'unknown' || tag.start !== 0 || tag.end !== bare.length) continue;
    const range = { start, end: start + source.length };
    const message = t("Markup splits the name of this tag, so the service doesn't replace it.");
    const fix = createFix(t('Remove the markup'), range, bare);
    problems.push(createProblem('tag-cut-by-markup', range, message, fix));
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems;
}
