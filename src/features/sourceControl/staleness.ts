import type { MappedTemplate } from './mapping.ts';

/** A file, and when it was changed last, in ms since the epoch. */
export interface ModifiedFile {
  readonly path: string;
  readonly at: number;
}

/** How a task failed last, and when, in ms since the epoch. */
export interface BuildFailure {
  readonly exitCode: number;
  readonly at: number;
}

/** Why an output is not what its sources say. */
export interface Staleness {
  /** In words, as a sentence. */
  readonly cause: string;
  /** There is no output that could be pushed. */
  readonly isMissing: boolean;
}

/** What is known of an output. Times in ms since the epoch. */
export interface BuildState {
  /** When the output was written; undefined where it is not there. */
  readonly builtAt: number | undefined;
  /** The source that was changed last. */
  readonly newestSource: ModifiedFile | undefined;
  /** Where the task failed when it ran last. */
  readonly lastFailure: BuildFailure | undefined;
}

/** Why the output of a template is not what its sources say; undefined where it is, and where nothing is built. */
export function getStaleness(
  { output, task }: MappedTemplate,
  { builtAt: built, newestSource: newest, lastFailure: failed }: BuildState,
): Staleness | undefined {
  if (output === undefined) return undefined;
  const failure = failed && `The task "${task}" failed with exit code ${failed.exitCode}.`;
  const told = (what: string, isMissing: boolean): Staleness => ({
    cause: [what, failure].filter(Boolean).join(' '),
    isMissing,
  });
  if (built === undefined) return told(`${output} is not there: it was not built yet.`, true);
  if (newest !== undefined)
    return built < newest.at ? told(`${output} is older than ${newest.path}.`, false) : undefined;
  // Where no source is named, a build that failed after it was written is what is known.
  return failed !== undefined && built < failed.at ? told(`${output} was not built anew.`, false) : undefined;
}
