import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../platform/services.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import type { RecordRef } from '../../../platform/connections/model.ts';
import { getFields, type CommandArgument } from '../../../platform/ui/commands.ts';
import type { ExportResult } from '../../../platform/ui/export/run.ts';
import { getSelectionKey, panelType, viewId, type CampaignSelection } from '../model.ts';
import { parseSelection } from '../protocol.ts';
import { exportStatistics } from './exports.ts';
import { parseCampaigns, pickCampaign } from './selection.ts';
import { StatisticsSession } from './session.ts';

/** Stores the last selection in the workspace state. */
const SELECTION_KEY = 'mailing.statistics.choice';

/** The statistics commands, and the statistics in the view of the secondary side bar and in editor tabs. */
export class Statistics implements vscode.Disposable {
  readonly #services: ExtensionServices;
  readonly #targets: TargetPicker;
  /** The open editor tabs, one for each selection. */
  readonly #panels = new Map<vscode.WebviewPanel, StatisticsSession>();
  /** The view's session; undefined until the view was first opened. */
  #view: StatisticsSession | undefined;
  /** The view's selection. */
  #selection: CampaignSelection;

  constructor(services: ExtensionServices) {
    this.#services = services;
    this.#targets = new TargetPicker(services.connections, services.recent);
    this.#selection = parseSelection(services.context.workspaceState.get<unknown>(SELECTION_KEY));
  }

  /** Shows or compares campaigns in the view. Asks for one if the arguments have none. Returns the shown campaign, or the compared ones. */
  async show(argument: CommandArgument, selected?: CommandArgument) {
    const named = parseCampaigns(this.#services.connections, argument, selected);
    const selection = named.length > 0 ? named : await pickCampaign(this.#targets, argument);
    if (selection.length === 0) return undefined;
    await this.select(selection);
    await this.#focusView();
    return toCommandResult(selection);
  }

  /** Shows statistics from the context menu of campaigns. */
  showStatistics(argument: CommandArgument, selected?: CommandArgument) {
    return this.show(argument, selected);
  }

  /** Refreshes the active tab, or else the view. */
  async refresh() {
    const tab = this.#activeSession;
    if (tab === undefined && this.#selection.length === 0) return this.show(undefined);
    if (tab === undefined) await this.#focusView();
    const session = tab ?? this.#view;
    await session?.refresh();
    return toCommandResult(session?.selection ?? this.#selection);
  }

  /** Exports a table of the argument's campaign, or else of the shown one. */
  async export(argument: CommandArgument): Promise<ExportResult | undefined> {
    const [ref, ...others] = this.#activeSession?.selection ?? this.#selection;
    const shown = others.length === 0 ? ref : undefined;
    return exportStatistics(this.#services.connections, this.#targets, argument ?? shown);
  }

  /** Shows a selection in the view and stores it. */
  async select(selection: CampaignSelection): Promise<void> {
    this.#selection = selection;
    this.#view?.show(selection);
    await this.#services.context.workspaceState.update(SELECTION_KEY, selection);
  }

  /** Fills the view when VS Code creates it. */
  resolveView(view: vscode.WebviewView): void {
    this.#view?.dispose();
    const session = new StatisticsSession(view, this.#services, this.#selection, {
      show: (selection) => this.select(selection),
      openInEditor: (selection) => this.openInEditor(selection),
    });
    this.#view = session;
    view.onDidDispose(() => {
      session.dispose();
      if (this.#view === session) this.#view = undefined;
    });
  }

  /** Opens a selection in an editor tab, or reveals its tab. */
  openInEditor(selection: CampaignSelection): void {
    const existing = this.#findPanel(selection);
    if (existing) existing.reveal();
    else {
      const title = l10n.t('Statistics');
      this.#fillPanel(vscode.window.createWebviewPanel(panelType, title, vscode.ViewColumn.Active), selection);
    }
  }

  /** Restores an editor tab after a restart. */
  restorePanel(panel: vscode.WebviewPanel, state: unknown): void {
    const selection = parseSelection(getFields(getFields(state)['panel'])['choice']);
    if (selection.length === 0 || this.#findPanel(selection)) panel.dispose();
    else this.#fillPanel(panel, selection);
  }

  dispose(): void {
    this.#view?.dispose();
    for (const panel of [...this.#panels.keys()]) panel.dispose();
  }

  /** The session of the active tab. */
  get #activeSession(): StatisticsSession | undefined {
    return [...this.#panels].find(([panel]) => panel.active)?.[1];
  }

  #findPanel(selection: CampaignSelection): vscode.WebviewPanel | undefined {
    const key = getSelectionKey(selection);
    return [...this.#panels].find(([, session]) => getSelectionKey(session.selection) === key)?.[0];
  }

  async #focusView(): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  #fillPanel(panel: vscode.WebviewPanel, selection: CampaignSelection): void {
    const session = new StatisticsSession(panel, this.#services, selection, {
      show: (other) => {
        const existing = this.#findPanel(other);
        if (existing) existing.reveal();
        else session.show(other);
      },
      openInEditor: (other) => this.openInEditor(other),
    });
    this.#panels.set(panel, session);
    panel.onDidDispose(() => {
      this.#panels.delete(panel);
      session.dispose();
    });
  }
}

function toCommandResult(selection: CampaignSelection): RecordRef | CampaignSelection | undefined {
  return selection.length > 1 ? selection : selection[0];
}
