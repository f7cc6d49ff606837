import type { FieldChange, Values } from './text.ts';

/** An edit of the form, by its number. */
export interface FormEdit {
  readonly seq: number;
  /** The field that is typed in: a later edit of it takes this one's place. An edit without one stands for itself. */
  readonly field?: string;
  /** What was typed, for the message where it can't be written. */
  readonly typedValue?: unknown;
  changes(details: Values): readonly FieldChange[];
}

/**
 * Collects what is typed, so that a word and not each letter becomes one step of undo, and writes the edits one after the other. Every
 * keystroke is handed over at once: nothing is lost with the page.
 */
export class EditQueue {
  readonly #write: (edit: FormEdit) => Promise<void>;
  readonly #debounceMs: number;
  #pendingEdit: FormEdit | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queueEnd: Promise<void> = Promise.resolve();
  #lastWrittenSeq = 0;

  /** `pause`: how long a field must rest before it is written, in ms. `write` must not reject. */
  constructor(write: (edit: FormEdit) => Promise<void>, pause: number) {
    this.#write = write;
    this.#debounceMs = pause;
  }

  /** Number of the last edit that was written. */
  get lastWrittenSeq(): number {
    return this.#lastWrittenSeq;
  }

  /** Takes an edit. One of the field that waits replaces it; one of another field lets it go first. */
  add(edit: FormEdit, final: boolean): void {
    if (this.#pendingEdit !== undefined && !isSameField(this.#pendingEdit, edit)) void this.flush();
    clearTimeout(this.#timer);
    this.#pendingEdit = edit;
    if (final) void this.flush();
    else this.#timer = setTimeout(() => void this.flush(), this.#debounceMs);
  }

  /** Writes what waits. Resolves when all edits so far are written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    const edit = this.#pendingEdit;
    this.#pendingEdit = undefined;
    if (edit !== undefined) {
      this.#queueEnd = this.#queueEnd.then(async () => {
        await this.#write(edit);
        this.#lastWrittenSeq = edit.seq;
      });
    }
    return this.#queueEnd;
  }

  /** The page begins anew, and counts from 1 again. */
  async restart(): Promise<void> {
    await this.flush();
    this.#lastWrittenSeq = 0;
  }
}

function isSameField(one: FormEdit, other: FormEdit): boolean {
  return one.field !== undefined && one.field === other.field;
}
