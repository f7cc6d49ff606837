import { applyEdits, ForwardSearch, type TextEdit } from '../html/text.ts';

/** Replicates how the service treats the blocks of WordPress: comments around HTML. */

/** The size of the styles for blocks that the service adds after the document. */
const BLOCK_STYLE_BYTES = 2772;

const blockStyle = [
  '<style>/* Stands for the styles that the service adds for WordPress blocks, at their size.',
  ' */</style>',
] as const;

const urlPattern = '"url":"[^"]+"';
/** The marks of each replaced block in order, and the video site that becomes a mark for its thumbnail. Others are removed. */
const replacedBlocks: readonly (readonly [marks: readonly string[], videoSite?: 'vimeo' | 'youtube'])[] = [
  ...(['vimeo', 'youtube'] as const).flatMap((name) => [
    [[`<!-- wp:core-embed/${name}`, urlPattern, `<!-- /wp:core-embed/${name} -->`], name] as const,
    [['<!-- wp:embed ', urlPattern, `"providerNameSlug":"${name}"`, '<!-- /wp:embed -->'], name] as const,
  ]),
  [['<a [^>]*wp-block-file__button[^>]*>[^<]*</a>']],
  [['<!-- wp:shortcode -->', '<!-- /wp:shortcode -->']],
  // The end marks of these are wrong for most blocks, and then found in a later one.
  ...['core-embed/', 'video ', 'audio '].map(
    (name) => [[`<!-- wp:${name}`, ' -->', `<!-- /wp:${name}`, ' -->']] as const,
  ),
];

/** Replaces blocks in a composed email, and adds a style of the same size as the service's. */
export function replaceBlocks(html: string): string {
  if (!html.includes('<!-- wp:')) return html;
  const replaced = replacedBlocks.reduce((text, [marks, videoSite]) => replaceBlock(text, marks, videoSite), html);
  const [start, end] = blockStyle;
  return replaced + start.padEnd(BLOCK_STYLE_BYTES - end.length) + end;
}

/** Replaces each range from the first to the last mark. Every mark is the next one after its predecessor, even in another block. */
function replaceBlock(html: string, marks: readonly string[], videoSite: string | undefined) {
  const searches = marks.map((mark) => new ForwardSearch(html, new RegExp(mark, 'gi')));
  const edits: TextEdit[] = [];
  for (let end = 0; ;) {
    const found = [];
    for (const search of searches) {
      const range = search.from(end);
      if (!range) return applyEdits(html, edits);
      found.push(range);
      end = range.end;
    }
    const [first, url] = found;
    const text = videoSite && url ? `{${videoSite}}${html.slice(url.start + 7, url.end - 1)}{/${videoSite}}` : '';
    if (first) edits.push({ start: first.start, end, text });
  }
}
