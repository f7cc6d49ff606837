import type { ParsedEmail } from './mail.ts';
import type { RuleFinding, Severity } from './model.ts';

/** One row of the table of rules. */
export interface Rule {
  /** A number as text: the code of its findings. */
  readonly id: string;
  /** Another name for it, in settings and comments. */
  readonly name: string;
  readonly title: string;
  readonly severity: Severity | 'off';
  /** What it costs the reader. */
  readonly impact: string;
  /** The page that explains it. */
  readonly url: string;
  /** Where its findings bring a fix. */
  readonly hasFix?: true;
  /** Its fix needs no decision, and may be made while saving. */
  readonly isMechanical?: true;
  /** Its fix changes what is read; no other may. */
  readonly changesText?: true;
  /** Only this service does it. */
  readonly profile?: 'acymailing';
  /** What it finds is taken out by the service. */
  readonly unnecessary?: true;
  readonly find: (mail: ParsedEmail) => readonly RuleFinding[];
}

/** One finding for all places of a thing; none where there is none. */
export function groupFindings(
  ranges: RuleFinding['ranges'],
  message: string,
  rest: Omit<RuleFinding, 'ranges' | 'message'> = {},
): readonly RuleFinding[] {
  return ranges.length === 0 ? [] : [{ ranges: ranges, message, ...rest }];
}

/** `1 image`, `3 images`. */
export const formatCount = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

/** `Gmail, Outlook for Windows`: the names of clients in a message. */
export const joinNames = (names: readonly string[]): string => names.join(', ');
