import {
  createFailure,
  NOT_CHECKED_RULE,
  type CheckResult,
  type DetailsField,
  type Email,
  type EmailPart,
  type Finding,
  type Fix,
  type PartEdit,
  type PartRange,
} from '../../email/checks/model.ts';
import { readSettings } from '../../email/compose/compose.ts';
import { t } from '../../l10n.ts';
import type { PublicText } from './assets.ts';
import { parseFieldTexts, type PlacedText } from '../fields/jsonTexts.ts';

/** The texts of an email's files. Those of mapped templates have public addresses of images. */
export type EmailTexts = Partial<Readonly<Record<EmailPart, Pick<PublicText, 'text'> & Partial<PublicText>>>>;

/** Names of the fields in the details document. */
const fieldNames: Readonly<Record<DetailsField, string>> = {
  subject: 'subject',
  preheader: 'preheader',
  headers: 'headers',
  fromEmail: 'from_email',
};

export type MailFields = Partial<Readonly<Record<DetailsField, PlacedText>>>;

/** Returns the checked fields of a details document. */
export function getMailFields(details: string | undefined): MailFields {
  const found = parseFieldTexts(details ?? '', Object.values(fieldNames));
  const fields = Object.entries(fieldNames).map(([field, name]) => [field, found.find((each) => each.field === name)]);
  return Object.fromEntries(fields.filter(([, text]) => text !== undefined));
}

/** Returns an email for its checks, with the fields of its details. */
export function createEmail({ body, stylesheet, details }: EmailTexts): {
  readonly email: Email;
  readonly fields: MailFields;
} {
  const fields = getMailFields(details?.text);
  const settings = readSettings(details?.text ?? '');
  const email = {
    body: body?.text ?? '',
    ...(settings !== undefined && { settings }),
    ...(stylesheet && { stylesheet: stylesheet.text }),
    ...Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text])),
  };
  return { email, fields };
}

/**
 * Converts findings to offsets in their documents. Findings in fields refer to the details document, including its JSON escapes. Drops
 * fixes that change a missing field.
 */
export function placeFindings(findings: readonly Finding[], fields: MailFields, texts: EmailTexts = {}): Finding[] {
  const place = <Some extends PartRange>(range: Some) => {
    const { toFile } = texts[range.part] ?? {};
    if (toFile) return [{ ...range, start: toFile(range.start), end: toFile(range.end) }];
    if (range.part !== 'details') return [range];
    const text = range.field && fields[range.field];
    return text ? [{ ...range, start: text.toDocument(range.start), end: text.toDocument(range.end) }] : [];
  };
  const placeEdit = (edit: PartEdit) => {
    const field = edit.field && fields[edit.field];
    return place({ ...edit, text: field ? field.write(edit.text) : edit.text });
  };
  return findings.flatMap((finding) => {
    if (finding.isOfFile) return finding;
    const { related = [], fixes = [] } = finding;
    const text = finding.field && fields[finding.field];
    const isEmpty = text && text.range.start === text.range.end;
    return place(finding).map((placed) => ({
      ...placed,
      // An empty field includes its quotes, so that it is visible.
      ...(isEmpty && { start: text.range.start - 1, end: text.range.end + 1 }),
      related: related.flatMap(place),
      fixes: fixes
        .map(({ title, edits }) => ({ title, edits: edits.flatMap(placeEdit) }))
        .filter(({ edits }, index) => edits.length === fixes[index]?.edits.length),
    }));
  });
}

/** Merges fixes into one, skipping those that overlap an earlier one. */
export function mergeFixes(title: string, fixes: readonly Fix[]): Fix {
  const edits: PartEdit[] = [];
  for (const fix of fixes)
    if (!fix.edits.some((edit) => edits.some((other) => overlaps(edit, other)))) edits.push(...fix.edits);
  return { title, edits };
}

const overlaps = (one: PartRange, other: PartRange) =>
  one.part === other.part && one.start < other.end && other.start < one.end;

/** Returns the finding for an email whose checks crashed the worker by taking too much time or memory. Rethrows other errors. */
export function createUncheckedResult(error: unknown): CheckResult {
  if (!(error instanceof Error) || error.name !== 'WorkerCrashed') throw error;
  return createFailure({ body: ' ' }, NOT_CHECKED_RULE, t`Couldn't check this email: ${error.message}`);
}
