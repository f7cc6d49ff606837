import type { FormFromPage, Path } from './protocol.ts';

type EditMessage = FormFromPage<never>;

/** Names a place in the details: fields and what is said of them meet by it. */
export function getPathKey(path: Path): string {
  return path.join('/');
}

/** Numbers the edits of the page, and knows which of them the text does not have yet. */
export class Edits {
  readonly #post: (message: EditMessage) => void;
  readonly #lastSeqByField = new Map<string, number>();
  #seq = 0;
  #confirmedSeq = 0;

  constructor(post: (message: EditMessage) => void) {
    this.#post = post;
  }

  /** A field has another value; without one it is taken away. `final`: nobody types on in it. */
  set(path: Path, value: unknown, final: boolean): void {
    const seq = this.#next(path);
    this.#post({ type: 'edit', seq, path, final, ...(value === undefined ? {} : { value }) });
  }

  /** An id of the list of ids at the path is chosen, or left out. */
  choose(path: Path, id: number, chosen: boolean): void {
    this.#post({ type: 'choose', seq: this.#next(path), path, id, chosen });
  }

  /** A field was left: what was typed in it is complete. */
  settle(): void {
    if (this.isPending()) this.#post({ type: 'settle' });
  }

  /** The text has all edits up to this one. */
  confirm(seq: number): void {
    this.#confirmedSeq = seq;
  }

  /** Whether an edit of a field, or any edit, is still under way: then the text is older than what is shown. */
  isPending(path?: Path): boolean {
    return (path === undefined ? this.#seq : (this.#lastSeqByField.get(getPathKey(path)) ?? 0)) > this.#confirmedSeq;
  }

  #next(path: Path): number {
    this.#seq += 1;
    this.#lastSeqByField.set(getPathKey(path), this.#seq);
    return this.#seq;
  }
}
