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
  /** The site's custom fields. Undefined: any field may exist. */
  readonly fields?: readonly CustomField[];
  /** Fields from subscriber records, if `fields` is undefined. More may exist. */
  readonly observedFields?: readonly CustomField[];
  /** The tags of the text, if already parsed. */
  readonly tags?: readonly Tag[];
}

export interface TagRuleContext {
  readonly text: string;
  readonly language: TagLanguage;
  readonly where: TagLocation;
  readonly tags: readonly Tag[];
  /** The tags after this one. */
  readonly following: readonly Tag[];
  /** The conditions around the tag, outermost first. */
  readonly enclosingConditions: readonly Tag[];
  readonly fields: readonly CustomField[] | undefined;
  /** All available fields. The list may be incomplete. */
  readonly candidateFields: readonly CustomField[];
  /** Whether an offset is in the URL attribute of a link or image. Must be called with ascending offsets. */
  readonly isInLink: (offset: number) => boolean;
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
