import { condition } from './conditionProblems.ts';
import type { Tag, TagFamily, TagLanguage, TagParam, Where } from './model.ts';
import { nearest } from './nearest.ts';
import { parseTags } from './parse.ts';
import { change, problem } from './problem.ts';
import type { Look, ProblemOptions, TagProblem } from './problem.ts';
import { OpenTags } from './scan.ts';
import { cutByMarkup, unknown } from './unknownTags.ts';

/** What is wrong with the tags of a part of an email, in the order of the text. Never throws; at most 200 problems. */
export function findTagProblems(
  text: string,
  language: TagLanguage,
  where: Where,
  options: ProblemOptions = {},
): TagProblem[] {
  const { fields, seen = [], tags = parseTags(text, language) } = options;
  const around: Tag[] = [];
  const look = {
    text,
    language,
    where,
    tags,
    around,
    following: tags,
    fields,
    seen: fields ?? seen,
    links: linkAt(text),
  };
  const problems: TagProblem[] = cutByMarkup(text, language, tags).slice(0, most);
  for (const [index, tag] of tags.entries()) {
    look.following = tags.slice(index + 1, index + 1 + farthest);
    if (tag.kind === 'endIf' && tag.partner !== undefined) around.pop();
    problems.push(...rules[tag.kind].flatMap((rule) => rule(tag, look)));
    if (tag.kind === 'if' && tag.partner !== undefined) around.push(tag);
    if (problems.length >= 2 * most) break;
  }
  return problems.sort((one, other) => one.start - other.start).slice(0, most);
}

const most = 200;
/** How many tags ahead a half looks for what may be its other half. */
const farthest = 50;

const rules: Readonly<Record<Tag['kind'], readonly ((tag: Tag, look: Look) => TagProblem[])[]>> = {
  value: [unclosed, nameCase, place, markupWithin, ids, parameters],
  open: [unclosed, nameCase, place, half, linkInLink, parameters],
  close: [unclosed, half],
  if: [unclosed, place, half, condition],
  endIf: [unclosed, half],
  unknown: [unknown],
};

const familyOf = ({ family }: Tag, { language }: Look): TagFamily | undefined =>
  language.families.find(({ name }) => name === family);
const wordsOf = {
  body: 'the body',
  subject: 'a subject',
  preheader: 'a preheader',
  headers: 'the headers field',
} as const;

function unclosed(tag: Tag, { text }: Look): TagProblem[] {
  if (tag.isClosed) return [];
  if (text[tag.end] === '{')
    return [
      problem('tag-unclosed', 'error', tag, 'A tag can’t stand within another: the first closing brace ends both.'),
    ];
  const brace = tag.isEncoded ? '%7D' : '}';
  return [
    problem('tag-unclosed', 'error', tag, `The tag has no closing brace on its line: it stays as it is.`, [
      change('Close the tag', { start: tag.end, end: tag.end }, brace),
    ]),
  ];
}

/** A family is found in any case; a pair's name in other letters is another pair's. */
function nameCase(tag: Tag, { language }: Look): TagProblem[] {
  const isPair = tag.kind === 'open';
  const own = isPair
    ? tag.family
    : language.families.find(({ name }) => name === tag.family)?.source === 'choice'
      ? tag.family
      : tag.name;
  if (tag.name === own || tag.name.toLowerCase() !== own.toLowerCase()) return [];
  const group = language.pairs.find(({ name }) => name === tag.family)?.group;
  if (isPair && group !== 'subscription') return [];
  const message = isPair
    ? `“${tag.name}” in these letters unsubscribes from all lists.`
    : `“${tag.name}” is replaced in small letters only.`;
  return [problem('tag-name-case', 'warning', tag.nameAt, message, [change(`Write “${own}”`, tag.nameAt, own)])];
}

function place(tag: Tag, look: Look): TagProblem[] {
  const { language, where } = look;
  const known =
    tag.kind === 'if'
      ? language.conditions
      : tag.kind === 'open'
        ? language.pairs.find(({ name }) => name === tag.family)
        : familyOf(tag, look);
  if (!known || (known.where.includes(where) && !(tag.kind === 'value' && tag.family === 'mail' && tag.id === where))) {
    if (known && tag.kind === 'open' && where === 'subject') {
      return [
        problem(
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
    problem(
      'tag-not-here',
      'warning',
      tag,
      `The service does not replace “${tag.name}” in ${wordsOf[where]}: people would read the tag.`,
    ),
  ];
}

function half(tag: Tag, { text, following, language }: Look): TagProblem[] {
  if (tag.partner !== undefined) return [];
  const isOpening = tag.kind === 'open' || tag.kind === 'if';
  const other = isOpening ? `{/${tag.name}}` : `{${tag.name}}`;
  const message = `“${text.slice(tag.start, tag.end)}” has no ${isOpening ? 'closing' : 'opening'} half: it stays as it is.`;
  const isOther = ({ kind, partner, family, start }: Tag): boolean =>
    partner === undefined &&
    (kind === 'close' || (kind === 'unknown' && text[start + 1] === '/')) &&
    nearest(family, [tag.family]) !== undefined;
  const next = isOpening ? following.find(isOther) : undefined;
  const fixes = next
    ? [change(`Write “${other}” there`, next, other)]
    : isOpening && tag.isClosed && tag.kind === 'open'
      ? [change(`Add ${other}`, { start: tag.end, end: tag.end }, other)]
      : [change('Remove it', tag, '')];
  return language.pairs.length + (language.conditions ? 1 : 0) > 0
    ? [problem('tag-half-pair', 'error', tag, message, fixes)]
    : [];
}

/** A pair with text makes a whole link; in the quotes of an address that breaks the markup. */
function linkInLink(tag: Tag, { text, tags, links }: Look): TagProblem[] {
  const close = tag.partner === undefined ? undefined : tags[tag.partner];
  if (!close || close.start === tag.end || !links(tag.start)) return [];
  const content = { start: tag.end, end: close.start };
  const message = 'With text between its halves the pair makes a whole link, and its markup ends up in the attribute.';
  return [
    problem('tag-link-in-link', 'error', content, message, [
      change(`Take out “${text.slice(content.start, content.end).slice(0, 40)}”`, content, ''),
    ]),
  ];
}

function markupWithin(tag: Tag, { text }: Look): TagProblem[] {
  const written = text.slice(tag.start, tag.end);
  const markup = /<[^<>]*>/g;
  if (!tag.isClosed || !/<[^<>]*>/.test(written)) return [];
  return [
    problem('tag-cut-by-markup', 'warning', tag, 'Markup within a tag is taken out with it.', [
      change('Take the markup out of the tag', tag, written.replace(markup, '')),
    ]),
  ];
}

function ids(tag: Tag, look: Look): TagProblem[] {
  const family = familyOf(tag, look);
  if (!family || tag.params.some(({ name }) => name === 'id')) return [];
  if (
    family.source === 'choice' ||
    family.open.some((open) => open === 'dateFormat' || open === 'choices' || open === 'translations')
  )
    return [];
  const id = family.idsIgnoreCase || family.source === 'site' ? tag.id.trim() : tag.id;
  const hasOwn = family.open.includes('customFields');
  const custom = hasOwn ? look.seen : [];
  const names = [...family.ids.map((known) => known.id), ...custom.map(({ namekey }) => namekey)];
  if (names.some((name) => (family.idsIgnoreCase ? name.toLowerCase() === id.toLowerCase() : name === id))) return [];
  const labelled = custom.find(({ label }) => label === id);
  const like = labelled?.namekey ?? nearest(id, names);
  const at = tag.idAt.end > tag.idAt.start ? tag.idAt : tag;
  const fixes = like ? [change(`Write “${like}”`, tag.idAt, like)] : [];
  if (labelled?.isGuessed) {
    const message = `“${id}” is the label of a custom field: tags want its namekey, which mostly is “${labelled.namekey}”.`;
    return [problem('tag-name-case', 'warning', at, message, fixes)];
  }
  if (like && like.toLowerCase() === id.toLowerCase())
    return [problem('tag-name-case', 'error', at, `“${id}” is empty: it is written “${like}”.`, fixes)];
  if (id === '') return [problem('tag-unknown-field', 'error', at, `The tag names no field of ${family.name}.`)];
  // What the site may have beside these is not known.
  const mayExist = hasOwn && look.fields === undefined;
  if (family.open.includes('anything') || (mayExist && !like)) return [];
  if (mayExist)
    return [problem('tag-unknown-field', 'warning', at, `No field “${id}” is known: “${like}” may be meant.`, fixes)];
  const gives = family.source === 'list' ? 'an error text' : family.source === 'site' ? 'the tag itself' : 'nothing';
  return [
    problem(
      'tag-unknown-field',
      'error',
      at,
      `There is no “${id}” of ${family.name}: people would read ${gives}.`,
      fixes,
    ),
  ];
}

function parameters(tag: Tag, look: Look): TagProblem[] {
  const family = familyOf(tag, look);
  const pair = tag.kind === 'open' ? look.language.pairs.find(({ name }) => name === tag.family) : undefined;
  const acting = family?.parameters ?? pair?.parameters;
  // Texts that are put into a translation look like parameters.
  if (!acting || family?.source === 'translation') return [];
  return [...tag.params.flatMap((param) => parameter(param, tag, acting, look)), ...shortDefault(tag)];
}

function parameter(param: TagParam, tag: Tag, acting: readonly string[], { language, text }: Look): TagProblem[] {
  const remove = change('Remove it', { start: barBefore(text, param.start), end: param.end }, '');
  if (param.name === 'id') return [];
  if (!acting.includes(param.name)) {
    const like = nearest(param.name, acting);
    const fixes = like
      ? [change(`Write “${like}”`, param, text.slice(param.start, param.end).replace(param.name, like)), remove]
      : [remove];
    const isKnown = language.parameters.some(({ name }) => name === param.name);
    const rule = like?.toLowerCase() === param.name.toLowerCase() ? 'tag-name-case' : 'tag-parameter-unknown';
    return [
      problem(rule, 'warning', param, `“${param.name}” does nothing${isKnown ? ` with ${tag.family}` : ''}.`, fixes),
    ];
  }
  const known = language.parameters.find(({ name }) => name === param.name);
  if (known?.value === 'always' && param.value === true) {
    const fixes = param.name === 'default' ? [change('Write “default:friend”', param, 'default:friend')] : [remove];
    return [
      problem(
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
      problem(
        'tag-parameter-value',
        'warning',
        param,
        `“${param.name}” counts seconds: “${param.value.trim()}” is read as ${Number.parseInt(param.value, 10) || 0}.`,
      ),
    ];
  }
  if (!['part', 'type', 'info'].includes(param.name) || typeof param.value !== 'string' || !known?.values) return [];
  const values = known.values.map(({ value }) => value);
  if (values.includes(param.value) || (param.name === 'part' && /^\s*\d+\s*$/.test(param.value))) return [];
  const like = nearest(param.value, values);
  const message = `“${param.value}” is no value of “${param.name}”${param.name === 'part' ? ': the first word is taken' : ''}.`;
  return [
    problem(
      'tag-parameter-value',
      'warning',
      param,
      message,
      like ? [change(`Write “${param.name}:${like}”`, param, `${param.name}:${like}`)] : [],
    ),
  ];
}

const barBefore = (text: string, place: number): number => place - (text[place - 1] === '|' ? 1 : 3);

/** `part` takes one word of the default, too. */
function shortDefault(tag: Tag): TagProblem[] {
  const value = tag.params.findLast(({ name }) => name === 'default');
  const part = tag.params.findLast(({ name }) => name === 'part');
  if (!value || !part || typeof value.value !== 'string' || !value.value.trim().includes(' ')) return [];
  const first = value.value.trim().split(' ')[0] ?? '';
  return [
    problem(
      'tag-default-formatted',
      'info',
      value,
      `“part” cuts the default, too: one word of “${value.value}” comes out.`,
      [change(`Write “default:${first}”`, value, `default:${first}`)],
    ),
  ];
}

/** Whether a place is within the quotes of an `href`, `src` or `action`. */
function linkAt(text: string): (place: number) => boolean {
  const elements = new OpenTags(text, '[a-z][a-z0-9]*');
  return (place) => {
    const start = elements.before(place);
    if (start < 0 || place - start > 5000) return false;
    const attribute = /(?:href|src|action|background)\s*=\s*(?:"[^"]*|'[^']*)$/i.exec(text.slice(start, place));
    return attribute !== null;
  };
}
