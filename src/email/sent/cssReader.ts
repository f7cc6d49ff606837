import { t } from '../../l10n.ts';
import { memoizeByText } from '../html/text.ts';
import { LimitExceeded } from './model.ts';

/** Thrown on unexpected input and caught where the service's CSS parser recovers. */
class UnexpectedToken extends Error {}

/** Created once, because a stylesheet can contain thousands of errors. */
const unexpectedToken = new UnexpectedToken('Unexpected token');
/** Ends reading on unexpected input. */
export function fail(): never {
  throw unexpectedToken;
}

/** Returns the result of reading, or undefined on unexpected input. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnexpectedToken) return undefined;
    throw error;
  }
}

/** Nested functions and rules. */
const MAX_CSS_NESTING = 100;

/** Returns a pattern for text without a stop character, up to a comment. A comment at the start is text. */
const getPartPattern = memoizeByText(
  (stops: string) => new RegExp(`[^${stops}][^${stops}/]*(?:/(?!\\*)[^${stops}/]*)*`, 'y'),
);

/** Reads a text from its start to its end. */
export class TextReader {
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

  /** Consumes and returns the match of a sticky pattern, or ''. */
  takeMatch(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const [match = ''] = pattern.exec(this.source) ?? [];
    this.position += match.length;
    return match;
  }
}

/** Reads CSS character by character like the service's parser (PHP-CSS-Parser, lenient mode). */
export class CssReader extends TextReader {
  #nesting = 0;
  readonly #findLast = memoizeByText((character: string) => this.source.lastIndexOf(character));

  get isAtQuote(): boolean {
    return this.next === '"' || this.next === "'";
  }

  startsWithIgnoreCase(text: string): boolean {
    return this.source.slice(this.position, this.position + text.length).toLowerCase() === text;
  }

  /** Consumes a text, ignoring case, or fails. */
  expect(text: string): void {
    if (!this.startsWithIgnoreCase(text)) fail();
    this.position += text.length;
  }

  /** Consumes and returns the next character. Fails at the end. */
  take(): string {
    if (this.isAtEnd) fail();
    this.position += 1;
    return this.source.charAt(this.position - 1);
  }

  /** Whether a character occurs at or after the position. */
  occursAhead(character: string): boolean {
    return this.#findLast(character) >= this.position;
  }

  /** Skips whitespace and comments. An unclosed comment extends to the end. */
  skipSpace(): void {
    while (this.takeMatch(/[ \t-\r]+|\/\*[^]*?(?:\*\/|$)/y) !== '') continue;
  }

  /** Returns the text up to a stop character, which is consumed with `consume`. Comments are removed, except one at the start. Without a stop character it fails and stays, or returns the rest with `allowEnd`. */
  readUntil(stopCharacters: string, { consume = false, allowEnd = false } = {}): string {
    const start = this.position;
    if (stopCharacters.length === 1 && !allowEnd && !this.occursAhead(stopCharacters)) fail();
    const part = getPartPattern(stopCharacters);
    for (let text = ''; ;) {
      text += this.takeMatch(part);
      if (this.isAtEnd && allowEnd) return text;
      if (this.isAtEnd) break;
      if (stopCharacters.includes(this.next)) {
        if (consume) this.position += 1;
        return text;
      }
      const end = this.source.indexOf('*/', this.position + 2);
      this.position = end < 0 ? this.source.length : end + 2;
      if (end < 0) fail();
    }
    this.position = start;
    return fail();
  }

  /** Returns a character with its escape resolved, or null for a character that an identifier can't contain. */
  readCharacter(inIdentifier: boolean): string | null {
    if (this.next !== '\\') return !inIdentifier || /[a-zA-Z0-9\-_\u0080-\uffff]/.test(this.next) ? this.take() : null;
    this.position += 1;
    // The service intends to match a line break here, but matches the letters.
    if (this.startsWith('\\n') || this.startsWith('\\r')) return '';
    const digits = this.takeMatch(/[0-9a-fA-F]{1,6}/y);
    if (digits === '') return this.take();
    if (digits.length < 6) this.takeMatch(/[ \t-\r]/y);
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  }

  readIdentifier(): string {
    let text = this.isAtEnd ? fail() : (this.readCharacter(true) ?? fail());
    while (!this.isAtEnd) {
      const character = this.readCharacter(true);
      if (character === null) break;
      text += /^[a-zA-Z0-9\u00a0-\uffff_-]/.test(character) ? character : `\\${character}`;
    }
    return text;
  }

  /** Reads a construct that can contain itself. */
  readNested<T>(read: () => T): T {
    if ((this.#nesting += 1) > MAX_CSS_NESTING)
      throw new LimitExceeded(t`The styles are nested more than ${MAX_CSS_NESTING} levels deep. Is a bracket missing?`);
    try {
      return read();
    } finally {
      this.#nesting -= 1;
    }
  }
}
