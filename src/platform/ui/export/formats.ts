import { formatCell, formatCsv, type Separator } from './csv.ts';
import { Columns } from './columns.ts';
import type { ExportDraft, DraftFactory } from './drafts.ts';

export type ExportFormat = 'csv' | 'json';

/** Writes records page by page into drafts. */
interface RecordFormat {
  begin(draft: ExportDraft): Promise<void>;
  write(draft: ExportDraft, records: readonly object[]): Promise<void>;
  /** Returns the complete draft: this one, or a replacement. */
  end(draft: ExportDraft, drafts: DraftFactory): Promise<ExportDraft>;
}

export interface FormatOptions {
  /** First fields, in this order, even if no record has them. */
  readonly fields: readonly string[];
  /** Whether a CSV file starts with a byte order mark, which spreadsheets need to detect UTF-8. */
  readonly mark: boolean;
  /** For CSV. Default: a comma. */
  readonly separator?: Separator;
}

export const exportFormats: { readonly [Format in ExportFormat]: (options: FormatOptions) => RecordFormat } = {
  csv: (options) => new CsvFormat(options),
  json: () => new JsonFormat(),
};

const exportEncoder = new TextEncoder();
const append = (draft: ExportDraft, text: string): Promise<void> => draft.append(exportEncoder.encode(text));

/** A JSON array with one record per line. */
class JsonFormat implements RecordFormat {
  #count = 0;

  begin(draft: ExportDraft): Promise<void> {
    return append(draft, '[');
  }

  async write(draft: ExportDraft, records: readonly object[]): Promise<void> {
    const lines = records.map((record) => `\n  ${JSON.stringify(record)}`).join(',');
    await append(draft, this.#count === 0 ? lines : `,${lines}`);
    this.#count += records.length;
  }

  async end(draft: ExportDraft): Promise<ExportDraft> {
    await append(draft, this.#count === 0 ? ']\n' : '\n]\n');
    return draft;
  }
}

/**
 * A table whose first columns are the given fields, followed by all other fields that records have. The header is
 * written with the first page. If later pages add columns, earlier rows are too short: the draft is then copied once
 * at the end, with a new header and padded rows. Only one page is in memory at a time.
 */
class CsvFormat implements RecordFormat {
  readonly #columns: Columns;
  readonly #mark: string;
  readonly #separator: Separator;
  /** Byte offsets at which the number of columns changes. The first one follows the header. */
  readonly #widths: { readonly from: number; readonly columns: number }[] = [];

  constructor({ fields, mark, separator = ',' }: FormatOptions) {
    this.#columns = new Columns(fields);
    this.#mark = mark ? '\uFEFF' : '';
    this.#separator = separator;
  }

  async begin(): Promise<void> {
    // The header waits for the first page.
  }

  async write(draft: ExportDraft, records: readonly object[]): Promise<void> {
    const widened = this.#columns.discover(records);
    const { names } = this.#columns;
    if (this.#widths.length === 0) await append(draft, this.#header());
    if (widened || this.#widths.length === 0) this.#widths.push({ from: draft.size, columns: names.length });
    const rows = records.map((record) =>
      names.map((name) => formatCell((record as Readonly<Record<string, unknown>>)[name])),
    );
    await append(draft, formatCsv(rows, this.#separator));
  }

  async end(draft: ExportDraft, drafts: DraftFactory): Promise<ExportDraft> {
    if (this.#widths.length === 0) await append(draft, this.#header());
    if (this.#widths.length < 2) return draft;
    const whole = await drafts();
    try {
      await append(whole, this.#header());
      for await (const bytes of padRows(draft.read(), this.#widths, this.#separator.charCodeAt(0)))
        await whole.append(bytes);
    } catch (error) {
      await whole.discard();
      throw error;
    }
    await draft.discard();
    return whole;
  }

  #header(): string {
    return `${this.#mark}${formatCsv([this.#columns.names], this.#separator)}`;
  }
}

const [quote, carriageReturn] = [0x22, 0x0d];

/** Byte offsets at which the number of columns changes. */
type WidthChanges = readonly { readonly from: number; readonly columns: number }[];

/**
 * Pads all rows to the final number of columns. A row ends at a line break outside quotes; quotes within quotes are
 * doubled, so counting them is enough. `separator` is a byte.
 */
async function* padRows(
  chunks: AsyncIterable<Uint8Array>,
  widths: WidthChanges,
  separator: number,
): AsyncGenerator<Uint8Array> {
  const widest = widths.at(-1)?.columns ?? 0;
  let position = 0;
  let quoted = false;
  let width = -1;
  for await (const chunk of chunks) {
    const parts: Uint8Array[] = [];
    let from = Math.max(0, (widths[0]?.from ?? 0) - position);
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === quote) quoted = !quoted;
      if (byte !== carriageReturn || quoted) continue;
      const place = position + at;
      while ((widths[width + 1]?.from ?? Infinity) <= place) width += 1;
      const missing = widest - (widths[width]?.columns ?? widest);
      if (missing === 0) continue;
      parts.push(chunk.subarray(from, at), new Uint8Array(missing).fill(separator));
      from = at;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    position += chunk.length;
    if (parts.length > 0) yield Buffer.concat(parts);
  }
}
