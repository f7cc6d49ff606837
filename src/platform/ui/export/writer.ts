import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ExportDraft, DraftFactory } from './drafts.ts';
import { exportFormats, type ExportFormat, type FormatOptions } from './formats.ts';

/** Reads all pages, starting with the record at `offset`. */
export type ReadPages = (offset: number, signal?: AbortSignal) => AsyncIterable<readonly object[]>;

/** Writes records into a draft, and publishes it when finished. Holds at most three pages in memory. */
export class RecordWriter {
  readonly #drafts: DraftFactory;
  readonly #draft: ExportDraft;
  readonly #format: ReturnType<(typeof exportFormats)[ExportFormat]>;
  #count = 0;

  private constructor(
    drafts: DraftFactory,
    draft: ExportDraft,
    format: ReturnType<(typeof exportFormats)[ExportFormat]>,
  ) {
    this.#drafts = drafts;
    this.#draft = draft;
    this.#format = format;
  }

  static async open(drafts: DraftFactory, format: ExportFormat, options: FormatOptions): Promise<RecordWriter> {
    const writer = new RecordWriter(drafts, await drafts(), exportFormats[format](options));
    await writer.#format.begin(writer.#draft);
    return writer;
  }

  /** Number of records written. */
  get count(): number {
    return this.#count;
  }

  /**
   * Writes all remaining records, continuing where it stopped. Rejects if reading or writing fails; the records
   * written so far stay, and a later call continues.
   */
  async writeAll(
    readPages: ReadPages,
    { signal, written }: { readonly signal?: AbortSignal; readonly written?: (count: number) => void } = {},
  ): Promise<void> {
    for await (const page of readPages(this.#count, signal)) {
      // Lets the request for the next page start, so that the service works while this page is written.
      await yieldToEventLoop();
      await this.#format.write(this.#draft, page);
      this.#count += page.length;
      written?.(this.#count);
    }
  }

  /** Publishes the draft. If that fails, nothing is left behind. */
  async finish(): Promise<void> {
    let draft = this.#draft;
    try {
      draft = await this.#format.end(draft, this.#drafts);
      await draft.publish();
    } catch (error) {
      await Promise.all([draft.discard(), this.#draft.discard()]);
      throw error;
    }
  }

  async discard(): Promise<void> {
    await this.#draft.discard();
  }
}
