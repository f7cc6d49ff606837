import { SerialQueue } from '../../../sync/exclusive.ts';
import { Debouncer } from '../../../ui/async.ts';
import type { FieldChange, Values } from './text.ts';

/** An edit made in the form. `seq` numbers the edits of a page. */
export interface FormEdit {
  readonly seq: number;
  /** The edited field. A later edit of the same field replaces a waiting one. Edits without a field are never replaced. */
  readonly field?: string;
  /** The typed value, for the error message. */
  readonly typedValue?: unknown;
  changes(details: Values): readonly FieldChange[];
}

/**
 * Debounces edits, so that undo works on words instead of letters, and writes them in order. The page sends every keystroke immediately, so
 * closing it loses nothing.
 */
export class EditQueue {
  readonly #write: (edit: FormEdit) => Promise<void>;
  readonly #debouncer: Debouncer;
  readonly #queue = new SerialQueue();
  #pendingEdit: FormEdit | undefined;
  #lastWrittenSeq = 0;

  /** @param debounceMs idle time before a field is written */
  constructor(write: (edit: FormEdit) => Promise<void>, debounceMs: number) {
    this.#write = write;
    this.#debouncer = new Debouncer(debounceMs);
  }

  get lastWrittenSeq(): number {
    return this.#lastWrittenSeq;
  }

  /** Adds an edit. It replaces a waiting edit of the same field; a waiting edit of another field is written first. */
  add(edit: FormEdit, final: boolean): void {
    if (edit.field === undefined || this.#pendingEdit?.field !== edit.field) void this.flush();
    this.#pendingEdit = edit;
    if (final) void this.flush();
    else this.#debouncer.run(() => this.flush());
  }

  /** Writes the waiting edit. Resolves when all edits so far are written. */
  flush(): Promise<void> {
    this.#debouncer.dispose();
    const edit = this.#pendingEdit;
    this.#pendingEdit = undefined;
    return this.#queue.run(async () => {
      if (!edit) return;
      await this.#write(edit);
      this.#lastWrittenSeq = edit.seq;
    });
  }

  /** Resets the numbering after the page has reloaded. */
  async restart(): Promise<void> {
    await this.flush();
    this.#lastWrittenSeq = 0;
  }
}
