import type { ClientFamily } from './clients.ts';
import { selectClients } from './clients.ts';
import { excludesOutlook, readConditions } from './conditions.ts';
import type { Conditions } from './conditions.ts';
import { parseStyleAttribute, parseStylesheet } from './css.ts';
import type { StyleDeclaration, RangeMapper, ParsedStylesheet, SheetRule } from './css.ts';
import { readDocument, mapValueOffsets } from './document.ts';
import type { BodyDocument, BodyElement } from './document.ts';
import type { CheckOptions, DetailsField, Email, PartRange } from './model.ts';
import { findFirstIndex, mergeRanges, findRangeAt } from '../html/ranges.ts';
import { createSentDocument, type SentDocument } from './sentDocument.ts';

/** A stylesheet at its place: a `<style>` element, the stylesheet of the record, or a `<style>` in its headers. */
export interface PlacedStylesheet extends ParsedStylesheet, RangeMapper {
  readonly css: string;
  /** The whole of it. */
  readonly fullRange: PartRange;
  /** The `<style>` element in the body. */
  readonly element?: BodyElement;
}

/** Declarations that belong together: a rule's, or a style attribute's. */
export interface DeclarationBlock extends RangeMapper {
  readonly declarations: readonly StyleDeclaration[];
  /** Whose style attribute it is. */
  readonly element?: BodyElement;
  readonly rule?: SheetRule;
  readonly sheet?: PlacedStylesheet;
}

/** An email as it was read: what all rules look at. */
export interface ParsedEmail {
  readonly email: Email;
  readonly options: CheckOptions;
  readonly clients: readonly ClientFamily[];
  /** The part of the body that is sent. */
  readonly document: BodyDocument;
  /** The whole body as it is written. */
  readonly authored: BodyDocument;
  /** Whether AcyMailing composes what is sent; otherwise the email goes out as it is written. */
  readonly isComposed: boolean;
  readonly conditions: Conditions;
  /** In the order in which they apply. */
  readonly sheets: readonly PlacedStylesheet[];
  readonly blocks: readonly DeclarationBlock[];
  /** Elements that are sent, by name. */
  readonly getElements: (...names: string[]) => readonly BodyElement[];
  /** What is worked out once for all rules that ask. */
  readonly once: <Result>(make: (mail: ParsedEmail) => Result) => Result;
  /** Whether an element is sent. */
  readonly isSent: (element: BodyElement) => boolean;
  /** The range of the body's source that is sent. Conditional comments before it are lost. */
  readonly sentRange: { readonly start: number; readonly end: number };
  /** Whether a place of the body is out of sight for Outlook for Windows. */
  readonly isHiddenFromOutlook: (offset: number) => boolean;
}

export const bodyRange = (start: number, end: number): PartRange => ({ part: 'body', start, end });
export const detailsRange = (field: DetailsField, start: number, end: number): PartRange => ({
  part: 'details',
  field,
  start,
  end,
});

/** The place of an element's start tag. */
export const startTagRange = ({ start, openEnd }: BodyElement): PartRange => bodyRange(start, openEnd);

/** Reads an email once for all rules. */
export function parseEmail(email: Email, options: CheckOptions): ParsedEmail {
  const authored = readDocument(email.body);
  const isComposed = options.profile === 'acymailing';
  const { document, isSent, ...sentRange } = isComposed
    ? createSentDocument(email.body, authored)
    : asWritten(email.body, authored);
  const conditions = readConditions(email.body);
  const byName = new Map<string, BodyElement[]>();
  for (const element of document.elements) {
    const same = byName.get(element.name);
    if (same) same.push(element);
    else byName.set(element.name, [element]);
  }
  const styles = authored.elements.filter(({ name }) => name === 'style');
  const ownSheet = options.supportsStylesheet === false ? [] : recordSheet(email);
  const sheets = [...ownSheet, ...styles.map((element) => elementSheet(email.body, element, authored))];
  const blocks = [
    ...sheets.flatMap((sheet) =>
      sheet.rules.map((rule) => ({ declarations: rule.declarations, toRange: sheet.toRange, rule, sheet })),
    ),
    ...styleAttributes(email.body, document),
  ];
  const results = new Map<unknown, unknown>();
  const outOfOutlook = mergeRanges(
    conditions.blocks.filter(({ isRevealed, condition }) => isRevealed && excludesOutlook(condition)),
  );
  const mail: ParsedEmail = {
    email,
    options,
    document,
    authored,
    isComposed,
    isSent,
    sentRange,
    conditions,
    sheets,
    blocks,
    clients: selectClients(options.clients),
    getElements: (...names) => {
      const found = names.flatMap((name) => byName.get(name) ?? []);
      return names.length > 1 ? found.sort((one, other) => one.start - other.start) : found;
    },
    once: <Result>(make: (mail: ParsedEmail) => Result) => {
      if (!results.has(make)) results.set(make, make(mail));
      return results.get(make) as Result;
    },
    isHiddenFromOutlook: (offset) => findRangeAt(outOfOutlook, offset) !== undefined,
  };
  return mail;
}

const asWritten = ({ length }: string, document: BodyDocument): SentDocument => ({
  document,
  start: 0,
  end: length,
  isSent: () => true,
});

function recordSheet({ stylesheet = '' }: Email): PlacedStylesheet[] {
  if (stylesheet.trim() === '') return [];
  const toRange = (start: number, end: number): PartRange => ({ part: 'stylesheet', start, end });
  return [{ ...parseStylesheet(stylesheet), css: stylesheet, toRange, fullRange: toRange(0, stylesheet.length) }];
}

function elementSheet(body: string, element: BodyElement, { elements }: BodyDocument): PlacedStylesheet {
  const { openEnd, closeStart } = element;
  // In an SVG picture, a style may hold elements: their texts are none of it.
  const content = body.slice(openEnd, closeStart);
  let css = '';
  for (
    let index = findFirstIndex(elements, ({ start }) => start >= openEnd);
    (elements[index]?.start ?? Infinity) < closeStart;
    index += 1
  ) {
    const [from, to] = [
      (elements[index]?.start ?? 0) - openEnd,
      Math.min(elements[index]?.end ?? 0, closeStart) - openEnd,
    ];
    if (to > css.length) css += content.slice(css.length, from) + ' '.repeat(to - Math.max(from, css.length));
  }
  css += content.slice(css.length);
  const toRange = (start: number, end: number): PartRange => bodyRange(openEnd + start, openEnd + end);
  return { ...parseStylesheet(css), css, toRange, fullRange: bodyRange(element.start, element.end), element };
}

function styleAttributes(body: string, { elements }: BodyDocument): DeclarationBlock[] {
  const read = new Map<string, readonly StyleDeclaration[]>();
  const blocks: DeclarationBlock[] = [];
  for (const element of elements) {
    const attribute = element.get('style') ? element.attribute('style') : undefined;
    if (!attribute) continue;
    const raw = body.slice(attribute.valueStart, attribute.valueEnd);
    // Only character references and line ends make the value differ from its source, which is faster to read.
    const isPlain = raw.length === attribute.value.length && !/[&\r\0]/u.test(raw);
    const value = isPlain ? raw : attribute.value;
    const declarations = read.get(value) ?? parseStyleAttribute(value);
    read.set(value, declarations);
    const offsets = raw === value ? undefined : mapValueOffsets(raw, value);
    if (raw !== value && !offsets) continue;
    const at = (offset: number): number => attribute.valueStart + (offsets ? (offsets[offset] ?? raw.length) : offset);
    blocks.push({ declarations, element, toRange: (start, end) => bodyRange(at(start), at(end)) });
  }
  return blocks;
}
