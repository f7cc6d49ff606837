import type { FormFromPage, Path } from './protocol.ts';

type Message = FormFromPage<never>;

/** Names a place in the details: fields and what is said of them meet by it. */
export function keyOf(path: Path): string {
  return path.join('/');
}

/** Numbers the edits of the page, and knows which of them the text does not have yet. */
export class Edits {
  readonly #post: (message: Message) => void;
  readonly #last = new Map<string, number>();
  #seq = 0;
  #seen = 0;

  constructor(post: (message: Message) => void) {
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
  arrived(seen: number): void {
    this.#seen = seen;
  }

  /** Whether an edit of a field, or any edit, is still under way: then the text is older than what is shown. */
  isPending(path?: Path): boolean {
    return (path === undefined ? this.#seq : (this.#last.get(keyOf(path)) ?? 0)) > this.#seen;
  }

  #next(path: Path): number {
    this.#seq += 1;
    this.#last.set(keyOf(path), this.#seq);
    return this.#seq;
  }
}
