import { getDisplayRefusal } from '../html/limits.ts';
import { formatShares } from './clients.ts';
import { sizeOf } from './find/size.ts';
import { readIgnoreComments } from './ignore.ts';
import type { IgnoreComments } from './ignore.ts';
import { parseEmail } from './mail.ts';
import type { ParsedEmail } from './mail.ts';
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

/** Characters of a body or a stylesheet that are checked: ten times what Gmail shows of both. */
const longest = 1024 * 1024;

/** The rule that a finding names where the checks themselves have failed. */
export const NOT_CHECKED_RULE = 'not-checked';

/** Other places that a finding names. The rest shows once these are mended. */
const mostRelated = 100;

/**
 * What is wrong with an email, as its readers' mail clients will show it, ordered by part and place. Never throws; an email that would
 * take too long gets one finding that says so. Nothing is fetched.
 */
export function check(email: Email, options: CheckOptions = {}): Finding[] {
  return [...runChecks(email, options).findings];
}

/** What is known of an email after it was checked. */
export interface CheckResult {
  readonly findings: readonly Finding[];
  /** Its size as it is sent, where that could be told. */
  readonly bytes?: number;
}

/** As `check`, with what was worked out for it. */
export function runChecks(email: Email, options: CheckOptions = {}): CheckResult {
  const known = textsOf(email);
  const refusal = refusalFor(known);
  if (refusal !== undefined) return { findings: [tooLarge(known, refusal)] };
  try {
    const mail = parseEmail(known, options);
    if (mail.authored.refusal !== undefined) return { findings: [tooLarge(known, mail.authored.refusal)] };
    const ignored = readIgnoreComments(mail.authored);
    return {
      findings: checkRules.flatMap((rule) => findingsOf(mail, rule, ignored)).sort(byPlace),
      bytes: mail.once(sizeOf),
    };
  } catch (error) {
    // A parser that reads by recursion ends so where it is led deeper than it can go.
    return {
      findings: [error instanceof RangeError ? tooLarge(known, 'its parts nest too deep.') : notChecked(known, error)],
    };
  }
}

/** The email with all that is no text left out. */
function textsOf(email: Email): Email {
  const texts = Object.fromEntries(Object.entries(email).filter(([, value]) => typeof value === 'string'));
  return { body: '', ...texts };
}

/** Why an email is not checked, in half a sentence. */
function refusalFor({ body, stylesheet = '', headers = '' }: Email): string | undefined {
  const [text] = [body, stylesheet, headers].filter(({ length }) => length > longest);
  if (text !== undefined)
    return `${(text.length / 1024 / 1024).toFixed(1)} million characters are more than any client shows.`;
  const [reason] = [body, headers].map(getDisplayRefusal).filter((said) => said !== undefined);
  return reason;
}

function tooLarge({ body }: Email, reason: string): Finding {
  return {
    rule: 'too-large',
    severity: 'warning',
    part: 'body',
    start: 0,
    end: Math.min(1, body.length),
    message: `This email is too large to check: ${reason}`,
  };
}

/** A mistake of the checks themselves is told, so that nobody takes silence for health. */
function notChecked({ body }: Email, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return { ...tooLarge({ body }, ''), rule: NOT_CHECKED_RULE, message: `This email could not be checked: ${reason}` };
}

function severityOf(rule: Rule, { rules: chosen = {} }: CheckOptions): Severity | 'off' | undefined {
  return Object.entries(chosen).find(([name]) => matchesRuleName(rule, name))?.[1];
}

function findingsOf(mail: ParsedEmail, rule: Rule, ignored: IgnoreComments): Finding[] {
  const chosen = severityOf(rule, mail.options);
  if ((chosen ?? rule.severity) === 'off' || (rule.profile !== undefined && rule.profile !== mail.options.profile))
    return [];
  return rule.find(mail).flatMap((found) => finding(rule, found, chosen, { ignored, shares: mail.options.shares }));
}

/** A finding as others see it; none where all its places are ignored. */
function finding(
  rule: Rule,
  found: RuleFinding,
  chosen: Severity | 'off' | undefined,
  { ignored, shares = {} }: Pick<CheckOptions, 'shares'> & { readonly ignored: IgnoreComments },
): Finding[] {
  const ranges = found.ranges.filter((range) => !ignored.has(rule, range));
  const [first, ...others] = ranges;
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
      ...(others.length > 0 && { related: others.slice(0, mostRelated) }),
      ...(fixes && { fixes }),
      ...(fixes && rule.isMechanical && { isMechanical: true }),
      ...(rule.unnecessary && { unnecessary: true }),
    },
  ];
}

const partOrder: readonly string[] = ['body', 'stylesheet', 'details'];

function byPlace(one: Finding, other: Finding): number {
  return (
    partOrder.indexOf(one.part) - partOrder.indexOf(other.part) ||
    one.start - other.start ||
    Number(one.rule) - Number(other.rule)
  );
}
