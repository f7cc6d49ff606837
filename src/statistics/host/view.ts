import * as vscode from 'vscode';
import type { Choice } from '../model.ts';
import { choiceOf } from './choice.ts';
import { StatisticsSession, type SessionParts } from './session.ts';
import { viewId } from './viewType.ts';

/** Keeps over a restart what was chosen last. */
const choiceKey = 'mailing.statistics.choice';

/** The view in the side panel. It shows one choice at a time, and remembers it. */
export class StatisticsView implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #parts: () => SessionParts;
  #choice: Choice;
  #session: StatisticsSession | undefined;

  constructor(memento: vscode.Memento, parts: () => SessionParts) {
    this.#memento = memento;
    this.#parts = parts;
    this.#choice = choiceOf(memento.get<unknown>(choiceKey));
  }

  get choice(): Choice {
    return this.#choice;
  }

  /** What fills the view; nothing where that was not looked at yet. */
  get session(): StatisticsSession | undefined {
    return this.#session;
  }

  /** To be called when the view is looked at for the first time, and after it was closed. */
  resolve(view: vscode.WebviewView): void {
    this.#session?.dispose();
    const session = new StatisticsSession(
      {
        webview: view.webview,
        wide: false,
        get visible() {
          return view.visible;
        },
        onDidChangeVisibility: view.onDidChangeVisibility,
        describe: (names) => {
          view.description = names.join(', ');
        },
      },
      this.#parts(),
      this.#choice,
    );
    this.#session = session;
    this.#tellChosen();
    view.onDidDispose(() => {
      session.dispose();
      if (this.#session === session) this.#session = undefined;
    });
  }

  /** Shows a choice, and brings the view to the front. */
  async show(choice: Choice): Promise<void> {
    await this.choose(choice);
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  async choose(choice: Choice): Promise<void> {
    this.#choice = choice;
    this.#session?.show(choice);
    this.#tellChosen();
    await this.#memento.update(choiceKey, choice);
  }

  dispose(): void {
    this.#session?.dispose();
  }

  /** For the buttons above the view. */
  #tellChosen(): void {
    void vscode.commands.executeCommand('setContext', 'mailing.statistics.hasChoice', this.#choice.length > 0);
  }
}
