/** Paths of files that changed, collected until no more of them change for a while. */
export class ChangedPaths {
  readonly #act: (paths: ReadonlySet<string>) => void;
  readonly #later: (task: () => void) => () => void;
  #paths = new Set<string>();
  #cancel: () => void = () => undefined;

  /** `later`: runs a task after a while. Gives what cancels it. */
  constructor(act: (paths: ReadonlySet<string>) => void, later: (task: () => void) => () => void) {
    this.#act = act;
    this.#later = later;
  }

  add(path: string): void {
    this.#paths.add(path);
    this.#cancel();
    this.#cancel = this.#later(() => {
      const paths = this.#paths;
      this.#paths = new Set();
      this.#act(paths);
    });
  }

  dispose(): void {
    this.#cancel();
  }
}
