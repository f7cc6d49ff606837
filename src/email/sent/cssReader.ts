import { LimitExceeded } from './model.ts';

/** Thrown on unexpected input and caught where the service's CSS parser recovers. */
export class UnexpectedToken extends Error {}

/** Created once, because a stylesheet can contain thousands of errors. */
const unexpectedToken = new UnexpectedToken('Unexpected token');
/** Nested functions and rules. */
const MAX_CSS_NESTING = 100;

const isCssWhitespace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Reads CSS character by character like the service's parser (PHP-CSS-Parser, lenient mode). */
export class CssReader {
  readonly source: string;
  position = 0;
  private nesting = 0;
  /** Last offset of each character. */
  private readonly lastOffsets = new Map<string, number>();

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

  peek(distance: number): string {
    return this.source.charAt(this.position + distance);
  }

  fail(): never {
    throw unexpectedToken;
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  startsWithIgnoreCase(text: string): boolean {
    return this.source.slice(this.position, this.position + text.length).toLowerCase() === text;
  }

  /** Consumes a text, ignoring case, or fails. */
  expect(text: string): void {
    if (!this.startsWithIgnoreCase(text)) this.fail();
    this.position += text.length;
  }

  /** Consumes and returns the next character. Fails at the end. */
  take(): string {
    if (this.isAtEnd) this.fail();
    this.position += 1;
    return this.source.charAt(this.position - 1);
  }

  skip(text: string): void {
    while (this.startsWith(text)) this.position += text.length;
  }

  /** Whether a character occurs at or after the position. */
  occursAhead(character: string): boolean {
    const last = this.lastOffsets.get(character) ?? this.source.lastIndexOf(character);
    this.lastOffsets.set(character, last);
    return last >= this.position;
  }

  /** Skips whitespace and comments. An unclosed comment extends to the end. */
  skipSpace(): void {
    for (;;) {
      while (isCssWhitespace(this.source.charCodeAt(this.position))) this.position += 1;
      if (!this.startsWith('/*')) return;
      const end = this.source.indexOf('*/', this.position + 2);
      this.position = end < 0 ? this.source.length : end + 2;
    }
  }

  /** Returns the text up to a stop character, which is consumed with `consume`. Comments are removed, except one at the start. Without a stop character it fails and stays, or returns the rest with `allowEnd`. */
  readUntil(stopCharacters: string, { consume = false, allowEnd = false } = {}): string {
    const start = this.position;
    if (stopCharacters.length === 1 && !allowEnd && !this.occursAhead(stopCharacters)) this.fail();
    let text = '';
    for (let from = start; !this.isAtEnd;) {
      if (stopCharacters.includes(this.next)) {
        text += this.source.slice(from, this.position);
        if (consume) this.position += 1;
        return text;
      }
      this.position += 1;
      if (!this.startsWith('/*')) {
        if (this.isAtEnd) text += this.source.slice(from);
        continue;
      }
      text += this.source.slice(from, this.position);
      const end = this.source.indexOf('*/', this.position + 2);
      if (end < 0) {
        this.position = this.source.length;
        this.fail();
      }
      this.position = from = end + 2;
    }
    if (allowEnd) return text;
    this.position = start;
    return this.fail();
  }

  /** Returns a character with its escape resolved, or null for a character that an identifier can't contain. */
  readCharacter(inIdentifier: boolean): string | null {
    if (this.next !== '\\') return !inIdentifier || /[a-zA-Z0-9\-_\u0080-\uffff]/.test(this.next) ? this.take() : null;
    this.position += 1;
    // The service intends to match a line break here, but matches the letters.
    if (this.startsWith('\\n') || this.startsWith('\\r')) return '';
    const hex = /[0-9a-fA-F]{1,6}/y;
    hex.lastIndex = this.position;
    const digits = hex.exec(this.source)?.[0];
    if (digits === undefined) return this.take();
    this.position += digits.length;
    if (digits.length < 6 && isCssWhitespace(this.source.charCodeAt(this.position))) this.position += 1;
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  }

  readIdentifier(): string {
    let text = this.isAtEnd ? this.fail() : (this.readCharacter(true) ?? this.fail());
    while (!this.isAtEnd) {
      const character = this.readCharacter(true);
      if (character === null) break;
      text += /^[a-zA-Z0-9\u00a0-\uffff_-]/.test(character) ? character : `\\${character}`;
    }
    return text;
  }

  /** Reads a construct that can contain itself. */
  readNested<T>(read: () => T): T {
    if ((this.nesting += 1) > MAX_CSS_NESTING)
      throw new LimitExceeded(`The styles nest more than ${MAX_CSS_NESTING} deep. Is a bracket missing?`);
    try {
      return read();
    } finally {
      this.nesting -= 1;
    }
  }
}
