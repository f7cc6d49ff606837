import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Papa from 'papaparse';
import { t } from '../../../l10n.ts';

interface TableColumn {
  readonly index: number;
  /** The heading, or the position: "Column 2". */
  readonly name: string;
  /** Number of cells that aren't empty. */
  filled: number;
  /** Number of cells with an @. */
  addresses: number;
  /** Values of the first non-empty cells. */
  readonly samples: string[];
}

/** A table in which some columns contain other values than addresses. */
export interface AddressTable {
  /** Sorted by number of addresses, descending. */
  readonly columns: readonly TableColumn[];
  /** Rows without the headings. */
  readonly rows: readonly (readonly string[])[];
}

const delimitersToGuess = [',', ';', '\t', '|'];
/** After so many characters, the parser yields to the event loop. */
const CHUNK_LENGTH = 1 << 16;
const PREVIEW_ROWS = 60;
const MAX_SAMPLES = 3;

/**
 * Parses a text as a table; undefined if it is only a sequence of addresses.
 *
 * Throws if the signal is aborted.
 */
export async function parseTable(text: string, signal?: AbortSignal): Promise<AddressTable | undefined> {
  const lines = text.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const preview = Papa.parse<string[]>(lines.slice(0, CHUNK_LENGTH), {
    delimitersToGuess,
    newline: '\n',
    preview: PREVIEW_ROWS,
    skipEmptyLines: 'greedy',
  });
  // The end of the preview may leave a quote open. Only invalid closed quotes rule out a table.
  if (preview.errors.some(({ code }) => code === 'InvalidQuotes') || !isAddressTable(preview.data)) return undefined;
  const parsed = await parseRows(lines, preview.meta.delimiter, false, signal);
  // An open quote would swallow the rest of the file, so treat quotes as ordinary characters.
  const rows = parsed.hasOpenQuote ? (await parseRows(lines, preview.meta.delimiter, true, signal)).rows : parsed.rows;
  const columns = countColumns(rows).sort((a, b) => b.addresses - a.addresses || a.index - b.index);
  return { columns, rows: hasHeadings(rows) ? rows.slice(1) : rows };
}

/** Yields the cells of a column, or all cells with an @. */
export function* listCells({ rows }: AddressTable, column: number | undefined): Generator<string> {
  for (const row of rows) {
    if (column !== undefined) yield row[column] ?? '';
    else for (const cell of row) if (cell.includes('@')) yield cell;
  }
}

function parseRows(text: string, delimiter: string, ignoreQuotes: boolean, signal?: AbortSignal) {
  return new Promise<{ readonly rows: string[][]; readonly hasOpenQuote: boolean }>((resolve, reject) => {
    const rows: string[][] = [];
    let hasOpenQuote = false;
    Papa.parse<string[]>(text, {
      delimiter,
      newline: '\n',
      skipEmptyLines: 'greedy',
      chunkSize: CHUNK_LENGTH,
      ...(ignoreQuotes && { fastMode: true }),
      chunk: ({ data, errors }: Papa.ParseResult<string[]>, parser: Papa.Parser) => {
        for (const row of data) rows.push(row);
        hasOpenQuote ||= errors.some(({ code }) => code === 'MissingQuotes');
        parser.pause();
        void yieldToEventLoop().then(() => {
          if (signal?.aborted !== true) return parser.resume();
          // `abort` calls `complete`, so reject first.
          reject(signal.reason as Error);
          parser.abort();
        });
      },
      complete: () => resolve({ rows, hasOpenQuote }),
      error: reject,
    });
  });
}

/** Returns whether rows have both columns with addresses and columns with other values. */
function isAddressTable(rows: readonly (readonly string[])[]) {
  const wideRowCount = rows.filter(({ length }) => length > 1).length;
  if (wideRowCount === 0 || wideRowCount < rows.length / 2) return false;
  const hasHeading = hasHeadings(rows);
  const columns = countColumns(rows).filter(({ filled }) => filled > 0);
  const otherColumns = columns.filter(({ addresses, filled }) => addresses < filled / 2);
  // A stray word among addresses doesn't make a table.
  return (
    otherColumns.length < columns.length &&
    otherColumns.some(({ filled }) => hasHeading || (rows.length > 1 && filled > rows.length / 2))
  );
}

function hasHeadings([first, ...others]: readonly (readonly string[])[]) {
  return first !== undefined && others.length > 0 && !first.some((cell) => cell.includes('@'));
}

/** Counts the cells of each column below the headings. */
function countColumns(rows: readonly (readonly string[])[]) {
  const columns: TableColumn[] = [];
  const headings = hasHeadings(rows) ? rows[0] : undefined;
  for (const row of rows.slice(headings ? 1 : 0))
    row.forEach((cell, index) => {
      const name = headings?.[index]?.trim() || t`Column ${index + 1}`;
      const column = (columns[index] ??= { index, name, filled: 0, addresses: 0, samples: [] });
      if (cell.trim() === '') return;
      column.filled += 1;
      if (cell.includes('@')) column.addresses += 1;
      if (column.samples.length < MAX_SAMPLES) column.samples.push(cell.trim());
    });

  // Short rows leave holes in the array.
  return columns.filter((column) => column !== undefined);
}
