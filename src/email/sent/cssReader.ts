import { LimitExceeded } from './model.ts';

/** Thrown where the service's CSS parser meets something it did not expect; caught where it goes on. */
export class UnexpectedToken extends Error {}

/** Made once: a stylesheet may have thousands of mistakes. */
const unexpectedToken = new UnexpectedToken('Unexpected token');
/** Functions and rules within each other. */
const MAX_CSS_NESTING = 100;

const isCssWhitespace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Reads CSS character by character, with the rules of the service's parser (PHP-CSS-Parser, lenient). */
export class CssReader {
  readonly source: string;
  position = 0;
  private nesting = 0;
  /** Where a sign stands last. */
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

  /** The character at a distance from the next one. */
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

  /** Moves behind a text in any case, or fails. */
  expect(text: string): void {
    if (!this.startsWithIgnoreCase(text)) this.fail();
    this.position += text.length;
  }

  /** The next character, behind which it moves; fails at the end. */
  take(): string {
    if (this.isAtEnd) this.fail();
    this.position += 1;
    return this.source.charAt(this.position - 1);
  }

  skip(text: string): void {
    while (this.startsWith(text)) this.position += text.length;
  }

  /** Whether a sign stands anywhere behind. */
  occursAhead(character: string): boolean {
    const last = this.lastOffsets.get(character) ?? this.source.lastIndexOf(character);
    this.lastOffsets.set(character, last);
    return last >= this.position;
  }

  /** White space and comments. A comment without an end takes the rest. */
  skipSpace(): void {
    for (;;) {
      while (isCssWhitespace(this.source.charCodeAt(this.position))) this.position += 1;
      if (!this.startsWith('/*')) return;
      const end = this.source.indexOf('*/', this.position + 2);
      this.position = end < 0 ? this.source.length : end + 2;
    }
  }

  /**
   * Text up to one of some signs, behind which it moves with `behind`. Comments are left out, but for one at the very start.
   * Where none comes it fails and stays, or takes the rest with `orEnd`.
   */
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

  /** A character with its escape resolved. In an identifier only what may stand there: null otherwise. */
  readCharacter(inIdentifier: boolean): string | null {
    if (this.next !== '\\') return !inIdentifier || /[a-zA-Z0-9\-_\u0080-\uffff]/.test(this.next) ? this.take() : null;
    this.position += 1;
    // The service means a line break here and looks for the letters.
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

  /** Reads something that may hold more of its kind. */
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
