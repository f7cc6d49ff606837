import Papa from 'papaparse';

/** How records are separated, also within this extension's own rewriting of a file. */
export const lineEnd = '\r\n';

/**
 * Programs that open a CSV file as a table read what begins like this as a formula, which may fetch or run something. Some skip signs that
 * can't be seen. An apostrophe before it makes it text.
 */
const formulaLike = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u;

/**
 * Rows of cells (see `cellOf`) as CSV (RFC 4180: commas, quotes where needed, a line end after every row). Cells that a spreadsheet would
 * run are made
 * harmless by an apostrophe before them.
 */
export function csvOf(rows: (string | number)[][]): string {
  if (rows.length === 0) return '';
  const text = Papa.unparse(rows, { header: false, newline: lineEnd, escapeFormulae: formulaLike });
  return `${text}${lineEnd}`;
}

/**
 * A value as the text of a cell: nothing for no value, JSON for what has parts. Numbers stay numbers, so that a negative one is no formula.
 */
export function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
