import { parseConditions } from '../checks/conditions.ts';
import type { ConditionalBlock } from '../checks/conditions.ts';
import { cssUrls } from '../checks/css.ts';
import type { StyleDeclaration } from '../checks/css.ts';
import { findFirstIndex } from '../html/ranges.ts';
import { findLastMatchEnd } from '../html/text.ts';
import type { TextEdit } from '../tags/index.ts';
import { applyEdits, createNamePattern, listPlacedElements, restyleElements } from './edits.ts';
import type { Restyling } from './edits.ts';

/** The Word version that renders emails in Outlook 2016 and later. */
const WORD_VERSION = 16;

/** Properties that Word ignores (caniemail.com, 2026-06-29). */
const ignoredByWord = createNamePattern(`
  accent-color align-items animation.* aspect-ratio backdrop-filter background-(?:blend-mode|clip|image|origin|position|repeat|size)
  block-size border-image.* border-(?:block|inline).* border.*-radius border-spacing box-shadow box-sizing caption-side clear clip-path
  color-scheme column.* empty-cells filter flex.* float font-size-adjust
  gap grid.* hyphen.* inline-size inset.* justify-content left right top bottom
  list-style-(?:image|position) (?:margin|padding)-(?:block|inline).* mask.* (?:max|min)-(?:width|height|block-size|inline-size)
  mix-blend-mode object-.* opacity orphans outline.* overflow.* position resize scroll-.* shape-.* tab-size table-layout text-align-last
  text-(?:emphasis|orientation|overflow|shadow|underline-offset|wrap).* text-decoration-.* transform.* transition.* user-select
  visibility white-space widows word-(?:spacing|wrap|break) writing-mode z-index --.*
`);

const ignoredValue =
  /\b(?:var|calc|clamp|min|max|light-dark|rgba|hsla)\(|-gradient\(|^(?:inline-)?(?:flex|grid)\b|\d(?:rem|vh|vw|vmin|vmax|ch)\b/i;

const wordRestyling: Restyling = {
  mapValue: ({ property, value }: StyleDeclaration, element) => {
    if (ignoredByWord.test(property) || ignoredValue.test(value)) return undefined;
    // Word sizes an image by its attributes.
    const isSize = property === 'width' || property === 'height';
    if (isSize && element?.name === 'img' && element.attribute('width') !== undefined) return undefined;
    return property === 'background' ? value.replace(cssUrls, '').trim() || undefined : value;
  },
  browserEquivalents: { 'mso-hide:all': 'display:none' },
  keepsAtRule: ({ name }) => name === 'font-face',
  keepsSelector: (selector) => !/[>+~*]|\[|::?(?!link\b)[a-z-]/i.test(selector.replace(/\\./g, '')),
};

/** Returns edits that keep the conditional content for Outlook for Windows and remove the rest. */
export function createOutlookWindowsEdits(html: string): TextEdit[] {
  const branches = createBranchEdits(html);
  const { text, pieces } = applyEdits(html, branches);
  // Styles inside conditional comments become visible only in the edited text. Their edits are mapped back to the source.
  const elements = listPlacedElements(text);
  const texts = pieces.filter(({ kind }) => kind === 'text');
  const styles = restyleElements(text, elements, wordRestyling).flatMap(({ start, end, text: replacement }) => {
    const piece = texts[findFirstIndex(texts, (each) => end <= each.end)];
    if (!piece || start < piece.start) return [];
    const shift = piece.sourceStart - piece.start;
    return [{ start: start + shift, end: end + shift, text: replacement }];
  });
  return [...branches, ...styles];
}

function createBranchEdits(html: string): TextEdit[] {
  return parseConditions(html).blocks.flatMap((block) => {
    const { start, end, opener, closer } = block;
    if (!isMetByWord(block)) return [{ start, end, text: '' }];
    const content = html.slice(opener.end, closer.start);
    const islands = [
      ...content.slice(0, findLastMatchEnd(content, /<\/xml\s*>/gi)).matchAll(/<xml\b[^]*?<\/xml\s*>/gi),
    ];
    return [
      { start: opener.start, end: opener.end, text: '' },
      // Word settings have no visible output.
      ...islands.map(({ 0: island, index }) => ({
        start: opener.end + index,
        end: opener.end + index + island.length,
        text: '',
      })),
      { start: closer.start, end: closer.end, text: '' },
    ];
  });
}

const versionComparisons: Readonly<Record<string, (version: number) => boolean>> = {
  '': (version) => version === WORD_VERSION,
  gt: (version) => WORD_VERSION > version,
  gte: (version) => WORD_VERSION >= version,
  lt: (version) => WORD_VERSION < version,
  lte: (version) => WORD_VERSION <= version,
};

/** Returns whether Word meets a condition such as `(gte mso 9)|(IE)`. */
export function isMetByWord({ condition }: Pick<ConditionalBlock, 'condition'>): boolean {
  return condition
    .toLowerCase()
    .split('|')
    .some((either) => either.split('&').every(isTermMet));
}

const termPattern = /^[\s(]*(?:(!)[\s(]*)?(?:(gte?|lte?)\s+)?(\w+)(?!\w)\s*([\d.]*)[\s)]*$/;

function isTermMet(term: string): boolean {
  const [, not = '', comparison = '', name = '', version = ''] = termPattern.exec(term) ?? [];
  const isVersion = version === '' || versionComparisons[comparison]?.(Number.parseFloat(version)) === true;
  const isMet = name === 'true' || name === 'vml' || (name === 'mso' && isVersion);
  return isMet !== (not === '!');
}
