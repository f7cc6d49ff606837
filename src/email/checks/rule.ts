import type { ParsedEmail } from './parsedEmail.ts';
import type { RuleFinding, Severity } from './model.ts';

/** A check rule. */
export interface Rule {
  /** Number as text, used as the code of findings. */
  readonly id: string;
  /** Alternative to the id in settings and comments. */
  readonly name: string;
  readonly title: string;
  readonly severity: Severity | 'off';
  /** Impact on the recipient. */
  readonly impact: string;
  /** Page that explains the problem. */
  readonly url: string;
  /** Whether its findings have a fix. */
  readonly hasFix?: true;
  /** Whether the fix needs no decision and may run on save. */
  readonly isMechanical?: true;
  /** Whether the fix changes text that recipients read. */
  readonly changesText?: true;
  /** Limits the rule to one service profile. */
  readonly profile?: 'acymailing';
  /** Whether the service removes the reported code. */
  readonly unnecessary?: true;
  readonly find: (mail: ParsedEmail) => readonly RuleFinding[];
}

/** Returns one finding for all ranges; none if there are no ranges. */
export function groupFindings(
  ranges: RuleFinding['ranges'],
  message: string,
  options: Omit<RuleFinding, 'ranges' | 'message'> = {},
): readonly RuleFinding[] {
  return ranges.length === 0 ? [] : [{ ranges, message, ...options }];
}

/**  `1 image`, `3 images`. */
export const formatCount = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

export const joinNames = (names: readonly string[]): string => names.join(', ');
