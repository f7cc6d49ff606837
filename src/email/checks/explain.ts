import { chosenClients } from './clients.ts';
import type { CheckOptions, Finding } from './model.ts';
import { isNamed, rules } from './rules.ts';
import { featureOf, supportOf } from './support.ts';
import type { FeatureSupport } from './support.ts';

/** What is behind a finding. */
export interface Explanation {
  /** The rule's name and what it finds. */
  readonly name: string;
  readonly title: string;
  /** What it costs the reader. */
  readonly cost: string;
  /** What the chosen clients support, where the finding is about a feature of theirs. */
  readonly support?: FeatureSupport;
}

/** Explains a finding; undefined for one that is no rule's. */
export function explain(
  { rule, url }: Pick<Finding, 'rule' | 'url'>,
  { clients }: CheckOptions = {},
): Explanation | undefined {
  const found = rules.find((each) => isNamed(each, rule));
  const feature = featureOf(url ?? '');
  const support = feature === undefined ? undefined : supportOf(feature, chosenClients(clients));
  return found && { name: found.name, title: found.title, cost: found.cost, ...(support && { support }) };
}
