/** More fields than any installation has: a service that makes up new ones in every record would fill the memory. */
const MAX_COLUMNS = 1000;

/** The columns of a table whose records may have any fields: those that are known first, the others as they come. */
export class Columns {
  readonly #names: string[];
  readonly #nameSet: Set<string>;

  constructor(initialNames: readonly string[]) {
    this.#names = [...initialNames];
    this.#nameSet = new Set(initialNames);
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Adds the fields that are new. True where there were some. Throws where there are more than a table can have. */
  discover(records: readonly object[]): boolean {
    const before = this.#names.length;
    for (const record of records) {
      for (const name of Object.keys(record)) {
        if (this.#nameSet.has(name)) continue;
        if (this.#names.length >= MAX_COLUMNS)
          throw new Error(
            `The service’s records have more than ${MAX_COLUMNS} different fields. Choose JSON, which has no columns.`,
          );
        this.#nameSet.add(name);
        this.#names.push(name);
      }
    }
    return this.#names.length > before;
  }
}
