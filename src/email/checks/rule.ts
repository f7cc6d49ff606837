import type { Fix, PartRange, Severity } from './model.ts';
import type { ParsedEmail } from './parsedEmail.ts';

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

/** What is common to the rules about AcyMailing. */
export const acyMailingRule = { profile: 'acymailing', url: 'https://docs.acymailing.com/' } as const;

/** A rule's result. The first range is the primary one; without ranges, there is no finding. */
export interface RuleFinding {
  readonly ranges: readonly PartRange[];
  readonly message: string;
  readonly clients?: readonly string[];
  readonly url?: string;
  /** Overrides the rule's severity. */
  readonly severity?: Severity;
  /** Fixes without edits are dropped. */
  readonly fixes?: readonly Fix[];
}

/** Returns whether a text in a setting or a comment is the id or name of a rule. */
export const matchesRuleName = ({ id, name }: Rule, text: string): boolean =>
  text === id || text.toLowerCase() === name;

/**  `1 image`, `3 images`. */
export const formatCount = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

const nameList = new Intl.ListFormat('en-GB');

/** `Gmail, Yahoo and AOL`. */
export const joinNames = (names: readonly string[]): string => nameList.format(names);

/** Keeps one of the ranges that start at the same offset: several elements may share one declaration. */
export const removeDuplicates = (ranges: readonly PartRange[]): readonly PartRange[] => [
  ...new Map(ranges.map((range) => [`${range.part} ${range.start}`, range])).values(),
];
