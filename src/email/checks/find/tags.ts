import { findTagProblems, parseTags, tagLanguage } from '../../tags/index.ts';
import type { Tag, TagLanguage, TagProblem, TagRule, TagLocation } from '../../tags/index.ts';
import { bodyRange, detailsRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { mergeRanges, findRangeAt } from '../../html/ranges.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';

/** The texts with merge tags, with the mapping of their offsets to ranges. */
const taggedParts: readonly (readonly [where: TagLocation, toRange: (start: number, end: number) => PartRange])[] = [
  ['body', bodyRange],
  ['subject', (start, end) => detailsRange('subject', start, end)],
  ['preheader', (start, end) => detailsRange('preheader', start, end)],
  ['headers', (start, end) => detailsRange('headers', start, end)],
];

/** Returns the given tag language or that of the profile; undefined without either. */
function resolveTagLanguage({ options: { language, profile } }: ParsedEmail): TagLanguage | undefined {
  return language ?? (profile === 'acymailing' ? tagLanguage('acymailing') : undefined);
}

/** Returns a function that parses the tags of each text once. */
const createTagReader = (mail: ParsedEmail): ((where: TagLocation, language: TagLanguage) => readonly Tag[]) => {
  const cache = new Map<TagLocation, readonly Tag[]>();
  return (where, language) => {
    const tags = cache.get(where) ?? parseTags(mail.email[where] ?? '', language);
    cache.set(where, tags);
    return tags;
  };
};

type PlacedTagProblem = TagProblem & {
  readonly inCondition: boolean;
  readonly toRange: (start: number, end: number) => PartRange;
};

/** Finds the tag problems in all texts. */
function findPlacedProblems(mail: ParsedEmail): readonly PlacedTagProblem[] {
  const language = resolveTagLanguage(mail);
  if (language === undefined) return [];
  return taggedParts.flatMap(([where, toRange]) => {
    const text = mail.email[where] ?? '';
    const tags = mail.once(createTagReader)(where, language);
    const conditions = tags.filter(({ kind }) => kind === 'if');
    const problems = findTagProblems(text, language, where, { fields: mail.options.fields, tags });
    const misplaced = new Set(problems.filter(({ rule }) => rule === 'tag-not-here').map(({ start }) => start));
    // A misplaced half of a pair has no effect, so its missing half isn't reported.
    const reported = problems.filter(
      ({ rule, start }) =>
        (rule !== 'tag-half-pair' || !misplaced.has(start)) && (where !== 'body' || isSentOffset(mail, start)),
    );
    return reported.map((problem) => ({
      ...problem,
      toRange,
      inCondition: conditions.some(({ start, end }) => start <= problem.start && problem.end <= end),
    }));
  });
}

/** Returns one finding for all problems with the same message and fix. */
function groupByMessage(mail: ParsedEmail, predicate: (problem: PlacedTagProblem) => boolean): readonly RuleFinding[] {
  const byMessage = new Map<string, PlacedTagProblem[]>();
  for (const problem of mail.once(findPlacedProblems).filter(predicate))
    byMessage.set(problem.message, [...(byMessage.get(problem.message) ?? []), problem]);
  return [...byMessage.values()].flatMap((problems) => {
    const [first] = problems;
    const fixes = (first?.fixes ?? []).map(({ title }, index) => ({
      title,
      edits: problems.flatMap(({ fixes: own, toRange }) =>
        (own[index]?.edits ?? []).map(({ start, end, text }) => ({ ...toRange(start, end), text })),
      ),
    }));
    return groupFindings(
      problems.map(({ start, end, toRange }) => toRange(start, end)),
      first?.message ?? '',
      { ...(first?.severity === 'info' && { severity: 'info' }), ...(fixes.length > 0 && { fixes }) },
    );
  });
}

const findByRule =
  (...rules: readonly TagRule[]) =>
  (mail: ParsedEmail): readonly RuleFinding[] =>
    groupByMessage(
      mail,
      ({ rule, inCondition }) => rules.includes(rule) && !(inCondition && rule === 'tag-unknown-field'),
    );

const findConditionProblems = (mail: ParsedEmail): readonly RuleFinding[] =>
  groupByMessage(
    mail,
    ({ rule, inCondition }) =>
      /^tag-condition-(?!in-link)/u.test(rule) || (inCondition && rule === 'tag-unknown-field'),
  );

/** Returns whether an offset is in the sent part of the body: not in the head, and not after the end of the body. */
const isSentOffset = (mail: ParsedEmail, at: number): boolean =>
  !mail.isComposed || (mail.once(getSentStart) <= at && at < mail.sentRange.end);

const getSentStart = ({ authored: { elements }, sentRange: { start } }: ParsedEmail): number =>
  elements.find(({ name }) => name === 'body')?.start ?? start;

/** Reports a body without an unsubscribe link. */
function findMissingUnsubscribe(mail: ParsedEmail): readonly RuleFinding[] {
  const language = resolveTagLanguage(mail);
  const { body } = mail.email;
  const names = language?.pairs.filter(({ name }) => /unsubscribe/iu.test(name)).map(({ name }) => name) ?? [];
  const [tagName] = names;
  if (language === undefined || tagName === undefined || body.trim() === '') return [];
  const tags = mail.once(createTagReader)('body', language);
  const comments = mergeRanges(mail.authored.comments);
  const isUnsubscribeTag = ({ kind, family, start }: Tag): boolean =>
    kind === 'open' &&
    names.includes(family) &&
    isSentOffset(mail, start) &&
    findRangeAt(comments, start) === undefined;
  if (tags.some(isUnsubscribeTag)) return [];
  // A complete document without merge tags was probably not written for this service.
  const isThirdParty = /<html[\s>]/iu.test(body) && !tags.some(({ kind }) => kind !== 'unknown');
  const end = mail.isComposed ? mail.sentRange.end : (/<\/body\s*>/iu.exec(body)?.index ?? body.length);
  const link = `<p><a href="{${tagName}}{/${tagName}}">Unsubscribe</a></p>\n`;
  return groupFindings(
    [bodyRange(0, Math.min(1, body.length))],
    'Nobody can unsubscribe: the email has no link for it, which the law asks for.',
    {
      ...(isThirdParty && { severity: 'info' }),
      fixes: [{ title: 'Add a link to unsubscribe', edits: [{ ...bodyRange(end, end), text: link }] }],
    },
  );
}

const url = 'https://docs.acymailing.com/';

export const tagRules: readonly Rule[] = [
  {
    id: '3',
    name: 'unknown-tag',
    title: 'Tag that the service does not know',
    severity: 'warning',
    impact: 'Readers see the tag itself, or nothing.',
    url,
    hasFix: true,
    changesText: true,
    find: findByRule(
      'tag-unknown-family',
      'tag-unknown-field',
      'tag-name-case',
      'tag-blank',
      'tag-parameter-unknown',
      'tag-parameter-value',
      'tag-default-formatted',
    ),
  },
  {
    id: '4',
    name: 'half-tag',
    title: 'Half of a pair of tags, or a tag without its end',
    severity: 'error',
    impact: 'Readers see the marker, and the link is missing.',
    url,
    hasFix: true,
    changesText: true,
    find: findByRule('tag-half-pair', 'tag-unclosed', 'tag-link-in-link'),
  },
  {
    id: '5',
    name: 'condition',
    title: 'Condition that the service reads wrongly',
    severity: 'warning',
    impact: 'Everybody sees the content, or nobody.',
    url,
    find: findConditionProblems,
  },
  {
    id: '6',
    name: 'misplaced-tag',
    title: 'Tag where the service does not replace it',
    severity: 'warning',
    impact: 'Readers see the tag itself.',
    url,
    find: findByRule('tag-not-here'),
  },
  {
    id: '7',
    name: 'unsubscribe',
    title: 'No tag to unsubscribe',
    severity: 'warning',
    impact: 'Readers report the email as spam instead.',
    url,
    hasFix: true,
    changesText: true,
    find: findMissingUnsubscribe,
  },
  {
    id: '8',
    name: 'cut-tag',
    title: 'Tag that markup cuts',
    severity: 'warning',
    impact: 'Readers see the tag itself.',
    url,
    hasFix: true,
    changesText: true,
    find: findByRule('tag-cut-by-markup'),
  },
];
