import { BodyElement } from './document.ts';
import { insertEdit, type Range, type TextEdit } from '../html/ranges.ts';
import type { DetailsField, PartRange, Severity } from './model.ts';
import { findContentStart, type ParsedEmail } from './parsedEmail.ts';

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
  /** Whether its findings have a fix, and whether that needs no decision and may run on save. */
  readonly fix?: 'choice' | 'mechanical';
  /** Limits the rule to one service profile. */
  readonly profile?: 'acymailing';
  /** Whether the service removes the reported code. */
  readonly unnecessary?: true;
  /** Whether the offsets of its findings are those of the file, which has no public addresses of images. */
  readonly isOfFile?: true;
  readonly find: (mail: ParsedEmail) => RuleFinding | readonly RuleFinding[];
}

/** A rule about how AcyMailing changes an email. */
export type ServiceRule = Omit<Rule, 'profile' | 'url'>;

/** A range of the body, unless it names another part. An element means its start tag. */
export type RuleRange = BodyElement | (Range & Partial<PartRange>);
export type RuleEdit = TextEdit & Partial<PartRange>;

/** A rule's result. The first range is the primary one; without ranges, there is no finding. */
export interface RuleFinding {
  readonly ranges: readonly RuleRange[];
  readonly message: string;
  readonly clients?: readonly string[];
  readonly url?: string;
  /** Overrides the rule's severity. */
  readonly severity?: Severity;
  /** Fixes without edits are dropped. */
  readonly fixes?: readonly { readonly title: string; readonly edits: readonly RuleEdit[] }[];
}

export function toPartRange(range: RuleRange): PartRange {
  if (range instanceof BodyElement) return { part: 'body', start: range.start, end: range.openEnd };
  const { part = 'body', start, end, field } = range;
  return { part, start, end, ...(field && { field }) };
}

export const detailsRange = (field: DetailsField, start: number, end: number): PartRange => ({
  part: 'details',
  field,
  start,
  end,
});

/** Returns whether a text in a setting or a comment is the id or name of a rule. */
export const matchesRuleName = ({ id, name }: Rule, text: string): boolean =>
  text === id || text.toLowerCase() === name;

/** Keeps one of the ranges that start at the same offset: several elements may share one declaration. */
export const removeDuplicates = (ranges: readonly RuleRange[]): readonly PartRange[] => [
  ...new Map(ranges.map(toPartRange).map((range) => [`${range.part} ${range.start}`, range])).values(),
];

/** Sets an attribute of an element. */
export function setAttributeEdit(element: BodyElement, name: string, value: string): RuleEdit {
  const attribute = element.attribute(name);
  const text = `${name}="${value}"`;
  return attribute ? { start: attribute.start, end: attribute.end, text } : insertEdit(element.nameEnd, ` ${text}`);
}

/** Wraps the content of a body without `<body>` in tags. */
export const wrapContentEdits = (mail: ParsedEmail, open: string, close: string): readonly RuleEdit[] => [
  insertEdit(findContentStart(mail), open),
  insertEdit(mail.sentRange.end, close),
];
