import { t } from '@vscode/l10n';
import type { MappedTemplate } from './mapping.ts';

/** A file and its modification time, in ms since the epoch. */
export interface ModifiedFile {
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
