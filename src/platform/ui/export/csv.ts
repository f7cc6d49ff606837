import Papa from 'papaparse';

/** How records are separated, also within this extension's own rewriting of a file. */
const LINE_END = '\r\n';

/** What stands between the cells of a row. */
export type Separator = ',' | ';' | '\t';

/** The separators, with what each is called. */
export const separators: { readonly [Sign in Separator]: string } = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' };

export function isSeparator(value: unknown): value is Separator {
  return typeof value === 'string' && Object.hasOwn(separators, value);
}

/**
 * The separator that spreadsheets expect where a language (BCP 47) is spoken: a semicolon where the comma is the decimal sign, as in German
 * and French, else a comma.
 */
export function getDefaultSeparator(language: string): Separator {
  try {
    return new Intl.NumberFormat(language).format(1.5).includes(',') ? ';' : ',';
  } catch {
    // It is no language.
    return ',';
  }
}

/** Signs with which a formula begins. */
const formulaSigns = String.raw`=+\-@\uFF1D\uFF0B\uFF0D\uFF20`;

/**
 * Programs that open a CSV file as a table read what begins like this as a formula, which may fetch or run something. Some skip signs that
 * can't be seen, or drop quotes. An apostrophe before it makes it text.
 */
const formulaLike = new RegExp(String.raw`^(?=[\t\r\n]|[\s"\p{Cc}\p{Cf}]*[${formulaSigns}])`, 'u');

/**
 * The same within a cell, where a program that separates by another sign than the file begins a new one. To that program, quotes don't hold
 * the cell together, and line ends end its row. What may be skipped before the formula holds no such sign: each place is looked at once.
 */
function createFormulaPattern(separator: Separator): RegExp {
  const ends = [',', ';', '\t', '\r', '\n'].filter((sign) => sign !== separator).join('');
  return new RegExp(String.raw`(?<=[${ends}])(?=(?:(?![${ends}])[\s"\p{Cc}\p{Cf}])*[${formulaSigns}])`, 'gu');
}

const formulaWithinCell: { readonly [Sign in Separator]: RegExp } = {
  ',': createFormulaPattern(','),
  ';': createFormulaPattern(';'),
  '\t': createFormulaPattern('\t'),
};

/**
 * Rows of cells (see `formatCell`) as CSV (RFC 4180: quotes where needed, a line end after every row). What a spreadsheet would run is made
 * harmless by an apostrophe before it, whichever of the separators that spreadsheet takes.
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[], separator: Separator = ','): string {
  if (rows.length === 0) return '';
  const harmless = (text: string): string => text.replace(formulaLike, "'").replace(formulaWithinCell[separator], "'");
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : harmless(cell))));
  // Programs that take several signs for separators at once see a cell's end where it is quoted only.
  const quotes = (cell: unknown): boolean => typeof cell === 'string' && /[,;\t]/.test(cell);
  return `${Papa.unparse(cells, { header: false, newline: LINE_END, delimiter: separator, quotes })}${LINE_END}`;
}

/**
 * A value as the text of a cell: nothing for no value, JSON for what has parts. Numbers stay numbers, so that a negative one is no formula.
 */
export function formatCell(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
