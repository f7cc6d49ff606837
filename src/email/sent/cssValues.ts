import { readCssColor } from './cssColors.ts';
import { readSize, writeSize } from './cssNumbers.ts';
import { UnexpectedToken } from './cssReader.ts';
import type { CssReader } from './cssReader.ts';

/** Delimiters between the parts of a property's value, besides whitespace. */
const getDelimiters = (property: string): string => (property === 'src' ? ', ' : ', /');

/** Reads the value of a declaration and returns the service's notation: normalized colors, numbers and quotes, no space after commas. */
export function readValue(reader: CssReader, property: string): string {
  return readParts(reader, getDelimiters(property)).join('');
}

/** Returns the parts and the delimiters between them. */
function readParts(reader: CssReader, delimiters: string): string[] {
  const parts: string[] = [];
  reader.skipSpace();
  while (!reader.isAtEnd && !'};!)'.includes(reader.next)) {
    if (parts.length > 0) {
      const isDelimited = delimiters.includes(reader.next);
      parts.push(isDelimited ? reader.take() : ' ');
      if (isDelimited) reader.skipSpace();
    }
    parts.push(readPart(reader));
    reader.skipSpace();
  }
  return parts.length > 0 ? parts : reader.fail();
}

const startsNumber = (reader: CssReader): boolean =>
  /^(?:\d|-\.\d|[-.]\d)/.test(reader.next + reader.peek(1) + reader.peek(2));

/** Readers by the start of a part, in this order. */
const partReaders: readonly (readonly [comes: (reader: CssReader) => boolean, read: (reader: CssReader) => string])[] =
  [
    [startsNumber, (reader) => writeSize(readSize(reader))],
    [
      (reader) => reader.next === '#' || reader.startsWithIgnoreCase('rgb') || reader.startsWithIgnoreCase('hsl'),
      (reader) => readCssColor(reader, readWordOrFunction),
    ],
    [(reader) => reader.next === '"' || reader.next === "'", (reader) => writeString(readString(reader))],
    [(reader) => reader.startsWith('progid:'), readFilter],
    [(reader) => reader.next === '[', readLineName],
    [(reader) => reader.startsWith('U+'), readUnicodeRange],
  ];

function readPart(reader: CssReader): string {
  reader.skipSpace();
  const read = partReaders.find(([comes]) => comes(reader))?.[1] ?? readWord;
  const part = read(reader);
  reader.skipSpace();
  return part;
}

function readWord(reader: CssReader): string {
  const first = reader.next;
  try {
    return readWordOrFunction(reader);
  } catch (error) {
    if (error instanceof UnexpectedToken && first !== '' && '+-*/'.includes(first)) return reader.take();
    throw error;
  }
}

function readWordOrFunction(reader: CssReader): string {
  const start = reader.position;
  const word = reader.readIdentifier();
  if (reader.next !== '(') return word;
  reader.position = start;
  const name = word.toLowerCase();
  if (name === 'url') return readUrl(reader);
  return reader.readNested(() => (name === 'calc' ? readCalc(reader) : readFunction(reader)));
}

function readFunction(reader: CssReader): string {
  const name = reader.readIdentifier();
  reader.expect('(');
  const content = readParts(reader, '= ,').join('');
  reader.expect(')');
  return `${name}(${content})`;
}

/** Reads `url(…)`, or a bare string. */
export function readUrl(reader: CssReader): string {
  const isFunction = reader.startsWithIgnoreCase('url');
  if (isFunction) {
    reader.position += 3;
    reader.skipSpace();
    reader.expect('(');
  }
  reader.skipSpace();
  const url = `url(${writeString(readString(reader))})`;
  if (isFunction) {
    reader.skipSpace();
    reader.expect(')');
  }
  return url;
}

export function readString(reader: CssReader): string {
  const quote = reader.next === '"' || reader.next === "'" ? reader.take() : undefined;
  let text = '';
  while (quote === undefined ? !/^[\s{}()<>[\]]/.test(reader.next) : reader.next !== quote)
    text += reader.readCharacter(false) ?? '';
  if (quote !== undefined) reader.position += 1;
  return text;
}

export function writeString(text: string): string {
  return `"${text
    .replace(/['"\\]/g, '\\$&')
    .replaceAll('\0', '\\0')
    .replaceAll('\n', '\\A')}"`;
}

/** Reads `calc(…)` with its parts separated by spaces. */
function readCalc(reader: CssReader): string {
  reader.readIdentifier();
  reader.expect('(');
  const parts: string[] = [];
  let depth = 0;
  let isOperator = false;
  while (reader.next !== ')' || depth > 0) {
    if (reader.isAtEnd && depth === 0) break;
    reader.skipSpace();
    if (reader.next === '(' || reader.next === ')') {
      depth += reader.next === '(' ? 1 : -1;
      parts.push(reader.take());
    } else {
      parts.push(isOperator ? readOperator(reader) : readPart(reader));
      isOperator = !isOperator;
    }
    reader.skipSpace();
  }
  if (!reader.isAtEnd) reader.expect(')');
  return `calc(${parts.join(' ')})`;
}

function readOperator(reader: CssReader): string {
  const character = reader.next;
  const hasSpaces = reader.peek(-1) === ' ' && reader.peek(1) === ' ';
  if (character === '' || !'+-*/'.includes(character) || ((character === '+' || character === '-') && !hasSpaces))
    reader.fail();
  return reader.take();
}

/** Reads an Internet Explorer filter. Only the text before the first space is kept. */
function readFilter(reader: CssReader): string {
  const name = reader.readUntil('(', { consume: true });
  const parts = reader.readNested(() => readParts(reader, ',='));
  const space = parts.findIndex((part, index) => index % 2 === 1 && part === ' ');
  // The parser doesn't consume the closing parenthesis: it starts the next part.
  return `${name}(${(space < 0 ? parts : parts.slice(0, space)).join('')})`;
}

/** Reads `[name name]` of a grid. */
function readLineName(reader: CssReader): string {
  reader.expect('[');
  reader.skipSpace();
  const names: string[] = [];
  do {
    if (reader.next !== ']') names.push(reader.readIdentifier().toLowerCase());
    reader.skipSpace();
  } while (reader.next !== ']');
  reader.expect(']');
  return `[${names.join(' ')}]`;
}

function readUnicodeRange(reader: CssReader): string {
  reader.expect('U+');
  let range = '';
  let maxLength = 6;
  do {
    if (reader.next === '-') maxLength = 13;
    range += reader.take();
  } while (range.length < maxLength && /^[A-Fa-f0-9?-]/.test(reader.next));
  return `U+${range}`;
}
