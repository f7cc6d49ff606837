import Papa from 'papaparse';

const LINE_END = '\r\n';

export type Separator = ',' | ';' | '\t';

/** Separators with their names. */
export const separators: { readonly [Sign in Separator]: string } = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' };

export function isSeparator(value: unknown): value is Separator {
  return typeof value === 'string' && Object.hasOwn(separators, value);
}

/**
 * Returns the separator that spreadsheets expect for a language (BCP 47): a semicolon if the decimal sign is a comma,
 * as in German and French, else a comma.
 */
export function getDefaultSeparator(language: string): Separator {
  try {
    return new Intl.NumberFormat(language).format(1.5).includes(',') ? ';' : ',';
  } catch {
    // Not a valid language tag.
    return ',';
  }
}

/** Characters that start a formula. */
const formulaSigns = String.raw`=+\-@\uFF1D\uFF0B\uFF0D\uFF20`;

/**
 * Spreadsheets interpret cells that start like this as formulas, which may fetch or run something. Some skip invisible
 * characters or drop quotes. A leading apostrophe turns the cell into text.
 */
const formulaLike = new RegExp(String.raw`^(?=[\t\r\n]|[\s"\p{Cc}\p{Cf}]*[${formulaSigns}])`, 'u');

/**
 * Matches formulas within a cell, for programs that use another separator than the file. They ignore the quotes, so
 * separators and line breaks start a new cell. The skipped part contains no separator, which keeps the match linear.
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
 * Formats rows of cells (see `formatCell`) as CSV (RFC 4180: quoted where needed, a line break after each row). An
 * apostrophe disables formulas, for every separator that a spreadsheet may use.
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[], separator: Separator = ','): string {
  if (rows.length === 0) return '';
  const harmless = (text: string): string => text.replace(formulaLike, "'").replace(formulaWithinCell[separator], "'");
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : harmless(cell))));
  // Programs that accept several separators at once need quotes around all of them.
  const quotes = (cell: unknown): boolean => typeof cell === 'string' && /[,;\t]/.test(cell);
  return `${Papa.unparse(cells, { header: false, newline: LINE_END, delimiter: separator, quotes })}${LINE_END}`;
}

/**
 * Formats a value as a cell: empty for no value, JSON for objects. Numbers stay numbers, so that negative ones aren't
 * treated as formulas.
 */
export function formatCell(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
