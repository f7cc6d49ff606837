import type { DefaultTreeAdapterTypes, Token } from 'parse5';
import { getLimitMessage, parseHtml } from '../html/parseHtml.ts';
import { isBlankRange, trimRange } from './css.ts';

type ParsedElement = DefaultTreeAdapterTypes.Element;

/** An attribute with its source range. */
export interface Attribute {
  readonly name: string;
  /** The decoded value, with character references replaced. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Range of the raw value, without quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Empty if the value is unquoted. */
  readonly quote: '"' | "'" | '';
}

export interface BodyText {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly parent: BodyElement;
}

/** An element of the body. Elements that the parser inserts have no source range, and are kept only if they have content. */
export interface BodyElement {
  /** Lowercase. */
  readonly name: string;
  readonly start: number;
  /** End of the start tag. */
  readonly openEnd: number;
  /** Start of the end tag, or `end` if there is none. */
  readonly closeStart: number;
  readonly end: number;
  readonly parent?: BodyElement;
  /** The previous sibling element. */
  readonly previous?: BodyElement;
  readonly children: BodyElement[];
  readonly texts: BodyText[];
  /** Position in document order. */
  readonly order: number;
  /** Whether the element is written in the source, not inserted by the parser. */
  readonly isInSource: boolean;
  /** Class names. */
  readonly classes: readonly string[];
  readonly hasClass: (name: string) => boolean;
  readonly has: (name: string) => boolean;
  /** Returns the decoded value of an attribute, or undefined. */
  readonly get: (name: string) => string | undefined;
  readonly attribute: (name: string) => Attribute | undefined;
}

export interface BodyDocument {
  /** Ordered by start offset. */
  readonly elements: readonly BodyElement[];
  /** Text nodes that contain more than whitespace. */
  readonly texts: readonly BodyText[];
  readonly comments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  /** Whether the source has `<html>`, `<head>`, `<body>` or a doctype. */
  readonly isWhole: boolean;
  /** Why only the beginning of the source was parsed, as a sentence. */
  readonly refusal?: string;
}

const noClasses: readonly string[] = [];
const documentTags = new Set(['html', 'head', 'body']);

class SourceElement implements BodyElement {
  readonly name: string;
  readonly start: number;
  readonly openEnd: number;
  readonly closeStart: number;
  readonly end: number;
  readonly children: BodyElement[] = [];
  readonly texts: BodyText[] = [];
  readonly isInSource: boolean;
  readonly parent?: BodyElement;
  readonly previous?: BodyElement;
  readonly order: number;
  readonly #source: string;
  readonly #node: ParsedElement;
  #classes: readonly string[] | undefined;
  #classSet: ReadonlySet<string> | undefined;

  constructor(source: string, node: ParsedElement, parent: BodyElement | undefined, order: number) {
    const location = node.sourceCodeLocation;
    this.#source = source;
    this.#node = node;
    const previous = parent?.children.at(-1);
    if (parent) this.parent = parent;
    if (previous) this.previous = previous;
    this.order = order;
    this.name = node.tagName.toLowerCase();
    this.isInSource = location !== null && location !== undefined;
    this.start = location?.startOffset ?? 0;
    this.openEnd = location?.startTag?.endOffset ?? location?.endOffset ?? 0;
    this.end = Math.max(this.openEnd, location?.endOffset ?? 0);
    this.closeStart = Math.max(this.openEnd, location?.endTag?.startOffset ?? this.end);
  }

  get classes(): readonly string[] {
    return (this.#classes ??= this.get('class')?.split(/\s+/u) ?? noClasses);
  }

  hasClass(name: string): boolean {
    const { classes } = this;
    return classes.length < 10 ? classes.includes(name) : (this.#classSet ??= new Set(classes)).has(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get(name: string): string | undefined {
    for (const attribute of this.#node.attrs) if (attribute.name === name) return attribute.value;
    return undefined;
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
  const texts: BodyText[] = [];
  const comments: { text: string; start: number; end: number }[] = [];
  const { document: root, limit } = parseHtml(source);
  let isWhole = false;
  let order = 0;
  const pending: DefaultTreeAdapterTypes.ChildNode[] = [];
  const parents: (BodyElement | undefined)[] = [];
  const enqueue = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[], parent: BodyElement | undefined): void => {
    for (let index = nodes.length - 1; index >= 0; index -= 1) {
      const node = nodes[index];
      if (!node) continue;
      pending.push(node);
      parents.push(parent);
    }
  };
  enqueue(root.childNodes, undefined);
  for (let node = pending.pop(); node; node = pending.pop()) {
    const parent = parents.pop();
    const location = node.sourceCodeLocation;
    if ('tagName' in node) {
      const element = new SourceElement(source, node, parent, (order += 1));
      parent?.children.push(element);
      if (element.isInSource) elements.push(element);
      if (element.isInSource && documentTags.has(element.name)) isWhole = true;
      enqueue(node.childNodes, element);
    } else if (node.nodeName === '#documentType') {
      isWhole = true;
    } else if ('data' in node && location) {
      comments.push({ text: node.data, start: location.startOffset, end: location.endOffset });
    } else if ('value' in node && location && parent) {
      const text = { value: node.value, start: location.startOffset, end: location.endOffset, parent };
      parent.texts.push(text);
      if (!isBlankRange(source, text.start, text.end)) texts.push(text);
    }
  }
  // The parser moves content that isn't allowed in a table to before the table.
  elements.sort((one, other) => one.start - other.start);
  return { elements, texts, comments, isWhole, ...(limit !== undefined && { refusal: getLimitMessage(limit) }) };
}

/** Returns a function that reads a value from an element or its nearest ancestor with one. Reads each element once. */
export function createInheritedLookup<Value>(
  own: (element: BodyElement) => Value | undefined,
): (element: BodyElement) => Value | undefined {
  const cache = new Map<BodyElement, Value | undefined>();
  return (element) => {
    const visited: BodyElement[] = [];
    let value: Value | undefined;
    for (let current: BodyElement | undefined = element; current && value === undefined; current = current.parent) {
      if (cache.has(current)) {
        value = cache.get(current);
        break;
      }
      visited.push(current);
      value = own(current);
    }
    for (const one of visited) cache.set(one, value);
    return value;
  };
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
export const unrenderedElements: ReadonlySet<string> = new Set([
  'style',
  'script',
  'title',
  'template',
  'noframes',
  'head',
]);

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
