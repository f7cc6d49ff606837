import { checkCondition } from './conditionProblems.ts';
import type { Tag, TagFamily, TagLanguage, TagParam, TagLocation } from './model.ts';
import { findNearest } from './nearest.ts';
import { parseTags } from './parse.ts';
import { createFix, createProblem } from './tagRule.ts';
import type { TagRuleContext, ProblemOptions, TagProblem } from './tagRule.ts';
import { OpenTagTracker } from './scan.ts';
import { findTagsCutByMarkup, findTagOutsideLanguage } from './tagsOutsideLanguage.ts';

/** Finds problems with the tags of a part of an email, in text order. Returns at most 200. Never throws. */
export function findTagProblems(
  text: string,
  language: TagLanguage,
  where: TagLocation,
  options: ProblemOptions = {},
): TagProblem[] {
  const { fields, observedFields = [], tags = parseTags(text, language) } = options;
  const enclosingConditions: Tag[] = [];
  const context = {
    text,
    language,
    where,
    tags,
    enclosingConditions,
    following: tags,
    fields,
    candidateFields: fields ?? observedFields,
    isInLink: createLinkTest(text),
  };
  const problems: TagProblem[] = findTagsCutByMarkup(text, language, tags).slice(0, MAX_PROBLEMS);
  for (const [index, tag] of tags.entries()) {
    context.following = tags.slice(index + 1, index + 1 + MAX_TAGS_AHEAD);
    if (tag.kind === 'endIf' && tag.partner !== undefined) enclosingConditions.pop();
    problems.push(...rulesByKind[tag.kind].flatMap((rule) => rule(tag, context)));
    if (tag.kind === 'if' && tag.partner !== undefined) enclosingConditions.push(tag);
    if (problems.length >= 2 * MAX_PROBLEMS) break;
  }
  return problems.sort((one, other) => one.start - other.start).slice(0, MAX_PROBLEMS);
}

const MAX_PROBLEMS = 200;
/** How many tags ahead a misspelled other half is searched. */
const MAX_TAGS_AHEAD = 50;

const rulesByKind: Readonly<Record<Tag['kind'], readonly ((tag: Tag, context: TagRuleContext) => TagProblem[])[]>> = {
  value: [findUnclosed, findWrongCase, findWrongLocation, findMarkupInside, findWrongField, findParameterProblems],
  open: [findUnclosed, findWrongCase, findWrongLocation, findMissingHalf, findLinkInLink, findParameterProblems],
  close: [findUnclosed, findMissingHalf],
  if: [findUnclosed, findWrongLocation, findMissingHalf, checkCondition],
  endIf: [findUnclosed, findMissingHalf],
  unknown: [findTagOutsideLanguage],
};

const findFamily = ({ family }: Tag, { language }: TagRuleContext): TagFamily | undefined =>
  language.families.find(({ name }) => name === family);
const locationNames = {
  body: 'the body',
  subject: 'a subject',
  preheader: 'a preheader',
  headers: 'the headers field',
} as const;

function findUnclosed(tag: Tag, { text }: TagRuleContext): TagProblem[] {
  if (tag.isClosed) return [];
  if (text[tag.end] === '{')
    return [
      createProblem(
        'tag-unclosed',
        'error',
        tag,
        'A tag can’t stand within another: the first closing brace ends both.',
      ),
    ];
  const brace = tag.isEncoded ? '%7D' : '}';
  return [
    createProblem('tag-unclosed', 'error', tag, `The tag has no closing brace on its line: it stays as it is.`, [
      createFix('Close the tag', { start: tag.end, end: tag.end }, brace),
    ]),
  ];
}

/** Families match in any case. A pair's name in another case means another pair. */
function findWrongCase(tag: Tag, { language }: TagRuleContext): TagProblem[] {
  const isPair = tag.kind === 'open';
  const expected = isPair
    ? tag.family
    : language.families.find(({ name }) => name === tag.family)?.source === 'choice'
      ? tag.family
      : tag.name;
  if (tag.name === expected || tag.name.toLowerCase() !== expected.toLowerCase()) return [];
  const group = language.pairs.find(({ name }) => name === tag.family)?.group;
  if (isPair && group !== 'subscription') return [];
  const message = isPair
    ? `“${tag.name}” in these letters unsubscribes from all lists.`
    : `“${tag.name}” is replaced in small letters only.`;
  return [
    createProblem('tag-name-case', 'warning', tag.nameRange, message, [
      createFix(`Write “${expected}”`, tag.nameRange, expected),
    ]),
  ];
}

function findWrongLocation(tag: Tag, context: TagRuleContext): TagProblem[] {
  const { language, where } = context;
  const definition =
    tag.kind === 'if'
      ? language.conditions
      : tag.kind === 'open'
        ? language.pairs.find(({ name }) => name === tag.family)
        : findFamily(tag, context);
  if (
    !definition ||
    (definition.where.includes(where) && !(tag.kind === 'value' && tag.family === 'mail' && tag.id === where))
  ) {
    if (definition && tag.kind === 'open' && where === 'subject') {
      return [
        createProblem(
          'tag-not-here',
          'warning',
          tag,
          `In a subject, people would read the markup of the link that “${tag.family}” makes.`,
        ),
      ];
    }
    return [];
  }
  return [
    createProblem(
      'tag-not-here',
      'warning',
      tag,
      `The service does not replace “${tag.name}” in ${locationNames[where]}: people would read the tag.`,
    ),
  ];
}

function findMissingHalf(tag: Tag, { text, following, language }: TagRuleContext): TagProblem[] {
  if (tag.partner !== undefined) return [];
  const isOpening = tag.kind === 'open' || tag.kind === 'if';
  const other = isOpening ? `{/${tag.name}}` : `{${tag.name}}`;
  const message = `“${text.slice(tag.start, tag.end)}” has no ${isOpening ? 'closing' : 'opening'} half: it stays as it is.`;
  const isOther = ({ kind, partner, family, start }: Tag): boolean =>
    partner === undefined &&
    (kind === 'close' || (kind === 'unknown' && text[start + 1] === '/')) &&
    findNearest(family, [tag.family]) !== undefined;
  const next = isOpening ? following.find(isOther) : undefined;
  const fixes = next
    ? [createFix(`Write “${other}” there`, next, other)]
    : isOpening && tag.isClosed && tag.kind === 'open'
      ? [createFix(`Add ${other}`, { start: tag.end, end: tag.end }, other)]
      : [createFix('Remove it', tag, '')];
  return language.pairs.length + (language.conditions ? 1 : 0) > 0
    ? [createProblem('tag-half-pair', 'error', tag, message, fixes)]
    : [];
}

/** With content, a pair outputs a whole link. In an attribute value that breaks the markup. */
function findLinkInLink(tag: Tag, { text, tags, isInLink }: TagRuleContext): TagProblem[] {
  const close = tag.partner === undefined ? undefined : tags[tag.partner];
  if (!close || close.start === tag.end || !isInLink(tag.start)) return [];
  const content = { start: tag.end, end: close.start };
  const message = 'With text between its halves the pair makes a whole link, and its markup ends up in the attribute.';
  return [
    createProblem('tag-link-in-link', 'error', content, message, [
      createFix(`Take out “${text.slice(content.start, content.end).slice(0, 40)}”`, content, ''),
    ]),
  ];
}

function findMarkupInside(tag: Tag, { text }: TagRuleContext): TagProblem[] {
  const source = text.slice(tag.start, tag.end);
  const markup = /<[^<>]*>/g;
  if (!tag.isClosed || !/<[^<>]*>/.test(source)) return [];
  return [
    createProblem('tag-cut-by-markup', 'warning', tag, 'Markup within a tag is taken out with it.', [
      createFix('Take the markup out of the tag', tag, source.replace(markup, '')),
    ]),
  ];
}

function findWrongField(tag: Tag, context: TagRuleContext): TagProblem[] {
  const family = findFamily(tag, context);
  if (!family || tag.params.some(({ name }) => name === 'id')) return [];
  if (
    family.source === 'choice' ||
    family.idSources.some((open) => open === 'dateFormat' || open === 'choices' || open === 'translations')
  )
    return [];
  const id = family.idsIgnoreCase || family.source === 'site' ? tag.id.trim() : tag.id;
  const hasOwn = family.idSources.includes('customFields');
  const custom = hasOwn ? context.candidateFields : [];
  const names = [...family.ids.map((definition) => definition.id), ...custom.map(({ namekey }) => namekey)];
  if (names.some((name) => (family.idsIgnoreCase ? name.toLowerCase() === id.toLowerCase() : name === id))) return [];
  const labeled = custom.find(({ label }) => label === id);
  const similar = labeled?.namekey ?? findNearest(id, names);
  const at = tag.idRange.end > tag.idRange.start ? tag.idRange : tag;
  const fixes = similar ? [createFix(`Write “${similar}”`, tag.idRange, similar)] : [];
  if (labeled?.isGuessed) {
    const message = `“${id}” is the label of a custom field: tags want its namekey, which mostly is “${labeled.namekey}”.`;
    return [createProblem('tag-name-case', 'warning', at, message, fixes)];
  }
  if (similar && similar.toLowerCase() === id.toLowerCase())
    return [createProblem('tag-name-case', 'error', at, `“${id}” is empty: it is written “${similar}”.`, fixes)];
  if (id === '') return [createProblem('tag-unknown-field', 'error', at, `The tag names no field of ${family.name}.`)];
  // Without the site's fields, any field may exist.
  const mayExist = hasOwn && context.fields === undefined;
  if (family.idSources.includes('anything') || (mayExist && !similar)) return [];
  if (mayExist)
    return [
      createProblem('tag-unknown-field', 'warning', at, `No field “${id}” is known: “${similar}” may be meant.`, fixes),
    ];
  const gives = family.source === 'list' ? 'an error text' : family.source === 'site' ? 'the tag itself' : 'nothing';
  return [
    createProblem(
      'tag-unknown-field',
      'error',
      at,
      `There is no “${id}” of ${family.name}: people would read ${gives}.`,
      fixes,
    ),
  ];
}

function findParameterProblems(tag: Tag, context: TagRuleContext): TagProblem[] {
  const family = findFamily(tag, context);
  const pair = tag.kind === 'open' ? context.language.pairs.find(({ name }) => name === tag.family) : undefined;
  const acceptedNames = family?.parameters ?? pair?.parameters;
  // Texts inserted into a translation look like parameters.
  if (!acceptedNames || family?.source === 'translation') return [];
  return [
    ...tag.params.flatMap((param) => checkParameter(param, tag, acceptedNames, context)),
    ...findShortenedDefault(tag),
  ];
}

function checkParameter(
  param: TagParam,
  tag: Tag,
  acceptedNames: readonly string[],
  { language, text }: TagRuleContext,
): TagProblem[] {
  const remove = createFix('Remove it', { start: findBarBefore(text, param.start), end: param.end }, '');
  if (param.name === 'id') return [];
  if (!acceptedNames.includes(param.name)) {
    const similar = findNearest(param.name, acceptedNames);
    const fixes = similar
      ? [
          createFix(`Write “${similar}”`, param, text.slice(param.start, param.end).replace(param.name, similar)),
          remove,
        ]
      : [remove];
    const isKnown = language.parameters.some(({ name }) => name === param.name);
    const rule = similar?.toLowerCase() === param.name.toLowerCase() ? 'tag-name-case' : 'tag-parameter-unknown';
    return [
      createProblem(
        rule,
        'warning',
        param,
        `“${param.name}” does nothing${isKnown ? ` with ${tag.family}` : ''}.`,
        fixes,
      ),
    ];
  }
  const definition = language.parameters.find(({ name }) => name === param.name);
  if (definition?.value === 'always' && param.value === true) {
    const fixes = param.name === 'default' ? [createFix('Write “default:friend”', param, 'default:friend')] : [remove];
    return [
      createProblem(
        'tag-parameter-value',
        'warning',
        param,
        param.name === 'default' ? 'Without a value, “default” prints 1.' : `“${param.name}” wants a value.`,
        fixes,
      ),
    ];
  }
  const isNumber = param.name === 'add' || param.name === 'remove';
  if (isNumber && typeof param.value === 'string' && !/^\s*\d+\s*$/.test(param.value)) {
    return [
      createProblem(
        'tag-parameter-value',
        'warning',
        param,
        `“${param.name}” counts seconds: “${param.value.trim()}” is read as ${Number.parseInt(param.value, 10) || 0}.`,
      ),
    ];
  }
  if (!['part', 'type', 'info'].includes(param.name) || typeof param.value !== 'string' || !definition?.values)
    return [];
  const values = definition.values.map(({ value }) => value);
  if (values.includes(param.value) || (param.name === 'part' && /^\s*\d+\s*$/.test(param.value))) return [];
  const similar = findNearest(param.value, values);
  const message = `“${param.value}” is no value of “${param.name}”${param.name === 'part' ? ': the first word is taken' : ''}.`;
  return [
    createProblem(
      'tag-parameter-value',
      'warning',
      param,
      message,
      similar ? [createFix(`Write “${param.name}:${similar}”`, param, `${param.name}:${similar}`)] : [],
    ),
  ];
}

const findBarBefore = (text: string, offset: number): number => offset - (text[offset - 1] === '|' ? 1 : 3);

/** `part` also shortens the default. */
function findShortenedDefault(tag: Tag): TagProblem[] {
  const value = tag.params.findLast(({ name }) => name === 'default');
  const part = tag.params.findLast(({ name }) => name === 'part');
  if (!value || !part || typeof value.value !== 'string' || !value.value.trim().includes(' ')) return [];
  const first = value.value.trim().split(' ')[0] ?? '';
  return [
    createProblem(
      'tag-default-formatted',
      'info',
      value,
      `“part” cuts the default, too: one word of “${value.value}” comes out.`,
      [createFix(`Write “default:${first}”`, value, `default:${first}`)],
    ),
  ];
}

/** Returns a test for offsets in the value of an `href`, `src`, `action` or `background`. Must be called with ascending offsets. */
function createLinkTest(text: string): (offset: number) => boolean {
  const elements = new OpenTagTracker(text, '[a-z][a-z0-9]*');
  return (offset) => {
    const start = elements.before(offset);
    if (start < 0 || offset - start > 5000) return false;
    const attribute = /(?:href|src|action|background)\s*=\s*(?:"[^"]*|'[^']*)$/i.exec(text.slice(start, offset));
    return attribute !== null;
  };
}
