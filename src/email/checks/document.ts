import type { DefaultTreeAdapterTypes, Token } from 'parse5';
import { getLimitMessage, parseHtml } from '../html/parseHtml.ts';
import { byStart, type Range } from '../html/text.ts';
import { trimRange, type SheetRule, type StyleDeclaration } from './css.ts';
import type { PartRange } from './model.ts';

/** An attribute with its source range. */
export interface Attribute extends Range {
  readonly name: string;
  /** The decoded value, with character references replaced. */
  readonly value: string;
  /** Range of the raw value, without quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Empty if the value is unquoted. */
  readonly quote: '"' | "'" | '';
}

export interface BodyText extends Range {
  readonly value: string;
  readonly parent: BodyElement;
}

/** Maps offsets in a CSS text to ranges of the email. */
export interface RangeMapper {
  readonly toRange: (start: number, end: number) => PartRange;
}

/** The declarations of a rule or of a style attribute. */
export interface DeclarationBlock extends RangeMapper {
  readonly declarations: readonly StyleDeclaration[];
  /** The element with this style attribute. */
  readonly element?: BodyElement;
  readonly rule?: SheetRule;
}

/** A sent block that styles elements, through a style attribute or a selector. */
interface AppliedBlock {
  readonly block: DeclarationBlock;
  /** The last declaration of each property; important ones win. */
  readonly declarations: ReadonlyMap<string, StyleDeclaration>;
  /** Whether the service inlines it into the `style` attributes of its elements. */
  readonly isInlined: boolean;
  /** Whether it applies after inlined styles, which it overrides only if it is important. */
  readonly isLate: boolean;
  /** Whether it applies in clients with full CSS support. */
  readonly desktop: boolean;
  readonly phone: boolean;
}

export interface BodyDocument {
  /** Ordered by start offset. */
  readonly elements: readonly BodyElement[];
  /** Elements that the parser inserted. */
  readonly impliedElements: readonly BodyElement[];
  /** Text nodes that contain more than whitespace. */
  readonly texts: readonly BodyText[];
  readonly comments: readonly (Range & { readonly text: string })[];
  /** Whether the source has `<html>`, `<head>`, `<body>` or a doctype. */
  readonly isWhole: boolean;
  /** Why only the beginning of the source was parsed, as a sentence. */
  readonly refusal: string | undefined;
}

const noClasses: ReadonlySet<string> = new Set();
const MAX_SCANNED_ATTRIBUTES = 16;
const documentTags = new Set(['html', 'head', 'body']);

/** An element of the body. Elements that the parser inserts have no source range. */
export class BodyElement {
  /** Lowercase. */
  readonly name: string;
  readonly start: number;
  /** End of the start tag. */
  readonly openEnd: number;
  /** Start of the end tag, or `end` if there is none. */
  readonly closeStart: number;
  readonly end: number;
  readonly parent: BodyElement | undefined;
  /** The previous sibling element. */
  readonly previous: BodyElement | undefined;
  readonly children: BodyElement[] = [];
  readonly texts: BodyText[] = [];
  /** Whether the element is written in the source, not inserted by the parser. */
  readonly isInSource: boolean;
  /** Position in document order. */
  readonly order: number;
  /** Position of the last descendant. */
  lastOrder = 0;
  /** Identifies the document. */
  readonly root: object;
  readonly classes: ReadonlySet<string>;
  /** Whether the service sends the element. */
  isSent = true;
  /** Whether Outlook for Windows ignores the element. */
  isHiddenFromOutlook = false;
  /** In cascade order. */
  readonly blocks: AppliedBlock[] = [];
  /** Of an element with many. Most are faster to scan. */
  #attributes?: ReadonlyMap<string, string>;
  readonly #source: string;
  readonly #node: DefaultTreeAdapterTypes.Element;

  constructor(
    root: object,
    source: string,
    node: DefaultTreeAdapterTypes.Element,
    parent: BodyElement | undefined,
    order: number,
  ) {
    this.root = root;
    const location = node.sourceCodeLocation;
    this.#source = source;
    this.#node = node;
    this.parent = parent;
    this.previous = parent?.children.at(-1);
    this.order = order;
    this.name = node.tagName.toLowerCase();
    this.isInSource = Boolean(location);
    this.start = location?.startOffset ?? 0;
    this.openEnd = location?.startTag?.endOffset ?? location?.endOffset ?? 0;
    this.end = Math.max(this.openEnd, location?.endOffset ?? 0);
    this.closeStart = Math.max(this.openEnd, location?.endTag?.startOffset ?? this.end);
    const classes = this.get('class');
    this.classes = classes === undefined ? noClasses : new Set(classes.split(/\s+/u));
  }

  /** End of the name in the start tag. */
  get nameEnd(): number {
    return this.start + (/^<[^\s/>]+/u.exec(this.#source.slice(this.start, this.openEnd))?.[0].length ?? 1);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Returns the decoded value of an attribute, or undefined. */
  get(name: string): string | undefined {
    const { attrs } = this.#node;
    if (attrs.length <= MAX_SCANNED_ATTRIBUTES) return attrs.find((attribute) => attribute.name === name)?.value;
    this.#attributes ??= new Map(attrs.map((attribute) => [attribute.name, attribute.value]));
    return this.#attributes.get(name);
  }

  attribute(name: string): Attribute | undefined {
    const value = this.get(name);
    const location = this.#node.sourceCodeLocation?.attrs?.[name];
    return value === undefined || !location ? undefined : toAttribute(this.#source, name, value, location);
  }
}

/** Returns the attribute at a location of the source. */
export function toAttribute(source: string, name: string, value: string, location: Token.Location): Attribute {
  const { startOffset: start, endOffset: end } = location;
  const equals = start + source.slice(start, end).indexOf('=');
  if (equals < start) return { name, value, start, end, valueStart: end, valueEnd: end, quote: '' };
  const { start: from, end: to } = trimRange(source, equals + 1, end);
  const first = source[from];
  const quote = first === '"' || first === "'" ? first : '';
  const isClosed = quote !== '' && to - from > 1 && source[to - 1] === quote;
  return { name, value, start, end, valueStart: quote ? from + 1 : from, valueEnd: isClosed ? to - 1 : to, quote };
}

/** Parses a body, up to the limits of the parser. */
export function readDocument(source: string): BodyDocument {
  const elements: BodyElement[] = [];
  const impliedElements: BodyElement[] = [];
  const texts: BodyText[] = [];
  const comments: BodyDocument['comments'][number][] = [];
  const { document: root, limit } = parseHtml(source);
  let isWhole = false;
  const visit = (node: DefaultTreeAdapterTypes.ChildNode, parent: BodyElement | undefined) => {
    const location = node.sourceCodeLocation;
    if ('tagName' in node) {
      const element = new BodyElement(root, source, node, parent, elements.length + impliedElements.length);
      parent?.children.push(element);
      (element.isInSource ? elements : impliedElements).push(element);
      isWhole ||= element.isInSource && documentTags.has(element.name);
      for (const child of node.childNodes) visit(child, element);
      element.lastOrder = elements.length + impliedElements.length - 1;
    } else if (node.nodeName === '#documentType') {
      isWhole = true;
    } else if ('data' in node && location) {
      comments.push({ text: node.data, start: location.startOffset, end: location.endOffset });
    } else if ('value' in node && location && parent) {
      const text = { value: node.value, start: location.startOffset, end: location.endOffset, parent };
      parent.texts.push(text);
      if (source.slice(text.start, text.end).trim() !== '') texts.push(text);
    }
  };
  for (const node of root.childNodes) visit(node, undefined);
  // The parser moves content that isn't allowed in a table to before the table.
  elements.sort(byStart);
  return { elements, impliedElements, texts, comments, isWhole, refusal: limit && getLimitMessage(limit) };
}

/** Returns the text content of an element, without scripts and styles. */
export function getElementText(element: BodyElement): string {
  let text = '';
  const pending: (BodyElement | BodyText)[] = [element];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('value' in next) text += next.value;
    else if (!unrenderedElements.has(next.name))
      pending.push(...[...next.children, ...next.texts].sort((one, other) => other.start - one.start));
  }
  return text;
}

/** Elements whose text is never shown. */
export const unrenderedElements: ReadonlySet<string> = new Set('style script title template noframes head'.split(' '));

/** Returns whether a text contains a merge tag or a template expression, which is replaced before the email is read. */
export function containsTag(text: string): boolean {
  return /[{[]|%7b|\*\||%%|<%|\$\(/iu.test(text);
}

/**
 * Maps each UTF-16 unit of a decoded attribute value, and its end, to an offset in the raw value. Returns undefined if the two don't
 * match.
 */
export function mapValueOffsets(raw: string, value: string): Uint32Array | undefined {
  const offsets = new Uint32Array(value.length + 1);
  let current = 0;
  let done = 0;
  while (done < value.length) {
    offsets[done] = current;
    const char = value[done];
    if (raw[current] === '\r' && char === '\n') {
      current += raw[current + 1] === '\n' ? 2 : 1;
    } else if (raw[current] === '&') {
      const reference = /^&(?:#x[\da-f]+|#\d+|[a-z][a-z\d]*);?/iu.exec(raw.slice(current, current + 40))?.[0];
      const isReplaced = reference !== undefined && (char !== '&' || /^&(?:amp|#38|#x26)/iu.test(reference));
      current += isReplaced ? reference.length : 1;
      if (isReplaced && /[\uD800-\uDBFF]/u.test(char ?? '') && done + 1 < value.length) offsets[(done += 1)] = current;
    } else if (raw[current] === char || raw[current] === '\0') {
      current += 1;
    } else {
      return undefined;
    }
    done += 1;
  }
  offsets[value.length] = current;
  return offsets;
}

/** Returns a function that computes the result for each object once. */
export function memoize<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    let stored = results.get(key);
    if (!stored) results.set(key, (stored = { result: compute(key) }));
    return stored.result;
  };
}

type ReadElement<Value> = (element: BodyElement) => Value | undefined;

/** Returns a function that reads a value from an element or its nearest ancestor with one. Reads each element once. */
export function inherit<Value>(readOwn: ReadElement<Value>): ReadElement<Value> {
  // By document: many entries would slow down a weak map.
  const getValues = memoize((_root) => new Map<BodyElement, Value | 'none'>());
  const read = (values: Map<BodyElement, Value | 'none'>, element: BodyElement): Value | 'none' => {
    let value = values.get(element);
    if (value === undefined) {
      value = readOwn(element) ?? (element.parent ? read(values, element.parent) : 'none');
      values.set(element, value);
    }
    return value;
  };
  return (element) => {
    const value = read(getValues(element.root), element);
    return value === 'none' ? undefined : value;
  };
}
