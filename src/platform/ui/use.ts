import * as vscode from 'vscode';

/** Whether somebody uses the extension: what may wait for that waits for it, and comes while no command is at something. */
export class Use implements vscode.Disposable {
  readonly #rested = new vscode.EventEmitter<void>();
  /** The tree came into sight, or a command has ended, and no other runs. */
  readonly onDidRest = this.#rested.event;
  #running = 0;

  /** No command runs, so that none of them asks anything. */
  get isResting(): boolean {
    return this.#running === 0;
  }

  /** Somebody sees what is ours. */
  seen(): void {
    if (this.isResting) this.#rested.fire();
  }

  /** Runs a command. */
  async during<T>(command: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await command();
    } finally {
      this.#running -= 1;
      this.seen();
    }
  }

  dispose(): void {
    this.#rested.dispose();
  }
}
