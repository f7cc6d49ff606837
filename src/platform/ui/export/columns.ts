/**
 * More than any real installation has. Without a limit, a service with new fields in every record would exhaust
 * memory.
 */
const MAX_EXPORT_COLUMNS = 1000;

/** The columns of a table: the initial ones, then other fields in the order in which records add them. */
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

  /** Adds new fields. Returns whether there were any. Throws if there are more than `MAX_EXPORT_COLUMNS`. */
  discover(records: readonly object[]): boolean {
    const before = this.#names.length;
    for (const record of records) {
      for (const name of Object.keys(record)) {
        if (this.#nameSet.has(name)) continue;
        if (this.#names.length >= MAX_EXPORT_COLUMNS)
          throw new Error(
            `The service’s records have more than ${MAX_EXPORT_COLUMNS} different fields. Choose JSON, which has no columns.`,
          );
        this.#nameSet.add(name);
        this.#names.push(name);
      }
    }
    return this.#names.length > before;
  }
}
