import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Papa from 'papaparse';
import { formatNumber, t } from '../../l10n.ts';
import type { JsonObject } from '../../service/client/shapes.ts';

export const separators = [',', ';', '\t'] as const;

export type Separator = (typeof separators)[number];

export function isSeparator(value: unknown): value is Separator {
  return separators.some((separator) => separator === value);
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
function createFormulaPattern(separator: Separator) {
  const ends = [',', ';', '\t', '\r', '\n'].filter((sign) => sign !== separator).join('');
  return new RegExp(String.raw`(?<=[${ends}])(?=(?:(?![${ends}])[\s"\p{Cc}\p{Cf}])*[${formulaSigns}])`, 'gu');
}

/**
 * Formats rows of cells (see `formatCell`) as CSV (RFC 4180: quoted where needed, a line break after each row). An
 * apostrophe disables formulas, for every separator that a spreadsheet may use.
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[], separator: Separator = ','): string {
  if (rows.length === 0) return '';
  const formulaWithinCell = createFormulaPattern(separator);
  const harmless = (text: string) => text.replace(formulaLike, "'").replace(formulaWithinCell, "'");
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : harmless(cell))));
  // Programs that accept several separators at once need quotes around all of them.
  const quotes = (cell: unknown) => typeof cell === 'string' && /[,;\t]/.test(cell);
  return `${Papa.unparse(cells, { header: false, newline: '\r\n', delimiter: separator, quotes })}\r\n`;
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

/** Content that is not visible until it is published. */
export interface ExportDraft<Result = undefined> {
  append(bytes: Uint8Array): Promise<void>;
  /** Replaces the target's content. */
  publish(): Promise<Result>;
  /** Never throws. */
  discard(): Promise<void>;
}

/** Exports contain personal data. */
const OWNER_ONLY_MODE = 0o600;

/**
 * Creates a draft as a hidden file beside the target, which replaces it atomically. Keeps the permissions of an existing target; a new
 * file is readable by its owner only.
 */
export async function createFileDraft(path: string): Promise<ExportDraft> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
  const handle = await open(temporary, 'ax', OWNER_ONLY_MODE);
  return {
    append: (bytes) => handle.appendFile(bytes),
    publish: async () => {
      const before = await stat(path).catch(() => undefined);
      // Not all file systems support permissions.
      if (before) await handle.chmod(before.mode & 0o777).catch(() => undefined);
      await handle.close();
      await rename(temporary, path);
      return undefined;
    },
    discard: async () => {
      // It may be closed or removed already.
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
    },
  };
}

/**
 * Creates a draft in memory, for what must be written as a whole: VS Code's file systems and editors.
 *
 * @param limit maximum size in bytes
 *
 * @param advice what to do if the limit is exceeded, as a sentence
 */
export function createBufferedDraft<Result>(
  limit: number,
  advice: string,
  deliver: (bytes: Uint8Array) => Promise<Result>,
): ExportDraft<Result> {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    append: async (bytes) => {
      size += bytes.length;
      if (size > limit) {
        const maxMegabytes = formatNumber(Math.round(limit / 1024 / 1024));
        throw new Error(`${t`The export is larger than the limit of ${maxMegabytes} MB.`} ${advice}`);
      }
      parts.push(bytes);
    },
    publish: () => deliver(Buffer.concat(parts)),
    discard: async () => undefined,
  };
}

export type ExportFormat = 'csv' | 'json';

export interface FormatOptions {
  readonly format: ExportFormat;
  /** First columns of a CSV file, in this order, even if no record has them. */
  readonly fields: readonly string[];
  /** Whether a CSV file starts with a byte order mark, which spreadsheets need to detect UTF-8. */
  readonly mark: boolean;
  /** For CSV. Default: a comma. */
  readonly separator?: Separator;
}

export interface WrittenRecords {
  readonly count: number;
  /** A field that isn't in the CSV file, because no record of the first page has it. */
  readonly omittedField?: string;
}

/** More than any real installation has. */
const MAX_EXPORT_COLUMNS = 1000;

/**
 * Writes records page by page: as a JSON array with one record per line, or as CSV whose columns are the given fields and those of the
 * first page.
 */
export async function writeRecords(
  draft: Pick<ExportDraft, 'append'>,
  pages: AsyncIterable<readonly object[]>,
  { format, fields, mark, separator }: FormatOptions,
  report: (count: number) => void = () => undefined,
): Promise<WrittenRecords> {
  const append = (text: string) => draft.append(new TextEncoder().encode(text));
  const columns = new Set(fields);
  const formatHeader = () => `${mark ? '\uFEFF' : ''}${formatCsv([[...columns]], separator)}`;
  let count = 0;
  let omittedField: string | undefined;
  for await (const page of pages) {
    // Lets the request for the next page start, so that the service works while this page is written.
    await yieldToEventLoop();
    if (format === 'json') {
      const lines = page.map((record) => `\n  ${JSON.stringify(record)}`).join(',');
      await append(`${count === 0 ? '[' : ','}${lines}`);
    } else {
      const names = page.flatMap((record) => Object.keys(record));
      if (count === 0) for (const name of names) if (columns.size < MAX_EXPORT_COLUMNS) columns.add(name);
      omittedField ??= names.find((name) => !columns.has(name));
      const header = [...columns];
      const rows = page.map((record) => {
        const values: Readonly<JsonObject> = { ...record };
        return header.map((name) => formatCell(values[name]));
      });
      await append(`${count === 0 ? formatHeader() : ''}${formatCsv(rows, separator)}`);
    }
    count += page.length;
    report(count);
  }
  if (format === 'json') await append(count === 0 ? '[]\n' : '\n]\n');
  else if (count === 0) await append(formatHeader());
  return { count, omittedField };
}
