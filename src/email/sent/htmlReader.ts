import { charactersByName } from '../html/entities.ts';

/** Reads the names, values and references of HTML like libxml. Offsets are UTF-16. */
export class HtmlReader {
  readonly source: string;
  position = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.position >= this.source.length;
  }

  /** The next character, or '' at the end. */
  get next(): string {
    return this.source.charAt(this.position);
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  /** Consumes a match of a sticky pattern at the position, or returns undefined. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.source);
    if (match) this.position = pattern.lastIndex;
    return match ?? undefined;
  }

  skipBlanks(): void {
    this.take(/[ \t\n\r]+/y);
  }

  /** Moves to the next occurrence of a text, or to the end. */
  skipTo(text: string): void {
    const index = this.source.indexOf(text, this.position);
    this.position = index < 0 ? this.source.length : index;
  }

  /** Reads the name of an element or attribute in lowercase, truncated to 100 characters. */
  readName(): string | undefined {
    return this.take(/[A-Za-z_:.][A-Za-z0-9:\-_.]{0,99}/y)?.[0].replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }

  /** Reads text up to a character that can start a tag or a reference. */
  readText(): string {
    return this.take(/[^<&]+/y)?.[0] ?? '';
  }

  /** Reads the value after an attribute's `=`. */
  readAttributeValue(): string {
    const quote = this.take(/["']/y)?.[0];
    const raw =
      (quote === undefined ? this.take(/[^> \t\n\r]*/y) : this.take(quote === '"' ? /[^"]*/y : /[^']*/y))?.[0] ?? '';
    if (quote !== undefined && this.next === quote) this.position += 1;
    return raw.includes('&') ? decodeReferences(raw) : raw;
  }

  /** Reads a reference: returns its character, the text itself, or '' for an invalid number. */
  readReference(): string {
    const { text, length } = parseReference(this.source, this.position);
    this.position += length;
    return text;
  }

  /** Reads `<!-- … -->`. Returns undefined if the comment is unclosed. */
  readComment(): string | undefined {
    const start = this.position + 4;
    const end = /--!?>/g;
    end.lastIndex = start;
    const match = end.exec(this.source);
    this.position = match ? end.lastIndex : this.source.length;
    return match ? this.source.slice(start, match.index) : undefined;
  }

  /** Reads `<?target text>`. Returns undefined for any other text. */
  readInstruction(): { target: string; text: string } | undefined {
    this.position += 2;
    const target = this.take(/[A-Za-z_:][A-Za-z0-9_\-:.]*/y)?.[0];
    if (target === undefined) return undefined;
    this.skipBlanks();
    const start = this.position;
    this.skipTo('>');
    if (this.isAtEnd) return undefined;
    this.position += 1;
    return { target, text: this.source.slice(start, this.position - 1) };
  }

  skipDoctype(): void {
    this.take(/<!doctype[ \t\n\r]*[a-z0-9_:.-]*[ \t\n\r]*/iy);
    this.take(/(?:public|system)[ \t\n\r]*(?:"[^"]*"|'[^']*')?[ \t\n\r]*(?:"[^"]*"|'[^']*')?/iy);
    this.take(/[^>]*>?/y);
  }
}

function decodeReferences(raw: string): string {
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
function parseReference(source: string, at: number): { text: string; length: number; endsValue?: boolean } {
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

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
