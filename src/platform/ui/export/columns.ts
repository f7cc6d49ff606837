/** More fields than any installation has: a service that makes up new ones in every record would fill the memory. */
const most = 1000;

/** The columns of a table whose records may have any fields: those that are known first, the others as they come. */
export class Columns {
  readonly #names: string[];
  readonly #known: Set<string>;

  constructor(known: readonly string[]) {
    this.#names = [...known];
    this.#known = new Set(known);
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Adds the fields that are new. True where there were some. Throws where there are more than a table can have. */
  discover(records: readonly object[]): boolean {
    const before = this.#names.length;
    for (const record of records) {
      for (const name of Object.keys(record)) {
        if (this.#known.has(name)) continue;
        if (this.#names.length >= most)
          throw new Error(
            `The service’s records have more than ${most} different fields. Choose JSON, which has no columns.`,
          );
        this.#known.add(name);
        this.#names.push(name);
      }
    }
    return this.#names.length > before;
  }
}
