import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../platform/services.ts';
import type { CampaignRef, Choice, TableTab } from '../model.ts';
import type { Exported } from '../../../platform/ui/export/run.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { choiceOf } from './choice.ts';
import { Choosing, sameCampaigns } from './choosing.ts';
import { readAtText } from './readingState.ts';
import { reportOf, type SessionParts, type ShownReport, type StatisticsSession } from './session.ts';
import { StatisticsPanels, StatisticsView } from './surfaces.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** What a command gives: the campaign, or those that are compared. */
export type Shown = CampaignRef | Choice;

/** The view, the editor tabs and what the commands do with them. */
export class Statistics implements vscode.Disposable {
  readonly view: StatisticsView;
  readonly panels: StatisticsPanels;
  readonly #services: ExtensionServices;
  readonly #choosing: Choosing;

  constructor(services: ExtensionServices) {
    this.#services = services;
    this.#choosing = new Choosing(services);
    this.view = new StatisticsView(services.context.workspaceState, () =>
      this.#parts((choice) => this.view.choose(choice)),
    );
    this.panels = new StatisticsPanels((panel) => this.#parts((choice) => this.panels.change(panel, choice)));
  }

  /** Shows a campaign in the view, or two to five side by side. What the argument does not name is asked for. */
  async show(argument: CommandArgument, selected?: CommandArgument): Promise<Shown | undefined> {
    const choice = await this.#chosen(argument, selected, 'Show Statistics');
    if (choice === undefined) return undefined;
    await this.view.show(choice);
    return shown(choice);
  }

  /** Reads anew what is shown: in the tab that is in front, else in the view. */
  async refresh(): Promise<Shown | undefined> {
    const tab = this.panels.active;
    if (tab === undefined && this.view.choice.length === 0) return this.show(undefined);
    if (tab === undefined) await this.view.show(this.view.choice);
    const session = tab ?? this.view.session;
    await session?.refresh();
    return shown(session?.choice ?? this.view.choice);
  }

  /** Shows a choice in an editor tab: that of the argument, else that of the view. */
  async openInEditor(argument: CommandArgument, selected?: CommandArgument): Promise<Shown | undefined> {
    const choice = await this.#chosenOrShown(argument, selected, 'Open Statistics in Editor');
    if (choice === undefined) return undefined;
    this.panels.show(choice);
    return shown(choice);
  }

  /** Shows two to five campaigns side by side: those of the argument, else those that are asked for. */
  async compare(argument: CommandArgument, selected?: CommandArgument): Promise<Shown | undefined> {
    const title = 'Compare Statistics';
    const named = this.#choosing.given(argument, selected);
    const inTree = choiceOf(this.#services.explorer.selection);
    const chosen = named ?? (inTree.length > 1 ? inTree : this.view.choice);
    const choice = named && named.length > 1 ? named : await this.#choosing.several(argument, title, chosen);
    if (choice === undefined) return undefined;
    await this.view.show(choice);
    return shown(choice);
  }

  async export(argument: CommandArgument): Promise<Exported | undefined> {
    const { exportTable } = await import('./exports.ts');
    // A button above the view or a tab is given nothing, or the tab's own address.
    return exportTable(
      this.#services,
      this.#choosing,
      argument === undefined || argument instanceof vscode.Uri ? (this.#exportable() ?? argument) : argument,
    );
  }

  /**
   * Puts the overview of a campaign, or a comparison, into the clipboard as Markdown: of the argument, else of what is shown. Gives the
   * text.
   */
  async copyMarkdown(argument: CommandArgument, selected?: CommandArgument): Promise<string | undefined> {
    const choice = await this.#chosenOrShown(argument, selected, 'Copy Statistics as Markdown');
    if (choice === undefined) return undefined;
    const session = [this.panels.active, this.view.session].find(
      (one) => one !== undefined && sameCampaigns(one.choice, choice),
    );
    return this.#copy(session?.report?.isKnown === true ? session.report : await this.#read(choice));
  }

  dispose(): void {
    this.view.dispose();
    this.panels.dispose();
  }

  /** What a session needs. @param show shows another choice where the session is */
  #parts(show: (choice: Choice) => unknown): SessionParts {
    const { connections, context, log } = this.#services;
    const showWhere = async (choice: Choice | undefined): Promise<void> => {
      if (choice !== undefined) await show(choice);
    };
    return {
      connections,
      extensionUri: context.extensionUri,
      log,
      actions: {
        choose: async () => showWhere(await this.#chosen(undefined, undefined, 'Show Statistics')),
        compare: async (choice) => showWhere(await this.#choosing.several(undefined, 'Compare Statistics', choice)),
        show: showWhere,
        openInEditor: (choice) => this.panels.show(choice),
        export: ({
          choice: [ref],
          ...what
        }: {
          readonly choice: Choice;
          readonly table: TableTab;
          readonly expected?: number;
        }) => vscode.commands.executeCommand('mailing.statistics.export', { ...ref, ...what }),
        copyMarkdown: (session) => this.#copy(session.report),
        saveChart: async (chart) => (await import('./charts.ts')).saveChart(chart),
        heatMap: (session, address) => this.#showHeat(session, address),
      },
    };
  }

  /** The campaigns of a command's arguments, or the one that is picked. */
  async #chosen(argument: CommandArgument, selected: CommandArgument, title: string): Promise<Choice | undefined> {
    const named = this.#choosing.given(argument, selected);
    if (named) return named;
    const ref = await this.#choosing.one(argument, title);
    return ref && [ref];
  }

  async #chosenOrShown(
    argument: CommandArgument,
    selected: CommandArgument,
    title: string,
  ): Promise<Choice | undefined> {
    const choice = this.#choosing.given(argument, selected) ?? this.panels.active?.choice ?? this.view.choice;
    return choice.length > 0 ? choice : this.#chosen(undefined, undefined, title);
  }

  /** The campaign whose tables are to be seen now. */
  #exportable(): CampaignRef | undefined {
    const [ref, ...others] = this.panels.active?.choice ?? this.view.choice;
    return others.length === 0 ? ref : undefined;
  }

  async #read(choice: Choice): Promise<ShownReport | undefined> {
    const report = reportOf(this.#services.connections, choice, () => undefined);
    await withProgress('Reading the statistics', async (signal) => {
      signal.addEventListener('abort', () => report?.giveUp());
      await report?.read('opened');
      signal.throwIfAborted();
    });
    return report;
  }

  async #copy(report: ShownReport | undefined): Promise<string | undefined> {
    if (report === undefined) return undefined;
    const text = await report.markdown();
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage('$(check) Statistics copied as Markdown', 4000);
    return text;
  }

  /** Lays the clicks on all links over the campaign's preview. */
  async #showHeat({ one }: StatisticsSession, address: string | undefined): Promise<void> {
    if (one === undefined) return;
    const [rows, { heatOf }] = await Promise.all([one.records.whole('links', true), import('../analysis/clicks.ts')]);
    const found = await vscode.commands.executeCommand<{ readonly uri: vscode.Uri } | undefined>(
      'mailing.campaign.preview',
      one.ref,
    );
    if (found === undefined) return;
    await this.#services.previews.showHeat(found.uri, {
      links: heatOf(rows),
      at: readAtText(new Date()),
      ...(address === undefined ? {} : { chosen: address }),
    });
  }
}

function shown(choice: Choice): Shown | undefined {
  const [first, ...others] = choice;
  return others.length === 0 ? first && { connection: first.connection, id: first.id } : choice;
}
