import type { ClientFamily } from './clients.ts';
import table from './data/support.json' with { type: 'json' };

/** Supported, not supported, in part, or not known. */
export type Support = 'yes' | 'no' | 'partly' | 'unknown';

interface Row {
  readonly title: string;
  /** The day of the last test, as `YYYY-MM-DD`. */
  readonly tested: string;
  readonly letters: string;
  readonly notes: readonly (readonly [text: string, clients: readonly number[]])[];
}

const rows = table.features as unknown as Readonly<Record<string, readonly [string, string, string, Row['notes']?]>>;

function rowOf(feature: string): Row | undefined {
  const row = Object.hasOwn(rows, feature) ? rows[feature] : undefined;
  return row && { title: row[0], tested: row[1], letters: row[2], notes: row[3] ?? [] };
}

const meaning: Readonly<Record<string, Support>> = { y: 'yes', n: 'no', a: 'partly' };

/** Names of all features in the table. */
export const features: readonly string[] = Object.keys(rows);

/** The page that shows a feature's tests. */
export const featureUrl = (feature: string): string => `https://www.caniemail.com/features/${feature}/`;

/** The feature that such a page is about. */
export const featureFromUrl = (page: string): string | undefined =>
  features.find((feature) => featureUrl(feature) === page);

const clientColumns: ReadonlyMap<string, number> = new Map(table.clients.map((client, index) => [client, index]));

/** Where the members of a family stand in a row. */
const indicesOf = ({ members }: ClientFamily): readonly number[] =>
  members.map((member) => clientColumns.get(member)).filter((index) => index !== undefined);

/** One family that differs within itself counts as most of its members do. */
const supportBy = ({ letters }: Row, indices: readonly number[]): Support =>
  together(indices.map((index) => meaning[letters[index] ?? '']).filter((support) => support !== undefined));

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

/** What is known of a feature in each family. */
export function getFeatureSupport(feature: string, families: readonly ClientFamily[]): FeatureSupport | undefined {
  const row = rowOf(feature);
  if (!row) return undefined;
  const clients = families.map((family) => {
    const indices = indicesOf(family);
    const notes = row.notes.filter(([, of]) => indices.some((index) => of.includes(index))).map(([text]) => text);
    return { family, support: supportBy(row, indices), notes };
  });
  return { title: row.title, tested: row.tested, page: featureUrl(feature), clients };
}

function together(known: readonly Support[]): Support {
  if (known.length === 0) return 'unknown';
  if (known.filter((support) => support === 'no').length * 2 >= known.length) return 'no';
  return known.every((support) => support === 'yes') ? 'yes' : 'partly';
}

/** Names of the families that don't support a feature at all. */
export function findUnsupportingClients(feature: string, families: readonly ClientFamily[]): readonly string[] {
  const row = rowOf(feature);
  return row ? families.filter((family) => supportBy(row, indicesOf(family)) === 'no').map(({ name }) => name) : [];
}
