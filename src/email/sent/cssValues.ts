import { UnexpectedToken } from './cssReader.ts';
import type { CssReader } from './cssReader.ts';

export interface Size {
  readonly size: number;
  readonly unit: string | undefined;
}

/** Longest first. The parser reads other units as a separate word. */
const units =
  'mozmm vmin vmax grad turn dvh svh lvh rem deg rad kHz px pt pc cm mm in vh vw em ex ch fr ms Hz % s'.split(' ');

const isDigit = (character: string): boolean => character >= '0' && character <= '9' && character.length === 1;

function readSize(reader: CssReader): Size {
  let text = '';
  if (reader.next === '-') text += reader.take();
  for (;;) {
    const character = reader.next;
    if (isDigit(character) || character === '.') text += reader.take();
    else if (/^e$/i.test(character) && /^[\d+-]$/.test(reader.peek(1))) text += reader.take() + reader.take();
    else break;
  }
  const unit = units.find((candidate) => reader.startsWithIgnoreCase(candidate.toLowerCase()));
  reader.position += unit?.length ?? 0;
  return { size: toNumber(text), unit };
}

/** Parses the leading number of a text, or returns 0. */
function toNumber(text: string): number {
  return Number(/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(text)?.[0] ?? 0);
}

function writeSize({ size, unit }: Size): string {
  return writeNumber(size).replace(/^(-?)0\./, '$1.') + (unit ?? '');
}

/** Formats numbers like PHP: 14 digits, or six decimals for very small and very large values. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const exponent = Number(value.toExponential(13).split('e')[1]);
  if (exponent >= -4 && exponent < 14) return String(Number(value.toPrecision(14)));
  return (Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`).replace(/\.?0+$/, '');
}

/** A color component: a number, or the text of `none` or a variable. */
type Component = Size | string;
type Components = ReadonlyMap<string, Component>;

/** Reads `#…`, `rgb(…)`, `hsl(…)` and their variants, and returns the service's notation. */
function readCssColor(reader: CssReader): string {
  return reader.next === '#' ? readHex(reader) : readColorFunction(reader);
}

function readHex(reader: CssReader): string {
  reader.expect('#');
  const source = reader.readIdentifier();
  const digits = source.length === 3 || source.length === 4 ? source.replace(/[^]/g, '$&$&') : source;
  if (digits.length !== 6 && digits.length !== 8) reader.fail();
  const value = (at: number): number => Number.parseInt(/^[0-9a-f]*/i.exec(digits.slice(at, at + 2))?.[0] || '0', 16);
  const components = new Map<string, Component>(
    [...'rgb'].map((key, index) => [key, { size: value(index * 2), unit: undefined }]),
  );
  if (digits.length === 8) components.set('a', { size: Math.round((value(6) / 255) * 100) / 100, unit: undefined });
  return writeColor(components);
}

function readColorFunction(reader: CssReader): string {
  const mode = reader.readIdentifier().toLowerCase();
  reader.skipSpace();
  reader.expect('(');
  const keys = mode === 'rgb' || mode === 'hsl' ? `${mode}a` : mode;
  const mayEndEarly = keys === 'rgba' || keys === 'hsla';
  const components = new Map<string, Component>();
  let hasVariable = false;
  let hasNone = false;
  let hasCommas = false;
  for (let index = 0; index < keys.length; index += 1) {
    reader.skipSpace();
    const key = keys.charAt(index);
    if (reader.startsWith('var')) {
      components.set(key, readWordOrFunction(reader));
      hasVariable = true;
    } else if (!hasCommas && reader.startsWith('none')) {
      components.set(key, reader.readIdentifier().toLowerCase());
      hasNone = true;
    } else components.set(key, readSize(reader));
    reader.skipSpace();
    if ((hasVariable || (mayEndEarly && index >= keys.length - 2)) && reader.next === ')') break;
    if (index === 0 && !hasNone) {
      if (reader.next === ')') reader.fail();
      hasCommas = reader.next === ',';
    }
    if (hasCommas && index < keys.length - 1) reader.expect(',');
    if (!hasCommas && hasVariable && reader.next === '/') reader.expect('/');
    if (!hasCommas && !hasVariable && keys.charAt(index + 1) === 'a') reader.expect('/');
  }
  reader.expect(')');
  return hasVariable ? `${mode}(${[...components.values()].map(writeComponent).join(',')})` : writeColor(components);
}

function writeComponent(component: Component): string {
  return typeof component === 'string' ? component : writeSize(component);
}

/** Prefers `#rrggbb`. Mixed numbers and percentages, and `none`, need the space-separated syntax. */
function writeColor(components: Components): string {
  const name = [...components.keys()].join('');
  const parts = [...components.values()];
  const isHex = name === 'rgb' && parts.every((part) => typeof part !== 'string' && part.unit === undefined);
  if (isHex) return writeHex(parts.map((part) => (typeof part === 'string' ? 0 : part.size)));
  if (!needsSpaceSyntax(name, components)) return `${name}(${parts.map(writeComponent).join(',')})`;
  const alpha = components.get('a');
  const colors = [...components]
    .filter(([key]) => key !== 'a')
    .map(([, part]) => writeComponent(part))
    .join(' ');
  return `${name}(${colors}${alpha === undefined ? '' : `/${writeComponent(alpha)}`})`;
}

function needsSpaceSyntax(name: string, components: Components): boolean {
  if ([...components.values()].includes('none')) return true;
  if (name !== 'rgb' && name !== 'rgba') return false;
  const units = [...components]
    .filter(([key]) => key !== 'a')
    .map(([, part]) => (typeof part === 'string' ? 'text' : part.unit));
  return units.every((unit) => unit === undefined || unit === '%') && units.includes(undefined) && units.includes('%');
}

function writeHex(parts: readonly number[]): string {
  const hex = parts
    .map((part) =>
      BigInt.asUintN(64, BigInt(Math.trunc(part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
  const isShort = hex[0] === hex[1] && hex[2] === hex[3] && hex[4] === hex[5];
  return `#${isShort ? `${hex[0]}${hex[2]}${hex[4]}` : hex}`;
}

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
      readCssColor,
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
