import type { DetailsField, PartEdit, Finding, Fix, EmailPart, PartRange } from '../../../email/checks/model.ts';
import { parseFieldTexts, type PlacedText } from '../tags/tagTexts.ts';

/** A half-open range in UTF-16 units of a document. */
export interface DocumentRange {
  readonly part: EmailPart;
  readonly start: number;
  readonly end: number;
}

export interface PlacedFix {
  readonly title: string;
  readonly edits: readonly (DocumentRange & { readonly text: string })[];
}

/** A finding with document offsets. Findings in fields refer to the details document, including its JSON escapes. */
export interface PlacedFinding extends DocumentRange {
  readonly finding: Finding;
  readonly related: readonly DocumentRange[];
  readonly fixes: readonly PlacedFix[];
}

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
  const entries = Object.entries(fieldNames).flatMap(([field, name]) => {
    const text = found.find((each) => each.field === name);
    return text === undefined ? [] : [[field, text] as const];
  });
  return Object.fromEntries(entries);
}

/** Converts findings to document ranges. Drops fixes that change a missing field. */
export function placeFindings(findings: readonly Finding[], fields: MailFields): PlacedFinding[] {
  const placed = ({ part, field, start, end }: PartRange): DocumentRange | undefined => {
    if (part !== 'details') return { part, start, end };
    const text = field && fields[field];
    return text && { part, start: text.toDocument(start), end: text.toDocument(end) };
  };
  const fixed = ({ title, edits }: Fix): PlacedFix[] => {
    const all = edits.flatMap((edit) => {
      const place = placed(edit);
      return place ? [{ ...place, text: formatEditText(edit, fields) }] : [];
    });
    return all.length === edits.length ? [{ title, edits: all }] : [];
  };
  return findings.flatMap((finding) => {
    const place = getEmptyFieldRange(finding, fields) ?? placed(finding);
    const { related = [], fixes = [] } = finding;
    return place
      ? [{ ...place, finding, related: related.flatMap((one) => placed(one) ?? []), fixes: fixes.flatMap(fixed) }]
      : [];
  });
}

/** Returns the range of an empty field including its quotes, so that it is visible. */
function getEmptyFieldRange({ part, field }: PartRange, fields: MailFields): DocumentRange | undefined {
  const at = field && fields[field]?.range;
  return at && at.start === at.end ? { part, start: at.start - 1, end: at.end + 1 } : undefined;
}

function formatEditText({ part, field, text }: PartEdit, fields: MailFields): string {
  const own = part === 'details' && field ? fields[field] : undefined;
  return own ? own.write(text) : text;
}

/** Merges fixes into one, skipping those that overlap an earlier one. */
export function mergeFixes(title: string, fixes: readonly PlacedFix[]): PlacedFix {
  const edits: PlacedFix['edits'][number][] = [];
  for (const fix of fixes)
    if (!fix.edits.some((edit) => edits.some((other) => overlaps(edit, other)))) edits.push(...fix.edits);
  return { title, edits };
}

function overlaps(one: DocumentRange, other: DocumentRange): boolean {
  if (one.part !== other.part) return false;
  return one.start < other.end && other.start < one.end;
}
