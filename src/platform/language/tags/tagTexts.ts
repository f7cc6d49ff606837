import type { Range } from '../../../email/html/ranges.ts';
import { visit } from 'jsonc-parser';
import { findTooDeepOffset } from '../../../sync/json.ts';
import type { TagLocation } from '../../../email/tags/index.ts';

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

/** A text that may contain tags. */
export interface TagText extends PlacedText {
  readonly where: TagLocation;
}

/** Fields of the details in which the service replaces tags. */
const taggedFields = ['subject', 'preheader', 'headers'] as const;

/** Returns the texts of a document in which the service replaces tags. Accepts incomplete documents. */
export function getTagTexts(languageId: string, text: string): readonly TagText[] {
  if (languageId === 'html') return [createBodyText(text)];
  return languageId === 'json'
    ? parseFieldTexts(text, taggedFields).map(({ field, ...placed }) => ({ where: field, ...placed }))
    : [];
}

/** Returns the text that contains an offset of the document. */
export function findTagTextAt(texts: readonly TagText[], offset: number): TagText | undefined {
  return texts.find(({ range }) => range.start <= offset && offset <= range.end);
}

const identity = <T>(value: T): T => value;

function createBodyText(text: string): TagText {
  return {
    where: 'body',
    text,
    range: { start: 0, end: text.length },
    toDocument: identity,
    fromDocument: identity,
    write: identity,
  };
}

/** Returns the string values of these fields in a JSON document, at any depth. Accepts incomplete documents. */
export function parseFieldTexts<Field extends string>(
  text: string,
  fields: readonly Field[],
): (PlacedText & { readonly field: Field })[] {
  const found: (PlacedText & { readonly field: Field })[] = [];
  if (findTooDeepOffset(text) !== undefined) return found;
  // The property whose value comes next.
  let name: string | undefined;
  const forget = (): void => {
    name = undefined;
  };
  visit(text, {
    onObjectProperty: (property) => {
      name = property;
    },
    onObjectBegin: forget,
    onArrayBegin: forget,
    onLiteralValue: (value, offset, length) => {
      const field = fields.find((one) => one === name);
      if (typeof value === 'string' && field !== undefined)
        found.push({ field, ...parseStringText(text, { start: offset + 1, end: offset + length }) });
      forget();
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
    fromDocument: (offset) => lowerBound(starts, offset),
    write: (written) => JSON.stringify(written).slice(1, -1),
  };
}

/** Returns the index of the first number not below a limit, in ascending numbers. */
function lowerBound(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
