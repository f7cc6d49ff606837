import * as vscode from 'vscode';

/** Tracks running commands, so that background work can wait until the extension is in use but idle. */
export class CommandActivity implements vscode.Disposable {
  readonly #idle = new vscode.EventEmitter<void>();
  /** Fires when the tree becomes visible or a command ends, unless another command is running. */
  readonly onDidIdle = this.#idle.event;
  #runningCount = 0;

  /** True if no command runs, and so none shows a prompt. */
  get isIdle(): boolean {
    return this.#runningCount === 0;
  }

  fireIfIdle(): void {
    if (this.isIdle) this.#idle.fire();
  }

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
