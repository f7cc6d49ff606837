import {
  type BodyDocument,
  BodyElement,
  type BodyText,
  type DeclarationBlock,
  mapValueOffsets,
  type RangeMapper,
  readDocument,
} from './document.ts';
import {
  byStart,
  findRangeAt,
  insertEdit,
  memoizeByText,
  mergeRanges,
  type Range,
  type TextEdit,
} from '../html/text.ts';
import type { CheckOptions, DetailsField, Email, PartRange, Severity } from './model.ts';
import { applyBlocks, type DeclarationUse, findSentBlocks } from './cascade.ts';
import { type ClientFamily, selectClients } from './clients.ts';
import { type Conditions, excludesOutlook, parseConditions } from './conditions.ts';
import { type ParsedStylesheet, parseStyleAttribute, parseStylesheet, type StyleDeclaration } from './css.ts';
import { BodyMatcher } from './selectors.ts';

/** A stylesheet with its range: a `<style>` element or the record's stylesheet. */
export interface PlacedStylesheet extends ParsedStylesheet, RangeMapper {
  readonly css: string;
  /** Range of the whole stylesheet or `<style>` element. */
  readonly fullRange: PartRange;
}

/** An email, parsed once for all rules. */
export class ParsedEmail {
  readonly email: Email;
  readonly options: CheckOptions;
  readonly clients: readonly ClientFamily[];
  /** Whether AcyMailing transforms the email before sending; otherwise it is sent as written. */
  readonly isComposed: boolean;
  /** The whole body as written. */
  readonly authored: BodyDocument;
  /** The sent elements and texts of the body. */
  readonly elements: readonly BodyElement[];
  readonly texts: readonly BodyText[];
  /** The sent range of the body's source. Conditional comments before it are lost. */
  readonly sentRange: Range;
  readonly conditions: Conditions;
  /** In cascade order. */
  readonly sheets: readonly PlacedStylesheet[];
  readonly blocks: readonly DeclarationBlock[];
  readonly sentBlocks: readonly DeclarationBlock[];
  readonly selectors: BodyMatcher;
  readonly #elementsByName: ReadonlyMap<string, readonly BodyElement[]>;

  constructor(email: Email, options: CheckOptions) {
    const { body, stylesheet = '' } = email;
    this.email = email;
    this.options = options;
    this.clients = selectClients(options.clients);
    this.isComposed = options.profile === 'acymailing';
    this.authored = readDocument(body);
    const { elements, impliedElements, texts, comments } = this.authored;
    const end = this.isComposed ? findBodyEnd(body, comments) : body.length;
    if (this.isComposed) markUnsent([...impliedElements, ...elements], end);
    this.elements = elements.filter(({ isSent }) => isSent);
    this.texts = texts.filter(({ start, parent }) => start < end && parent.isSent);
    const start = Math.min(this.elements[0]?.start ?? body.length, this.texts[0]?.start ?? body.length);
    this.sentRange = { start: this.isComposed ? start : 0, end };
    this.#elementsByName = Map.groupBy(this.elements, ({ name }) => name);
    this.conditions = parseConditions(body);
    const hidden = mergeRanges(
      this.conditions.blocks.filter(({ isRevealed, condition }) => isRevealed && excludesOutlook(condition)),
    );
    for (const element of this.elements) element.isHiddenFromOutlook = findRangeAt(hidden, element.start) !== undefined;
    const styles = elements.filter(({ name }) => name === 'style');
    const hasStylesheet = options.supportsStylesheet !== false && stylesheet.trim() !== '';
    this.sheets = [
      ...(hasStylesheet ? [placeStylesheet(stylesheet, { part: 'stylesheet', start: 0, end: stylesheet.length })] : []),
      ...styles.map((element) => readStyleElement(body, element)),
    ];
    this.blocks = [
      ...this.sheets.flatMap(({ rules, toRange }) =>
        rules.map((rule) => ({ declarations: rule.declarations, toRange, rule })),
      ),
      ...readStyleAttributes(body, this.elements),
    ];
    // An email of 177 KB takes about 20,000 steps.
    this.selectors = new BodyMatcher([...elements, ...impliedElements], 50_000 + 2 * (body.length + stylesheet.length));
    this.sentBlocks = this.isComposed ? findSentBlocks(this.blocks, this.selectors) : this.blocks;
    applyBlocks(this.sentBlocks, this.selectors, this.isComposed);
  }

  /** Returns the sent elements with the given names, in document order. */
  getElements(...names: string[]): readonly BodyElement[] {
    const found = names.flatMap((name) => this.#elementsByName.get(name) ?? []);
    return names.length > 1 ? found.sort(byStart) : found;
  }

  /** Returns the sent declarations of style attributes and stylesheets that pass a test. */
  findDeclarations(
    matches: (declaration: StyleDeclaration, block: DeclarationBlock) => boolean | undefined,
  ): readonly DeclarationUse[] {
    const uses: DeclarationUse[] = [];
    for (const block of this.sentBlocks)
      for (const declaration of block.declarations) if (matches(declaration, block)) uses.push({ block, declaration });
    return uses;
  }

  /** Returns whether the user's selection includes a family of clients. */
  isFor(client: string): boolean {
    return this.clients.some(({ id }) => id === client);
  }
}

/** AcyMailing sends no `<html>`, no head, and nothing after `</body>` or `</html>`. */
function markUnsent(elements: readonly BodyElement[], end: number) {
  for (const element of elements) {
    const { name, parent, isInSource, start } = element;
    const isContainer = name === 'html' || name === 'head';
    const isInUnsent = parent && (parent.name === 'head' || (parent.name !== 'html' && !parent.isSent));
    element.isSent = !isContainer && !isInUnsent && !(isInSource && start >= end);
  }
}

function findBodyEnd(source: string, comments: BodyDocument['comments']) {
  const ordered = comments.toSorted(byStart);
  const ends = [...source.matchAll(/<\/(?:body|html)\s*>/giu)];
  return ends.find(({ index }) => findRangeAt(ordered, index) === undefined)?.index ?? source.length;
}

const leadingHeadContent = new RegExp(
  String.raw`\s+|<!--(?!\[if)[^]*?-->|<!doctype[^>]*>|</?(?:html|head)\b[^>]*>` +
    String.raw`|<(style|title|script)\b[^]*?</\1\s*>|<(?:meta|link|base)\b[^>]*>`,
  'iuy',
);

/**
 * Returns where the content of a body without `<body>` starts: at the first conditional comment, text, or element that doesn't belong in
 * a head.
 */
export function findContentStart({ email: { body }, authored }: ParsedEmail): number {
  return skipMatches(body, leadingHeadContent, authored.elements.find(({ name }) => name === 'head')?.end ?? 0);
}

/** Returns the offset after consecutive matches of a sticky pattern. */
export function skipMatches(text: string, pattern: RegExp, from: number): number {
  let at = from;
  pattern.lastIndex = at;
  while (at < text.length && pattern.test(text)) at = pattern.lastIndex;
  return at;
}

/** Parses a stylesheet that starts at an offset of a part. */
function placeStylesheet(css: string, fullRange: PartRange, offset = 0): PlacedStylesheet {
  const { part } = fullRange;
  const toRange = (start: number, end: number) => ({ part, start: offset + start, end: offset + end });
  return { ...parseStylesheet(css), css, toRange, fullRange };
}

function readStyleElement(body: string, { start, openEnd, closeStart, end, children }: BodyElement) {
  // In SVG, a style may contain elements, whose text is not CSS.
  const css = children.length > 0 ? '' : body.slice(openEnd, closeStart);
  return placeStylesheet(css, { part: 'body', start, end }, openEnd);
}

function readStyleAttributes(body: string, elements: readonly BodyElement[]) {
  const parseOnce = memoizeByText(parseStyleAttribute);
  const blocks: DeclarationBlock[] = [];
  for (const element of elements) {
    const attribute = element.get('style') ? element.attribute('style') : undefined;
    if (!attribute) continue;
    const { valueStart, valueEnd, value } = attribute;
    const raw = body.slice(valueStart, valueEnd);
    // The source is faster to read than the decoded value. They differ only in character references and line ends.
    const isPlain = raw.length === value.length && !/[&\r\0]/u.test(raw);
    const offsets = isPlain ? undefined : mapValueOffsets(raw, value);
    if (!isPlain && !offsets) continue;
    const declarations = parseOnce(isPlain ? raw : value);
    const at = (offset: number) => valueStart + (offsets ? (offsets[offset] ?? raw.length) : offset);
    blocks.push({ declarations, element, toRange: (start, end) => ({ part: 'body', start: at(start), end: at(end) }) });
  }
  return blocks;
}

/** A check rule. */
export interface Rule {
  /** Number as text, used as the code of findings. */
  readonly id: string;
  /** Alternative to the id in settings and comments. */
  readonly name: string;
  readonly title: string;
  readonly severity: Severity | 'off';
  /** Impact on the recipient. */
  readonly impact: string;
  /** Page that explains the problem. */
  readonly url: string;
  /** Whether its findings have a fix, and whether that needs no decision and may run on save. */
  readonly fix?: 'choice' | 'mechanical';
  /** Limits the rule to one service profile. */
  readonly profile?: 'acymailing';
  /** Whether the service removes the reported code. */
  readonly unnecessary?: true;
  /** Whether the offsets of its findings are those of the file, which has no public addresses of images. */
  readonly isOfFile?: true;
  readonly find: (mail: ParsedEmail) => RuleFinding | readonly RuleFinding[];
}

/** A rule about how AcyMailing changes an email. */
export type ServiceRule = Omit<Rule, 'profile' | 'url'>;

/** A range of the body, unless it names another part. An element means its start tag. */
export type RuleRange = BodyElement | (Range & Partial<PartRange>);
export type RuleEdit = TextEdit & Partial<PartRange>;

/** A rule's result. The first range is the primary one; without ranges, there is no finding. */
export interface RuleFinding {
  readonly ranges: readonly RuleRange[];
  readonly message: string;
  readonly clients?: readonly string[];
  readonly url?: string;
  /** Overrides the rule's severity. */
  readonly severity?: Severity;
  /** Fixes without edits are dropped. */
  readonly fixes?: readonly { readonly title: string; readonly edits: readonly RuleEdit[] }[];
}

export function toPartRange(range: RuleRange): PartRange {
  if (range instanceof BodyElement) return { part: 'body', start: range.start, end: range.openEnd };
  const { part = 'body', start, end, field } = range;
  return { part, start, end, ...(field && { field }) };
}

export const detailsRange = (field: DetailsField, start: number, end: number): PartRange => ({
  part: 'details',
  field,
  start,
  end,
});

/** Returns whether a text in a setting or a comment is the id or name of a rule. */
export const matchesRuleName = ({ id, name }: Rule, text: string): boolean =>
  text === id || text.toLowerCase() === name;

/** Keeps one of the ranges that start at the same offset: several elements may share one declaration. */
export const removeDuplicates = (ranges: readonly RuleRange[]): readonly PartRange[] => [
  ...new Map(ranges.map(toPartRange).map((range) => [`${range.part} ${range.start}`, range])).values(),
];

/** Sets an attribute of an element. */
export function setAttributeEdit(element: BodyElement, name: string, value: string): RuleEdit {
  const attribute = element.attribute(name);
  const text = `${name}="${value}"`;
  return attribute ? { start: attribute.start, end: attribute.end, text } : insertEdit(element.nameEnd, ` ${text}`);
}

/** Wraps the content of a body without `<body>` in tags. */
export const wrapContentEdits = (mail: ParsedEmail, open: string, close: string): readonly RuleEdit[] => [
  insertEdit(findContentStart(mail), open),
  insertEdit(mail.sentRange.end, close),
];
