import {
  defaultTreeAdapter,
  parse,
  Tokenizer,
  TokenizerMode,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type Token,
  type TreeAdapter,
} from 'parse5';
import { formatNumber, t } from '../../l10n.ts';

/**
 * The only module that calls parse5 (`.dependency-cruiser.mjs` enforces it). parse5 takes linear time, except where HTML itself asks for
 * more: every block reopens the formatting elements that were left open, and moving elements takes longer the deeper they are nested.
 */

/** Browsers limit the tree depth to 512. */
export const MAX_TREE_DEPTH = 500;
/** A body and a stylesheet of 1 MB each, the most that is shown, and the text added to them. */
const MAX_PARSED_CHARS = 3 * 1024 * 1024;
/**
 * Limits the elements of a document: more than its tags and their implied elements can produce (`<table><td>` makes four out of eleven
 * characters), plus this many reopened formatting elements.
 */
const MAX_REOPENED_ELEMENTS = 20_000;
const MIN_CHARS_PER_ELEMENT = 2.5;

export type HtmlLimit = 'length' | keyof HtmlLimits;

export interface HtmlLimits {
  /** Open elements. */
  readonly depth: number;
  /** All elements, including those that the parser adds. */
  readonly elements: number;
}

interface ParsedHtml {
  /** The tree, up to where a limit was reached. */
  readonly document: DefaultTreeAdapterTypes.Document;
  /** The first limit that was reached. */
  readonly limit: HtmlLimit | undefined;
}

/** Ends parsing. */
const limitReached = new Error('Limit reached');

/**
 * Parses a document as a browser without scripts does, with the location of each node in the source. Never throws. Takes time and memory
 * linear in the length of the source: parsing stops where the document exceeds a limit.
 */
export function parseHtml(html: string, limits?: HtmlLimits): ParsedHtml {
  const text = html.slice(0, MAX_PARSED_CHARS);
  const { depth, elements } = limits ?? {
    depth: MAX_TREE_DEPTH,
    elements: MAX_REOPENED_ELEMENTS + text.length / MIN_CHARS_PER_ELEMENT,
  };
  const document = defaultTreeAdapter.createDocument();
  let limit: HtmlLimit | undefined = text.length < html.length ? 'length' : undefined;
  const stop = (reached: HtmlLimit) => {
    limit = reached;
    throw limitReached;
  };
  let openElements = 0;
  let createdElements = 0;
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createDocument: () => document,
    createElement(name, namespace, attributes) {
      if ((createdElements += 1) > elements) stop('elements');
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush() {
      if ((openElements += 1) > depth) stop('depth');
    },
    onItemPop() {
      openElements -= 1;
    },
  };
  try {
    parse(text, { treeAdapter, sourceCodeLocationInfo: true, scriptingEnabled: false });
  } catch (error) {
    if (error !== limitReached) throw error;
  }
  return { document, limit };
}

/** Returns why a document was parsed only in part, in a sentence. */
export function getLimitMessage(limit: HtmlLimit): string {
  if (limit === 'length') return t`The email is too long (more than ${formatNumber(MAX_PARSED_CHARS)} characters).`;
  if (limit === 'depth')
    return t`The tags are nested too deep (more than ${formatNumber(MAX_TREE_DEPTH)} levels). Is an end tag missing?`;
  return t('Unclosed formatting tags, such as <b> and <font>, create too many elements. Is an end tag missing?');
}

/** Tokenizer modes of elements whose content isn't HTML. */
const contentModes = new Map<string, Tokenizer['state']>(
  Object.entries({
    title: TokenizerMode.RCDATA,
    textarea: TokenizerMode.RCDATA,
    style: TokenizerMode.RAWTEXT,
    xmp: TokenizerMode.RAWTEXT,
    iframe: TokenizerMode.RAWTEXT,
    noembed: TokenizerMode.RAWTEXT,
    noframes: TokenizerMode.RAWTEXT,
    script: TokenizerMode.SCRIPT_DATA,
    plaintext: TokenizerMode.PLAINTEXT,
  }),
);

interface TagEvents {
  startTag(tag: Token.TagToken): void;
  endTag(tag: Token.TagToken): void;
  comment(comment: Token.CommentToken): void;
}

/** Reads the tags and comments of a document, or of a part of one, in order, without building a tree. Takes linear time and memory. */
export function readTags(html: string, events: TagEvents): void {
  let drawings = 0;
  const ignore = () => undefined;
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        events.startTag(tag);
        const isDrawing = tag.tagName === 'svg' || tag.tagName === 'math';
        if (isDrawing && !tag.selfClosing) drawings += 1;
        // Outside of SVG and MathML, `<style/>` is a start tag.
        const mode = drawings > 0 && tag.selfClosing ? undefined : contentModes.get(tag.tagName);
        if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag(tag) {
        events.endTag(tag);
        if (tag.tagName === 'svg' || tag.tagName === 'math') drawings = Math.max(0, drawings - 1);
      },
      onComment: (comment) => events.comment(comment),
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html, true);
}
