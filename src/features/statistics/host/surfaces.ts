import * as vscode from 'vscode';
import { plain } from '../../../platform/ui/text.ts';
import { panelType, viewId } from '../commands.ts';
import { getSelectionKey, type CampaignSelection } from '../model.ts';
import { parseSelection } from './parseSelection.ts';
import { StatisticsSession, type SessionOptions } from './session.ts';

/** Keeps over a restart what was chosen last. */
const SELECTION_KEY = 'mailing.statistics.choice';

/** The view in the side panel. It shows one choice at a time, and remembers it. */
export class StatisticsView implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #createOptions: () => SessionOptions;
  #selection: CampaignSelection;
  #session: StatisticsSession | undefined;

  constructor(memento: vscode.Memento, parts: () => SessionOptions) {
    this.#memento = memento;
    this.#createOptions = parts;
    this.#selection = parseSelection(memento.get<unknown>(SELECTION_KEY));
  }

  get selection(): CampaignSelection {
    return this.#selection;
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
      this.#createOptions(),
      this.#selection,
    );
    this.#session = session;
    this.#setContext();
    view.onDidDispose(() => {
      session.dispose();
      if (this.#session === session) this.#session = undefined;
    });
  }

  /** Shows a choice, and brings the view to the front. */
  async show(choice: CampaignSelection): Promise<void> {
    await this.choose(choice);
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  async choose(choice: CampaignSelection): Promise<void> {
    this.#selection = choice;
    this.#session?.show(choice);
    this.#setContext();
    await this.#memento.update(SELECTION_KEY, choice);
  }

  dispose(): void {
    this.#session?.dispose();
  }

  /** For the buttons above the view. */
  #setContext(): void {
    void vscode.commands.executeCommand('setContext', 'mailing.statistics.hasChoice', this.#selection.length > 0);
  }
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly session: StatisticsSession;
}

/** The statistics in editor tabs: one for each choice. */
export class StatisticsPanels implements vscode.Disposable {
  readonly #createOptions: (panel: vscode.WebviewPanel) => SessionOptions;
  readonly #openPanels = new Set<OpenPanel>();

  constructor(parts: (panel: vscode.WebviewPanel) => SessionOptions) {
    this.#createOptions = parts;
  }

  /** What fills the tab that is in front. */
  get active(): StatisticsSession | undefined {
    return [...this.#openPanels].find(({ panel }) => panel.active)?.session;
  }

  /** Opens a choice in a tab, or brings its tab to the front. */
  show(choice: CampaignSelection): void {
    const open = this.#find(choice);
    if (open) open.panel.reveal();
    else
      this.#attach(vscode.window.createWebviewPanel(panelType, formatPanelTitle([]), vscode.ViewColumn.Active), choice);
  }

  /** Shows another choice in a tab, or brings the tab to the front that shows it already. */
  change(panel: vscode.WebviewPanel, choice: CampaignSelection): void {
    const other = this.#find(choice);
    if (other && other.panel !== panel) other.panel.reveal();
    else [...this.#openPanels].find((open) => open.panel === panel)?.session.show(choice);
  }

  /** Gives a tab that came back after a restart its content. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = (typeof state === 'object' && state !== null ? state : {}) as {
      readonly panel?: { readonly choice?: unknown } | null;
    };
    const choice = parseSelection(kept.panel?.choice);
    if (choice.length === 0 || this.#find(choice)) panel.dispose();
    else this.#attach(panel, choice);
  }

  dispose(): void {
    for (const { panel } of [...this.#openPanels]) panel.dispose();
  }

  #find(choice: CampaignSelection): OpenPanel | undefined {
    return [...this.#openPanels].find(({ session }) => getSelectionKey(session.choice) === getSelectionKey(choice));
  }

  #attach(panel: vscode.WebviewPanel, choice: CampaignSelection): void {
    const session = new StatisticsSession(
      {
        webview: panel.webview,
        wide: true,
        get visible() {
          return panel.visible;
        },
        onDidChangeVisibility: panel.onDidChangeViewState,
        describe: (names) => {
          panel.title = formatPanelTitle(names);
        },
      },
      this.#createOptions(panel),
      choice,
    );
    const open: OpenPanel = { panel, session };
    this.#openPanels.add(open);
    panel.onDidDispose(() => {
      this.#openPanels.delete(open);
      session.dispose();
    });
  }
}

function formatPanelTitle(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return 'Statistics';
  return `Statistics: ${plain(first, 60)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
