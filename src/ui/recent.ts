import type * as vscode from 'vscode';

const RECENT_STATE_KEY = 'mailing.recent';
/** Per kind. */
const MAX_CHOICES = 5;

/** Recent choices, which pickers offer first. Stored in the workspace. */
export class RecentChoices {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Returns the choices of a kind (`production/templates`), newest first. */
  get(kind: string): readonly string[] {
    return this.#all[kind] ?? [];
  }

  add(kind: string, choice: string): void {
    const chosen = [choice, ...this.get(kind).filter((each) => each !== choice)].slice(0, MAX_CHOICES);
    void this.#state.update(RECENT_STATE_KEY, { ...this.#all, [kind]: chosen });
  }

  get #all(): Readonly<Record<string, readonly string[]>> {
    return this.#state.get(RECENT_STATE_KEY, {});
  }
}
