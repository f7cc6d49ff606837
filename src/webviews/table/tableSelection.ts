/** Which rows are selected, by where they stand in the collection; and from where a range is drawn, by where that is on the screen. */
export class TableSelection {
  readonly #selected = new Set<number>();
  #anchor = 0;

  get size(): number {
    return this.#selected.size;
  }

  get indices(): readonly number[] {
    return [...this.#selected];
  }

  has(index: number): boolean {
    return this.#selected.has(index);
  }

  clear(): void {
    this.#selected.clear();
  }

  only(position: number, index: number): void {
    this.#selected.clear();
    this.#selected.add(index);
    this.#anchor = position;
  }

  toggle(position: number, index: number): void {
    if (!this.#selected.delete(index)) this.#selected.add(index);
    this.#anchor = position;
  }

  /** Everything from where the range began up to here. */
  extend(position: number, indexOf: (position: number) => number): void {
    this.#selected.clear();
    for (let at = Math.min(this.#anchor, position); at <= Math.max(this.#anchor, position); at += 1) this.#selected.add(indexOf(at));
  }

  /** Where the next range begins. */
  startAt(position: number): void {
    this.#anchor = position;
  }

  all(indices: readonly number[]): void {
    this.#selected.clear();
    for (const index of indices) this.#selected.add(index);
  }
}
