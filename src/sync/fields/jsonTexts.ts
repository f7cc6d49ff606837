import { visit } from 'jsonc-parser';
import { findFirstIndex, type Range } from '../../email/html/text.ts';
import { findTooDeepOffset } from './json.ts';

/** A text in a document: a whole body, or one string of the details. Offsets are UTF-16 units. */
export interface PlacedText {
  readonly text: string;
  /** Range in the document, without quotes. */
  readonly range: Range;
  toDocument(offset: number): number;
  fromDocument(offset: number): number;
  /** Escapes a text for the document. */
  write(text: string): string;
}

/** Returns the string values of these fields in a JSON document, at any depth. Accepts incomplete documents. */
export function parseFieldTexts<Field extends string>(
  text: string,
  fields: readonly Field[],
): (PlacedText & { readonly field: Field })[] {
  const found: (PlacedText & { readonly field: Field })[] = [];
  if (findTooDeepOffset(text) !== undefined) return found;
  visit(text, {
    onLiteralValue: (value, offset, length, _line, _character, getPath) => {
      const field = typeof value === 'string' && fields.find((name) => name === getPath().at(-1));
      if (field) found.push({ field, ...parseStringText(text, { start: offset + 1, end: offset + length }) });
    },
  });
  return found;
}

const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Decodes a JSON string that starts after its opening quote, and maps offsets between text and document. `within`: the
 * maximum range.
 */
function parseStringText(document: string, within: Range): PlacedText {
  let text = '';
  let place = within.start;
  const starts: number[] = [];
  while (place < within.end && document[place] !== '"') {
    starts.push(place);
    const sign = document[place] ?? '';
    const next = document[place + 1] ?? '';
    if (sign !== '\\') {
      text += sign;
      place += 1;
    } else if (next === 'u') {
      const code = Number.parseInt(document.slice(place + 2, place + 6), 16);
      text += String.fromCharCode(Number.isNaN(code) ? 0xfffd : code);
      place += 6;
    } else {
      text += jsonEscapes[next] ?? next;
      place += 2;
    }
  }
  const range = { start: within.start, end: Math.min(place, within.end) };
  starts.push(range.end);
  return {
    text,
    range,
    toDocument: (offset) => starts[Math.max(0, Math.min(offset, starts.length - 1))] ?? range.end,
    fromDocument: (offset) =>
      Math.min(
        findFirstIndex(starts, (start) => start >= offset),
        starts.length - 1,
      ),
    write: (written) => JSON.stringify(written).slice(1, -1),
  };
}
