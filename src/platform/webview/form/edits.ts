import type { FormFromPage, JsonValue, Path } from './protocol.ts';

/** Returns the key of a path, which identifies a field and its problems. */
export function getPathKey(path: Path): string {
  return path.join('/');
}

/** Numbers the page's edits, and tracks which of them the text doesn't contain yet. */
export class Edits {
  readonly #post: (message: FormFromPage) => void;
  readonly #lastSeqByField = new Map<string, number>();
  #seq = 0;
  #confirmedSeq = 0;

  constructor(post: (message: FormFromPage) => void) {
    this.#post = post;
  }

  /** Posts a field's new value; `undefined` removes the field. `final`: the user doesn't continue typing in it. */
  set(path: Path, value: JsonValue, final: boolean): void {
    const seq = this.#next(path);
    this.#post({ type: 'edit', seq, path, final, value });
  }

  /** Adds an id to the list of ids at the path, or removes it. */
  choose(path: Path, id: number, chosen: boolean): void {
    this.#post({ type: 'choose', seq: this.#next(path), path, id, chosen });
  }

  /** Completes the edits of a field that lost the focus. */
  settle(): void {
    if (this.isPending()) this.#post({ type: 'settle' });
  }

  /** Confirms all edits up to this number. */
  confirm(seq: number): void {
    this.#confirmedSeq = seq;
  }

  /** Returns whether an edit of a field, or any edit, is pending. The text is then older than the field. */
  isPending(path?: Path): boolean {
    return (path === undefined ? this.#seq : (this.#lastSeqByField.get(getPathKey(path)) ?? 0)) > this.#confirmedSeq;
  }

  #next(path: Path): number {
    this.#seq += 1;
    this.#lastSeqByField.set(getPathKey(path), this.#seq);
    return this.#seq;
  }
}
