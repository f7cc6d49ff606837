import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../services.ts';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import { getFields, type CommandArgument, type CommandHandlers } from '../../ui/commands.ts';
import { getSelectionKey, isFollowUp, panelType, viewId, type CampaignSelection } from './model.ts';
import { parseSelection } from './protocol.ts';
import { exportStatistics } from './exports.ts';
import { parseCampaigns, pickCampaign, pickComparedCampaigns } from './selection.ts';
import { StatisticsSession } from './session.ts';

/** Stores the last selection in the workspace state. */
const SELECTION_KEY = 'mailing.statistics.choice';

/**
 * The statistics commands, and the statistics in the view of the secondary side bar and in editor tabs. Each selection always has at most one
 * tab.
 */
export class Statistics implements vscode.Disposable {
  readonly #services: ExtensionServices;
  readonly #targets: TargetPicker;
  readonly #panels = new Map<vscode.WebviewPanel, StatisticsSession>();
  /** The view's session; undefined until the view was first opened. */
  #viewSession: StatisticsSession | undefined;
  /** The view's selection. */
  #selection: CampaignSelection;

  readonly handlers = {
    'mailing.campaign.showStatistics': (argument, selected) => this.show(argument, selected),
    'mailing.statistics.show': (argument, selected) => this.show(argument, selected),
    // Those that are shown are checked.
    'mailing.statistics.compare': async () => this.#display(await pickComparedCampaigns(this.#targets, this.#shown)),
    'mailing.statistics.openInEditor': (argument) => this.openInEditor(argument),
    'mailing.statistics.refresh': () => this.refresh(),
    // The argument's campaign, or else the shown one.
    'mailing.statistics.export': (argument) => {
      const shown = this.#shown;
      const isCampaign = shown.length === 1 && !isFollowUp(shown);
      const target = argument ?? (isCampaign ? shown[0] : undefined);
      return exportStatistics(this.#services.connections, this.#targets, target);
    },
  } satisfies CommandHandlers;

  constructor(services: ExtensionServices) {
    this.#services = services;
    this.#targets = new TargetPicker(services.connections, services.recent);
    this.#selection = parseSelection(services.context.workspaceState.get<unknown>(SELECTION_KEY));
  }

  /** Shows or compares campaigns. Asks for one if the arguments have none. Returns the shown campaign, or the compared ones. */
  async show(argument: CommandArgument, selected?: CommandArgument) {
    const named = parseCampaigns(this.#services.connections, argument, selected);
    return this.#display(named.length > 0 ? named : await pickCampaign(this.#targets, argument));
  }

  /** Shows a selection in the view and stores it. */
  async select(selection: CampaignSelection): Promise<void> {
    this.#selection = selection;
    this.#viewSession?.show(selection);
    await this.#services.context.workspaceState.update(SELECTION_KEY, selection);
  }

  /** Opens the argument's campaigns, or those of the view, in an editor. */
  async openInEditor(argument: CommandArgument) {
    const named = parseCampaigns(this.#services.connections, argument, undefined);
    const known = named.length > 0 ? named : this.#selection;
    const selection = known.length > 0 ? known : await pickCampaign(this.#targets, argument);
    if (selection.length > 0) this.#openPanel(selection);
    return toCommandResult(selection);
  }

  /** Refreshes the active tab and the view. Without such a tab, shows the view. */
  async refresh() {
    const tab = this.#activeSession;
    if (tab === undefined && this.#selection.length === 0) return this.show(undefined);
    if (tab === undefined) await focusView();
    const view = this.#viewSession;
    // The button of the view has no argument.
    await Promise.all([tab?.refresh(), (!tab || view?.isVisible) && view?.refresh()]);
    return toCommandResult(this.#shown);
  }

  /** Fills the view when VS Code creates it. */
  resolveView(view: vscode.WebviewView): void {
    this.#viewSession?.dispose();
    const session = new StatisticsSession(view, this.#services, this.#selection, (shown) => this.#display(shown));
    this.#viewSession = session;
    view.onDidDispose(() => {
      session.dispose();
      if (this.#viewSession === session) this.#viewSession = undefined;
    });
  }

  /** Restores an editor tab after a restart. */
  restorePanel(panel: vscode.WebviewPanel, state: unknown): void {
    const selection = parseSelection(getFields(getFields(state)['panel'])['choice']);
    if (selection.length === 0 || this.#findPanel(selection)) panel.dispose();
    else this.#fillPanel(panel, selection);
  }

  dispose(): void {
    this.#viewSession?.dispose();
    for (const panel of [...this.#panels.keys()]) panel.dispose();
  }

  /** The session of the active tab. */
  get #activeSession() {
    return [...this.#panels].find(([panel]) => panel.active)?.[1];
  }

  get #shown() {
    return this.#activeSession?.selection ?? this.#selection;
  }

  #findPanel(selection: CampaignSelection) {
    const key = getSelectionKey(selection);
    return [...this.#panels].find(([, session]) => getSelectionKey(session.selection) === key)?.[0];
  }

  /** Shows a selection in the view, or a comparison that is too wide for it in an editor. */
  async #display(selection: CampaignSelection) {
    if (selection.length > 1 && this.#viewSession?.isNarrow !== false) this.#openPanel(selection);
    else if (selection.length > 0) {
      await this.select(selection);
      await focusView();
    }
    return toCommandResult(selection);
  }

  /** Opens a selection in an editor tab, or reveals its tab. */
  #openPanel(selection: CampaignSelection) {
    const panel = this.#findPanel(selection);
    if (panel) return panel.reveal();
    const created = vscode.window.createWebviewPanel(panelType, t('Statistics'), vscode.ViewColumn.Active);
    this.#fillPanel(created, selection);
  }

  #fillPanel(panel: vscode.WebviewPanel, selection: CampaignSelection) {
    const session = new StatisticsSession(panel, this.#services, selection, (other) => {
      const existing = this.#findPanel(other);
      if (existing) existing.reveal();
      else session.show(other);
    });
    this.#panels.set(panel, session);
    panel.onDidDispose(() => {
      this.#panels.delete(panel);
      session.dispose();
    });
  }
}

function focusView() {
  return vscode.commands.executeCommand(`${viewId}.focus`);
}

function toCommandResult(selection: CampaignSelection) {
  return selection.length > 1 ? selection : selection[0];
}
