import { findFirstIndex, findRangeAt, mergeRanges, type Range } from '../html/ranges.ts';
import { selectClients, type ClientFamily } from './clients.ts';
import { excludesOutlook, parseConditions, type Conditions } from './conditions.ts';
import { parseStyleAttribute, parseStylesheet } from './css.ts';
import type { ParsedStylesheet, RangeMapper, SheetRule, StyleDeclaration } from './css.ts';
import { mapValueOffsets, readDocument, type BodyDocument, type BodyElement } from './document.ts';
import type { CheckOptions, DetailsField, Email, PartRange } from './model.ts';

/** A stylesheet with its range: a `<style>` element or the record's stylesheet. */
export interface PlacedStylesheet extends ParsedStylesheet, RangeMapper {
  readonly css: string;
  /** Range of the whole stylesheet or `<style>` element. */
  readonly fullRange: PartRange;
}

/** The declarations of a rule or of a style attribute. */
export interface DeclarationBlock extends RangeMapper {
  readonly declarations: readonly StyleDeclaration[];
  /** The element with this style attribute. */
  readonly element?: BodyElement;
  readonly rule?: SheetRule;
}

export const bodyRange = (start: number, end: number): PartRange => ({ part: 'body', start, end });
export const toBodyRange = ({ start, end }: Range): PartRange => bodyRange(start, end);
export const detailsRange = (field: DetailsField, start: number, end: number): PartRange => ({
  part: 'details',
  field,
  start,
  end,
});

/** Returns the range of an element's start tag. */
export const startTagRange = ({ start, openEnd }: BodyElement): PartRange => bodyRange(start, openEnd);

/** An email, parsed once for all rules. */
export class ParsedEmail {
  readonly email: Email;
  readonly options: CheckOptions;
  readonly clients: readonly ClientFamily[];
  /** Whether AcyMailing transforms the email before sending; otherwise it is sent as written. */
  readonly isComposed: boolean;
  /** The whole body as written. */
  readonly authored: BodyDocument;
  /** The sent part of the body. */
  readonly document: Pick<BodyDocument, 'elements' | 'texts'>;
  /** The sent range of the body's source. Conditional comments before it are lost. */
  readonly sentRange: Range;
  readonly conditions: Conditions;
  /** In cascade order. */
  readonly sheets: readonly PlacedStylesheet[];
  readonly blocks: readonly DeclarationBlock[];
  readonly #unsent = new Set<BodyElement>();
  readonly #elementsByName: ReadonlyMap<string, readonly BodyElement[]>;
  readonly #hiddenFromOutlook: readonly Range[];

  constructor(email: Email, options: CheckOptions) {
    const { body } = email;
    this.email = email;
    this.options = options;
    this.clients = selectClients(options.clients);
    this.isComposed = options.profile === 'acymailing';
    this.authored = readDocument(body);
    const { elements, texts, comments } = this.authored;
    const end = this.isComposed ? findBodyEnd(body, comments) : body.length;
    for (const element of this.isComposed ? elements : [])
      if (element.start >= end || isContainer(element) || this.#isInUnsent(element)) this.#unsent.add(element);
    const sent = elements.filter((element) => this.isSent(element));
    const sentTexts = texts.filter((text) => text.start < end && this.isSent(text.parent));
    this.document = { elements: sent, texts: sentTexts };
    const start = Math.min(sent[0]?.start ?? body.length, sentTexts[0]?.start ?? body.length);
    this.sentRange = { start: this.isComposed ? start : 0, end };
    this.#elementsByName = Map.groupBy(sent, ({ name }) => name);
    this.conditions = parseConditions(body);
    this.#hiddenFromOutlook = mergeRanges(
      this.conditions.blocks.filter(({ isRevealed, condition }) => isRevealed && excludesOutlook(condition)),
    );
    const styles = elements.filter(({ name }) => name === 'style');
    const stylesheet = options.supportsStylesheet === false ? '' : (email.stylesheet ?? '');
    this.sheets = [
      ...(stylesheet.trim() === '' ? [] : [readRecordStylesheet(stylesheet)]),
      ...styles.map((element) => readStyleElement(body, element, elements)),
    ];
    this.blocks = [
      ...this.sheets.flatMap(({ rules, toRange }) =>
        rules.map((rule) => ({ declarations: rule.declarations, toRange, rule })),
      ),
      ...readStyleAttributes(body, sent),
    ];
  }

  /** Returns the sent elements with the given names, in document order. */
  getElements(...names: string[]): readonly BodyElement[] {
    const found = names.flatMap((name) => this.#elementsByName.get(name) ?? []);
    return names.length > 1 ? found.sort((one, other) => one.start - other.start) : found;
  }

  /** AcyMailing sends no `<html>`, no head, and nothing after `</body>` or `</html>`. */
  isSent(element: BodyElement): boolean {
    return !this.isComposed || (!isContainer(element) && !this.#unsent.has(element));
  }

  /** Returns whether Outlook for Windows ignores the content at an offset of the body. */
  isHiddenFromOutlook(offset: number): boolean {
    return findRangeAt(this.#hiddenFromOutlook, offset) !== undefined;
  }

  /** Returns whether the user's selection includes a family of clients. */
  isFor(client: string): boolean {
    return this.clients.some(({ id }) => id === client);
  }

  #isInUnsent({ parent }: BodyElement): boolean {
    return parent !== undefined && (parent.name === 'head' || (parent.name !== 'html' && this.#unsent.has(parent)));
  }
}

const isContainer = ({ name }: BodyElement): boolean => name === 'html' || name === 'head';

function findBodyEnd(source: string, comments: BodyDocument['comments']): number {
  const ordered = comments.toSorted((one, other) => one.start - other.start);
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

function readRecordStylesheet(css: string): PlacedStylesheet {
  const toRange = (start: number, end: number): PartRange => ({ part: 'stylesheet', start, end });
  return { ...parseStylesheet(css), css, toRange, fullRange: toRange(0, css.length) };
}

function readStyleElement(body: string, element: BodyElement, elements: readonly BodyElement[]): PlacedStylesheet {
  const { openEnd, closeStart } = element;
  // In SVG, a style may contain elements, whose text is not CSS.
  const content = body.slice(openEnd, closeStart);
  let css = '';
  for (let index = findFirstIndex(elements, ({ start }) => start >= openEnd); ; index += 1) {
    const inner = elements[index];
    if (!inner || inner.start >= closeStart) break;
    const [from, to] = [inner.start - openEnd, Math.min(inner.end, closeStart) - openEnd];
    if (to > css.length) css += content.slice(css.length, from) + ' '.repeat(to - Math.max(from, css.length));
  }
  css += content.slice(css.length);
  const toRange = (start: number, end: number): PartRange => bodyRange(openEnd + start, openEnd + end);
  return { ...parseStylesheet(css), css, toRange, fullRange: toBodyRange(element) };
}

function readStyleAttributes(body: string, elements: readonly BodyElement[]): DeclarationBlock[] {
  const declarationsByValue = new Map<string, readonly StyleDeclaration[]>();
  return elements.flatMap((element) => {
    const attribute = element.get('style') ? element.attribute('style') : undefined;
    if (!attribute) return [];
    const { valueStart, valueEnd, value } = attribute;
    const raw = body.slice(valueStart, valueEnd);
    const offsets = raw === value ? undefined : mapValueOffsets(raw, value);
    if (raw !== value && !offsets) return [];
    const declarations = declarationsByValue.get(value) ?? parseStyleAttribute(value);
    declarationsByValue.set(value, declarations);
    const at = (offset: number): number => valueStart + (offsets ? (offsets[offset] ?? raw.length) : offset);
    return [{ declarations, element, toRange: (start, end) => bodyRange(at(start), at(end)) }];
  });
}
