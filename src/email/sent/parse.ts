import { HtmlReader } from './htmlReader.ts';
import { booleanAttributes, closedBy, emptyElements, getEndPriority, headElements } from './htmlTables.ts';
import { MAX_TREE_ELEMENTS } from './limits.ts';
import { LimitExceeded } from './model.ts';
import { newElement } from './tree.ts';
import type { ElementNode, TreeNode } from './tree.ts';

/** The service's parser stops at deeper elements and drops the rest. */
const MAX_OPEN_ELEMENTS = 257;
/** libxml handles text in chunks of this length. A whitespace chunk counts as text. */
const TEXT_CHUNK_CHARS = 1000;
/** Characters that XML doesn't allow. They are removed from text. */
const nonXmlCharacters = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu;

const isXmlWhitespace = (text: string): boolean => /^[ \t\n\r]*$/.test(text);

/** Parses HTML like libxml 2.9.14 and returns the root nodes. Start tags close open elements (`closedBy`); missing `html`, `head`, `body` and `p` elements are added; nothing is moved. */
export function parseDocument(html: string): TreeNode[] {
  return new TreeParser(html).parse();
}

class TreeParser {
  private readonly reader: HtmlReader;
  private readonly roots: TreeNode[] = [];
  /** Names of the open elements, with their prefixes. */
  private readonly openNames: string[] = [];
  private readonly openNodes: ElementNode[] = [];
  private hasHead = false;
  private hasBody = false;
  /** Ignored start tags of `html`, `head` and `body`. As many end tags are ignored too. */
  private ignoredStartTags = 0;
  private isStopped = false;
  private elementCount = 0;

  constructor(html: string) {
    this.reader = new HtmlReader(html.replaceAll('\0', ' '));
  }

  parse(): TreeNode[] {
    this.reader.skipBlanks();
    while (!this.reader.isAtEnd && !this.isStopped) this.parseContent();
    return this.roots;
  }

  private get currentName(): string | undefined {
    return this.openNames.at(-1);
  }

  private parseContent(): void {
    const { reader } = this;
    if (reader.startsWith('</')) this.parseEndTag();
    else if (this.currentName === 'script' || this.currentName === 'style') this.parseRawContent();
    else if (reader.next === '&') this.parseCharacterReference();
    else if (reader.next !== '<') this.parseText();
    else if (reader.startsWith('<!--')) this.parseComment();
    else if (reader.startsWith('<?')) this.parseInstruction();
    else if (reader.take(/(?=<!doctype)/iy)) {
      reader.skipDoctype();
      // An end tag right after the doctype is read as text.
      if (reader.startsWith('</')) this.parseLessThanSign();
    } else if (reader.take(/(?=<[A-Za-z])/y)) this.parseElement();
    else this.parseLessThanSign();
  }

  /** A `<` that starts no tag. */
  private parseLessThanSign(): void {
    this.appendText('<');
    this.reader.position += 1;
  }

  private parseElement(): void {
    const { reader } = this;
    this.parseStartTag();
    const name = this.currentName;
    if (this.isStopped || name === undefined) return;
    if (reader.startsWith('/>')) {
      reader.position += 2;
      this.pop();
    } else if (reader.next === '>') {
      reader.position += 1;
      if (emptyElements.has(name)) this.pop();
    } else this.pop();
  }

  private parseStartTag(): void {
    const { reader } = this;
    reader.position += 1;
    const name = reader.readName() ?? '';
    this.closeElementsBefore(name);
    this.addImpliedElements(name);
    const isMisplaced =
      (name === 'html' && this.openNames.length > 0) ||
      (name === 'head' && this.openNames.length !== 1) ||
      (name === 'body' && this.openNames.includes('body'));
    const attributes = this.parseAttributes();
    if (isMisplaced) this.ignoredStartTags += 1;
    else this.push(name, attributes);
  }

  private parseAttributes(): Map<string, string | null> {
    const { reader } = this;
    const attributes = new Map<string, string | null>();
    reader.skipBlanks();
    while (!reader.isAtEnd && reader.next !== '>' && !reader.startsWith('/>')) {
      const name = reader.readName();
      if (name === undefined) {
        if (!reader.take(/(?:(?!\/>)[^ \t\n\r>])+/y)) reader.position += 1;
      } else {
        reader.skipBlanks();
        const value = reader.take(/=[ \t\n\r]*/y)
          ? reader.readAttributeValue()
          : booleanAttributes.has(name)
            ? name
            : null;
        if (!attributes.has(name)) attributes.set(name, value);
      }
      reader.skipBlanks();
    }
    return attributes;
  }

  private parseEndTag(): void {
    const { reader } = this;
    reader.position += 2;
    const name = reader.readName();
    if (name === undefined) return;
    reader.skipTo('>');
    reader.position += 1;
    if (this.ignoredStartTags > 0 && (name === 'html' || name === 'body' || name === 'head')) {
      this.ignoredStartTags -= 1;
      return;
    }
    const openIndex = this.openNames.lastIndexOf(name);
    const priority = getEndPriority(name);
    if (openIndex < 0 || this.openNames.slice(openIndex + 1).some((open) => getEndPriority(open) > priority)) return;
    while (this.openNames.length > openIndex) this.pop();
  }

  /** Closes the open elements that a start tag ends. */
  private closeElementsBefore(next: string): void {
    while (this.currentName !== undefined && closedBy.get(this.currentName)?.has(next)) this.pop();
  }

  /** Adds `html`, and `head` or `body`, if an element requires them. */
  private addImpliedElements(next: string): void {
    if (next === 'html') return;
    if (this.openNames.length === 0) this.push('html');
    if (next === 'body' || next === 'head') return;
    if (this.openNames.length <= 1 && headElements.has(next)) {
      if (!this.hasHead && !this.hasBody) this.push('head');
    } else if (next !== 'noframes' && next !== 'frame' && next !== 'frameset') {
      if (!this.hasBody && !this.openNames.includes('body') && !this.openNames.includes('head')) this.push('body');
    }
  }

  /** Text directly in `html` or `head` starts a paragraph. */
  private addImpliedParagraph(): void {
    if (this.currentName !== undefined && this.currentName !== 'html' && this.currentName !== 'head') return;
    this.closeElementsBefore('p');
    this.addImpliedElements('p');
    this.push('p');
  }

  private parseText(): void {
    const text = this.reader.readText();
    const isIgnorable =
      isXmlWhitespace(text) && text.length < TEXT_CHUNK_CHARS && (this.reader.isAtEnd || this.reader.next === '<');
    if (!isIgnorable) this.addImpliedParagraph();
    this.appendText(text.replace(nonXmlCharacters, ''));
  }

  private parseCharacterReference(): void {
    const text = this.reader.readReference();
    if (text === '') return;
    this.addImpliedParagraph();
    this.appendText(text);
  }

  /** Reads the text of a script or style, unless it starts with a tag that closes it. */
  private parseRawContent(): void {
    const { reader } = this;
    const start = reader.position;
    const next = reader.take(/<(?=[A-Za-z])/y) && reader.readName();
    reader.position = start;
    if (next !== undefined && closedBy.get(this.currentName ?? '')?.has(next)) {
      this.closeElementsBefore(next);
      return;
    }
    const text = reader.take(/[^<]*(?:<(?!\/[A-Za-z])[^<]*)*/y)?.[0] ?? '';
    this.appendText(text.replace(nonXmlCharacters, ''));
  }

  private parseComment(): void {
    const text = this.reader.readComment();
    if (text !== undefined) this.add({ kind: 'comment', text: text.replace(nonXmlCharacters, '') });
  }

  private parseInstruction(): void {
    const instruction = this.reader.readInstruction();
    if (instruction) this.add({ kind: 'instruction', ...instruction });
  }

  private push(name: string, attributes?: Map<string, string | null>): void {
    if (this.openNodes.length >= MAX_OPEN_ELEMENTS) {
      this.isStopped = true;
      return;
    }
    if ((this.elementCount += 1) > MAX_TREE_ELEMENTS)
      throw new LimitExceeded(`The tags make more than ${MAX_TREE_ELEMENTS} elements. Is an end tag missing?`);
    if (name === 'head') this.hasHead = true;
    if (name === 'body') this.hasBody = true;
    const node = newElement(getLocalName(name), this.openNodes.at(-1));
    attributes?.forEach((value, attribute) => node.attributes.set(attribute, value));
    this.add(node);
    this.openNames.push(name);
    this.openNodes.push(node);
  }

  private pop(): void {
    this.openNames.pop();
    this.openNodes.pop();
  }

  private add(node: TreeNode): void {
    (this.openNodes.at(-1)?.children ?? this.roots).push(node);
  }

  private appendText(text: string): void {
    const node = this.openNodes.at(-1);
    if (!node || text === '') return;
    const last = node.children.at(-1);
    if (last?.kind === 'text') last.text += text;
    else node.children.push({ kind: 'text', text });
  }
}

/** Returns the name without its prefix: `o:p` is a `p`. */
function getLocalName(name: string): string {
  const colon = name.indexOf(':');
  return colon > 0 && colon < name.length - 1 ? name.slice(colon + 1) : name;
}
