import type * as vscode from 'vscode';

/** Where the workspace's state keeps it. */
const RECENT_STATE_KEY = 'mailing.recent';
/** Choices of one kind that are remembered. */
const MAX_CHOICES = 5;

/** What was chosen last, so that a picker offers it first. Kept for the workspace. */
export class RecentChoices {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The choices of a kind (`production/templates`), newest first. */
  get(kind: string): readonly string[] {
    const chosen: unknown = this.#all[kind];
    return Array.isArray(chosen) ? chosen.filter((each): each is string => typeof each === 'string') : [];
  }

  /** Somebody has chosen it. */
  add(kind: string, choice: string): void {
    const chosen = [choice, ...this.get(kind).filter((each) => each !== choice)].slice(0, MAX_CHOICES);
    void this.#state.update(RECENT_STATE_KEY, { ...this.#all, [kind]: chosen });
  }

  get #all(): Readonly<Record<string, unknown>> {
    return this.#state.get<Readonly<Record<string, unknown>>>(RECENT_STATE_KEY) ?? {};
  }
}
