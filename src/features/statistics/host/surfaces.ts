import * as vscode from 'vscode';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { panelType, viewId } from '../model.ts';
import { getSelectionKey, type CampaignSelection } from '../model.ts';
import { parseSelection } from './parseSelection.ts';
import { StatisticsSession, type SessionOptions } from './session.ts';

/** Stores the last selection in the workspace state. */
const SELECTION_KEY = 'mailing.statistics.choice';

/** The view in the secondary side bar. It stores its selection. */
export class StatisticsView implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #createOptions: () => SessionOptions;
  #selection: CampaignSelection;
  #session: StatisticsSession | undefined;

  constructor(memento: vscode.Memento, createOptions: () => SessionOptions) {
    this.#memento = memento;
    this.#createOptions = createOptions;
    this.#selection = parseSelection(memento.get<unknown>(SELECTION_KEY));
  }

  get selection(): CampaignSelection {
    return this.#selection;
  }

  /** The view's session; undefined until the view was first opened. */
  get session(): StatisticsSession | undefined {
    return this.#session;
  }

  /** Fills the view when VS Code creates it. */
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

  /** Shows a selection and reveals the view. */
  async show(selection: CampaignSelection): Promise<void> {
    await this.choose(selection);
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  async choose(selection: CampaignSelection): Promise<void> {
    this.#selection = selection;
    this.#session?.show(selection);
    this.#setContext();
    await this.#memento.update(SELECTION_KEY, selection);
  }

  dispose(): void {
    this.#session?.dispose();
  }

  /** Updates the context key that enables the view's title buttons. */
  #setContext(): void {
    void vscode.commands.executeCommand('setContext', 'mailing.statistics.hasChoice', this.#selection.length > 0);
  }
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly session: StatisticsSession;
}

/** The statistics in editor tabs: one for each selection. */
export class StatisticsPanels implements vscode.Disposable {
  readonly #createOptions: (panel: vscode.WebviewPanel) => SessionOptions;
  readonly #openPanels = new Set<OpenPanel>();

  constructor(createOptions: (panel: vscode.WebviewPanel) => SessionOptions) {
    this.#createOptions = createOptions;
  }

  /** The session of the active tab. */
  get active(): StatisticsSession | undefined {
    return [...this.#openPanels].find(({ panel }) => panel.active)?.session;
  }

  /** Opens a selection in a tab, or reveals its tab. */
  show(selection: CampaignSelection): void {
    const openPanel = this.#find(selection);
    if (openPanel) openPanel.panel.reveal();
    else
      this.#attach(
        vscode.window.createWebviewPanel(panelType, formatPanelTitle([]), vscode.ViewColumn.Active),
        selection,
      );
  }

  /** Shows another selection in a tab, or reveals the tab that already shows it. */
  change(panel: vscode.WebviewPanel, selection: CampaignSelection): void {
    const existing = this.#find(selection);
    if (existing && existing.panel !== panel) existing.panel.reveal();
    else [...this.#openPanels].find((openPanel) => openPanel.panel === panel)?.session.show(selection);
  }

  /** Restores a tab after a restart. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const storedState = (typeof state === 'object' && state !== null ? state : {}) as {
      readonly panel?: { readonly choice?: unknown } | null;
    };
    const selection = parseSelection(storedState.panel?.choice);
    if (selection.length === 0 || this.#find(selection)) panel.dispose();
    else this.#attach(panel, selection);
  }

  dispose(): void {
    for (const { panel } of [...this.#openPanels]) panel.dispose();
  }

  #find(selection: CampaignSelection): OpenPanel | undefined {
    return [...this.#openPanels].find(
      ({ session }) => getSelectionKey(session.selection) === getSelectionKey(selection),
    );
  }

  #attach(panel: vscode.WebviewPanel, selection: CampaignSelection): void {
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
      selection,
    );
    const openPanel: OpenPanel = { panel, session };
    this.#openPanels.add(openPanel);
    panel.onDidDispose(() => {
      this.#openPanels.delete(openPanel);
      session.dispose();
    });
  }
}

function formatPanelTitle(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return 'Statistics';
  return `Statistics: ${toSingleLine(first, 60)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
