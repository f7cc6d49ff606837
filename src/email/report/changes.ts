import { diffArrays } from 'diff';
import { plural, t } from '../../l10n.ts';
import type { Finding } from '../checks/model.ts';
import { getDisplayRefusal } from '../html/limits.ts';
import type { Range } from '../html/text.ts';
import { parseSource, type SourceNode } from '../html/sourceMap.ts';

/** Insertions and deletions, at most: the time of a comparison grows with the square of them. */
const MAX_EDITS = 1000;
/** Marks the changed elements of an email. */
export const CHANGE_ATTRIBUTE = 'data-mailing-changed';
export const CHANGE_OUTLINE = '3px solid #d9730d';
/** Outlines the marked elements. */
export const CHANGE_STYLE = `[${CHANGE_ATTRIBUTE}]{outline:${CHANGE_OUTLINE}!important;outline-offset:-3px!important}`;

/** A part of a text. Parts with the same key are equal. */
interface Block extends Range {
  readonly key: string;
}

/** The parts of each version that the other one doesn't have. */
export interface Changes {
  readonly before: readonly Range[];
  readonly after: readonly Range[];
}

/** Elements that belong to the block that they are in. */
const inlineElement =
  /^(?:a|abbr|acronym|b|bdo|big|br|cite|code|del|dfn|em|font|i|ins|kbd|label|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)$/;

/** Elements without a box of their own. */
const documentElement = /^(?:html|head|title|meta|link|style|script)$/;

/** Returns the errors and the warnings, with their number as a text. */
export const groupProblems = (findings: readonly Finding[]) =>
  [
    { severity: 'error', one: t('{0} error'), other: t('{0} errors') },
    { severity: 'warning', one: t('{0} warning'), other: t('{0} warnings') },
  ].map(({ severity, one, other }) => {
    const found = findings.filter((finding) => finding.severity === severity);
    return { count: plural(found.length, one, other), found };
  });

/** Describes the changes of an email. @param before undefined for a new email */
export function describeChanges(before: string | undefined, after: string, changes: Changes | undefined): string {
  if (before === undefined) return t('New');
  if (before === after) return t('No changes');
  if (!changes) return t("Changes aren't marked: the versions are too large or too different.");
  const count = Math.max(changes.before.length, changes.after.length);
  return count === 0
    ? t('Changed only in styles, the head, or white space')
    : plural(count, t('{0} changed block'), t('{0} changed blocks'));
}

/**
 * Returns the blocks that differ between two HTML documents, such as paragraphs, cells and images. A block around others differs if its start tag or the
 * content beside them does. Ignores white space. Returns undefined if the documents are too large or too different to be compared.
 */
export function findChangedBlocks(before: string, after: string): Changes | undefined {
  if (getDisplayRefusal(before) !== undefined || getDisplayRefusal(after) !== undefined) return undefined;
  const parts = diffArrays<Block>(listBlocks(before), listBlocks(after), {
    comparator: (one, other) => one.key === other.key,
    maxEditLength: MAX_EDITS,
  });
  return (
    parts && {
      before: parts.flatMap(({ removed, value }) => (removed ? value : [])),
      after: parts.flatMap(({ added, value }) => (added ? value : [])),
    }
  );
}

function listBlocks(html: string): Block[] {
  const blocks: Block[] = [];
  const visit = ({ name, range, inner, children }: SourceNode) => {
    const first = blocks.length;
    const own = children.filter((child) => {
      const count = blocks.length;
      visit(child);
      return blocks.length === count && child.value?.trim() !== '';
    });
    if (!range || !inner || (blocks.length === first && inlineElement.test(name)) || documentElement.test(name)) return;
    const ranges = [{ start: range.start, end: inner.start }, ...own.flatMap((child) => child.range ?? [])];
    const source = ranges.map(({ start, end }) => html.slice(start, end)).join('');
    blocks.push({ ...range, key: source.replace(/\s+/g, ' ') });
  };
  visit(parseSource(html));
  return blocks;
}
