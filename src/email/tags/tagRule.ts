import type { CustomField, TextRange, Tag, TagLanguage, TextEdit, TagLocation } from './model.ts';

export type TagRule =
  | 'tag-unknown-family'
  | 'tag-unknown-field'
  | 'tag-name-case'
  | 'tag-half-pair'
  | 'tag-unclosed'
  | 'tag-blank'
  | 'tag-not-here'
  | 'tag-cut-by-markup'
  | 'tag-link-in-link'
  | 'tag-parameter-unknown'
  | 'tag-parameter-value'
  | 'tag-default-formatted'
  | 'tag-condition-operator'
  | 'tag-condition-value'
  | 'tag-condition-else'
  | 'tag-condition-depth'
  | 'tag-condition-in-link';

export interface TagProblem extends TextRange {
  readonly rule: TagRule;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly fixes: readonly { readonly title: string; readonly edits: readonly TextEdit[] }[];
}

export interface ProblemOptions {
  /** The site's custom fields. Undefined: not known, and any may exist. */
  readonly fields?: readonly CustomField[];
  /** Where they are not known: those that were seen. There may be more. */
  readonly observedFields?: readonly CustomField[];
  /** The tags of the text, where they were read before. */
  readonly tags?: readonly Tag[];
}

/** What a rule looks at. */
export interface TagRuleContext {
  readonly text: string;
  readonly language: TagLanguage;
  readonly where: TagLocation;
  readonly tags: readonly Tag[];
  /** The next tags after this one. */
  readonly following: readonly Tag[];
  /** The conditions that the tag stands in, the outermost first. */
  readonly enclosingConditions: readonly Tag[];
  readonly fields: readonly CustomField[] | undefined;
  /** All that are known, which may be not all there are. */
  readonly candidateFields: readonly CustomField[];
  /** Whether a place is in the quotes of an address of a link or picture; asked for ever later places. */
  readonly isInLink: (place: number) => boolean;
}

export function createProblem(
  rule: TagRule,
  severity: TagProblem['severity'],
  at: TextRange,
  message: string,
  fixes: TagProblem['fixes'] = [],
): TagProblem {
  return { rule, severity, start: at.start, end: at.end, message, fixes };
}

export const createFix = (title: string, at: TextRange, text: string): TagProblem['fixes'][number] => ({
  title,
  edits: [{ start: at.start, end: at.end, text }],
});
