import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ExportDraft, DraftFactory } from './drafts.ts';
import { exportFormats, type ExportFormat, type FormatOptions } from './formats.ts';

/** Gives all pages of records, from the record at `offset` on. */
export type ReadPages = (offset: number, signal?: AbortSignal) => AsyncIterable<readonly object[]>;

/**
 * An export on its way: records go into a draft, which becomes the target's content when it is finished. No more than three pages are held.
 */
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

  /** Records written. */
  get count(): number {
    return this.#count;
  }

  /**
   * Writes all records there are, from where it stopped the last time. Rejects with what reading rejects with and what writing throws;
   * what was written until then stays, and it can go on from there.
   */
  async writeAll(
    readPages: ReadPages,
    { signal, written }: { readonly signal?: AbortSignal; readonly written?: (count: number) => void } = {},
  ): Promise<void> {
    for await (const page of readPages(this.#count, signal)) {
      // The request for the next page goes out first: the service works on it while this one is written.
      await yieldToEventLoop();
      await this.#format.write(this.#draft, page);
      this.#count += page.length;
      written?.(this.#count);
    }
  }

  /** Makes what was written the target's content. Where that fails, nothing is left behind. */
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
