import type * as vscode from 'vscode';

/** Where the workspace's state keeps it. */
const key = 'mailing.recent';
/** Choices of one kind that are remembered. */
const most = 5;

/** What was chosen last, so that a picker offers it first. Kept for the workspace. */
export class Recent {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The choices of a kind (`production/templates`), newest first. */
  of(kind: string): readonly string[] {
    const chosen: unknown = this.#all[kind];
    return Array.isArray(chosen) ? chosen.filter((each): each is string => typeof each === 'string') : [];
  }

  /** Somebody has chosen it. */
  use(kind: string, choice: string): void {
    const chosen = [choice, ...this.of(kind).filter((each) => each !== choice)].slice(0, most);
    void this.#state.update(key, { ...this.#all, [kind]: chosen });
  }

  get #all(): Readonly<Record<string, unknown>> {
    return this.#state.get<Readonly<Record<string, unknown>>>(key) ?? {};
  }
}
