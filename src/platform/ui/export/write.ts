import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonObject } from '../../../service/client/shapes.ts';
import { formatCell, formatCsv, type Separator } from './csv.ts';
import type { ExportDraft } from './drafts.ts';

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
  draft: ExportDraft,
  pages: AsyncIterable<readonly object[]>,
  { format, fields, mark, separator }: FormatOptions,
  report: (count: number) => void = () => undefined,
): Promise<WrittenRecords> {
  const append = (text: string): Promise<void> => draft.append(new TextEncoder().encode(text));
  const columns = new Set(fields);
  const formatHeader = (): string => `${mark ? '\uFEFF' : ''}${formatCsv([[...columns]], separator)}`;
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
