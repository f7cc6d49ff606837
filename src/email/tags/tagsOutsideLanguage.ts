import { findElseProblem } from './conditionProblems.ts';
import type { Tag, TagLanguage } from './model.ts';
import { findNearest } from './nearest.ts';
import { parseTags } from './parse.ts';
import { createFix, createProblem } from './tagRule.ts';
import type { TagRuleContext, TagProblem } from './tagRule.ts';

/** Marks of other extensions that the service supports. */
const extensionMarkNames = new Set(['reg', 'pub', 'tab', 'tabs', 'jcomments', 'youtube', 'vimeo']);

/** Names of the fields in other services. */
const fieldAliases = new Map([
  ...[
    'firstname',
    'first_name',
    'fname',
    'lastname',
    'last_name',
    'lname',
    'username',
    'user',
    'fullname',
    'full_name',
  ].map((name) => [name, 'name'] as const),
  ...['mail', 'e_mail', 'e-mail', 'address'].map((name) => [name, 'email'] as const),
]);

const listTagNames = ({ families, pairs, conditions }: TagLanguage): string[] => [
  ...families.flatMap(({ name, aliases: others }) => [name, ...others]),
  ...pairs.map(({ name }) => name),
  ...(conditions ? [conditions.name] : []),
];

/** Reports tag-like text that isn't part of the language. */
export function findTagOutsideLanguage(tag: Tag, context: TagRuleContext): TagProblem[] {
  const { language, text } = context;
  const source = text.slice(tag.start, tag.end);
  const name = tag.name.toLowerCase();
  if (/^else(?:if)?$/.test(name)) return findElseProblem(tag, context);
  if (extensionMarkNames.has(name)) return [];
  const gap = /^(?:\{|%7B)\s*\/?\s*[a-z_]+\s*/i.exec(source)?.[0] ?? '';
  if (/\s/.test(gap) && listTagNames(language).includes(name)) {
    const message =
      'A blank stands after the brace, or before the colon, the bar or the brace: the tag stays as it is.';
    return [
      createProblem('tag-blank', 'error', tag, message, [
        createFix('Take out the blank', tag, gap.replace(/\s+/g, '') + source.slice(gap.length)),
      ]),
    ];
  }
  const family = language.families.find((tagStarts) => tagStarts.name === name);
  const message = `“${source.slice(0, 60)}” is no tag of the service: people would read it as it is.`;
  const fixes = family ? [createFix(`Write “${family.example}”`, tag, family.example)] : suggestTags(tag, context);
  return [createProblem('tag-unknown-family', 'warning', tag, message, fixes)];
}

/** Suggests tags of the language with a similar name. */
function suggestTags(tag: Tag, { language, text, candidateFields }: TagRuleContext): TagProblem['fixes'] {
  const name = findNearest(tag.name, listTagNames(language));
  const rename = name ? [createFix(`Write “${name}”`, tag.nameRange, name)] : [];
  const subscriber = language.families.find(({ source }) => source === 'subscriber');
  if (!subscriber || /[:|/]/.test(text.slice(tag.start, tag.end))) return rename;
  const columns = [...subscriber.ids.map(({ id }) => id), ...candidateFields.map(({ namekey }) => namekey)];
  const field = fieldAliases.get(tag.name.toLowerCase()) ?? findNearest(tag.name, columns);
  return field
    ? [createFix(`Write “{${subscriber.name}:${field}}”`, tag, `{${subscriber.name}:${field}}`), ...rename]
    : rename;
}

/** Finds tags whose name is interrupted by markup. The service doesn't recognize them. */
export function findTagsCutByMarkup(text: string, language: TagLanguage, tags: readonly Tag[]): TagProblem[] {
  const tagStarts = new Set(tags.map(({ start }) => start));
  const problems: TagProblem[] = [];
  for (const match of text.matchAll(/\{[^{}\n]{1,600}\}/g)) {
    if (tagStarts.has(match.index) || !match[0].includes('<')) continue;
    const bare = match[0].replace(/<[^<>]*>/g, '');
    const [tag] = parseTags(bare, language);
    if (!tag || tag.kind === 'unknown' || tag.start !== 0 || tag.end !== bare.length) continue;
    const at = { start: match.index, end: match.index + match[0].length };
    const message = 'Markup cuts the name of the tag: the service does not see it.';
    problems.push(
      createProblem('tag-cut-by-markup', 'error', at, message, [createFix('Take the markup out of the tag', at, bare)]),
    );
    if (problems.length >= MAX_CUT_TAGS) break;
  }
  return problems;
}

const MAX_CUT_TAGS = 200;
