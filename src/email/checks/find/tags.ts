import { findTagProblems, parseTags, tagLanguage } from '../../tags/index.ts';
import type { Tag, TagLanguage, TagProblem, TagRule, TagLocation } from '../../tags/index.ts';
import { bodyRange, detailsRange } from '../mail.ts';
import type { ParsedEmail } from '../mail.ts';
import type { RuleFinding, PartRange } from '../model.ts';
import { mergeRanges, findRangeAt } from '../../html/ranges.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';

/** The parts that have tags, with the place of a range of their text. */
const parts: readonly (readonly [where: TagLocation, toRange: (start: number, end: number) => PartRange])[] = [
  ['body', bodyRange],
  ['subject', (start, end) => detailsRange('subject', start, end)],
  ['preheader', (start, end) => detailsRange('preheader', start, end)],
  ['headers', (start, end) => detailsRange('headers', start, end)],
];

/** The tags of the service: those that are given, those of its profile; none where neither is known. */
function languageOf({ options: { language, profile } }: ParsedEmail): TagLanguage | undefined {
  return language ?? (profile === 'acymailing' ? tagLanguage('acymailing') : undefined);
}

/** All tags of a part's text, read once for all rules. */
const tagsOf = (mail: ParsedEmail): ((where: TagLocation, language: TagLanguage) => readonly Tag[]) => {
  const known = new Map<TagLocation, readonly Tag[]>();
  return (where, language) => {
    const tags = known.get(where) ?? parseTags(mail.email[where] ?? '', language);
    known.set(where, tags);
    return tags;
  };
};

type Placed = TagProblem & {
  readonly inCondition: boolean;
  readonly toRange: (start: number, end: number) => PartRange;
};

/** What is wrong with the tags of all parts. */
function problemsOf(mail: ParsedEmail): readonly Placed[] {
  const language = languageOf(mail);
  if (language === undefined) return [];
  return parts.flatMap(([where, toRange]) => {
    const text = mail.email[where] ?? '';
    const tags = mail.once(tagsOf)(where, language);
    const conditions = tags.filter(({ kind }) => kind === 'if');
    const problems = findTagProblems(text, language, where, { observedFields: mail.options.fields, tags });
    const misplaced = new Set(problems.filter(({ rule }) => rule === 'tag-not-here').map(({ start }) => start));
    // Half of a pair that does nothing here anyhow needs no other half.
    const told = problems.filter(
      ({ rule, start }) =>
        (rule !== 'tag-half-pair' || !misplaced.has(start)) && (where !== 'body' || isSentAt(mail, start)),
    );
    return told.map((problem) => ({
      ...problem,
      toRange,
      inCondition: conditions.some(({ start, end }) => start <= problem.start && problem.end <= end),
    }));
  });
}

/** One finding for all places of which the same is said and the same mends them. */
function found(mail: ParsedEmail, isMeant: (problem: Placed) => boolean): readonly RuleFinding[] {
  const same = new Map<string, Placed[]>();
  for (const problem of mail.once(problemsOf).filter(isMeant))
    same.set(problem.message, [...(same.get(problem.message) ?? []), problem]);
  return [...same.values()].flatMap((problems) => {
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

const byRule =
  (...rules: readonly TagRule[]) =>
  (mail: ParsedEmail): readonly RuleFinding[] =>
    found(mail, ({ rule, inCondition }) => rules.includes(rule) && !(inCondition && rule === 'tag-unknown-field'));

const ofConditions = (mail: ParsedEmail): readonly RuleFinding[] =>
  found(
    mail,
    ({ rule, inCondition }) =>
      /^tag-condition-(?!in-link)/u.test(rule) || (inCondition && rule === 'tag-unknown-field'),
  );

/** Whether a place of the body is in what is sent: in neither the head nor after the end of the body. */
const isSentAt = (mail: ParsedEmail, at: number): boolean =>
  !mail.isComposed || (mail.once(sentStart) <= at && at < mail.sentRange.end);

const sentStart = ({ authored: { elements }, sentRange: { start } }: ParsedEmail): number =>
  elements.find(({ name }) => name === 'body')?.start ?? start;

/** A body that nobody can unsubscribe by. */
function withoutUnsubscribe(mail: ParsedEmail): readonly RuleFinding[] {
  const language = languageOf(mail);
  const { body } = mail.email;
  const names = language?.pairs.filter(({ name }) => /unsubscribe/iu.test(name)).map(({ name }) => name) ?? [];
  const [usual] = names;
  if (language === undefined || usual === undefined || body.trim() === '') return [];
  const tags = mail.once(tagsOf)('body', language);
  const comments = mergeRanges(mail.authored.comments);
  const isOpen = ({ kind, family, start }: Tag): boolean =>
    kind === 'open' && names.includes(family) && isSentAt(mail, start) && findRangeAt(comments, start) === undefined;
  if (tags.some(isOpen)) return [];
  // A whole document without any tag was not written for this service, or not yet.
  const isForeign = /<html[\s>]/iu.test(body) && !tags.some(({ kind }) => kind !== 'unknown');
  const end = mail.isComposed ? mail.sentRange.end : (/<\/body\s*>/iu.exec(body)?.index ?? body.length);
  const link = `<p><a href="{${usual}}{/${usual}}">Unsubscribe</a></p>\n`;
  return groupFindings(
    [bodyRange(0, Math.min(1, body.length))],
    'Nobody can unsubscribe: the email has no link for it, which the law asks for.',
    {
      ...(isForeign && { severity: 'info' }),
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
    find: byRule(
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
    find: byRule('tag-half-pair', 'tag-unclosed', 'tag-link-in-link'),
  },
  {
    id: '5',
    name: 'condition',
    title: 'Condition that the service reads wrongly',
    severity: 'warning',
    impact: 'Everybody sees the content, or nobody.',
    url,
    find: ofConditions,
  },
  {
    id: '6',
    name: 'misplaced-tag',
    title: 'Tag where the service does not replace it',
    severity: 'warning',
    impact: 'Readers see the tag itself.',
    url,
    find: byRule('tag-not-here'),
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
    find: withoutUnsubscribe,
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
    find: byRule('tag-cut-by-markup'),
  },
];
