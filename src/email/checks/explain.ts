import { selectClients } from './clients.ts';
import type { CheckOptions, Finding } from './model.ts';
import { matchesRuleName, checkRules } from './rules.ts';
import { featureFromUrl, getFeatureSupport } from './support.ts';
import type { FeatureSupport } from './support.ts';

/** What is behind a finding. */
export interface Explanation {
  /** The rule's name and what it finds. */
  readonly name: string;
  readonly title: string;
  /** What it costs the reader. */
  readonly impact: string;
  /** What the chosen clients support, where the finding is about a feature of theirs. */
  readonly support?: FeatureSupport;
}

/** Explains a finding; undefined for one that is no rule's. */
export function explain(
  { rule, url }: Pick<Finding, 'rule' | 'url'>,
  { clients }: CheckOptions = {},
): Explanation | undefined {
  const found = checkRules.find((each) => matchesRuleName(each, rule));
  const feature = featureFromUrl(url ?? '');
  const support = feature === undefined ? undefined : getFeatureSupport(feature, selectClients(clients));
  return found && { name: found.name, title: found.title, impact: found.impact, ...(support && { support }) };
}
