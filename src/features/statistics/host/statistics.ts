import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../platform/services.ts';
import type { CampaignRef, CampaignSelection, TableTab } from '../model.ts';
import type { Exported } from '../../../platform/ui/export/run.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { parseSelection } from './parseSelection.ts';
import { CampaignPicker, hasSameCampaigns } from './campaignPicker.ts';
import { formatReadTime } from './refreshableValue.ts';
import { createReport, type SessionOptions, type Report, type StatisticsSession } from './session.ts';
import { StatisticsPanels, StatisticsView } from './surfaces.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** What a command gives: the campaign, or those that are compared. */
export type ShownCampaigns = CampaignRef | CampaignSelection;

/** The view, the editor tabs and what the commands do with them. */
export class Statistics implements vscode.Disposable {
  readonly view: StatisticsView;
  readonly panels: StatisticsPanels;
  readonly #services: ExtensionServices;
  readonly #picker: CampaignPicker;

  constructor(services: ExtensionServices) {
    this.#services = services;
    this.#picker = new CampaignPicker(services);
    this.view = new StatisticsView(services.context.workspaceState, () =>
      this.#createSessionOptions((choice) => this.view.choose(choice)),
    );
    this.panels = new StatisticsPanels((panel) =>
      this.#createSessionOptions((choice) => this.panels.change(panel, choice)),
    );
  }

  /** Shows a campaign in the view, or two to five side by side. What the argument does not name is asked for. */
  async show(argument: CommandArgument, selected?: CommandArgument): Promise<ShownCampaigns | undefined> {
    const choice = await this.#resolveSelection(argument, selected, 'Show Statistics');
    if (choice === undefined) return undefined;
    await this.view.show(choice);
    return toCommandResult(choice);
  }

  /** Reads anew what is shown: in the tab that is in front, else in the view. */
  async refresh(): Promise<ShownCampaigns | undefined> {
    const tab = this.panels.active;
    if (tab === undefined && this.view.selection.length === 0) return this.show(undefined);
    if (tab === undefined) await this.view.show(this.view.selection);
    const session = tab ?? this.view.session;
    await session?.refresh();
    return toCommandResult(session?.choice ?? this.view.selection);
  }

  /** Shows a choice in an editor tab: that of the argument, else that of the view. */
  async openInEditor(argument: CommandArgument, selected?: CommandArgument): Promise<ShownCampaigns | undefined> {
    const choice = await this.#resolveOrShown(argument, selected, 'Open Statistics in Editor');
    if (choice === undefined) return undefined;
    this.panels.show(choice);
    return toCommandResult(choice);
  }

  /** Shows two to five campaigns side by side: those of the argument, else those that are asked for. */
  async compare(argument: CommandArgument, selected?: CommandArgument): Promise<ShownCampaigns | undefined> {
    const title = 'Compare Statistics';
    const named = this.#picker.parseArguments(argument, selected);
    const inTree = parseSelection(this.#services.explorer.selection);
    const chosen = named ?? (inTree.length > 1 ? inTree : this.view.selection);
    const choice = named && named.length > 1 ? named : await this.#picker.pickSeveral(argument, title, chosen);
    if (choice === undefined) return undefined;
    await this.view.show(choice);
    return toCommandResult(choice);
  }

  async export(argument: CommandArgument): Promise<Exported | undefined> {
    const { exportTable } = await import('./exportTable.ts');
    // A button above the view or a tab is given nothing, or the tab's own address.
    return exportTable(
      this.#services,
      this.#picker,
      argument === undefined || argument instanceof vscode.Uri ? (this.#findExportable() ?? argument) : argument,
    );
  }

  /**
   * Puts the overview of a campaign, or a comparison, into the clipboard as Markdown: of the argument, else of what is shown. Gives the
   * text.
   */
  async copyMarkdown(argument: CommandArgument, selected?: CommandArgument): Promise<string | undefined> {
    const choice = await this.#resolveOrShown(argument, selected, 'Copy Statistics as Markdown');
    if (choice === undefined) return undefined;
    const session = [this.panels.active, this.view.session].find(
      (one) => one !== undefined && hasSameCampaigns(one.choice, choice),
    );
    return this.#copyReport(session?.report?.isCurrent === true ? session.report : await this.#readReport(choice));
  }

  dispose(): void {
    this.view.dispose();
    this.panels.dispose();
  }

  /** What a session needs. @param show shows another choice where the session is */
  #createSessionOptions(show: (choice: CampaignSelection) => unknown): SessionOptions {
    const { connections, context, log } = this.#services;
    const showWhere = async (choice: CampaignSelection | undefined): Promise<void> => {
      if (choice !== undefined) await show(choice);
    };
    return {
      connections,
      extensionUri: context.extensionUri,
      log,
      actions: {
        choose: async () => showWhere(await this.#resolveSelection(undefined, undefined, 'Show Statistics')),
        compare: async (choice) => showWhere(await this.#picker.pickSeveral(undefined, 'Compare Statistics', choice)),
        show: showWhere,
        openInEditor: (choice) => this.panels.show(choice),
        export: ({
          choice: [ref],
          ...what
        }: {
          readonly choice: CampaignSelection;
          readonly table: TableTab;
          readonly expected?: number;
        }) => vscode.commands.executeCommand('mailing.statistics.export', { ...ref, ...what }),
        copyMarkdown: (session) => this.#copyReport(session.report),
        saveChart: async (chart) => (await import('./charts.ts')).saveChart(chart),
        heatMap: (session, address) => this.#showHeatMap(session, address),
      },
    };
  }

  /** The campaigns of a command's arguments, or the one that is picked. */
  async #resolveSelection(
    argument: CommandArgument,
    selected: CommandArgument,
    title: string,
  ): Promise<CampaignSelection | undefined> {
    const named = this.#picker.parseArguments(argument, selected);
    if (named) return named;
    const ref = await this.#picker.pickOne(argument, title);
    return ref && [ref];
  }

  async #resolveOrShown(
    argument: CommandArgument,
    selected: CommandArgument,
    title: string,
  ): Promise<CampaignSelection | undefined> {
    const choice = this.#picker.parseArguments(argument, selected) ?? this.panels.active?.choice ?? this.view.selection;
    return choice.length > 0 ? choice : this.#resolveSelection(undefined, undefined, title);
  }

  /** The campaign whose tables are to be seen now. */
  #findExportable(): CampaignRef | undefined {
    const [ref, ...others] = this.panels.active?.choice ?? this.view.selection;
    return others.length === 0 ? ref : undefined;
  }

  async #readReport(choice: CampaignSelection): Promise<Report | undefined> {
    const report = createReport(this.#services.connections, choice, () => undefined);
    await withProgress('Reading the statistics', async (signal) => {
      signal.addEventListener('abort', () => report?.cancel());
      await report?.read('opened');
      signal.throwIfAborted();
    });
    return report;
  }

  async #copyReport(report: Report | undefined): Promise<string | undefined> {
    if (report === undefined) return undefined;
    const text = await report.markdown();
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage('$(check) Statistics copied as Markdown', 4000);
    return text;
  }

  /** Lays the clicks on all links over the campaign's preview. */
  async #showHeatMap({ campaignReport: one }: StatisticsSession, address: string | undefined): Promise<void> {
    if (one === undefined) return;
    const [rows, { sumLinkClicks: heatOf }] = await Promise.all([
      one.recordCache.readAll('links', true),
      import('../analysis/clicks.ts'),
    ]);
    const found = await vscode.commands.executeCommand<{ readonly uri: vscode.Uri } | undefined>(
      'mailing.campaign.preview',
      one.ref,
    );
    if (found === undefined) return;
    await this.#services.previews.showHeat(found.uri, {
      links: heatOf(rows),
      countedAt: formatReadTime(new Date()),
      ...(address === undefined ? {} : { selectedAddress: address }),
    });
  }
}

function toCommandResult(choice: CampaignSelection): ShownCampaigns | undefined {
  const [first, ...others] = choice;
  return others.length === 0 ? first && { connection: first.connection, id: first.id } : choice;
}
