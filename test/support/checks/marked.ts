import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  check,
  NOT_CHECKED_RULE,
  type CheckOptions,
  type PartEdit,
  type Email,
  type Finding,
  type Fix,
} from '../../../src/email/checks/index.ts';

/** An email without its `«` and `»` marks, and the ranges that they marked. */
export interface MarkedEmail {
  readonly email: Email;
  /** Ordered by body, stylesheet, details. */
  readonly ranges: readonly {
    readonly part: string;
    readonly field?: string;
    readonly start: number;
    readonly end: number;
  }[];
}

const parts: readonly (readonly [key: keyof Email, part: string])[] = [
  ['body', 'body'],
  ['stylesheet', 'stylesheet'],
  ['subject', 'details'],
  ['preheader', 'details'],
  ['headers', 'details'],
  ['fromEmail', 'details'],
];

/** Removes the marks from an email and returns the marked ranges. */
export function parseMarkedEmail(texts: Partial<Email>): MarkedEmail {
  const ranges: { part: string; field?: string; start: number; end: number }[] = [];
  const email: { -readonly [Key in keyof Email]: Email[Key] } = { body: '' };
  for (const [key, part] of parts) {
    const text = texts[key];
    if (text === undefined) continue;
    let plain = '';
    let start = 0;
    for (const token of text.split(/([«»])/u)) {
      if (token === '«') start = plain.length;
      else if (token === '»')
        ranges.push({ part, ...(part === 'details' && { field: key }), start, end: plain.length });
      else plain += token;
    }
    email[key] = plain;
  }
  return { email, ranges };
}

/** Returns the primary and related ranges of a finding. */
export function getRanges({ part, field, start, end, related = [] }: Finding): MarkedEmail['ranges'] {
  return [{ part, ...(field && { field }), start, end }, ...related.map((range) => ({ ...range }))];
}

export const findRuleFindings = (rule: string, email: Email, options: CheckOptions = {}): readonly Finding[] =>
  check(email, options).filter((finding) => finding.rule === rule);

/** Applies a fix from the last edit to the first, so that offsets stay valid. */
export function applyFix(email: Email, { edits }: Fix): Email {
  const texts: Record<string, string> = { ...email };
  const getKey = ({ part, field }: PartEdit): string => (part === 'details' ? (field ?? '') : part);
  const ordered = [...edits]
    .map((edit, index) => ({ edit, index }))
    .sort((one, other) => other.edit.start - one.edit.start || other.index - one.index);
  for (const { edit } of ordered) {
    const key = getKey(edit);
    const text = texts[key] ?? '';
    texts[key] = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return { ...email, ...texts };
}

/** Asserts that the ranges of findings and fixes are within their texts, and that edits of a fix don't touch each other. */
export function assertValid(email: Email, findings: readonly Finding[]): void {
  for (const finding of findings) {
    assert.notEqual(finding.rule, NOT_CHECKED_RULE, finding.message);
    for (const range of [...getRanges(finding), ...(finding.fixes ?? []).flatMap(({ edits }) => edits)]) {
      const text =
        (range.part === 'details' ? email[range.field as keyof Email] : email[range.part as keyof Email]) ?? '';
      const isIn = range.start >= 0 && range.start <= range.end && range.end <= text.length;
      assert.ok(isIn, `Rule ${finding.rule}: ${range.start}–${range.end} of ${text.length} in ${range.part}`);
    }
    for (const { edits } of finding.fixes ?? []) assertEditsApart(finding.rule, edits);
  }
}

function assertEditsApart(rule: string, edits: readonly PartEdit[]) {
  const ordered = [...edits].sort(
    (one, other) =>
      `${one.part}${one.field}`.localeCompare(`${other.part}${other.field}`) ||
      one.start - other.start ||
      one.end - other.end,
  );
  ordered.forEach((edit, index) => {
    const next = ordered[index + 1];
    if (next && next.part === edit.part && next.field === edit.field)
      assert.ok(edit.end <= next.start, `Rule ${rule}: two edits touch at ${next.start}`);
  });
}

/** Returns the names and bodies of the HTML files in a folder; none if it doesn't exist. */
const readBodies = (folder: URL): readonly (readonly [name: string, body: string])[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);

/** Real emails, where they are available. */
export const corpusBodies = readBodies(new URL('../../../../shared/corpus/', import.meta.url));
export const starterBodies = readBodies(new URL('../../../media/starters/', import.meta.url));
