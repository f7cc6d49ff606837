/** Records by id. The first `size` ids are generated on demand; only changes are stored. Records are replaced, never mutated. */
export class Collection<T extends { readonly id: number }> {
  readonly #size: number;
  readonly #create: ((id: number) => T) | undefined;
  readonly #changed = new Map<number, T>();
  readonly #deleted: number[] = [];
  readonly #added: number[] = [];

  constructor(size = 0, make?: (id: number) => T) {
    this.#size = size;
    this.#create = make;
  }

  get count(): number {
    return this.#size - this.#deleted.length + this.#added.length;
  }

  get(id: number): T | undefined {
    const changed = this.#changed.get(id);
    if (changed) return changed;
    return Number.isInteger(id) && id >= 1 && id <= this.#size && !this.#deleted.includes(id)
      ? this.#create?.(id)
      : undefined;
  }

  /** Adds or replaces a record. New ids must be added in ascending order. */
  set(record: T): void {
    if (record.id > this.#size && !this.#changed.has(record.id)) this.#added.push(record.id);
    this.#changed.set(record.id, record);
  }

  delete(id: number): boolean {
    if (!this.get(id)) return false;
    this.#changed.delete(id);
    if (id > this.#size) {
      this.#added.splice(this.#added.indexOf(id), 1);
    } else {
      this.#deleted.push(id);
      this.#deleted.sort((a, b) => a - b);
    }
    return true;
  }

  /** Yields the records in ascending order of id, starting at a zero-based position. */
  *from(start = 0): Generator<T> {
    for (let at = start, all = this.count; at < all; at += 1) {
      const record = this.get(this.#getIdAt(at));
      if (record) yield record;
    }
  }

  /** Returns at most `limit` records after the first `offset` matches. Without `matches`, generates only the returned records. */
  page(offset: number, limit: number, matches?: (record: T) => boolean): T[] {
    const page: T[] = [];
    let skip = matches ? offset : 0;
    for (const record of this.from(matches ? 0 : offset)) {
      if (matches && !matches(record)) continue;
      if (skip > 0) skip -= 1;
      else page.push(record);
      if (page.length >= limit) break;
    }
    return page;
  }

  #getIdAt(position: number): number {
    const generated = this.#size - this.#deleted.length;
    if (position >= generated) return this.#added[position - generated] ?? 0;
    let id = position + 1;
    for (const deletedId of this.#deleted) if (deletedId <= id) id += 1;
    return id;
  }
}
