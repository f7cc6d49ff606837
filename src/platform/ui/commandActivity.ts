import * as vscode from 'vscode';

/** Whether somebody uses the extension: what may wait for that waits for it, and comes while no command is at something. */
export class CommandActivity implements vscode.Disposable {
  readonly #idle = new vscode.EventEmitter<void>();
  /** The tree came into sight, or a command has ended, and no other runs. */
  readonly onDidIdle = this.#idle.event;
  #runningCount = 0;

  /** No command runs, so that none of them asks anything. */
  get isIdle(): boolean {
    return this.#runningCount === 0;
  }

  /** Somebody sees what is ours. */
  fireIfIdle(): void {
    if (this.isIdle) this.#idle.fire();
  }

  /** Runs a command. */
  async run<T>(command: () => Promise<T>): Promise<T> {
    this.#runningCount += 1;
    try {
      return await command();
    } finally {
      this.#runningCount -= 1;
      this.fireIfIdle();
    }
  }

  dispose(): void {
    this.#idle.dispose();
  }
}
