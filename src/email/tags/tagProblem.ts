import { t } from '../../l10n.ts';
import type { Range, TextEdit } from '../html/text.ts';
import type { findDefinition } from './languages.ts';
import type { CustomField, Tag, TagLanguage, TagLocation } from './model.ts';

export type TagRule =
  | 'tag-unrecognized'
  | 'tag-add-on'
  | 'tag-field'
  | 'tag-name-case'
  | 'tag-half-pair'
  | 'tag-unclosed'
  | 'tag-blank'
  | 'tag-not-here'
  | 'tag-cut-by-markup'
  | 'tag-link-in-link'
  | 'tag-parameter-name'
  | 'tag-parameter-value'
  | 'tag-default-formatted'
  | 'tag-condition-operator'
  | 'tag-condition-value'
  | 'tag-condition-else'
  | 'tag-condition-depth'
  | 'tag-condition-in-link';

interface TagFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

export interface TagProblem extends Range {
  readonly rule: TagRule;
  readonly message: string;
  readonly fixes: readonly TagFix[];
}

/** A tag and its surroundings. */
export interface CheckedTag {
  readonly tag: Tag;
  readonly text: string;
  readonly language: TagLanguage;
  /** The tag's definition, if the tag is part of the language. */
  readonly definition: ReturnType<typeof findDefinition>;
  readonly where: TagLocation;
  readonly tags: readonly Tag[];
  /** Position of the tag in `tags`. */
  readonly index: number;
  /** The conditions around the tag, outermost first. */
  readonly enclosingConditions: readonly Tag[];
  /** The available custom fields of the site. */
  readonly fields: readonly CustomField[];
  /** Returns the lowercase name of the attribute whose value contains an offset, or ''. Must be called with ascending offsets. */
  readonly findAttribute: (offset: number) => string;
}

export type TagProblems = Iterable<TagProblem>;

export const createProblem = (
  rule: TagRule,
  { start, end }: Range,
  message: string,
  ...fixes: readonly TagFix[]
): TagProblem => ({ rule, start, end, message, fixes });

export const createFix = (title: string, { start, end }: Range, text: string): TagFix => ({
  title,
  edits: [{ start, end, text }],
});

/** Creates a fix that writes a text instead, if there is one. */
export const createFixes = (range: Range, text: string | undefined): TagFix[] =>
  text ? [createFix(t`Replace with "${text}"`, range, text)] : [];

const urlAttributes = new Set(['href', 'src', 'action', 'background']);

/** Returns whether a tag is in the URL attribute of a link or image. */
export const isInLink = ({ tag, findAttribute }: CheckedTag): boolean => urlAttributes.has(findAttribute(tag.start));

const MAX_NAME_CHARS = 60;

/** Returns the most similar name, or undefined if none is similar enough: at most `maxEdits`, and a third of its letters. */
export function findNearest(text: string, names: Iterable<string>, maxEdits = MAX_NAME_CHARS): string | undefined {
  const target = text.toLowerCase();
  if (target.length > MAX_NAME_CHARS) return undefined;
  let best: string | undefined;
  let least = Math.min(maxEdits, Math.max(1, Math.floor(target.length / 3))) + 0.5;
  for (const name of names) {
    if (Math.abs(name.length - target.length) >= least && name.toLowerCase() !== target) continue;
    const distance = computeEditDistance(target, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Counts insertions, deletions, substitutions and swaps of adjacent letters. */
function computeEditDistance(one: string, other: string) {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changed = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      current[column] = isSwap ? Math.min(changed, (before[column - 2] ?? 0) + 1) : changed;
    }
    [before, above] = [above, current];
  }
  return above[other.length] ?? 0;
}
