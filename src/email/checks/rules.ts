import { envelopeRules } from './find/envelope.ts';
import { imageRules } from './find/images.ts';
import { languageRules } from './find/language.ts';
import { linkRules } from './find/links.ts';
import { readingRules } from './find/readability.ts';
import { serviceRules } from './find/service.ts';
import { serviceElementRules } from './find/serviceElements.ts';
import { serviceStyleRules } from './find/serviceStyles.ts';
import { sizeRules } from './find/size.ts';
import { structureRules } from './find/structure.ts';
import { styleRules } from './find/styles.ts';
import { supportRules } from './find/support.ts';
import { tagRules } from './find/tags.ts';
import type { Rule } from './rule.ts';

/** All rules, ordered by id. */
export const checkRules: readonly Rule[] = [
  ...structureRules,
  ...tagRules,
  ...linkRules,
  ...imageRules,
  ...readingRules,
  ...languageRules,
  ...sizeRules,
  ...styleRules,
  ...supportRules,
  ...envelopeRules,
  ...serviceRules,
  ...serviceElementRules,
  ...serviceStyleRules,
].sort((one, other) => Number(one.id) - Number(other.id));

/** Returns whether a text in a setting or a comment is the id or name of a rule. */
export const matchesRuleName = ({ id, name }: Rule, text: string): boolean =>
  text === id || text.toLowerCase() === name;
