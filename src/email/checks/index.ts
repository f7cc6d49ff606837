import { getDisplayRefusal } from '../html/limits.ts';
import { formatShares } from './clients.ts';
import { getSentBytes } from './find/size.ts';
import { readIgnoreComments } from './ignore.ts';
import type { IgnoreComments } from './ignore.ts';
import { parseEmail } from './parsedEmail.ts';
import type { ParsedEmail } from './parsedEmail.ts';
import type { CheckOptions, Email, Finding, RuleFinding, Severity } from './model.ts';
import type { Rule } from './rule.ts';
import { matchesRuleName, checkRules } from './rules.ts';

export { findAddresses } from './addresses.ts';
export type { MailAddress, MailAddresses } from './addresses.ts';
export { selectClients, clientFamilies, countClientShares } from './clients.ts';
export type { ClientFamily, ClientShares } from './clients.ts';
export { explain } from './explain.ts';
export type { Explanation } from './explain.ts';
export { createIgnoreFix } from './ignoreFix.ts';
export type {
  CheckOptions,
  DetailsField,
  PartEdit,
  Email,
  Finding,
  Fix,
  EmailPart,
  PartRange,
  Severity,
} from './model.ts';
export type { Rule } from './rule.ts';
export { checkRules } from './rules.ts';
export { features, getFeatureSupport } from './support.ts';
export type { FeatureSupport, Support } from './support.ts';

/** Ten times what Gmail shows of both. */
const MAX_CHECKED_CHARS = 1024 * 1024;

/** The rule id of a finding that reports a failure of the checks themselves. */
export const NOT_CHECKED_RULE = 'not-checked';

/** Further ranges are reported once these are fixed. */
const MAX_RELATED_RANGES = 100;

/**
 * Returns the problems of an email in its recipients' mail clients, ordered by part and range. Never throws and fetches nothing; an email
 * that would take too long gets one finding that says so.
 */
export function check(email: Email, options: CheckOptions = {}): Finding[] {
  return [...runChecks(email, options).findings];
}

/** The result of checking an email. */
export interface CheckResult {
  readonly findings: readonly Finding[];
  /** Size of the sent email; undefined if the email could not be checked. */
  readonly bytes?: number;
}

/** Checks an email as `check` does, and also returns its size. */
export function runChecks(email: Email, options: CheckOptions = {}): CheckResult {
  const input = pickStringFields(email);
  const refusal = getCheckRefusal(input);
  if (refusal !== undefined) return { findings: [createTooLargeFinding(input, refusal)] };
  try {
    const mail = parseEmail(input, options);
    if (mail.authored.refusal !== undefined) return { findings: [createTooLargeFinding(input, mail.authored.refusal)] };
    const ignored = readIgnoreComments(mail.authored);
    return {
      findings: checkRules.flatMap((rule) => runRule(mail, rule, ignored)).sort(compareFindings),
      bytes: mail.once(getSentBytes),
    };
  } catch (error) {
    // Recursive parsers throw this if the nesting is too deep.
    return {
      findings: [
        error instanceof RangeError
          ? createTooLargeFinding(input, 'its parts nest too deep.')
          : createNotCheckedFinding(input, error),
      ],
    };
  }
}

/** Returns an email without values that are not strings. */
function pickStringFields(email: Email): Email {
  const texts = Object.fromEntries(Object.entries(email).filter(([, value]) => typeof value === 'string'));
  return { body: '', ...texts };
}

/** Returns why an email is not checked, as a clause for a message; undefined if it can be checked. */
function getCheckRefusal({ body, stylesheet = '', headers = '' }: Email): string | undefined {
  const [text] = [body, stylesheet, headers].filter(({ length }) => length > MAX_CHECKED_CHARS);
  if (text !== undefined)
    return `${(text.length / 1024 / 1024).toFixed(1)} million characters are more than any client shows.`;
  const [reason] = [body, headers].map(getDisplayRefusal).filter((refusal) => refusal !== undefined);
  return reason;
}

function createTooLargeFinding({ body }: Email, reason: string): Finding {
  return {
    rule: 'too-large',
    severity: 'warning',
    part: 'body',
    start: 0,
    end: Math.min(1, body.length),
    message: `This email is too large to check: ${reason}`,
  };
}

/** Reports an internal error, so that missing findings are not mistaken for a clean email. */
function createNotCheckedFinding({ body }: Email, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    ...createTooLargeFinding({ body }, ''),
    rule: NOT_CHECKED_RULE,
    message: `This email could not be checked: ${reason}`,
  };
}

function getChosenSeverity(rule: Rule, { rules: chosen = {} }: CheckOptions): Severity | 'off' | undefined {
  return Object.entries(chosen).find(([name]) => matchesRuleName(rule, name))?.[1];
}

function runRule(mail: ParsedEmail, rule: Rule, ignored: IgnoreComments): Finding[] {
  const chosen = getChosenSeverity(rule, mail.options);
  if ((chosen ?? rule.severity) === 'off' || (rule.profile !== undefined && rule.profile !== mail.options.profile))
    return [];
  return rule.find(mail).flatMap((found) => toFindings(rule, found, chosen, { ignored, shares: mail.options.shares }));
}

/** Returns the public finding; none if all its ranges are ignored. */
function toFindings(
  rule: Rule,
  found: RuleFinding,
  chosen: Severity | 'off' | undefined,
  { ignored, shares = {} }: Pick<CheckOptions, 'shares'> & { readonly ignored: IgnoreComments },
): Finding[] {
  const ranges = found.ranges.filter((range) => !ignored.has(rule, range));
  const [first, ...otherRanges] = ranges;
  const severity = chosen ?? found.severity ?? rule.severity;
  if (!first || severity === 'off') return [];
  const { message, clients, fixes } = found;
  return [
    {
      rule: rule.id,
      severity,
      ...first,
      message: [message, formatShares(clients ?? [], shares)].filter(Boolean).join(' '),
      url: found.url ?? rule.url,
      ...(clients && { clients }),
      ...(otherRanges.length > 0 && { related: otherRanges.slice(0, MAX_RELATED_RANGES) }),
      ...(fixes && { fixes }),
      ...(fixes && rule.isMechanical && { isMechanical: true }),
      ...(rule.unnecessary && { unnecessary: true }),
    },
  ];
}

const partOrder: readonly string[] = ['body', 'stylesheet', 'details'];

function compareFindings(one: Finding, other: Finding): number {
  return (
    partOrder.indexOf(one.part) - partOrder.indexOf(other.part) ||
    one.start - other.start ||
    Number(one.rule) - Number(other.rule)
  );
}
