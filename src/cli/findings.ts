import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { getCheckRules, runChecks, type CheckOptions, type Finding } from '../email/checks/index.ts';
import { NOT_CHECKED_RULE, type PartRange } from '../email/checks/model.ts';
import { createPositionFinder } from '../email/html/text.ts';
import type { Rule } from '../email/checks/rule.ts';
import type { Mapping } from '../sync/mapping/mapping.ts';
import { placeFindings } from '../sync/mapping/placedFindings.ts';
import type { FoundEmail, PartFile } from './emails.ts';
import { CommandError } from './output.ts';

/** A position in a file: offset in UTF-16 units, and line and column from 1. */
interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A range of a file. */
export interface Place {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
}

interface PlacedFix {
  readonly title: string;
  readonly edits: readonly (Place & { readonly text: string })[];
}

/** A place of a finding. */
interface HashedPlace extends Place {
  /** Identifies the place in any version of the file: a hash of the rule and the text, because lines move. */
  readonly fingerprint: string;
}

/** A finding with its place in a file. */
export interface FileFinding extends HashedPlace {
  readonly finding: Finding;
  readonly rule?: Rule;
  readonly related: readonly HashedPlace[];
  readonly fixes: readonly PlacedFix[];
}

/** The result of a check. */
export interface CheckReport {
  readonly findings: readonly FileFinding[];
  /** Paths of all checked emails. */
  readonly checked: readonly string[];
  readonly version: string;
  /** Number of findings that a baseline leaves out. */
  readonly known: number;
}

/** Rules of findings that report an email that couldn't be checked. */
export const UNCHECKED_RULES: ReadonlySet<string> = new Set(['too-large', NOT_CHECKED_RULE]);

/** Returns the options of a check: those of `mailing.json`, with a profile and mail clients instead of its own. */
export function getCheckOptions(
  { checks: { clients, rules, clientShares: shares } }: Mapping,
  profile: string | undefined,
  otherClients: readonly string[] | undefined = clients,
): CheckOptions {
  return { clients: otherClients, rules, shares, profile };
}

/** Checks an email, and finds the places of the findings in its files. */
export function checkEmail(email: FoundEmail, options: CheckOptions): readonly FileFinding[] {
  const rules = getCheckRules();
  const { findings } = runChecks(email.email, options);
  return placeFindings(findings, email.fields, email.texts).map((finding) => {
    const rule = rules.find(({ name }) => name === finding.name);
    return {
      ...getHashedPlace(email, finding, finding),
      finding,
      ...(rule && { rule }),
      related: (finding.related ?? []).map((range) => getHashedPlace(email, finding, range)),
      fixes: (finding.fixes ?? []).map(({ title, edits }) => ({
        title,
        edits: edits.map((edit) => ({ ...getPlace(email, edit), text: edit.text })),
      })),
    };
  });
}

function getPlace({ files }: FoundEmail, { part, start, end }: PartRange): Place {
  const file = files[part] ?? files.body;
  return { path: file.path, start: getPosition(file, start), end: getPosition(file, end) };
}

const positionFinders = new WeakMap<PartFile, ReturnType<typeof createPositionFinder>>();

/** Returns a position in a file. */
export function getPosition(file: PartFile, offset: number): Position {
  const find = positionFinders.get(file) ?? createPositionFinder(file.text);
  positionFinders.set(file, find);
  const [line, character] = find(offset);
  return { offset, line: line + 1, column: character + 1 };
}

function getHashedPlace(email: FoundEmail, { rule }: Finding, range: PartRange): HashedPlace {
  const place = getPlace(email, range);
  const text = (email.files[range.part] ?? email.files.body).text.slice(place.start.offset, place.end.offset);
  const hash = createHash('sha256').update(`${rule}\n${text.replace(/\s+/gu, ' ').trim()}`);
  return { ...place, fingerprint: hash.digest('hex').slice(0, 32) };
}

/** Known findings, by file: the number of findings with each fingerprint. */
const baselineSchema = v.object({
  version: v.literal(1),
  files: v.record(v.string(), v.record(v.string(), v.number())),
});
type Baseline = v.InferOutput<typeof baselineSchema>;

export function createBaseline(findings: readonly FileFinding[]): Baseline {
  const files: Baseline['files'] = {};
  for (const { path, fingerprint } of findings.flatMap(getPlaces)) {
    const counts = (files[path] ??= {});
    counts[fingerprint] = (counts[fingerprint] ?? 0) + 1;
  }
  return { version: 1, files };
}

const getPlaces = ({ path, start, end, fingerprint, related }: FileFinding): readonly HashedPlace[] => [
  { path, start, end, fingerprint },
  ...related,
];

/** @throws `CommandError` if the text isn't a baseline */
export function readBaseline(text: string, name: string): Baseline {
  try {
    return v.parse(baselineSchema, JSON.parse(text));
  } catch {
    throw new CommandError(`${name} isn't a baseline.`, 'Delete it to write a new one.');
  }
}

/** Returns the findings that a baseline doesn't have, at their first new place. Of equal places in a file, the baseline has the first ones. */
export function withoutKnown(findings: readonly FileFinding[], { files }: Baseline): readonly FileFinding[] {
  const counts = new Map<string, number>();
  const isNew = ({ path, fingerprint }: HashedPlace) => {
    const count = (counts.get(`${path}\n${fingerprint}`) ?? 0) + 1;
    counts.set(`${path}\n${fingerprint}`, count);
    return count > (files[path]?.[fingerprint] ?? 0);
  };
  return findings.flatMap((found) => {
    const [first, ...related] = getPlaces(found).filter(isNew);
    return first ? [{ ...found, ...first, related }] : [];
  });
}
