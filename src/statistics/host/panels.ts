import * as vscode from 'vscode';
import type { Choice } from '../model.ts';
import { plain } from '../../ui/text.ts';
import { choiceOf, keyOf } from './choice.ts';
import { StatisticsSession, type SessionParts } from './session.ts';
import { panelType } from './viewType.ts';

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
    const kept = (typeof state === 'object' && state !== null ? state : {}) as { readonly panel?: { readonly choice?: unknown } | null };
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
