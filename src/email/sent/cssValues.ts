import { attempt, fail, type CssReader } from './cssReader.ts';

interface Size {
  readonly size: number;
  readonly unit: string | undefined;
}

/** Longest first. The parser reads other units as a separate word. */
const units =
  'mozmm vmin vmax grad turn dvh svh lvh rem deg rad kHz px pt pc cm mm in vh vw em ex ch fr ms Hz % s'.split(' ');

function readSize(reader: CssReader): Size {
  const text = reader.takeMatch(/-?(?:[\d.]|e[\d+-])*/iy);
  const unit = units.find((candidate) => reader.startsWithIgnoreCase(candidate.toLowerCase()));
  reader.position += unit?.length ?? 0;
  // The leading number.
  return { size: Number(/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(text)?.[0] ?? 0), unit };
}

function writeSize({ size, unit }: Size) {
  return writeNumber(size).replace(/^(-?)0\./, '$1.') + (unit ?? '');
}

/** Formats numbers like PHP: 14 digits, or six decimals for very small and very large values. */
function writeNumber(value: number) {
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e14) return String(value);
  const exponent = Number(value.toExponential(13).split('e')[1]);
  if (exponent >= -4 && exponent < 14) return String(Number(value.toPrecision(14)));
  return (Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`).replace(/\.?0+$/, '');
}

/** A color component: a number, or the text of `none` or a variable with the unit `text`. */
interface Component extends Size {
  readonly text: string;
}

const toComponent = (size: Size): Component => ({ ...size, text: writeSize(size) });
const toWord = (text: string): Component => ({ text, size: 0, unit: 'text' });

/** Reads `#…` and returns the service's notation. */
function readHex(reader: CssReader) {
  reader.expect('#');
  const source = reader.readIdentifier();
  const digits = source.length === 3 || source.length === 4 ? source.replace(/[^]/g, '$&$&') : source;
  if (digits.length !== 6 && digits.length !== 8) fail();
  const values = [0, 2, 4, 6].slice(0, digits.length / 2).map((at) => {
    const value = Number.parseInt(/^[0-9a-f]*/i.exec(digits.slice(at, at + 2))?.[0] || '0', 16);
    return at === 6 ? Math.round((value / 255) * 100) / 100 : value;
  });
  return writeColor(
    'rgba'.slice(0, values.length),
    values.map((size) => toComponent({ size, unit: undefined })),
  );
}

/** Reads `rgb(…)`, `hsl(…)` and their variants, and returns the service's notation. */
function readColorFunction(reader: CssReader) {
  const mode = reader.readIdentifier().toLowerCase();
  reader.skipSpace();
  reader.expect('(');
  const keys = mode === 'rgb' || mode === 'hsl' ? `${mode}a` : mode;
  const mayEndEarly = keys === 'rgba' || keys === 'hsla';
  const components: Component[] = [];
  let hasVariable = false;
  let hasNone = false;
  let hasCommas = false;
  for (let index = 0; index < keys.length; index += 1) {
    reader.skipSpace();
    if (reader.startsWith('var')) {
      components.push(toWord(readWordOrFunction(reader)));
      hasVariable = true;
    } else if (!hasCommas && reader.startsWith('none')) {
      components.push(toWord(reader.readIdentifier().toLowerCase()));
      hasNone = true;
    } else components.push(toComponent(readSize(reader)));
    reader.skipSpace();
    if ((hasVariable || (mayEndEarly && index >= keys.length - 2)) && reader.next === ')') break;
    if (index === 0 && !hasNone) {
      if (reader.next === ')') fail();
      hasCommas = reader.next === ',';
    }
    if (hasCommas && index < keys.length - 1) reader.expect(',');
    if (!hasCommas && (hasVariable ? reader.next === '/' : keys.charAt(index + 1) === 'a')) reader.expect('/');
  }
  reader.expect(')');
  return hasVariable
    ? `${mode}(${joinTexts(components, ',')})`
    : writeColor(keys.slice(0, components.length), components);
}

const joinTexts = (components: readonly Component[], separator: string) =>
  components.map(({ text }) => text).join(separator);

/** Prefers `#rrggbb`. Mixed numbers and percentages, and `none`, need the space-separated syntax. */
function writeColor(name: string, components: readonly Component[]) {
  if (name === 'rgb' && components.every(({ unit }) => unit === undefined)) return writeHex(components);
  const colors = components.slice(0, 3);
  const isMixed =
    (name === 'rgb' || name === 'rgba') &&
    colors.every(({ unit }) => unit === undefined || unit === '%') &&
    new Set(colors.map(({ unit }) => unit)).size === 2;
  if (!isMixed && components.every(({ text }) => text !== 'none')) return `${name}(${joinTexts(components, ',')})`;
  return `${name}(${[joinTexts(colors, ' '), ...components.slice(3).map(({ text }) => text)].join('/')})`;
}

function writeHex(components: readonly Component[]) {
  const hex = components
    .map(({ size }) =>
      BigInt.asUintN(64, BigInt(Math.trunc(size)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
  return `#${hex.replace(/^(.)\1(.)\2(.)\3.*$/, '$1$2$3')}`;
}

/** Reads the value of a declaration and returns the service's notation: normalized colors, numbers and quotes, no space after commas. */
export function readValue(reader: CssReader, property: string): string {
  return readParts(reader, property === 'src' ? ', ' : ', /').join('');
}

/** Returns the parts and the delimiters between them. */
function readParts(reader: CssReader, delimiters: string) {
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
  return parts.length > 0 ? parts : fail();
}

function readPart(reader: CssReader) {
  reader.skipSpace();
  const part = getPartReader(reader)(reader);
  reader.skipSpace();
  return part;
}

/** Returns the reader for the start of a part. */
function getPartReader(reader: CssReader): (reader: CssReader) => string {
  const { next } = reader;
  if (/^(?:\d|-\.\d|[-.]\d)/.test(reader.source.slice(reader.position, reader.position + 3)))
    return () => writeSize(readSize(reader));
  if (next === '#') return readHex;
  if (reader.startsWithIgnoreCase('rgb') || reader.startsWithIgnoreCase('hsl')) return readColorFunction;
  if (reader.isAtQuote) return () => writeString(readString(reader));
  if (reader.startsWith('progid:')) return readFilter;
  if (next === '[') return readLineName;
  return reader.startsWith('U+') ? readUnicodeRange : readWord;
}

function readWord(reader: CssReader) {
  const first = reader.next;
  const word = attempt(() => readWordOrFunction(reader));
  if (word !== undefined) return word;
  return first !== '' && '+-*/'.includes(first) ? reader.take() : fail();
}

function readWordOrFunction(reader: CssReader) {
  const start = reader.position;
  const word = reader.readIdentifier();
  if (reader.next !== '(') return word;
  reader.position = start;
  const name = word.toLowerCase();
  if (name === 'url') return readUrl(reader);
  return reader.readNested(() => (name === 'calc' ? readCalc(reader) : readFunction(reader)));
}

function readFunction(reader: CssReader) {
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
  const quote = reader.isAtQuote ? reader.take() : undefined;
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
function readCalc(reader: CssReader) {
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

function readOperator(reader: CssReader) {
  const character = reader.next;
  const hasSpaces = /^ . $/.test(reader.source.slice(Math.max(0, reader.position - 1), reader.position + 2));
  if (character === '' || !'+-*/'.includes(character) || ((character === '+' || character === '-') && !hasSpaces))
    fail();
  return reader.take();
}

/** Reads an Internet Explorer filter. Only the text before the first space is used. */
function readFilter(reader: CssReader) {
  const name = reader.readUntil('(', { consume: true });
  const parts = reader.readNested(() => readParts(reader, ',='));
  const space = parts.findIndex((part, index) => index % 2 === 1 && part === ' ');
  // The parser doesn't consume the closing parenthesis: it starts the next part.
  return `${name}(${(space < 0 ? parts : parts.slice(0, space)).join('')})`;
}

/** Reads `[name name]` of a grid. */
function readLineName(reader: CssReader) {
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

function readUnicodeRange(reader: CssReader) {
  reader.expect('U+');
  let range = '';
  let maxLength = 6;
  do {
    if (reader.next === '-') maxLength = 13;
    range += reader.take();
  } while (range.length < maxLength && /^[A-Fa-f0-9?-]/.test(reader.next));
  return `U+${range}`;
}
