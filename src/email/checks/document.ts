import type { DefaultTreeAdapterTypes, Token } from 'parse5';
import { getLimitMessage, parseHtml } from '../html/parseHtml.ts';
import { isBlankRange, trimRange } from './css.ts';

type Parsed = DefaultTreeAdapterTypes.Element;

/** An attribute as it stands in the source. */
export interface Attribute {
  readonly name: string;
  /** As the parser reads it: character references are characters. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** The value's text, without its quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Empty where there is none. */
  readonly quote: '"' | "'" | '';
}

export interface BodyText {
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly parent: BodyElement;
}

/** An element of the body's source. What the parser adds by itself has no place, and is left out where nothing hangs on it. */
export interface BodyElement {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  /** Behind its start tag. */
  readonly openEnd: number;
  /** Of its end tag; `end` where there is none. */
  readonly closeStart: number;
  readonly end: number;
  readonly parent?: BodyElement;
  /** The element before it in the same parent. */
  readonly previous?: BodyElement;
  readonly children: BodyElement[];
  readonly texts: BodyText[];
  /** Its number in the document's order. */
  readonly order: number;
  /** Whether it stands in the source. */
  readonly isInSource: boolean;
  /** Names in its attribute `class`. */
  readonly classes: readonly string[];
  readonly hasClass: (name: string) => boolean;
  readonly has: (name: string) => boolean;
  /** The attribute's value, or undefined. */
  readonly get: (name: string) => string | undefined;
  readonly attribute: (name: string) => Attribute | undefined;
}

export interface BodyDocument {
  /** In the order in which they begin. */
  readonly elements: readonly BodyElement[];
  /** Those that are more than the white space between tags. */
  readonly texts: readonly BodyText[];
  readonly comments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  /** The source has `<html>`, `<head>`, `<body>` or a doctype. */
  readonly isWhole: boolean;
  /** Why only the beginning of the source was read, in a sentence. */
  readonly refusal?: string;
}

const none: readonly string[] = [];
const outermost = new Set(['html', 'head', 'body']);

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
  readonly #node: Parsed;
  #classes: readonly string[] | undefined;
  #classSet: ReadonlySet<string> | undefined;

  constructor(source: string, node: Parsed, parent: BodyElement | undefined, order: number) {
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
    return (this.#classes ??= this.get('class')?.split(/\s+/u) ?? none);
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

/** Returns an attribute that the parser found at a location of the source. */
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

/** Reads a body, up to where it exceeds the limits of the parser. */
export function readDocument(source: string): BodyDocument {
  const elements: BodyElement[] = [];
  const texts: BodyText[] = [];
  const comments: { text: string; start: number; end: number }[] = [];
  const { document: root, limit } = parseHtml(source);
  let isWhole = false;
  let order = 0;
  const waiting: DefaultTreeAdapterTypes.ChildNode[] = [];
  const parents: (BodyElement | undefined)[] = [];
  const wait = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[], parent: BodyElement | undefined): void => {
    for (let index = nodes.length - 1; index >= 0; index -= 1) {
      const node = nodes[index];
      if (!node) continue;
      waiting.push(node);
      parents.push(parent);
    }
  };
  wait(root.childNodes, undefined);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const parent = parents.pop();
    const location = node.sourceCodeLocation;
    if ('tagName' in node) {
      const element = new SourceElement(source, node, parent, (order += 1));
      parent?.children.push(element);
      if (element.isInSource) elements.push(element);
      if (element.isInSource && outermost.has(element.name)) isWhole = true;
      wait(node.childNodes, element);
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
  // The parser moves what can't stand in a table to before it.
  elements.sort((one, other) => one.start - other.start);
  return { elements, texts, comments, isWhole, ...(limit !== undefined && { refusal: getLimitMessage(limit) }) };
}

/** Returns a function that asks an element, or else those it is in, the innermost first. Asks each element once. */
export function createInheritedLookup<Value>(
  own: (element: BodyElement) => Value | undefined,
): (element: BodyElement) => Value | undefined {
  const known = new Map<BodyElement, Value | undefined>();
  return (element) => {
    const passed: BodyElement[] = [];
    let value: Value | undefined;
    for (let at: BodyElement | undefined = element; at && value === undefined; at = at.parent) {
      if (known.has(at)) {
        value = known.get(at);
        break;
      }
      passed.push(at);
      value = own(at);
    }
    for (const one of passed) known.set(one, value);
    return value;
  };
}

/** Text of an element and all in it, without scripts and styles. */
export function getElementText(element: BodyElement): string {
  let text = '';
  const waiting: (BodyElement | BodyText)[] = [element];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('value' in next) text += next.value;
    else if (!unrenderedElements.has(next.name))
      waiting.push(...[...next.children, ...next.texts].sort((one, other) => other.start - one.start));
  }
  return text;
}

/** Elements whose text nobody reads. */
export const unrenderedElements: ReadonlySet<string> = new Set([
  'style',
  'script',
  'title',
  'template',
  'noframes',
  'head',
]);

/** Whether a value holds a tag of a service or of a template engine, which is replaced before anybody reads it. */
export function containsTag(text: string): boolean {
  return /[{[]|%7b|\*\||%%|<%|\$\(/iu.test(text);
}

/**
 * For each unit of an attribute's value, where it begins in the source, and one more for its end. Undefined where source and value can't be
 * brought together.
 */
export function mapValueOffsets(raw: string, value: string): Uint32Array | undefined {
  const offsets = new Uint32Array(value.length + 1);
  let at = 0;
  let done = 0;
  while (done < value.length) {
    offsets[done] = at;
    const char = value[done];
    if (raw[at] === '\r' && char === '\n') {
      at += raw[at + 1] === '\n' ? 2 : 1;
    } else if (raw[at] === '&') {
      const reference = /^&(?:#x[\da-f]+|#\d+|[a-z][a-z\d]*);?/iu.exec(raw.slice(at, at + 40))?.[0];
      const isReplaced = reference !== undefined && (char !== '&' || /^&(?:amp|#38|#x26)/iu.test(reference));
      at += isReplaced ? reference.length : 1;
      if (isReplaced && /[\uD800-\uDBFF]/u.test(char ?? '') && done + 1 < value.length) offsets[(done += 1)] = at;
    } else if (raw[at] === char || raw[at] === '\0') {
      at += 1;
    } else {
      return undefined;
    }
    done += 1;
  }
  offsets[value.length] = at;
  return offsets;
}
