import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../services.ts';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { getSelectionKey, isFollowUp, panelType, viewId, type CampaignSelection } from './model.ts';
import { parseSelection } from './protocol.ts';
import { exportStatistics } from './exports.ts';
import { parseCampaigns, pickCampaign, pickComparedCampaigns } from './selection.ts';
import { openSession, type StatisticsSession } from './session.ts';

/** Stores the last selection in the workspace state. */
const SELECTION_KEY = 'mailing.statistics.choice';

/** Creates the statistics commands, and the statistics in the view of the secondary side bar and in editor tabs. */
export function createStatistics(services: ExtensionServices) {
  const { connections, context } = services;
  const targets = new TargetPicker(connections, services.recent);
  /** The open editor tabs, one for each selection. */
  const panels = new Map<vscode.WebviewPanel, StatisticsSession>();
  /** The view's session; undefined until the view was first opened. */
  let viewSession: StatisticsSession | undefined;
  /** The view's selection. */
  let selection = parseSelection(context.workspaceState.get<unknown>(SELECTION_KEY));

  /** Returns the session of the active tab. */
  const findActiveSession = () => [...panels].find(([panel]) => panel.active)?.[1];
  const getShown = () => findActiveSession()?.getSelection() ?? selection;
  const findPanel = (shown: CampaignSelection) => {
    const key = getSelectionKey(shown);
    return [...panels].find(([, session]) => getSelectionKey(session.getSelection()) === key)?.[0];
  };
  const focusView = () => vscode.commands.executeCommand(`${viewId}.focus`);

  /** Shows or compares campaigns. Asks for one if the arguments have none. Returns the shown campaign, or the compared ones. */
  async function show(argument: CommandArgument, selected?: CommandArgument) {
    const named = parseCampaigns(connections, argument, selected);
    return display(named.length > 0 ? named : await pickCampaign(targets, argument));
  }

  /** Shows a selection in the view, or a comparison that is too wide for it in an editor. */
  async function display(shown: CampaignSelection) {
    if (shown.length > 1 && viewSession?.isNarrow() !== false) openInEditor(shown);
    else if (shown.length > 0) {
      await select(shown);
      await focusView();
    }
    return toCommandResult(shown);
  }

  /** Shows a selection in the view and stores it. */
  async function select(shown: CampaignSelection) {
    selection = shown;
    viewSession?.show(shown);
    await context.workspaceState.update(SELECTION_KEY, shown);
  }

  /** Opens a selection in an editor tab, or reveals its tab. */
  function openInEditor(shown: CampaignSelection) {
    const existing = findPanel(shown);
    if (existing) existing.reveal();
    else fillPanel(vscode.window.createWebviewPanel(panelType, t('Statistics'), vscode.ViewColumn.Active), shown);
  }

  function fillPanel(panel: vscode.WebviewPanel, shown: CampaignSelection) {
    const session = openSession(panel, services, shown, (other) => {
      const existing = findPanel(other);
      if (existing) existing.reveal();
      else session.show(other);
    });
    panels.set(panel, session);
    panel.onDidDispose(() => {
      panels.delete(panel);
      session.dispose();
    });
  }

  return {
    show,
    /** Shows statistics from the context menu of campaigns. */
    showStatistics: show,
    select,
    /** Asks for campaigns to compare. Those that are shown are checked. */
    compare: async () => display(await pickComparedCampaigns(targets, getShown())),
    /** Opens the argument's campaigns, or those of the view, in an editor. */
    openInEditor: async (argument: CommandArgument) => {
      const named = parseCampaigns(connections, argument, undefined);
      const shown = named.length > 0 ? named : selection.length > 0 ? selection : await pickCampaign(targets, argument);
      if (shown.length > 0) openInEditor(shown);
      return toCommandResult(shown);
    },
    /** Refreshes the active tab, or else the view. */
    refresh: async () => {
      const tab = findActiveSession();
      if (tab === undefined && selection.length === 0) return show(undefined);
      if (tab === undefined) await focusView();
      const session = tab ?? viewSession;
      await session?.refresh();
      return toCommandResult(session?.getSelection() ?? selection);
    },
    /** Exports a table of the argument's campaign, or else of the shown one. */
    export: (argument: CommandArgument) => {
      const shown = getShown();
      const isCampaign = shown.length === 1 && !isFollowUp(shown);
      return exportStatistics(connections, targets, argument ?? (isCampaign ? shown[0] : undefined));
    },
    /** Fills the view when VS Code creates it. */
    resolveView: (view: vscode.WebviewView) => {
      viewSession?.dispose();
      const session = openSession(view, services, selection, display);
      viewSession = session;
      view.onDidDispose(() => {
        session.dispose();
        if (viewSession === session) viewSession = undefined;
      });
    },
    /** Restores an editor tab after a restart. */
    restorePanel: (panel: vscode.WebviewPanel, state: unknown) => {
      const shown = parseSelection(getFields(getFields(state)['panel'])['choice']);
      if (shown.length === 0 || findPanel(shown)) panel.dispose();
      else fillPanel(panel, shown);
    },
    dispose: () => {
      viewSession?.dispose();
      for (const panel of [...panels.keys()]) panel.dispose();
    },
  };
}

function toCommandResult(selection: CampaignSelection) {
  return selection.length > 1 ? selection : selection[0];
}
