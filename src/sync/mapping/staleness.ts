import { t } from '../../l10n.ts';
import type { MappedTemplate } from './mapping.ts';

/** A file and its modification time, in ms since the epoch. */
interface ModifiedFile {
  readonly path: string;
  readonly at: number;
}

/** The last failure of a task. `at` is in ms since the epoch. */
export interface BuildFailure {
  readonly exitCode: number;
  readonly at: number;
}

/** Why an output is out of date. */
export interface Staleness {
  /** A sentence for the user. */
  readonly cause: string;
  /** The output doesn't exist, so it can't be pushed. */
  readonly isMissing: boolean;
}

/** Times are in ms since the epoch. */
interface BuildState {
  /** Modification time of the output; undefined if it doesn't exist. */
  readonly builtAt: number | undefined;
  /** The most recently modified source. */
  readonly newestSource: ModifiedFile | undefined;
  /** Set if the task failed at its last run. */
  readonly lastFailure: BuildFailure | undefined;
}

/** Folders that never contain sources. */
const EXCLUDED_FOLDERS = new Set(['node_modules', '.git']);

/**
 * Returns the names in a folder, or when a file was modified, in ms since the epoch. Returns undefined for a missing path, and for a link to a
 * folder, which may lead back to one of its parents.
 */
export type Inspect = (path: string) => Promise<readonly string[] | number | undefined>;

/**
 * Compares a template's output with its sources, as `getStaleness` does.
 * @param own the template's files, which are no sources
 */
export async function findStaleness(
  template: MappedTemplate,
  own: readonly string[],
  inspect: Inspect,
  lastFailure?: BuildFailure,
): Promise<Staleness | undefined> {
  const { output, source = [] } = template;
  if (output === undefined) return undefined;
  const findNewest = async (
    paths: readonly string[],
    excluded: readonly string[],
  ): Promise<ModifiedFile | undefined> => {
    const remaining = paths.filter((path) => !excluded.includes(path));
    const found = await Promise.all(
      remaining.map(async (path) => {
        const content = await inspect(path);
        if (typeof content === 'number') return { path, at: content };
        const names = content?.filter((name) => !EXCLUDED_FOLDERS.has(name)) ?? [];
        return findNewest(
          names.map((name) => `${path}/${name}`),
          excluded,
        );
      }),
    );
    return found.filter((file) => file !== undefined).sort((one, other) => other.at - one.at)[0];
  };
  const newestSource = await findNewest(source, own);
  return getStaleness(template, { builtAt: (await findNewest([output], []))?.at, newestSource, lastFailure });
}

/** Returns why a template's output is out of date; undefined if it is current or not built. */
export function getStaleness(
  { output, task }: MappedTemplate,
  { builtAt: built, newestSource: newest, lastFailure: failed }: BuildState,
): Staleness | undefined {
  if (output === undefined) return undefined;
  const failure = failed && t`The task "${task ?? ''}" failed with exit code ${failed.exitCode}.`;
  const createStaleness = (what: string) => ({
    cause: [what, failure].filter(Boolean).join(' '),
    isMissing: built === undefined,
  });
  if (built === undefined) return createStaleness(t`${output} hasn't been built yet.`);
  if (newest) return built < newest.at ? createStaleness(t`${output} is older than ${newest.path}.`) : undefined;
  // Without a source, the output is out of date only if a later build failed.
  return failed && built < failed.at ? createStaleness(t`${output} wasn't rebuilt.`) : undefined;
}
