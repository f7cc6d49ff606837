import type { CssReader } from './cssReader.ts';

export interface Size {
  readonly size: number;
  readonly unit: string | undefined;
}

/** Longest first. The parser reads other units as a separate word. */
const units: readonly string[] = [
  'mozmm',
  'vmin',
  'vmax',
  'grad',
  'turn',
  'dvh',
  'svh',
  'lvh',
  'rem',
  'deg',
  'rad',
  'kHz',
  'px',
  'pt',
  'pc',
  'cm',
  'mm',
  'in',
  'vh',
  'vw',
  'em',
  'ex',
  'ch',
  'fr',
  'ms',
  'Hz',
  '%',
  's',
];

export const isDigit = (character: string): boolean => character >= '0' && character <= '9' && character.length === 1;

export function readSize(reader: CssReader): Size {
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

export function writeSize({ size, unit }: Size): string {
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
