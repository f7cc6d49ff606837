import type { ClientFamily } from './clients.ts';
import { selectClients } from './clients.ts';
import { excludesOutlook, parseConditions } from './conditions.ts';
import type { Conditions } from './conditions.ts';
import { parseStyleAttribute, parseStylesheet } from './css.ts';
import type { StyleDeclaration, RangeMapper, ParsedStylesheet, SheetRule } from './css.ts';
import { readDocument, mapValueOffsets } from './document.ts';
import type { BodyDocument, BodyElement } from './document.ts';
import type { CheckOptions, DetailsField, Email, PartRange } from './model.ts';
import { findFirstIndex, mergeRanges, findRangeAt } from '../html/ranges.ts';
import { createSentDocument, type SentDocument } from './sentDocument.ts';

/** A stylesheet with its range: a `<style>` element, the record's stylesheet, or a `<style>` in the headers field. */
export interface PlacedStylesheet extends ParsedStylesheet, RangeMapper {
  readonly css: string;
  /** Range of the whole stylesheet or `<style>` element. */
  readonly fullRange: PartRange;
  readonly element?: BodyElement;
}

/** The declarations of a rule or of a style attribute. */
export interface DeclarationBlock extends RangeMapper {
  readonly declarations: readonly StyleDeclaration[];
  /** The element with this style attribute. */
  readonly element?: BodyElement;
  readonly rule?: SheetRule;
  readonly sheet?: PlacedStylesheet;
}

/** A parsed email, the input of all rules. */
export interface ParsedEmail {
  readonly email: Email;
  readonly options: CheckOptions;
  readonly clients: readonly ClientFamily[];
  /** The sent part of the body. */
  readonly document: BodyDocument;
  /** The whole body as written. */
  readonly authored: BodyDocument;
  /** Whether AcyMailing transforms the email before sending; otherwise it is sent as written. */
  readonly isComposed: boolean;
  readonly conditions: Conditions;
  /** In cascade order. */
  readonly sheets: readonly PlacedStylesheet[];
  readonly blocks: readonly DeclarationBlock[];
  /** Returns the sent elements with the given names, in document order. */
  readonly getElements: (...names: string[]) => readonly BodyElement[];
  /** Returns the result of a function, which is called once for each email. */
  readonly once: <Result>(make: (mail: ParsedEmail) => Result) => Result;
  readonly isSent: (element: BodyElement) => boolean;
  /** The sent range of the body's source. Conditional comments before it are lost. */
  readonly sentRange: { readonly start: number; readonly end: number };
  /** Returns whether Outlook for Windows ignores the content at an offset of the body. */
  readonly isHiddenFromOutlook: (offset: number) => boolean;
}

export const bodyRange = (start: number, end: number): PartRange => ({ part: 'body', start, end });
export const detailsRange = (field: DetailsField, start: number, end: number): PartRange => ({
  part: 'details',
  field,
  start,
  end,
});

/** Returns the range of an element's start tag. */
export const startTagRange = ({ start, openEnd }: BodyElement): PartRange => bodyRange(start, openEnd);

/** Parses an email once for all rules. */
export function parseEmail(email: Email, options: CheckOptions): ParsedEmail {
  const authored = readDocument(email.body);
  const isComposed = options.profile === 'acymailing';
  const { document, isSent, ...sentRange } = isComposed
    ? createSentDocument(email.body, authored)
    : createUnchangedDocument(email.body, authored);
  const conditions = parseConditions(email.body);
  const byName = new Map<string, BodyElement[]>();
  for (const element of document.elements) {
    const same = byName.get(element.name);
    if (same) same.push(element);
    else byName.set(element.name, [element]);
  }
  const styles = authored.elements.filter(({ name }) => name === 'style');
  const ownSheet = options.supportsStylesheet === false ? [] : readRecordStylesheet(email);
  const sheets = [...ownSheet, ...styles.map((element) => readStyleElement(email.body, element, authored))];
  const blocks = [
    ...sheets.flatMap((sheet) =>
      sheet.rules.map((rule) => ({ declarations: rule.declarations, toRange: sheet.toRange, rule, sheet })),
    ),
    ...readStyleAttributes(email.body, document),
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

const createUnchangedDocument = ({ length }: string, document: BodyDocument): SentDocument => ({
  document,
  start: 0,
  end: length,
  isSent: () => true,
});

function readRecordStylesheet({ stylesheet = '' }: Email): PlacedStylesheet[] {
  if (stylesheet.trim() === '') return [];
  const toRange = (start: number, end: number): PartRange => ({ part: 'stylesheet', start, end });
  return [{ ...parseStylesheet(stylesheet), css: stylesheet, toRange, fullRange: toRange(0, stylesheet.length) }];
}

function readStyleElement(body: string, element: BodyElement, { elements }: BodyDocument): PlacedStylesheet {
  const { openEnd, closeStart } = element;
  // In SVG, a style may contain elements, whose text is not CSS.
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

function readStyleAttributes(body: string, { elements }: BodyDocument): DeclarationBlock[] {
  const read = new Map<string, readonly StyleDeclaration[]>();
  const blocks: DeclarationBlock[] = [];
  for (const element of elements) {
    const attribute = element.get('style') ? element.attribute('style') : undefined;
    if (!attribute) continue;
    const raw = body.slice(attribute.valueStart, attribute.valueEnd);
    // The source is faster to read than the decoded value. They differ only in character references and line ends.
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
