import type { Token } from 'parse5';
import { readTags } from '../html/parseHtml.ts';
import { byStart, type Range } from '../html/text.ts';
import { closedBy, emptyElements, getEndPriority } from '../sent/tree.ts';
import { parseTags, tagLanguage } from '../tags/index.ts';

/** A tag, a comment, or a half of a pair of merge tags, such as `{if:…}`. */
export interface Part extends Range {
  readonly kind: 'open' | 'close' | 'empty' | 'comment' | 'merge';
  /** Lowercase name of an element; the text of a comment; `{` or `}` of a merge tag. */
  readonly name: string;
  readonly token?: Token.TagToken;
  /** Indentation levels of a line that starts with the part, and of one that starts after it. */
  depth: number;
  innerDepth: number;
  /** Whether white space before or after the part is invisible, because a block starts or ends there. */
  isBlockBefore: boolean;
  isBlockAfter: boolean;
  /** Whether the part and the text before it stay as they are. */
  isLocked: boolean;
  /** Whether the text after the part stays as it is. */
  isLockedAfter: boolean;
  /** Where the element ends. */
  elementEnd: number;
}

const splitNames = (names: string) => names.split(' ');

const blockElements = new Set(
  splitNames(
    'html head body table caption colgroup col thead tbody tfoot tr td th div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd center ' +
      'section article header footer main nav aside address blockquote figure figcaption form fieldset legend hr pre ' +
      'meta link style title base script',
  ),
);
const lockedElements = new Set(
  splitNames('pre textarea listing xmp plaintext style script title svg math noembed noframes iframe'),
);
const voidElements = new Set([...emptyElements, ...splitNames('embed source track wbr keygen command')]);
const inlineDisplay = /display\s*:\s*(?:-\w+-)?(?:inline|contents|run-in|ruby)/i;
const preservedSpace = /white-space(?:-collapse)?\s*:\s*(?:pre|break)/i;

/** Elements that browsers close before another one, though not all of them before a table. */
const impliedEnd = /^(?:p|li|d[dt]|t[dhr]|tbody|thead|tfoot|option)$/;

const getStyle = (attributes: Token.TagToken['attrs']) => attributes.find(({ name }) => name === 'style')?.value ?? '';

/** Returns whether an element shows its white space, without the rules of stylesheets. */
export const preservesSpace = (name: string, attributes: Token.TagToken['attrs']): boolean =>
  lockedElements.has(name) || preservedSpace.test(getStyle(attributes));

/** Whether a part affects neither how the white space around it looks nor the text part. */
export const isTransparent = (html: string, { kind, start }: Part): boolean =>
  kind === 'comment' && html.startsWith('<!--', start);

/** Returns whether only authors read a comment: it has neither a condition nor code of another program. */
export const isAuthorComment = (text: string): boolean => !/[[\]{|%$]|^\s*mailing-ignore\b/.test(text);

const language = tagLanguage('acymailing');

/**
 * Reads the parts of an email, or of the content of a conditional comment, in order.
 * @param stylesheet rules beside those in the HTML
 */
export function readParts(html: string, baseDepth: number, stylesheet = ''): readonly Part[] {
  const parts: Part[] = [];
  const add = (kind: Part['kind'], name: string, start: number, end: number, token?: Token.TagToken) => {
    const added = { depth: 0, innerDepth: 0, isBlockBefore: false, isBlockAfter: false };
    const locks = { isLocked: false, isLockedAfter: false };
    parts.push({ kind, name, start, end, elementEnd: end, ...(token && { token }), ...added, ...locks });
  };
  readTags(html, {
    startTag(token) {
      const { startOffset = 0, endOffset = 0 } = token.location ?? {};
      const isEmpty = voidElements.has(token.tagName) || (token.selfClosing && token.tagName.includes(':'));
      add(isEmpty ? 'empty' : 'open', token.tagName, startOffset, endOffset, token);
    },
    endTag: ({ tagName, location }) => location && add('close', tagName, location.startOffset, location.endOffset),
    comment: ({ data, location }) => location && add('comment', data, location.startOffset, location.endOffset),
  });
  if (html.includes('{')) {
    const tags = parseTags(html, language).filter(({ partner }) => partner !== undefined);
    let next = 0;
    const texts = tags.filter(({ start, end }) => {
      while (next < parts.length && (parts[next]?.end ?? 0) <= start) next += 1;
      return (parts[next]?.start ?? Infinity) >= end;
    });
    for (const { kind, start, end } of texts) add('merge', kind === 'if' || kind === 'open' ? '{' : '}', start, end);
    if (texts.length > 0) parts.sort(byStart);
  }
  nestParts(html, parts, baseDepth, readCssNames(html, parts, stylesheet));
  return parts;
}

const conditionStart = /^\[if[^\]]*\](?:>\s*(?:<!-*\s*)?)?$/i;
const conditionEnd = /^\s*(?:<!)?\[endif\]\s*-*$/i;

/** Matches tags like the service's parser. */
function nestParts(html: string, parts: readonly Part[], baseDepth: number, cssNames: CssNames) {
  const stack: { readonly name: string; readonly isBlock: boolean; readonly isLocked: boolean; readonly part: Part }[] =
    [];
  const pop = (length: number, end: number) => {
    for (const { part } of stack.splice(length)) part.elementEnd = end;
  };
  const isLocked = () => stack.at(-1)?.isLocked ?? cssNames.preserved.has('*');
  for (const part of parts) {
    const { kind, name, token, start } = part;
    part.isLocked = isLocked();
    let opened: { readonly name: string; readonly isPreserved: boolean } | undefined;
    if (token) {
      for (let open = stack.at(-1); open && closedBy.get(open.name)?.has(name); open = stack.at(-1)) {
        // Mail clients keep the element open, and show the white space after this one too.
        if (open.isLocked && (name === 'table' || !impliedEnd.test(open.name))) break;
        pop(stack.length - 1, start);
      }
      const style = getStyle(token.attrs);
      const isBlock = blockElements.has(name);
      part.isBlockBefore = isBlock && !inlineDisplay.test(style) && !hasName(cssNames.inline, token);
      part.isBlockAfter = kind === 'open' ? isBlock : part.isBlockBefore;
      const isPreserved = preservesSpace(name, token.attrs) || hasName(cssNames.preserved, token);
      if (kind === 'open') opened = { name, isPreserved };
    } else if (kind === 'close') {
      const index = stack.findLastIndex((open) => open.name === name);
      const priority = getEndPriority(name);
      if (index >= 0 && !stack.slice(index + 1).some((open) => getEndPriority(open.name) > priority)) {
        part.isBlockBefore = blockElements.has(name) && index === stack.length - 1;
        part.isBlockAfter = stack[index]?.isBlock ?? false;
        pop(index, part.end);
      }
    } else {
      const isMerge = kind === 'merge';
      const level = isMerge ? '{' : '[';
      if ((isMerge ? name === '}' : conditionEnd.test(name)) && stack.at(-1)?.name === level) stack.pop();
      if (isMerge ? name === '{' : conditionStart.test(name)) opened = { name: level, isPreserved: false };
    }
    part.depth = baseDepth + stack.length;
    if (opened)
      stack.push({
        name: opened.name,
        isBlock: part.isBlockBefore,
        isLocked: part.isLocked || opened.isPreserved,
        part,
      });
    part.innerDepth = baseDepth + stack.length;
    part.isLockedAfter = isLocked();
  }
  pop(0, html.length);
}

type CssNames = Readonly<Record<'inline' | 'preserved', ReadonlySet<string>>>;

/** Returns the elements, classes and ids that the stylesheets of the email show inline, or with their white space. */
function readCssNames(html: string, parts: readonly Part[], stylesheet: string) {
  const names = { inline: new Set<string>(), preserved: new Set<string>() };
  const sheets = parts.flatMap(({ name, end }, index) =>
    name === 'style' ? [html.slice(end, parts[index + 1]?.start ?? html.length)] : [],
  );
  const rules = [...sheets, stylesheet].flatMap((css) =>
    css.replace(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g, '').split('}'),
  );
  for (const rule of rules) {
    const [declarations = '', selectors = ''] = rule.split('{').reverse();
    const found = [
      inlineDisplay.test(declarations) && names.inline,
      preservedSpace.test(declarations) && names.preserved,
    ];
    for (const set of found) if (set) for (const name of listSubjects(selectors)) set.add(name);
  }
  return names;
}

/** Returns the classes, ids or elements that selectors select, and `*` for one that may select any. */
function listSubjects(selectors: string) {
  if (selectors.trim() === '') return [];
  const simple = selectors.replace(/\([^()]*\)/g, '').replace(/\[[^[\]]*\]/g, (attribute) => {
    const [, name] = /^\[\s*(?:class|id)\s*~?=\s*["']?([-\w]+)/i.exec(attribute) ?? [];
    return name === undefined ? '' : `.${name}`;
  });
  return simple.split(',').flatMap((selector) => {
    const last =
      selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? '';
    const own = last.match(/(?<=[.#])(?:\\.|[^.#:\\])+/g);
    if (own) return own.map((name) => name.replace(/\\(.)/g, '$1'));
    return [/^\w*/.exec(last)?.[0].toLowerCase() || '*'];
  });
}

const hasName = (names: ReadonlySet<string>, { tagName, attrs }: Token.TagToken) =>
  names.size > 0 &&
  (names.has('*') ||
    names.has(tagName) ||
    attrs.some(({ name, value }) => /^(?:class|id)$/.test(name) && value.split(/\s+/).some((word) => names.has(word))));
