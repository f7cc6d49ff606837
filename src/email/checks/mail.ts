import type { ClientFamily } from './clients.ts';
import { chosenClients } from './clients.ts';
import { excludesOutlook, readConditions } from './conditions.ts';
import type { Conditions } from './conditions.ts';
import { readDeclarations, readSheet } from './css.ts';
import type { Declaration, Placed, Sheet, StyleRule } from './css.ts';
import { readDocument, valueOffsets } from './document.ts';
import type { Document, Element } from './document.ts';
import type { CheckOptions, DetailsField, Email, Place } from './model.ts';
import { firstIndex, joined, rangeAt } from '../html/ranges.ts';
import { sentDocument, type SentDocument } from './sentDocument.ts';

/** A stylesheet at its place: a `<style>` element, the stylesheet of the record, or a `<style>` in its headers. */
export interface PlacedSheet extends Sheet, Placed {
  readonly css: string;
  /** The whole of it. */
  readonly whole: Place;
  /** The `<style>` element in the body. */
  readonly element?: Element;
}

/** Declarations that belong together: a rule's, or a style attribute's. */
export interface Block extends Placed {
  readonly declarations: readonly Declaration[];
  /** Whose style attribute it is. */
  readonly element?: Element;
  readonly rule?: StyleRule;
  readonly sheet?: PlacedSheet;
}

/** An email as it was read: what all rules look at. */
export interface Mail {
  readonly email: Email;
  readonly options: CheckOptions;
  readonly clients: readonly ClientFamily[];
  /** The part of the body that is sent. */
  readonly document: Document;
  /** The whole body as it is written. */
  readonly authored: Document;
  /** Whether AcyMailing composes what is sent; otherwise the email goes out as it is written. */
  readonly isComposed: boolean;
  readonly conditions: Conditions;
  /** In the order in which they apply. */
  readonly sheets: readonly PlacedSheet[];
  readonly blocks: readonly Block[];
  /** Elements that are sent, by name. */
  readonly named: (...names: string[]) => readonly Element[];
  /** What is worked out once for all rules that ask. */
  readonly once: <Result>(make: (mail: Mail) => Result) => Result;
  /** Whether an element is sent. */
  readonly isSent: (element: Element) => boolean;
  /** The range of the body's source that is sent. Conditional comments before it are lost. */
  readonly sentRange: { readonly start: number; readonly end: number };
  /** Whether a place of the body is out of sight for Outlook for Windows. */
  readonly isHiddenFromOutlook: (offset: number) => boolean;
}

export const inBody = (start: number, end: number): Place => ({ part: 'body', start, end });
export const inDetails = (field: DetailsField, start: number, end: number): Place => ({
  part: 'details',
  field,
  start,
  end,
});

/** The place of an element's start tag. */
export const tagPlace = ({ start, openEnd }: Element): Place => inBody(start, openEnd);

/** Reads an email once for all rules. */
export function readMail(email: Email, options: CheckOptions): Mail {
  const authored = readDocument(email.body);
  const isComposed = options.profile === 'acymailing';
  const { document, isSent, ...sentRange } = isComposed
    ? sentDocument(email.body, authored)
    : asWritten(email.body, authored);
  const conditions = readConditions(email.body);
  const byName = new Map<string, Element[]>();
  for (const element of document.elements) {
    const same = byName.get(element.name);
    if (same) same.push(element);
    else byName.set(element.name, [element]);
  }
  const styles = authored.elements.filter(({ name }) => name === 'style');
  const ownSheet = options.keepsStylesheet === false ? [] : recordSheet(email);
  const sheets = [...ownSheet, ...styles.map((element) => elementSheet(email.body, element, authored))];
  const blocks = [
    ...sheets.flatMap((sheet) =>
      sheet.rules.map((rule) => ({ declarations: rule.declarations, place: sheet.place, rule, sheet })),
    ),
    ...styleAttributes(email.body, document),
  ];
  const results = new Map<unknown, unknown>();
  const outOfOutlook = joined(
    conditions.blocks.filter(({ isRevealed, condition }) => isRevealed && excludesOutlook(condition)),
  );
  const mail: Mail = {
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
    clients: chosenClients(options.clients),
    named: (...names) => {
      const found = names.flatMap((name) => byName.get(name) ?? []);
      return names.length > 1 ? found.sort((one, other) => one.start - other.start) : found;
    },
    once: <Result>(make: (mail: Mail) => Result) => {
      if (!results.has(make)) results.set(make, make(mail));
      return results.get(make) as Result;
    },
    isHiddenFromOutlook: (offset) => rangeAt(outOfOutlook, offset) !== undefined,
  };
  return mail;
}

const asWritten = ({ length }: string, document: Document): SentDocument => ({
  document,
  start: 0,
  end: length,
  isSent: () => true,
});

function recordSheet({ stylesheet = '' }: Email): PlacedSheet[] {
  if (stylesheet.trim() === '') return [];
  const place = (start: number, end: number): Place => ({ part: 'stylesheet', start, end });
  return [{ ...readSheet(stylesheet), css: stylesheet, place, whole: place(0, stylesheet.length) }];
}

function elementSheet(body: string, element: Element, { elements }: Document): PlacedSheet {
  const { openEnd, closeStart } = element;
  // In an SVG picture, a style may hold elements: their texts are none of it.
  const content = body.slice(openEnd, closeStart);
  let css = '';
  for (
    let index = firstIndex(elements, ({ start }) => start >= openEnd);
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
  const place = (start: number, end: number): Place => inBody(openEnd + start, openEnd + end);
  return { ...readSheet(css), css, place, whole: inBody(element.start, element.end), element };
}

function styleAttributes(body: string, { elements }: Document): Block[] {
  const read = new Map<string, readonly Declaration[]>();
  const blocks: Block[] = [];
  for (const element of elements) {
    const attribute = element.get('style') ? element.attribute('style') : undefined;
    if (!attribute) continue;
    const raw = body.slice(attribute.valueStart, attribute.valueEnd);
    // Only character references and line ends make the value differ from its source, which is faster to read.
    const isPlain = raw.length === attribute.value.length && !/[&\r\0]/u.test(raw);
    const value = isPlain ? raw : attribute.value;
    const declarations = read.get(value) ?? readDeclarations(value);
    read.set(value, declarations);
    const offsets = raw === value ? undefined : valueOffsets(raw, value);
    if (raw !== value && !offsets) continue;
    const at = (offset: number): number => attribute.valueStart + (offsets ? (offsets[offset] ?? raw.length) : offset);
    blocks.push({ declarations, element, place: (start, end) => inBody(at(start), at(end)) });
  }
  return blocks;
}
