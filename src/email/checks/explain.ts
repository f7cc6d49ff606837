import { selectClients } from './clients.ts';
import type { CheckOptions, Finding } from './model.ts';
import { matchesRuleName, checkRules } from './rules.ts';
import { featureFromUrl, getFeatureSupport } from './support.ts';
import type { FeatureSupport } from './support.ts';

/** Background information about a finding. */
export interface Explanation {
  readonly name: string;
  readonly title: string;
  /** Impact on the recipient. */
  readonly impact: string;
  /** Support in the selected clients, if the rule is about a feature. */
  readonly support?: FeatureSupport;
}

/** Returns the explanation of a finding; undefined if no rule has this id. */
export function explain(
  { rule, url }: Pick<Finding, 'rule' | 'url'>,
  { clients }: CheckOptions = {},
): Explanation | undefined {
  const matchedRule = checkRules.find((each) => matchesRuleName(each, rule));
  const feature = featureFromUrl(url ?? '');
  const support = feature === undefined ? undefined : getFeatureSupport(feature, selectClients(clients));
  return (
    matchedRule && {
      name: matchedRule.name,
      title: matchedRule.title,
      impact: matchedRule.impact,
      ...(support && { support }),
    }
  );
}
