import { HtmlReader } from './htmlReader.ts';
import { booleanAttributes, closedBy, emptyElements, endPriority, headElements } from './htmlTables.ts';
import { MAX_ELEMENTS } from './limits.ts';
import { TooMuch } from './model.ts';
import { newElement } from './tree.ts';
import type { ElementNode, TreeNode } from './tree.ts';

/** The service's parser stops where elements nest deeper: what follows is lost. */
const MAX_DEPTH = 257;
/** Text is handed on in pieces of this length: one of blanks alone counts as text. */
const PIECE = 1000;
/** What is no character of XML is left out of text. */
const noCharacters = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu;

const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text);

/**
 * The tree of a document as libxml 2.9.14 makes it: what stands at the top, in order.
 * Elements are closed by what follows (`closedBy`), `html`, `head`, `body` and `p` are made where they are missing, and nothing is moved.
 */
export function parseDocument(html: string): TreeNode[] {
  return new Parser(html).document();
}

class Parser {
  private readonly reader: HtmlReader;
  private readonly top: TreeNode[] = [];
  /** Names of the open elements, with their prefixes. */
  private readonly names: string[] = [];
  /** The open elements themselves. */
  private readonly nodes: ElementNode[] = [];
  private hadHead = false;
  private hadBody = false;
  /** Start tags of `html`, `head` and `body` that were ignored: so many end tags are ignored too. */
  private ignored = 0;
  private isStopped = false;
  private elements = 0;

  constructor(html: string) {
    this.reader = new HtmlReader(html.replaceAll('\0', ' '));
  }

  document(): TreeNode[] {
    this.reader.skipBlanks();
    while (!this.reader.isAtEnd && !this.isStopped) this.content();
    return this.top;
  }

  private get name(): string | undefined {
    return this.names.at(-1);
  }

  private content(): void {
    const { reader } = this;
    if (reader.comes('</')) this.endTag();
    else if (this.name === 'script' || this.name === 'style') this.rawContent();
    else if (reader.next === '&') this.reference();
    else if (reader.next !== '<') this.text();
    else if (reader.comes('<!--')) this.comment();
    else if (reader.comes('<?')) this.instruction();
    else if (reader.take(/(?=<!doctype)/iy)) {
      reader.skipDoctype();
      // An end tag right behind it is not seen.
      if (reader.comes('</')) this.openingSign();
    } else if (reader.take(/(?=<[A-Za-z])/y)) this.element();
    else this.openingSign();
  }

  /** A `<` that begins no tag. */
  private openingSign(): void {
    this.append('<');
    this.reader.position += 1;
  }

  private element(): void {
    const { reader } = this;
    this.startTag();
    const name = this.name;
    if (this.isStopped || name === undefined) return;
    if (reader.comes('/>')) {
      reader.position += 2;
      this.pop();
    } else if (reader.next === '>') {
      reader.position += 1;
      if (emptyElements.has(name)) this.pop();
    } else this.pop();
  }

  private startTag(): void {
    const { reader } = this;
    reader.position += 1;
    const name = reader.htmlName() ?? '';
    this.closeFor(name);
    this.imply(name);
    const isMisplaced =
      (name === 'html' && this.names.length > 0) ||
      (name === 'head' && this.names.length !== 1) ||
      (name === 'body' && this.names.includes('body'));
    const attributes = this.attributes();
    if (isMisplaced) this.ignored += 1;
    else this.push(name, attributes);
  }

  private attributes(): Map<string, string | null> {
    const { reader } = this;
    const attributes = new Map<string, string | null>();
    reader.skipBlanks();
    while (!reader.isAtEnd && reader.next !== '>' && !reader.comes('/>')) {
      const name = reader.htmlName();
      if (name === undefined) {
        if (!reader.take(/(?:(?!\/>)[^ \t\n\r>])+/y)) reader.position += 1;
      } else {
        reader.skipBlanks();
        const value = reader.take(/=[ \t\n\r]*/y) ? reader.attributeValue() : booleanAttributes.has(name) ? name : null;
        if (!attributes.has(name)) attributes.set(name, value);
      }
      reader.skipBlanks();
    }
    return attributes;
  }

  private endTag(): void {
    const { reader } = this;
    reader.position += 2;
    const name = reader.htmlName();
    if (name === undefined) return;
    reader.skipTo('>');
    reader.position += 1;
    if (this.ignored > 0 && (name === 'html' || name === 'body' || name === 'head')) {
      this.ignored -= 1;
      return;
    }
    const place = this.names.lastIndexOf(name);
    const priority = endPriority(name);
    if (place < 0 || this.names.slice(place + 1).some((open) => endPriority(open) > priority)) return;
    while (this.names.length > place) this.pop();
  }

  /** Closes the open elements that a start tag ends. */
  private closeFor(next: string): void {
    while (this.name !== undefined && closedBy.get(this.name)?.has(next)) this.pop();
  }

  /** Makes `html`, and `head` or `body`, where an element wants them. */
  private imply(next: string): void {
    if (next === 'html') return;
    if (this.names.length === 0) this.push('html');
    if (next === 'body' || next === 'head') return;
    if (this.names.length <= 1 && headElements.has(next)) {
      if (!this.hadHead && !this.hadBody) this.push('head');
    } else if (next !== 'noframes' && next !== 'frame' && next !== 'frameset') {
      if (!this.hadBody && !this.names.includes('body') && !this.names.includes('head')) this.push('body');
    }
  }

  /** Text that would stand in `html` or `head` begins a paragraph. */
  private implyParagraph(): void {
    if (this.name !== undefined && this.name !== 'html' && this.name !== 'head') return;
    this.closeFor('p');
    this.imply('p');
    this.push('p');
  }

  private text(): void {
    const text = this.reader.text();
    const isIgnorable = isBlank(text) && text.length < PIECE && (this.reader.isAtEnd || this.reader.next === '<');
    if (!isIgnorable) this.implyParagraph();
    this.append(text.replace(noCharacters, ''));
  }

  private reference(): void {
    const text = this.reader.reference();
    if (text === '') return;
    this.implyParagraph();
    this.append(text);
  }

  /** The text of a script or a style, unless it begins with a tag that closes it. */
  private rawContent(): void {
    const { reader } = this;
    const start = reader.position;
    const next = reader.take(/<(?=[A-Za-z])/y) && reader.htmlName();
    reader.position = start;
    if (next !== undefined && closedBy.get(this.name ?? '')?.has(next)) {
      this.closeFor(next);
      return;
    }
    const text = reader.take(/[^<]*(?:<(?!\/[A-Za-z])[^<]*)*/y)?.[0] ?? '';
    this.append(text.replace(noCharacters, ''));
  }

  private comment(): void {
    const text = this.reader.comment();
    if (text !== undefined) this.add({ kind: 'comment', text: text.replace(noCharacters, '') });
  }

  private instruction(): void {
    const instruction = this.reader.instruction();
    if (instruction) this.add({ kind: 'instruction', ...instruction });
  }

  private push(name: string, attributes?: Map<string, string | null>): void {
    if (this.nodes.length >= MAX_DEPTH) {
      this.isStopped = true;
      return;
    }
    if ((this.elements += 1) > MAX_ELEMENTS)
      throw new TooMuch(`The tags make more than ${MAX_ELEMENTS} elements. Is an end tag missing?`);
    if (name === 'head') this.hadHead = true;
    if (name === 'body') this.hadBody = true;
    const node = newElement(localName(name), this.nodes.at(-1));
    attributes?.forEach((value, attribute) => node.attributes.set(attribute, value));
    this.add(node);
    this.names.push(name);
    this.nodes.push(node);
  }

  private pop(): void {
    this.names.pop();
    this.nodes.pop();
  }

  private add(node: TreeNode): void {
    (this.nodes.at(-1)?.children ?? this.top).push(node);
  }

  private append(text: string): void {
    const node = this.nodes.at(-1);
    if (!node || text === '') return;
    const last = node.children.at(-1);
    if (last?.kind === 'text') last.text += text;
    else node.children.push({ kind: 'text', text });
  }
}

/** Without the prefix: `o:p` is a `p`. */
function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon > 0 && colon < name.length - 1 ? name.slice(colon + 1) : name;
}
