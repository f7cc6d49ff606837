import assert from 'node:assert/strict';
import { check, NOT_CHECKED_RULE } from '../../../src/email/checks/index.ts';
import type { CheckOptions, PartEdit, Email, Finding, Fix } from '../../../src/email/checks/index.ts';

/** An email whose texts mark places with `«` and `»`, and those places. */
export interface Marked {
  readonly email: Email;
  /** In the order of body, stylesheet, details. */
  readonly places: readonly {
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

/** Takes the marks out of an email. */
export function unmark(texts: Partial<Email>): Marked {
  const places: { part: string; field?: string; start: number; end: number }[] = [];
  const email: Record<string, string> = { body: '' };
  for (const [key, part] of parts) {
    const text = texts[key];
    if (text === undefined) continue;
    let plain = '';
    let start = 0;
    for (const piece of text.split(/([«»])/u)) {
      if (piece === '«') start = plain.length;
      else if (piece === '»')
        places.push({ part, ...(part === 'details' && { field: key }), start, end: plain.length });
      else plain += piece;
    }
    email[key] = plain;
  }
  return { email: email as unknown as Email, places };
}

/** Where a finding is, and the same of all its places. */
export function placesOf({ part, field, start, end, related = [] }: Finding): Marked['places'] {
  return [{ part, ...(field && { field }), start, end }, ...related.map((place) => ({ ...place }))];
}

export const findingsOf = (rule: string, email: Email, options: CheckOptions = {}): readonly Finding[] =>
  check(email, options).filter((finding) => finding.rule === rule);

/** The email once a fix is applied, from the last edit to the first, so that offsets hold. */
export function applied(email: Email, { edits }: Fix): Email {
  const texts: Record<string, string> = { ...email };
  const keyOf = ({ part, field }: PartEdit): string => (part === 'details' ? (field ?? '') : part);
  const inOrder = [...edits]
    .map((edit, index) => ({ edit, index }))
    .sort((one, other) => other.edit.start - one.edit.start || other.index - one.index);
  for (const { edit } of inOrder) {
    const key = keyOf(edit);
    const text = texts[key] ?? '';
    texts[key] = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  return texts as unknown as Email;
}

/** All ranges of findings and fixes lie in their texts, and edits of a fix don't touch each other. */
export function assertValid(email: Email, findings: readonly Finding[]): void {
  for (const finding of findings) {
    assert.notEqual(finding.rule, NOT_CHECKED_RULE, finding.message);
    for (const place of [...placesOf(finding), ...(finding.fixes ?? []).flatMap(({ edits }) => edits)]) {
      const text =
        (place.part === 'details' ? email[place.field as keyof Email] : email[place.part as keyof Email]) ?? '';
      const isIn = place.start >= 0 && place.start <= place.end && place.end <= text.length;
      assert.ok(isIn, `Rule ${finding.rule}: ${place.start}–${place.end} of ${text.length} in ${place.part}`);
    }
    for (const { edits } of finding.fixes ?? []) assertApart(finding.rule, edits);
  }
}

function assertApart(rule: string, edits: readonly PartEdit[]): void {
  const inOrder = [...edits].sort(
    (one, other) =>
      `${one.part}${one.field}`.localeCompare(`${other.part}${other.field}`) ||
      one.start - other.start ||
      one.end - other.end,
  );
  inOrder.forEach((edit, index) => {
    const next = inOrder[index + 1];
    if (next && next.part === edit.part && next.field === edit.field)
      assert.ok(edit.end <= next.start, `Rule ${rule}: two edits touch at ${next.start}`);
  });
}
