import { t } from '../../../l10n.ts';
import { memoize } from '../document.ts';
import {
  findContentTags,
  findForeignTags,
  findTagProblems,
  parseTags,
  tagLocations,
  tagLanguage,
  type TagProblem,
  type TagLanguage,
  type TagRule,
  type TagLocation,
} from '../../tags/index.ts';
import { findRangeAt, insertEdit, mergeRanges, type Range } from '../../html/text.ts';
import { detailsRange, type ParsedEmail, type Rule } from '../rule.ts';

const toTextRange = (where: TagLocation, { start, end }: Range) =>
  where === 'body' ? { start, end } : detailsRange(where, start, end);

/** Returns the given tag language or that of the profile. */
const getLanguage = ({ options: { language, profile } }: ParsedEmail): TagLanguage =>
  language ?? tagLanguage(profile === 'acymailing' ? profile : 'none');

interface PlacedTagProblem extends TagProblem {
  readonly where: TagLocation;
  readonly inCondition: boolean;
}

/** Returns the merge tags and the tag problems of each text. */
const readTexts = memoize((mail: ParsedEmail) => {
  const language = getLanguage(mail);
  return tagLocations.map((where) => {
    const text = mail.email[where] ?? '';
    const tags = parseTags(text, language);
    const conditions = tags.filter(({ kind }) => kind === 'if');
    const options = { fields: mail.options.fields, tags };
    const notes = where === 'body' ? mail.authored.comments.filter((comment) => !comment.text.startsWith('[if')) : [];
    const foreign = findForeignTags(text, language, where, options, notes);
    // Parts of a foreign tag can resemble tags, such as the end of a Handlebars block.
    const own = findTagProblems(text, language, where, options).filter(
      ({ start }) => findRangeAt(foreign, start) === undefined,
    );
    const problems = [...own, ...foreign];
    const misplaced = new Set(problems.filter(({ rule }) => rule === 'tag-not-here').map(({ start }) => start));
    // A misplaced half of a pair has no effect, so its missing half isn't reported.
    const reported = problems.filter(
      ({ rule, start }) =>
        (rule !== 'tag-half-pair' || !misplaced.has(start)) && (where !== 'body' || isSentOffset(mail, start)),
    );
    const placed = reported.map((problem) => {
      const inCondition = conditions.some(({ start, end }) => start <= problem.start && problem.end <= end);
      return { ...problem, where, inCondition };
    });
    return { tags, problems: placed };
  });
});

const infoRules = new Set<TagRule | undefined>(['tag-default-formatted', 'tag-add-on']);

/** Returns a rule's function that reports all problems with the same message and fix as one finding. */
const createFinder =
  (matches: (problem: PlacedTagProblem) => boolean): Rule['find'] =>
  (mail) => {
    const found = readTexts(mail).flatMap(({ problems }) => problems.filter(matches));
    return [...Map.groupBy(found, ({ message }) => message)].map(([message, problems]) => ({
      ranges: problems.map((problem) => toTextRange(problem.where, problem)),
      message,
      severity: infoRules.has(problems[0]?.rule) ? 'info' : undefined,
      fixes: problems[0]?.fixes.map(({ title }, index) => ({
        title,
        edits: problems.flatMap(({ fixes, where }) =>
          (fixes[index]?.edits ?? []).map((edit) => ({ ...toTextRange(where, edit), text: edit.text })),
        ),
      })),
    }));
  };

const findByRule = (...rules: readonly TagRule[]): Rule['find'] =>
  createFinder(({ rule, inCondition }) => rules.includes(rule) && !(inCondition && rule === 'tag-field'));

/** Finds content tags in the stylesheet. Without parameters, they may be declarations such as `{page:auto}`. */
function findInStylesheet(mail: ParsedEmail): ReturnType<Rule['find']> {
  const tags = findContentTags(mail.email.stylesheet ?? '', getLanguage(mail));
  const ranges = tags
    .filter(({ inner }) => inner.includes('|'))
    .map(({ start, end }) => ({ part: 'stylesheet' as const, start, end }));
  return { ranges, message: t("The service doesn't replace tags in the stylesheet.") };
}

/** Returns whether an offset is in the sent part of the body: not in the head, and not after the end of the body. */
function isSentOffset({ isComposed, authored: { elements }, sentRange }: ParsedEmail, at: number) {
  const start = elements.find(({ name }) => name === 'body')?.start ?? sentRange.start;
  return !isComposed || (start <= at && at < sentRange.end);
}

const url = 'https://docs.acymailing.com/';

export const getTagRules = (): readonly Rule[] => [
  {
    id: '3',
    name: 'unknown-tag',
    title: t('Unknown merge tag'),
    severity: 'warning',
    impact: t('Recipients see the tag as typed, or nothing.'),
    url,
    fix: 'choice',
    find: findByRule(
      'tag-unrecognized',
      'tag-add-on',
      'tag-field',
      'tag-name-case',
      'tag-blank',
      'tag-parameter-name',
      'tag-parameter-value',
      'tag-default-formatted',
    ),
  },
  {
    id: '4',
    name: 'half-tag',
    title: t('Unpaired or unclosed merge tag'),
    severity: 'error',
    impact: t('Recipients see the tag as text, and the link is missing.'),
    url,
    fix: 'choice',
    find: findByRule('tag-half-pair', 'tag-unclosed', 'tag-link-in-link'),
  },
  {
    id: '5',
    name: 'condition',
    title: t('Invalid condition'),
    severity: 'warning',
    impact: t('All recipients see the content, or none.'),
    url,
    find: createFinder(
      ({ rule, inCondition }) => /^tag-condition-(?!in-link)/u.test(rule) || (inCondition && rule === 'tag-field'),
    ),
  },
  {
    id: '6',
    name: 'misplaced-tag',
    title: t('Merge tag in an unsupported place'),
    severity: 'warning',
    impact: t('Recipients see the tag as typed.'),
    url,
    find: (mail) => [findByRule('tag-not-here')(mail), findInStylesheet(mail)].flat(),
  },
  {
    id: '7',
    name: 'unsubscribe',
    title: t('Missing unsubscribe link'),
    severity: 'warning',
    impact: t('Recipients report the email as spam instead.'),
    url,
    fix: 'choice',
    find(mail) {
      const { body } = mail.email;
      const names = getLanguage(mail)
        .pairs.map(({ name }) => name)
        .filter((name) => /unsubscribe/iu.test(name));
      const [tagName] = names;
      if (tagName === undefined || body.trim() === '') return [];
      const tags = readTexts(mail)[0]?.tags ?? [];
      const comments = mergeRanges(mail.authored.comments);
      const hasUnsubscribeTag = tags.some(
        ({ kind, family, start }) =>
          kind === 'open' &&
          names.includes(family) &&
          isSentOffset(mail, start) &&
          findRangeAt(comments, start) === undefined,
      );
      if (hasUnsubscribeTag) return [];
      // A complete document without merge tags was probably not written for this service.
      const isThirdParty = /<html[\s>]/iu.test(body) && !tags.some(({ kind }) => kind !== 'unknown');
      const end = mail.isComposed ? mail.sentRange.end : (/<\/body\s*>/iu.exec(body)?.index ?? body.length);
      const text = t({
        message: 'Unsubscribe',
        args: [],
        comment: 'Text of a link that is inserted into the email',
      });
      const link = `<p><a href="{${tagName}}{/${tagName}}">${text}</a></p>\n`;
      return [
        {
          ranges: [{ start: 0, end: Math.min(1, body.length) }],
          message: t('This email has no unsubscribe link. Most countries require one by law.'),
          severity: isThirdParty ? 'info' : undefined,
          fixes: [{ title: t('Add an unsubscribe link'), edits: [insertEdit(end, link)] }],
        },
      ];
    },
  },
  {
    id: '8',
    name: 'cut-tag',
    title: t('Merge tag split by HTML'),
    severity: 'warning',
    impact: t('Recipients see the tag as typed.'),
    url,
    fix: 'choice',
    find: findByRule('tag-cut-by-markup'),
  },
];
