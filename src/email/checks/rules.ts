import { envelopeRules } from './find/envelope.ts';
import { imageRules } from './find/images.ts';
import { languageRules } from './find/language.ts';
import { linkRules } from './find/links.ts';
import { readingRules } from './find/reading.ts';
import { serviceRules } from './find/service.ts';
import { serviceElementRules } from './find/serviceElements.ts';
import { serviceStyleRules } from './find/serviceRules.ts';
import { sizeRules } from './find/size.ts';
import { structureRules } from './find/structure.ts';
import { styleRules } from './find/styles.ts';
import { supportRules } from './find/support.ts';
import { tagRules } from './find/tags.ts';
import type { Rule } from './rule.ts';

/** All rules by id. A room that finds more of them adds its rows here. */
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

/** Whether a text in a setting or a comment means a rule: its id or its name. */
export const matchesRuleName = ({ id, name }: Rule, text: string): boolean =>
  text === id || text.toLowerCase() === name;
