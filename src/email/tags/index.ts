export { findBranchExample } from './conditions.ts';
export type { BranchExample } from './conditions.ts';
export { completeTags, createTagInsertion, getExampleOutput, filterCompletions } from './complete.ts';
export type { CompletionContext, TagCompletion, TagInsertion } from './complete.ts';
export { describeAddedContent, findContentTags, listSitePaths } from './content.ts';
export { explainTag } from './explain.ts';
export type { ExplainContext, TagExplanation } from './explain.ts';
export { tagLocations } from './data/acymailing.ts';
export {
  createCustomFields,
  hasNamekey,
  listPossibleFields,
  readTagLanguage,
  subscriberColumns,
  tagLanguage,
} from './languages.ts';
export { findForeignTags } from './foreign.ts';
export type * from './model.ts';
export { parseTags } from './parse.ts';
export { createRendering, samplePeople, TYPICAL_PERSON_ID, sampleRendering } from './people.ts';
export type { NamedPerson } from './people.ts';
export { findTagProblems } from './problems.ts';
export type { ProblemOptions } from './problems.ts';
export { renderTags } from './render.ts';
export type { TagProblem, TagRule } from './tagProblem.ts';
