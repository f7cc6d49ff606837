import type { DetailsField, PartEdit, Finding, Fix, EmailPart, PartRange } from '../../../email/checks/index.ts';
import { parseFieldTexts, type PlacedText } from '../tags/tagTexts.ts';

/** A half-open range in UTF-16 units of a document. */
export interface DocumentRange {
  readonly part: EmailPart;
  readonly start: number;
  readonly end: number;
}

/** Edits of documents that belong together. */
export interface PlacedFix {
  readonly title: string;
  readonly edits: readonly (DocumentRange & { readonly text: string })[];
}

/** A finding whose offsets count in documents: those of fields count in the details as they are written. */
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

/** The fields that are checked of a details document, as far as it has them. */
export function getMailFields(details: string | undefined): MailFields {
  const found = parseFieldTexts(details ?? '', Object.values(fieldNames));
  const entries = Object.entries(fieldNames).flatMap(([field, name]) => {
    const text = found.find((each) => each.field === name);
    return text === undefined ? [] : [[field, text] as const];
  });
  return Object.fromEntries(entries);
}

/** The findings that stand in the documents of an email. A fix is left out where it changes a field that is not there. */
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

/** An empty field shows at its quotes. */
function getEmptyFieldRange({ part, field }: PartRange, fields: MailFields): DocumentRange | undefined {
  const at = field && fields[field]?.range;
  return at && at.start === at.end ? { part, start: at.start - 1, end: at.end + 1 } : undefined;
}

function formatEditText({ part, field, text }: PartEdit, fields: MailFields): string {
  const own = part === 'details' && field ? fields[field] : undefined;
  return own ? own.write(text) : text;
}

/** Those fixes of a row that touch none before them, as one. */
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
