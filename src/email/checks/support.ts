import type { ClientFamily } from './clients.ts';
import table from './data/support.json' with { type: 'json' };

export type Support = 'yes' | 'no' | 'partly' | 'unknown';

interface FeatureRow {
  readonly title: string;
  /** Date of the last test, as `YYYY-MM-DD`. */
  readonly tested: string;
  readonly letters: string;
  readonly notes: readonly (readonly [text: string, clients: readonly number[]])[];
}

const rows = table.features as unknown as Readonly<
  Record<string, readonly [string, string, string, FeatureRow['notes']?]>
>;

function getFeatureRow(feature: string): FeatureRow | undefined {
  const row = Object.hasOwn(rows, feature) ? rows[feature] : undefined;
  return row && { title: row[0], tested: row[1], letters: row[2], notes: row[3] ?? [] };
}

const supportByLetter: Readonly<Record<string, Support>> = { y: 'yes', n: 'no', a: 'partly' };

export const features: readonly string[] = Object.keys(rows);

/** Returns the URL of a feature's test page. */
export const featureUrl = (feature: string): string => `https://www.caniemail.com/features/${feature}/`;

/** Returns the feature that a test page is about. */
export const featureFromUrl = (page: string): string | undefined =>
  features.find((feature) => featureUrl(feature) === page);

const clientColumns: ReadonlyMap<string, number> = new Map(table.clients.map((client, index) => [client, index]));

/** Returns the columns of a family's members in a row. */
const getClientColumns = ({ members }: ClientFamily): readonly number[] =>
  members.map((member) => clientColumns.get(member)).filter((index) => index !== undefined);

/** Combines the support of a family's members. */
const getFamilySupport = ({ letters }: FeatureRow, indices: readonly number[]): Support =>
  combineSupport(
    indices.map((index) => supportByLetter[letters[index] ?? '']).filter((support) => support !== undefined),
  );

export interface FeatureSupport {
  readonly title: string;
  readonly tested: string;
  readonly page: string;
  readonly clients: readonly {
    readonly family: ClientFamily;
    readonly support: Support;
    readonly notes: readonly string[];
  }[];
}

/** Returns the support of a feature by client family. */
export function getFeatureSupport(feature: string, families: readonly ClientFamily[]): FeatureSupport | undefined {
  const row = getFeatureRow(feature);
  if (!row) return undefined;
  const clients = families.map((family) => {
    const indices = getClientColumns(family);
    const notes = row.notes.filter(([, of]) => indices.some((index) => of.includes(index))).map(([text]) => text);
    return { family, support: getFamilySupport(row, indices), notes };
  });
  return { title: row.title, tested: row.tested, page: featureUrl(feature), clients };
}

function combineSupport(supports: readonly Support[]): Support {
  if (supports.length === 0) return 'unknown';
  if (supports.filter((support) => support === 'no').length * 2 >= supports.length) return 'no';
  return supports.every((support) => support === 'yes') ? 'yes' : 'partly';
}

/** Returns the names of the families that don't support a feature at all. */
export function findUnsupportingClients(feature: string, families: readonly ClientFamily[]): readonly string[] {
  const row = getFeatureRow(feature);
  return row
    ? families.filter((family) => getFamilySupport(row, getClientColumns(family)) === 'no').map(({ name }) => name)
    : [];
}
