import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { normalizeText } from '../sync/fields/fields.ts';
import { toPrintable, type Output } from './output.ts';

/** Insertions and deletions, at most: the time of a comparison grows with the square of them. */
const MAX_EDITS = 3000;

/**
 * Returns the differences of two texts as a unified diff; empty if there are none.
 * @param sides names of the two versions
 */
export function formatDiff(
  path: string,
  before: string,
  after: string,
  sides: readonly [before: string, after: string],
  colors: Output['colors'],
): string {
  const texts = [before, after].map(normalizeText) as [string, string];
  if (texts[0] === texts[1]) return '';
  const patch = createTwoFilesPatch(path, path, ...texts, ...sides, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return `${path}: the versions are too different to compare line by line.\n`;
  const color = (line: string) => {
    if (line.startsWith('+')) return colors.green(line);
    if (line.startsWith('-')) return colors.red(line);
    return line.startsWith('@@') ? colors.cyan(line) : line;
  };
  return toPrintable(patch).split('\n').map(color).join('\n');
}
