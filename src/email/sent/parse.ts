import { formatNumber, t } from '../../l10n.ts';
import { charactersByName } from '../html/entities.ts';
import { LimitExceeded, MAX_TREE_ELEMENTS } from './model.ts';
import { TextReader } from './cssReader.ts';
import {
  booleanAttributes,
  closedBy,
  emptyElements,
  getEndPriority,
  headElements,
  newElement,
  type ElementNode,
  type TreeNode,
} from './tree.ts';

/** The service's parser stops at deeper elements and drops the rest. */
const MAX_OPEN_ELEMENTS = 257;
/** libxml handles text in chunks of this length. A whitespace chunk counts as text. */
const TEXT_CHUNK_CHARS = 1000;

/** Removes the characters that XML doesn't allow. */
const removeNonXml = (text: string) => text.replace(/[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu, '');

/** Parses HTML like libxml 2.9.14 and returns the root nodes. Start tags close open elements (`closedBy`); missing `html`, `head`, `body` and `p` elements are added; nothing is moved. */
export const parseDocument = (html: string): TreeNode[] => new TreeParser(html.replaceAll('\0', ' ')).parse();

class TreeParser extends TextReader {
  readonly #roots: TreeNode[] = [];
  /** Names of the open elements, with their prefixes. */
  readonly #openNames: string[] = [];
  readonly #openNodes: ElementNode[] = [];
  /** `head` and `body`, once added. */
  readonly #sections = new Set<string>();
  /** Ignored start tags of `html`, `head` and `body`. As many end tags are ignored too. */
  #ignoredStartTags = 0;
  #isStopped = false;
  #elementCount = 0;

  parse(): TreeNode[] {
    this.#skipBlanks();
    while (!this.isAtEnd && !this.#isStopped) this.#parseContent();
    return this.#roots;
  }

  #skipBlanks() {
    this.takeMatch(/[ \t\n\r]+/y);
  }

  /** Takes the name of an element or attribute in lowercase, truncated to 100 characters. */
  #takeName() {
    return this.takeMatch(/[A-Za-z_:.][A-Za-z0-9:\-_.]{0,99}/y).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }

  get #currentName() {
    return this.#openNames.at(-1);
  }

  #parseContent() {
    if (this.startsWith('</')) this.#parseEndTag();
    else if (this.#currentName === 'script' || this.#currentName === 'style') this.#parseRawContent(this.#currentName);
    else if (this.startsWith('&')) this.#parseReference();
    else if (!this.startsWith('<')) this.#parseText();
    else if (this.takeMatch(/<(?=[A-Za-z])/y)) this.#parseElement();
    else if (this.takeMatch(/<!--/y)) this.#parseComment();
    else if (this.takeMatch(/<\?/y)) this.#parseInstruction();
    else if (this.takeMatch(/<!doctype[ \t\n\r]*[a-z0-9_:.-]*[ \t\n\r]*/iy)) {
      this.takeMatch(/(?:public|system)[ \t\n\r]*(?:"[^"]*"|'[^']*')?[ \t\n\r]*(?:"[^"]*"|'[^']*')?/iy);
      this.takeMatch(/[^>]*>?/y);
      // An end tag right after the doctype is read as text.
      if (this.startsWith('</')) this.#appendText(this.takeMatch(/</y));
    }
    // A `<` that starts no tag.
    else this.#appendText(this.takeMatch(/</y));
  }

  #parseElement() {
    const name = this.#takeName();
    this.#closeElementsBefore(name);
    this.#addImpliedElements(name);
    const isMisplaced =
      (name === 'html' && this.#openNames.length > 0) ||
      (name === 'head' && this.#openNames.length !== 1) ||
      (name === 'body' && this.#openNames.includes('body'));
    const attributes = this.#parseAttributes();
    if (isMisplaced) this.#ignoredStartTags += 1;
    else this.#push(name, attributes);
    const current = this.#currentName;
    if (this.#isStopped || current === undefined) return;
    const end = this.takeMatch(/\/?>/y);
    if (end !== '>' || emptyElements.has(current)) this.#pop();
  }

  #parseAttributes() {
    const attributes = new Map<string, string | null>();
    this.#skipBlanks();
    while (!this.isAtEnd && !this.startsWith('>') && !this.startsWith('/>')) {
      const name = this.#takeName();
      if (name === '') {
        if (!this.takeMatch(/(?:(?!\/>)[^ \t\n\r>])+/y)) this.position += 1;
      } else {
        this.#skipBlanks();
        const defaultValue = booleanAttributes.has(name) ? name : null;
        const value = this.takeMatch(/=[ \t\n\r]*/y) ? this.#takeAttributeValue() : defaultValue;
        if (!attributes.has(name)) attributes.set(name, value);
      }
      this.#skipBlanks();
    }
    return attributes;
  }

  #takeAttributeValue() {
    const raw = this.takeMatch(/"[^"]*"?|'[^']*'?|[^> \t\n\r]*/y);
    const [quote = ''] = /^["']/.exec(raw) ?? [];
    return decodeReferences(quote === '' ? raw : raw.slice(1, raw.length > 1 && raw.endsWith(quote) ? -1 : undefined));
  }

  #parseEndTag() {
    this.position += 2;
    const name = this.#takeName();
    if (name === '') return;
    this.takeMatch(/[^>]*>?/y);
    if (this.#ignoredStartTags > 0 && (name === 'html' || name === 'body' || name === 'head')) {
      this.#ignoredStartTags -= 1;
      return;
    }
    const openIndex = this.#openNames.lastIndexOf(name);
    const priority = getEndPriority(name);
    if (openIndex < 0 || this.#openNames.slice(openIndex + 1).some((open) => getEndPriority(open) > priority)) return;
    while (this.#openNames.length > openIndex) this.#pop();
  }

  /** Closes the open elements that a start tag ends. */
  #closeElementsBefore(next: string) {
    while (this.#currentName !== undefined && closedBy.get(this.#currentName)?.has(next)) this.#pop();
  }

  /** Adds `html`, and `head` or `body`, if an element requires them. */
  #addImpliedElements(next: string) {
    if (next === 'html') return;
    const names = this.#openNames;
    if (names.length === 0) this.#push('html');
    if (next === 'body' || next === 'head' || this.#sections.has('body')) return;
    if (names.length <= 1 && headElements.has(next)) {
      if (!this.#sections.has('head')) this.#push('head');
    } else if (!/^(?:noframes|frame|frameset)$/.test(next) && !names.includes('body') && !names.includes('head'))
      this.#push('body');
  }

  /** Text directly in `html` or `head` starts a paragraph. */
  #addImpliedParagraph() {
    const name = this.#currentName;
    if (name !== undefined && name !== 'html' && name !== 'head') return;
    this.#closeElementsBefore('p');
    this.#addImpliedElements('p');
    this.#push('p');
  }

  #parseText() {
    const text = this.takeMatch(/[^<&]+/y);
    const isIgnorable = /^[ \t\n\r]*$/.test(text) && text.length < TEXT_CHUNK_CHARS && !this.startsWith('&');
    if (!isIgnorable) this.#addImpliedParagraph();
    this.#appendText(removeNonXml(text));
  }

  #parseReference() {
    const { text, length } = parseReference(this.source, this.position);
    this.position += length;
    if (text === '') return;
    this.#addImpliedParagraph();
    this.#appendText(text);
  }

  /** Reads the text of a script or style, unless it starts with a tag that closes it. */
  #parseRawContent(current: string) {
    const start = this.position;
    const next = this.takeMatch(/<(?=[A-Za-z])/y) && this.#takeName();
    this.position = start;
    if (closedBy.get(current)?.has(next)) this.#closeElementsBefore(next);
    else this.#appendText(removeNonXml(this.takeMatch(/[^<]*(?:<(?!\/[A-Za-z])[^<]*)*/y)));
  }

  /** Drops an unclosed comment. */
  #parseComment() {
    const start = this.position;
    const end = /--!?>/g;
    end.lastIndex = start;
    const match = end.exec(this.source);
    this.position = match ? end.lastIndex : this.source.length;
    if (match) this.#add({ kind: 'comment', text: removeNonXml(this.source.slice(start, match.index)) });
  }

  /** Drops an unclosed instruction. */
  #parseInstruction() {
    const target = this.takeMatch(/[A-Za-z_:][A-Za-z0-9_\-:.]*/y);
    if (target === '') return;
    this.#skipBlanks();
    const text = this.takeMatch(/[^>]*/y);
    if (this.takeMatch(/>/y)) this.#add({ kind: 'instruction', target, text });
  }

  #push(name: string, attributes?: Map<string, string | null>) {
    if (this.#openNodes.length >= MAX_OPEN_ELEMENTS) {
      this.#isStopped = true;
      return;
    }
    if ((this.#elementCount += 1) > MAX_TREE_ELEMENTS)
      throw new LimitExceeded(
        t`The email has more than ${formatNumber(MAX_TREE_ELEMENTS)} elements. Is an end tag missing?`,
      );
    if (name === 'head' || name === 'body') this.#sections.add(name);
    // Without the prefix: `o:p` is a `p`.
    const node = newElement(name.replace(/^[^:]+:(?=.)/, ''), this.#openNodes.at(-1), attributes);
    this.#add(node);
    this.#openNames.push(name);
    this.#openNodes.push(node);
  }

  #pop() {
    this.#openNames.pop();
    this.#openNodes.pop();
  }

  #add(node: TreeNode) {
    (this.#openNodes.at(-1)?.children ?? this.#roots).push(node);
  }

  #appendText(text = '') {
    const children = this.#openNodes.at(-1)?.children;
    if (!children || text === '') return;
    const last = children.at(-1);
    if (last?.kind === 'text') last.text += text;
    else children.push({ kind: 'text', text });
  }
}

function decodeReferences(raw: string) {
  let value = '';
  for (let at = 0; at < raw.length;) {
    const next = raw.indexOf('&', at);
    if (next < 0) return value + raw.slice(at);
    const { text, length, endsValue } = parseReference(raw, next);
    value += raw.slice(at, next) + text;
    if (endsValue) return value;
    at = next + length;
  }
  return value;
}

/** Parses the reference that starts with the `&` at an offset. An invalid number ends an attribute's value. */
function parseReference(source: string, at: number) {
  const number = /&#(?:[xX]([0-9a-fA-F]*)|([0-9]*));?/y;
  number.lastIndex = at;
  const digits = number.exec(source);
  if (digits) {
    const code = digits[1] === undefined ? Number(digits[2] ?? 0) : Number.parseInt(digits[1] || '0', 16);
    const { length } = digits[0];
    return isXmlCharacter(code) ? { text: String.fromCodePoint(code), length } : { text: '', length, endsValue: true };
  }
  const name = /&([A-Za-z_:][A-Za-z0-9_\-:.]*);/y;
  name.lastIndex = at;
  const match = name.exec(source);
  const character = match?.[1] === 'apos' ? "'" : charactersByName.get(match?.[1] ?? '');
  return match && character ? { text: character, length: match[0].length } : { text: '&', length: 1 };
}

function isXmlCharacter(code: number) {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
