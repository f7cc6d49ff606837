import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../platform/services.ts';
import type { CampaignRef, CampaignSelection, TableTab } from '../model.ts';
import type { ExportResult } from '../../../platform/ui/export/run.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { parseSelection } from './parseSelection.ts';
import { CampaignPicker, hasSameCampaigns } from './campaignPicker.ts';
import { sumLinkClicks } from '../analysis/clicks.ts';
import { saveChart } from './charts.ts';
import { exportTable } from './exportTable.ts';
import { formatReadTime } from './refresh.ts';
import { createReport, type SessionOptions, type Report, type StatisticsSession } from './session.ts';
import { StatisticsPanels, StatisticsView } from './surfaces.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** A command's result: the shown campaign, or the compared ones. */
export type ShownCampaigns = CampaignRef | CampaignSelection;

/** The statistics commands, their view and editor tabs. */
export class Statistics implements vscode.Disposable {
  readonly view: StatisticsView;
  readonly panels: StatisticsPanels;
  readonly #services: ExtensionServices;
  readonly #picker: CampaignPicker;

  constructor(services: ExtensionServices) {
    this.#services = services;
    this.#picker = new CampaignPicker(services);
    this.view = new StatisticsView(services.context.workspaceState, () =>
      this.#createSessionOptions((selection) => this.view.choose(selection)),
    );
    this.panels = new StatisticsPanels((panel) =>
      this.#createSessionOptions((selection) => this.panels.change(panel, selection)),
    );
  }

  /** Shows or compares campaigns in the view. Asks for them if the arguments have none. */
  async show(argument: CommandArgument, selected?: CommandArgument): Promise<ShownCampaigns | undefined> {
    const selection = await this.#resolveSelection(argument, selected, 'Show Statistics');
    if (selection === undefined) return undefined;
    await this.view.show(selection);
    return toCommandResult(selection);
  }

  /** Refreshes the active tab, or else the view. */
  async refresh(): Promise<ShownCampaigns | undefined> {
    const tab = this.panels.active;
    if (tab === undefined && this.view.selection.length === 0) return this.show(undefined);
    if (tab === undefined) await this.view.show(this.view.selection);
    const session = tab ?? this.view.session;
    await session?.refresh();
    return toCommandResult(session?.selection ?? this.view.selection);
  }

  /** Opens the campaigns of the arguments, or else of the view, in an editor tab. */
  async openInEditor(argument: CommandArgument, selected?: CommandArgument): Promise<ShownCampaigns | undefined> {
    const selection = await this.#resolveOrShown(argument, selected, 'Open Statistics in Editor');
    if (selection === undefined) return undefined;
    this.panels.show(selection);
    return toCommandResult(selection);
  }

  /** Compares the two to five campaigns of the arguments, or asks for them. */
  async compare(argument: CommandArgument, selected?: CommandArgument): Promise<ShownCampaigns | undefined> {
    const title = 'Compare Statistics';
    const parsed = this.#picker.parseArguments(argument, selected);
    const treeSelection = parseSelection(this.#services.explorer.view.selection);
    const preselected = parsed ?? (treeSelection.length > 1 ? treeSelection : this.view.selection);
    const selection =
      parsed && parsed.length > 1 ? parsed : await this.#picker.pickSeveral(argument, title, preselected);
    if (selection === undefined) return undefined;
    await this.view.show(selection);
    return toCommandResult(selection);
  }

  async export(argument: CommandArgument): Promise<ExportResult | undefined> {
    // Title bar buttons pass no argument, or the URI of the tab.
    return exportTable(
      this.#services,
      this.#picker,
      argument === undefined || argument instanceof vscode.Uri ? (this.#findExportable() ?? argument) : argument,
    );
  }

  /** Copies the overview or comparison of the arguments, or else of the shown campaigns, as Markdown. Returns the text. */
  async copyMarkdown(argument: CommandArgument, selected?: CommandArgument): Promise<string | undefined> {
    const selection = await this.#resolveOrShown(argument, selected, 'Copy Statistics as Markdown');
    if (selection === undefined) return undefined;
    const session = [this.panels.active, this.view.session].find(
      (other) => other !== undefined && hasSameCampaigns(other.selection, selection),
    );
    return this.#copyReport(session?.report?.isCurrent === true ? session.report : await this.#readReport(selection));
  }

  dispose(): void {
    this.view.dispose();
    this.panels.dispose();
  }

  /** @param show shows another selection in the session's view or tab */
  #createSessionOptions(show: (selection: CampaignSelection) => unknown): SessionOptions {
    const { connections, context, log } = this.#services;
    const showIfSelected = async (selection: CampaignSelection | undefined): Promise<void> => {
      if (selection !== undefined) await show(selection);
    };
    return {
      connections,
      extensionUri: context.extensionUri,
      log,
      actions: {
        choose: async () => showIfSelected(await this.#resolveSelection(undefined, undefined, 'Show Statistics')),
        compare: async (selection) =>
          showIfSelected(await this.#picker.pickSeveral(undefined, 'Compare Statistics', selection)),
        show: showIfSelected,
        openInEditor: (selection) => this.panels.show(selection),
        export: ({
          selection: [ref],
          ...tableOptions
        }: {
          readonly selection: CampaignSelection;
          readonly table: TableTab;
          readonly expected?: number;
        }) => vscode.commands.executeCommand('mailing.statistics.export', { ...ref, ...tableOptions }),
        copyMarkdown: (session) => this.#copyReport(session.report),
        saveChart,
        heatMap: (session, address) => this.#showHeatMap(session, address),
      },
    };
  }

  /** Returns the campaigns of a command's arguments, or asks for one. */
  async #resolveSelection(
    argument: CommandArgument,
    selected: CommandArgument,
    title: string,
  ): Promise<CampaignSelection | undefined> {
    const parsed = this.#picker.parseArguments(argument, selected);
    if (parsed) return parsed;
    const ref = await this.#picker.pickOne(argument, title);
    return ref && [ref];
  }

  async #resolveOrShown(
    argument: CommandArgument,
    selected: CommandArgument,
    title: string,
  ): Promise<CampaignSelection | undefined> {
    const selection =
      this.#picker.parseArguments(argument, selected) ?? this.panels.active?.selection ?? this.view.selection;
    return selection.length > 0 ? selection : this.#resolveSelection(undefined, undefined, title);
  }

  /** Returns the campaign whose tables are shown. */
  #findExportable(): CampaignRef | undefined {
    const [ref, ...others] = this.panels.active?.selection ?? this.view.selection;
    return others.length === 0 ? ref : undefined;
  }

  async #readReport(selection: CampaignSelection): Promise<Report | undefined> {
    const report = createReport(this.#services.connections, selection, () => undefined);
    await withProgress('Reading the statistics', async (signal) => {
      signal.addEventListener('abort', () => report?.cancel());
      await report?.read('opened');
      signal.throwIfAborted();
    });
    return report;
  }

  async #copyReport(report: Report | undefined): Promise<string | undefined> {
    if (report === undefined) return undefined;
    const text = report.markdown();
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage('$(check) Statistics copied as Markdown', 4000);
    return text;
  }

  /** Shows the clicks on all links over the campaign's preview. */
  async #showHeatMap({ campaignReport }: StatisticsSession, address: string | undefined): Promise<void> {
    if (campaignReport === undefined) return;
    const rows = await campaignReport.recordCache.readAll('links', true);
    const preview = await vscode.commands.executeCommand<{ readonly uri: vscode.Uri } | undefined>('mailing.preview', {
      ...campaignReport.ref,
      collection: 'campaigns',
    });
    if (preview === undefined) return;
    await this.#services.previews.showHeat(preview.uri, {
      links: sumLinkClicks(rows),
      countedAt: formatReadTime(new Date()),
      ...(address === undefined ? {} : { selectedAddress: address }),
    });
  }
}

function toCommandResult(selection: CampaignSelection): ShownCampaigns | undefined {
  const [first, ...others] = selection;
  return others.length === 0 ? first && { connection: first.connection, id: first.id } : selection;
}
