import Papa from 'papaparse';
import { yieldToEventLoop } from './parseAddresses.ts';

interface TableColumn {
  readonly index: number;
  /** Its heading, or its place: "Column 2". */
  readonly name: string;
  /** Cells that hold an @. */
  readonly addresses: number;
  /** What stands in its first cells. */
  readonly samples: readonly string[];
}

/** A text with columns, some of which hold something else than addresses. */
export interface AddressTable {
  /** Those with the most addresses first. */
  readonly columns: readonly TableColumn[];
  /** Without the headings. */
  readonly rows: readonly (readonly string[])[];
}

const delimitersToGuess = [',', ';', '\t', '|'];
/** Characters read before others get their turn. */
const CHUNK_LENGTH = 1 << 16;
const PREVIEW_ROWS = 60;
const MAX_SAMPLES = 3;

/**
 * The table that a text is; undefined where it is none, but addresses one after the other.
 *
 * Throws where the signal is aborted.
 */
export async function parseTable(text: string, signal?: AbortSignal): Promise<AddressTable | undefined> {
  const lines = text.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const preview = Papa.parse<string[]>(lines.slice(0, CHUNK_LENGTH), {
    delimitersToGuess,
    newline: '\n',
    preview: PREVIEW_ROWS,
    skipEmptyLines: 'greedy',
  });
  // A cut at the end of what was looked at may leave a quote open: only closed ones that are wrong say that it is no table.
  if (preview.errors.some(({ code }) => code === 'InvalidQuotes') || !isAddressTable(preview.data)) return undefined;
  const parsed = await parseRows(lines, preview.meta.delimiter, false, signal);
  // An open quote swallows the rest of the file: then quotes are letters like others.
  const rows = parsed.hasOpenQuote ? (await parseRows(lines, preview.meta.delimiter, true, signal)).rows : parsed.rows;
  return createTable(rows);
}

/** The cells of a column, or of all columns that hold an @. */
export function* listCells({ rows }: AddressTable, column: number | undefined): Generator<string> {
  for (const row of rows) {
    if (column !== undefined) yield row[column] ?? '';
    else for (const cell of row) if (cell.includes('@')) yield cell;
  }
}

interface ParsedRows {
  readonly rows: string[][];
  readonly hasOpenQuote: boolean;
}

function parseRows(text: string, delimiter: string, ignoreQuotes: boolean, signal?: AbortSignal): Promise<ParsedRows> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    let isBroken = false;
    Papa.parse<string[]>(text, {
      delimiter,
      newline: '\n',
      skipEmptyLines: 'greedy',
      chunkSize: CHUNK_LENGTH,
      ...(ignoreQuotes && { fastMode: true }),
      chunk: ({ data, errors }: Papa.ParseResult<string[]>, parser: Papa.Parser) => {
        for (const row of data) rows.push(row);
        isBroken ||= errors.some(({ code }) => code === 'MissingQuotes');
        parser.pause();
        void yieldToEventLoop().then(() => {
          if (signal?.aborted !== true) return parser.resume();
          // Aborting completes it.
          reject(signal.reason as Error);
          parser.abort();
        });
      },
      complete: () => resolve({ rows, hasOpenQuote: isBroken }),
      error: reject,
    });
  });
}

/** Whether addresses stand in columns beside others that hold something else: under headings, or throughout. */
function isAddressTable(rows: readonly (readonly string[])[]): boolean {
  const several = rows.filter(({ length }) => length > 1).length;
  if (several === 0 || several < rows.length / 2) return false;
  const headed = hasHeadings(rows);
  const columns = countColumns(rows).filter(({ filled }) => filled > 0);
  const others = columns.filter(({ addresses, filled }) => addresses < filled / 2);
  // A stray word among addresses makes no table of them.
  return (
    others.length < columns.length &&
    others.some(({ filled }) => headed || (rows.length > 1 && filled > rows.length / 2))
  );
}

interface ColumnCount {
  readonly index: number;
  readonly filled: number;
  readonly addresses: number;
  readonly samples: readonly string[];
}

/** Counts what stands in each column below the headings. */
function countColumns(rows: readonly (readonly string[])[]): ColumnCount[] {
  const counts: { index: number; filled: number; addresses: number; samples: string[] }[] = [];
  for (const row of rows.slice(hasHeadings(rows) ? 1 : 0)) {
    row.forEach((cell, index) => {
      const count = (counts[index] ??= { index, filled: 0, addresses: 0, samples: [] });
      if (cell.trim() === '') return;
      count.filled += 1;
      if (cell.includes('@')) count.addresses += 1;
      if (count.samples.length < MAX_SAMPLES) count.samples.push(cell.trim());
    });
  }
  // A short row leaves holes.
  return counts.filter((count) => count !== undefined);
}

function hasHeadings([first, ...others]: readonly (readonly string[])[]): boolean {
  return first !== undefined && others.length > 0 && !first.some((cell) => cell.includes('@'));
}

function createTable(rows: readonly (readonly string[])[]): AddressTable {
  const headings = hasHeadings(rows) ? (rows[0] ?? []) : [];
  const columns = countColumns(rows)
    .map(({ index, addresses, samples }) => ({
      index,
      name: headings[index]?.trim() || `Column ${index + 1}`,
      addresses,
      samples,
    }))
    .sort((a, b) => b.addresses - a.addresses || a.index - b.index);
  return { columns, rows: headings.length > 0 ? rows.slice(1) : rows };
}
