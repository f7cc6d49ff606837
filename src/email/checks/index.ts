import { formatNumber, localized, t } from '../../l10n.ts';
import { getDisplayRefusal } from '../html/limits.ts';
import { findFirstIndex, findRangeAt, mergeRanges } from '../html/text.ts';
import { formatShares, OUTLOOK_WINDOWS, selectClients } from './clients.ts';
import { getEnvelopeRules } from './find/envelope.ts';
import { getImageRules } from './find/images.ts';
import { getLanguageRules } from './find/language.ts';
import { getLinkRules } from './find/links.ts';
import { getPartRules } from './find/parts.ts';
import { getReadingRules } from './find/readability.ts';
import { getSampleRules } from './find/samples.ts';
import { getServiceRules } from './find/service.ts';
import { getServiceStyleRules } from './find/serviceStyles.ts';
import { getSentSize, getSizeRules } from './find/size.ts';
import { getStructureRules } from './find/structure.ts';
import { getStyleRules } from './find/styles.ts';
import { featureFromUrl, getFeatureSupport, getSupportRules, type FeatureSupport } from './find/support.ts';
import { getTagRules } from './find/tags.ts';
import { createPreviewTest, getVisualEditorRules, protectPlaceholders } from './find/visualEditor.ts';
import type { BodyDocument } from './document.ts';
import {
  createFailure,
  NOT_CHECKED_RULE,
  type CheckOptions,
  type CheckResult,
  type Email,
  type Finding,
  type PartRange,
} from './model.ts';
import { extractOutlookCode } from './outlookCode.ts';
import { matchesRuleName, ParsedEmail, type Rule, toPartRange } from './rule.ts';

export { findAddresses } from './addresses.ts';
export type { MailAddress, MailAddresses } from './addresses.ts';
export { selectClients, clientFamilies, countClientShares } from './clients.ts';
export { createIgnoreFix, NOT_CHECKED_RULE } from './model.ts';
export type { CheckOptions, CheckResult, Email, EmailPart, Finding, Fix, PartEdit, Severity } from './model.ts';
export { getFeatureSupport } from './find/support.ts';

/** All rules, ordered by id. */
export const getCheckRules = localized((): readonly Rule[] =>
  [
    ...getStructureRules(),
    ...getTagRules(),
    ...getLinkRules(),
    ...getImageRules(),
    ...getReadingRules(),
    ...getLanguageRules(),
    ...getSizeRules(),
    ...getStyleRules(),
    ...getSupportRules(),
    ...getEnvelopeRules(),
    ...getSampleRules(),
    ...getPartRules(),
    ...[...getServiceRules(), ...getServiceStyleRules(), ...getVisualEditorRules()].map((rule) => ({
      ...rule,
      profile: 'acymailing' as const,
      url: 'https://docs.acymailing.com/',
    })),
  ].sort((one, other) => Number(one.id) - Number(other.id)),
);

/** Ten times what Gmail shows of both. */
const MAX_CHECKED_CHARS = 1024 * 1024;

/** Further ranges are reported once these are fixed. */
const MAX_RELATED_RANGES = 100;

const partOrder = ['body', 'stylesheet', 'details'];

/**
 * Returns the problems of an email in its recipients' mail clients, ordered by part and range. Never throws and fetches nothing; an email
 * that would take too long gets one finding that says so.
 */
export function check(email: Email, options: CheckOptions = {}): Finding[] {
  return [...runChecks(email, options).findings];
}

/** Checks an email as `check` does, and also returns its size. */
export function runChecks(email: Email, options: CheckOptions = {}): CheckResult {
  const texts = Object.entries(email).filter(([, value]) => typeof value === 'string');
  const input: Email = { body: '', ...Object.fromEntries(texts) };
  const refuse = (reason: string) =>
    createFailure(input, 'too-large', `${t('This email is too large to check.')} ${reason}`);
  try {
    const refusal = getCheckRefusal(input);
    if (refusal !== undefined) return refuse(refusal);
    const mail = new ParsedEmail(input, options);
    if (mail.authored.refusal !== undefined) return refuse(mail.authored.refusal);
    const isIgnored = readIgnoreComments(mail.authored);
    const isInPreview = createPreviewTest(mail);
    // Findings at the same offset stay ordered by rule.
    const { code, toSource } = extractOutlookCode(input.body);
    const outlook =
      code !== '' &&
      mail.isFor('outlook-windows') &&
      new ParsedEmail({ body: code }, { ...options, clients: [OUTLOOK_WINDOWS] });
    const findings = getCheckRules()
      .flatMap((rule) => {
        const isIgnoredByComment = isIgnored(rule);
        const isRuleIgnored = (range: PartRange) => isIgnoredByComment(range) || isInPreview(range);
        const found = runRule(mail, rule, isRuleIgnored);
        if (!outlook || !outlookRules.has(rule.name)) return found;
        return [
          ...found,
          ...runRule(outlook, rule, (range) => isRuleIgnored(range) || range.start < mail.sentRange.start, toSource),
        ];
      })
      .sort((one, other) => partOrder.indexOf(one.part) - partOrder.indexOf(other.part) || one.start - other.start);
    const { bytes, isPartial } = getSentSize(mail);
    return { findings: protectPlaceholders(mail, findings), ...(!isPartial && { bytes }) };
  } catch (error) {
    // Recursive parsers throw this if the nesting is too deep.
    if (error instanceof RangeError) return refuse(t('The elements are nested too deep.'));
    const reason = error instanceof Error ? error.message : String(error);
    return createFailure(input, NOT_CHECKED_RULE, t`Couldn't check this email: ${reason}`);
  }
}

/** Rules that also apply to what only Outlook reads: those about single elements, for all mail clients. */
const outlookRules = new Set(
  'link-address http image-alt image-width data-image image-format table-role active-content layout'.split(' '),
);

/** Returns why an email is not checked, as a sentence; undefined if it can be checked. */
function getCheckRefusal({ body, stylesheet = '', headers = '' }: Email) {
  const length = Math.max(body.length, stylesheet.length, headers.length);
  return length > MAX_CHECKED_CHARS
    ? t`The email is too long (${formatNumber(length)} characters).`
    : (getDisplayRefusal(body) ?? getDisplayRefusal(headers));
}

/** Elements that contain the whole email. */
const containerElements = new Set(['html', 'head', 'body']);

/**
 * Reads the `<!-- mailing-ignore <rule> … -->` comments of a body. A comment before all content applies to the whole email, any other to
 * the next element and its descendants. Rules are listed by id or name, separated by whitespace or commas.
 *
 * @returns a function that checks if a range is ignored, for each rule
 */
function readIgnoreComments({
  comments,
  elements,
  texts,
}: BodyDocument): (rule: Rule) => (range: PartRange) => boolean {
  const contentStart = Math.min(
    elements.find(({ name }) => !containerElements.has(name))?.start ?? Infinity,
    texts.find(({ value }) => value.trim() !== '')?.start ?? Infinity,
  );
  const ignoreComments = comments.flatMap(({ text, start, end }) => {
    const names = /^\s*mailing-ignore\b([^]*)$/u.exec(text)?.[1]?.split(/[\s,]+/u);
    const next = elements[findFirstIndex(elements, (element) => element.start >= end)];
    const range = start < contentStart ? { start: 0, end: Infinity } : next;
    return names && range ? [{ names, range }] : [];
  });
  return (rule) => {
    const ignored = ignoreComments.filter(({ names }) => names.some((name) => matchesRuleName(rule, name)));
    const ranges = mergeRanges(ignored.map(({ range }) => range));
    return ({ part, start }) =>
      ranges[0]?.end === Infinity || (part === 'body' && findRangeAt(ranges, start) !== undefined);
  };
}

/** Returns the findings of a rule without ignored ranges. `toSource` moves their ranges to the checked email. */
function runRule(
  mail: ParsedEmail,
  rule: Rule,
  isIgnored: (range: PartRange) => boolean,
  toSource = (range: PartRange) => range,
): Finding[] {
  const { rules = {}, profile, shares = {} } = mail.options;
  const chosen = Object.entries(rules).find(([name]) => matchesRuleName(rule, name))?.[1];
  if ((chosen ?? rule.severity) === 'off' || (rule.profile && rule.profile !== profile)) return [];
  return [rule.find(mail)].flat().flatMap(({ ranges, message, fixes = [], ...found }) => {
    const [first, ...related] = ranges
      .map((range) => toSource(toPartRange(range)))
      .filter((range) => !isIgnored(range));
    const severity = chosen ?? found.severity ?? rule.severity;
    if (!first || severity === 'off') return [];
    const usableFixes = fixes
      .filter(({ edits }) => edits.length > 0)
      .map(({ title, edits }) => ({
        title,
        edits: edits.map((edit) => ({ ...toSource(toPartRange(edit)), text: edit.text })),
      }));
    return [
      {
        ...first,
        rule: rule.id,
        name: rule.name,
        severity,
        message: [message, formatShares(found.clients ?? [], shares)].filter(Boolean).join(' '),
        url: found.url ?? rule.url,
        ...(found.clients && { clients: found.clients }),
        ...(related.length > 0 && { related: related.slice(0, MAX_RELATED_RANGES) }),
        ...(usableFixes.length > 0 && { fixes: usableFixes, isMechanical: rule.fix === 'mechanical' }),
        ...(rule.unnecessary && { unnecessary: true }),
        ...(rule.isOfFile && { isOfFile: true }),
      },
    ];
  });
}

/** Background information about a finding. */
export interface Explanation extends Pick<Rule, 'name' | 'title' | 'impact'> {
  /** Support in the selected clients, if the rule is about a feature. */
  readonly support: FeatureSupport | undefined;
}

/** Returns the explanation of a finding; undefined if no rule has this id. */
export function explain(
  { rule: id, url = '' }: Pick<Finding, 'rule' | 'url'>,
  { clients }: CheckOptions = {},
): Explanation | undefined {
  const rule = getCheckRules().find((each) => matchesRuleName(each, id));
  if (!rule) return undefined;
  const { name, title, impact } = rule;
  const feature = featureFromUrl(url);
  return {
    name,
    title,
    impact,
    support: feature === undefined ? undefined : getFeatureSupport(feature, selectClients(clients)),
  };
}
