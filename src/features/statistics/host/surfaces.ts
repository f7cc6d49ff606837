import * as vscode from 'vscode';
import { plain } from '../../../platform/ui/text.ts';
import { panelType, viewId } from '../commands.ts';
import { keyOf, type Choice } from '../model.ts';
import { choiceOf } from './choice.ts';
import { StatisticsSession, type SessionParts } from './session.ts';

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
    this.#setContext();
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
    this.#setContext();
    await this.#memento.update(choiceKey, choice);
  }

  dispose(): void {
    this.#session?.dispose();
  }

  /** For the buttons above the view. */
  #setContext(): void {
    void vscode.commands.executeCommand('setContext', 'mailing.statistics.hasChoice', this.#choice.length > 0);
  }
}

interface Open {
  readonly panel: vscode.WebviewPanel;
  readonly session: StatisticsSession;
}

/** The statistics in editor tabs: one for each choice. */
export class StatisticsPanels implements vscode.Disposable {
  readonly #parts: (panel: vscode.WebviewPanel) => SessionParts;
  readonly #open = new Set<Open>();

  constructor(parts: (panel: vscode.WebviewPanel) => SessionParts) {
    this.#parts = parts;
  }

  /** What fills the tab that is in front. */
  get active(): StatisticsSession | undefined {
    return [...this.#open].find(({ panel }) => panel.active)?.session;
  }

  /** Opens a choice in a tab, or brings its tab to the front. */
  show(choice: Choice): void {
    const open = this.#find(choice);
    if (open) open.panel.reveal();
    else this.#settle(vscode.window.createWebviewPanel(panelType, titleOf([]), vscode.ViewColumn.Active), choice);
  }

  /** Shows another choice in a tab, or brings the tab to the front that shows it already. */
  change(panel: vscode.WebviewPanel, choice: Choice): void {
    const other = this.#find(choice);
    if (other && other.panel !== panel) other.panel.reveal();
    else [...this.#open].find((open) => open.panel === panel)?.session.show(choice);
  }

  /** Gives a tab that came back after a restart its content. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = (typeof state === 'object' && state !== null ? state : {}) as {
      readonly panel?: { readonly choice?: unknown } | null;
    };
    const choice = choiceOf(kept.panel?.choice);
    if (choice.length === 0 || this.#find(choice)) panel.dispose();
    else this.#settle(panel, choice);
  }

  dispose(): void {
    for (const { panel } of [...this.#open]) panel.dispose();
  }

  #find(choice: Choice): Open | undefined {
    return [...this.#open].find(({ session }) => keyOf(session.choice) === keyOf(choice));
  }

  #settle(panel: vscode.WebviewPanel, choice: Choice): void {
    const session = new StatisticsSession(
      {
        webview: panel.webview,
        wide: true,
        get visible() {
          return panel.visible;
        },
        onDidChangeVisibility: panel.onDidChangeViewState,
        describe: (names) => {
          panel.title = titleOf(names);
        },
      },
      this.#parts(panel),
      choice,
    );
    const open: Open = { panel, session };
    this.#open.add(open);
    panel.onDidDispose(() => {
      this.#open.delete(open);
      session.dispose();
    });
  }
}

function titleOf(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return 'Statistics';
  return `Statistics: ${plain(first, 60)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
