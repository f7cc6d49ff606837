/** Debounces file changes and reports all changed paths at once. */
export class ChangedPaths {
  readonly #report: (paths: ReadonlySet<string>) => void;
  readonly #schedule: (task: () => void) => () => void;
  #paths = new Set<string>();
  #cancel: () => void = () => undefined;

  /** @param schedule runs a task after the debounce time and returns a function that cancels it */
  constructor(report: (paths: ReadonlySet<string>) => void, schedule: (task: () => void) => () => void) {
    this.#report = report;
    this.#schedule = schedule;
  }

  add(path: string): void {
    this.#paths.add(path);
    this.#cancel();
    this.#cancel = this.#schedule(() => {
      const paths = this.#paths;
      this.#paths = new Set();
      this.#report(paths);
    });
  }

  dispose(): void {
    this.#cancel();
  }
}
