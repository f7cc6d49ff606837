import { elseMark } from './conditionProblems.ts';
import type { Tag, TagLanguage } from './model.ts';
import { nearest } from './nearest.ts';
import { parseTags } from './parse.ts';
import { change, problem } from './problem.ts';
import type { Look, TagProblem } from './problem.ts';

/** Marks of other extensions of a site, which the service knows. */
const siteMarks = new Set(['reg', 'pub', 'tab', 'tabs', 'jcomments', 'youtube', 'vimeo']);

/** What other services call these. */
const aliases = new Map([
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

const namesOf = ({ families, pairs, conditions }: TagLanguage): string[] => [
  ...families.flatMap(({ name, aliases: others }) => [name, ...others]),
  ...pairs.map(({ name }) => name),
  ...(conditions ? [conditions.name] : []),
];

/** What looks like a tag, and is none of the language. */
export function unknown(tag: Tag, look: Look): TagProblem[] {
  const { language, text } = look;
  const written = text.slice(tag.start, tag.end);
  const name = tag.name.toLowerCase();
  if (/^else(?:if)?$/.test(name)) return elseMark(tag, look);
  if (siteMarks.has(name)) return [];
  const gap = /^(?:\{|%7B)\s*\/?\s*[a-z_]+\s*/i.exec(written)?.[0] ?? '';
  if (/\s/.test(gap) && namesOf(language).includes(name)) {
    const message =
      'A blank stands after the brace, or before the colon, the bar or the brace: the tag stays as it is.';
    return [
      problem('tag-blank', 'error', tag, message, [
        change('Take out the blank', tag, gap.replace(/\s+/g, '') + written.slice(gap.length)),
      ]),
    ];
  }
  const family = language.families.find((known) => known.name === name);
  const message = `“${written.slice(0, 60)}” is no tag of the service: people would read it as it is.`;
  const fixes = family ? [change(`Write “${family.example}”`, tag, family.example)] : nearTags(tag, look);
  return [problem('tag-unknown-family', 'warning', tag, message, fixes)];
}

/** Tags of the language that may be meant. */
function nearTags(tag: Tag, { language, text, seen }: Look): TagProblem['fixes'] {
  const name = nearest(tag.name, namesOf(language));
  const rename = name ? [change(`Write “${name}”`, tag.nameAt, name)] : [];
  const subscriber = language.families.find(({ source }) => source === 'subscriber');
  if (!subscriber || /[:|/]/.test(text.slice(tag.start, tag.end))) return rename;
  const columns = [...subscriber.ids.map(({ id }) => id), ...seen.map(({ namekey }) => namekey)];
  const field = aliases.get(tag.name.toLowerCase()) ?? nearest(tag.name, columns);
  return field
    ? [change(`Write “{${subscriber.name}:${field}}”`, tag, `{${subscriber.name}:${field}}`), ...rename]
    : rename;
}

/** Tags whose name is cut by markup, so that the service doesn't see them. */
export function cutByMarkup(text: string, language: TagLanguage, tags: readonly Tag[]): TagProblem[] {
  const known = new Set(tags.map(({ start }) => start));
  const problems: TagProblem[] = [];
  for (const match of text.matchAll(/\{[^{}\n]{1,600}\}/g)) {
    if (known.has(match.index) || !match[0].includes('<')) continue;
    const bare = match[0].replace(/<[^<>]*>/g, '');
    const [tag] = parseTags(bare, language);
    if (!tag || tag.kind === 'unknown' || tag.start !== 0 || tag.end !== bare.length) continue;
    const at = { start: match.index, end: match.index + match[0].length };
    const message = 'Markup cuts the name of the tag: the service does not see it.';
    problems.push(
      problem('tag-cut-by-markup', 'error', at, message, [change('Take the markup out of the tag', at, bare)]),
    );
    if (problems.length >= mostCut) break;
  }
  return problems;
}

const mostCut = 200;
