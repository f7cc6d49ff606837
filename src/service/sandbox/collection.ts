/** Records by id. The first `size` ids are generated on demand; only changes are stored. Records are replaced, never mutated. */
export class Collection<T extends { readonly id: number }> {
  /** In ascending order. */
  readonly #ids: Set<number>;
  readonly #create: ((id: number) => T) | undefined;
  readonly #changed = new Map<number, T>();

  constructor(size = 0, create?: (id: number) => T) {
    this.#ids = new Set(Array.from({ length: size }, (_, at) => at + 1));
    this.#create = create;
  }

  get(id: number): T | undefined {
    return this.#ids.has(id) ? (this.#changed.get(id) ?? this.#create?.(id)) : undefined;
  }

  /** Adds or replaces a record. New ids must be added in ascending order. */
  set(record: T): void {
    this.#ids.add(record.id);
    this.#changed.set(record.id, record);
  }

  /** Returns whether there was a record to delete. */
  delete(id: number): boolean {
    this.#changed.delete(id);
    return this.#ids.delete(id);
  }

  all(): T[] {
    return this.page(0, Infinity);
  }

  /** Returns at most `limit` records after the first `offset` matches. Without `matches`, generates only the returned records. */
  page(offset: number, limit: number, matches?: (record: T) => boolean): T[] {
    if (matches)
      return this.all()
        .filter(matches)
        .slice(offset, offset + limit);
    return [...this.#ids].slice(offset, offset + limit).flatMap((id) => this.get(id) ?? []);
  }
}
