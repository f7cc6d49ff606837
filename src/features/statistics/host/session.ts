import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../../l10n.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { copyRows } from '../../../platform/ui/export/run.ts';
import { showError } from '../../../platform/ui/messages.ts';
import { TablePages } from '../../../platform/ui/tablePages.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { WebviewHost } from '../../../platform/ui/webview.ts';
import type { MessageHandlers } from '../../../platform/webview/messages.ts';
import { MAX_PAGE_SIZE } from '../../../service/client/paginate.ts';
import { sumLinkClicks } from '../analysis/counts.ts';
import { getSelectionKey, type CampaignSelection, type TableTab } from '../model.ts';
import { fromPage, type FromPage, type ToPage } from '../protocol.ts';
import { saveChart } from './exports.ts';
import {
  formatReadTime,
  getCanceledMessage,
  parseInterval,
  RefreshTimer,
  type ReadCause,
  type RefreshOutcome,
  type Schedule,
} from './refresh.ts';
import { Report } from './report.ts';
import { pickCampaign, pickComparedCampaigns } from './selection.ts';

const INTERVAL_SETTING = 'mailing.statistics.refreshInterval';

/** Older figures are read again when the page becomes visible. */
const MAX_AGE_MS = 60_000;

interface SessionActions {
  /** Shows another selection in place of the session's. */
  show(selection: CampaignSelection): unknown;
  openInEditor(selection: CampaignSelection): void;
}

/** The statistics in one view or tab: the selection, its report and the automatic refresh. */
export class StatisticsSession implements vscode.Disposable {
  readonly #view: vscode.WebviewView | vscode.WebviewPanel;
  readonly #services: ExtensionServices;
  readonly #actions: SessionActions;
  readonly #targets: TargetPicker;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #subscriptions: vscode.Disposable[];
  readonly #refreshTimer: RefreshTimer;
  readonly #handlers: MessageHandlers<FromPage> = {
    ready: () => this.#sendAll(),
    choose: async () => this.#showPicked(await pickCampaign(this.#targets, undefined)),
    compare: async () => this.#showPicked(await pickComparedCampaigns(this.#targets, this.#selection)),
    showCampaign: ({ index }) => this.#showPicked(this.#selection.slice(index, index + 1)),
    refresh: () => this.refresh(),
    cancel: () => this.#cancel(),
    openInEditor: () => this.#actions.openInEditor(this.#selection),
    readTimeline: () => this.#report?.records?.readAllRecipients(),
    requestPages: (message) => this.#tables?.request(message),
    copy: (copied) => copyRows(copied),
    export: ({ tab, expected }) =>
      vscode.commands.executeCommand('mailing.statistics.export', { ...this.#selection[0], table: tab, expected }),
    copyMarkdown: () => this.#copyMarkdown(),
    saveChart: (chart) => saveChart(chart),
    heatMap: ({ address }) => this.#showHeatMap(address),
  };
  #selection: CampaignSelection = [];
  /** Undefined if no campaign is selected. */
  #report: Report | undefined;
  #tables: TablePages<TableTab> | undefined;
  /** When the last read ended, in ms since 1970. */
  #readAt: number | undefined;
  #isReading = false;
  /** Identifies the services of the selection. */
  #targetKey = '';

  /**
   * @param view the view, or the panel of an editor tab
   * @param schedule replaces the timer in tests
   */
  constructor(
    view: vscode.WebviewView | vscode.WebviewPanel,
    services: ExtensionServices,
    selection: CampaignSelection,
    actions: SessionActions,
    schedule?: Schedule,
  ) {
    this.#view = view;
    this.#services = services;
    this.#actions = actions;
    const { connections, context, log, recent } = services;
    this.#targets = new TargetPicker(connections, recent);
    this.#refreshTimer = new RefreshTimer(() => this.#read('scheduled'), schedule);
    this.#refreshTimer.seconds = readInterval();
    this.#host = new WebviewHost<FromPage, ToPage>(
      view.webview,
      context.extensionUri,
      { page: 'statistics', title: l10n.t('Statistics') },
      fromPage,
      this.#handlers,
      (error) =>
        void showError(error, { title: l10n.t('Statistics'), log, connection: this.#selection[0]?.connection }),
    );
    this.#subscriptions = [
      this.#host,
      isPanel(view)
        ? view.onDidChangeViewState(() => this.#onVisibilityChange())
        : view.onDidChangeVisibility(() => this.#onVisibilityChange()),
      connections.onDidChange(({ id }) => id === undefined && this.#onConnectionsChange()),
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration(INTERVAL_SETTING) && this.#onIntervalChange(),
      ),
    ];
    this.#select(selection);
  }

  get selection(): CampaignSelection {
    return this.#selection;
  }

  /** Shows another selection. Does nothing if it is already shown. */
  show(selection: CampaignSelection): void {
    if (getSelectionKey(selection) === getSelectionKey(this.#selection)) return;
    this.#select(selection);
    this.#sendAll();
  }

  /** By default, reads everything and marks changes. */
  async refresh(cause: ReadCause = 'requested'): Promise<void> {
    this.#refreshTimer.recordOutcome(await this.#read(cause));
  }

  dispose(): void {
    this.#refreshTimer.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#tables?.stop();
    this.#cancelReading();
    this.#report = undefined;
  }

  #select(selection: CampaignSelection): void {
    this.#tables?.stop();
    this.#cancelReading();
    this.#selection = selection;
    this.#readAt = undefined;
    const { connections } = this.#services;
    const post = (message: ToPage): void => {
      // Ignore messages of the previous selection's report.
      if (this.#report !== report) return;
      this.#host.post(message);
      if (message.type === 'cards') this.#describe();
    };
    const report = selection.length === 0 ? undefined : new Report(connections, selection, post);
    this.#report = report;
    this.#tables = report?.records && new TablePages(report.records, post);
    this.#targetKey = this.#getTargetKey();
    this.#describe();
    report?.readNames();
  }

  #showPicked(selection: CampaignSelection): void {
    if (selection.length > 0) void this.#actions.show(selection);
  }

  /** Posts the complete state to a page that was loaded or has a new selection. */
  #sendAll(): void {
    this.#tables?.stop();
    const { visible } = this.#view;
    this.#host.post({
      type: 'show',
      selection: this.#selection,
      cards: this.#report?.cards ?? [],
      pageSize: MAX_PAGE_SIZE,
      intervalSeconds: this.#refreshTimer.isStopped ? 0 : this.#refreshTimer.seconds,
      wide: isPanel(this.#view),
    });
    this.#report?.publish();
    this.#refreshTimer.visible = visible;
    if (visible && !this.#isReading && !this.#isFresh()) void this.refresh('opened');
  }

  #isFresh(): boolean {
    const maxAgeMs = Math.min(MAX_AGE_MS, (this.#refreshTimer.seconds || Infinity) * 1000);
    return this.#readAt !== undefined && Date.now() - this.#readAt < maxAgeMs;
  }

  async #read(cause: ReadCause): Promise<RefreshOutcome> {
    const report = this.#report;
    if (report === undefined) return 'succeeded';
    this.#isReading = true;
    const outcome = await report.read(cause);
    // An aborted read has no result, and another selection has its own read.
    if (outcome === undefined || report !== this.#report) return 'succeeded';
    this.#isReading = false;
    this.#readAt = Date.now();
    const { seconds } = this.#refreshTimer;
    const isStopped = outcome === 'stopped' && seconds > 0;
    this.#host.post({
      type: 'interval',
      seconds: isStopped ? 0 : seconds,
      message: isStopped ? l10n.t('Automatic refresh has stopped. Refresh to start it again.') : undefined,
    });
    return outcome;
  }

  #cancel(): void {
    this.#tables?.stop(getCanceledMessage());
    this.#cancelReading();
    // Don't read again only because the page becomes visible.
    this.#readAt = Date.now();
  }

  #cancelReading(): void {
    this.#isReading = false;
    this.#report?.cancel();
  }

  #onVisibilityChange(): void {
    const { visible } = this.#view;
    this.#refreshTimer.visible = visible;
    if (visible) return;
    this.#host.suspend();
    this.#tables?.stop();
    if (this.#isReading) this.#readAt = undefined;
    this.#cancelReading();
  }

  #onIntervalChange(): void {
    this.#refreshTimer.seconds = readInterval();
    this.#host.post({ type: 'interval', seconds: this.#refreshTimer.seconds });
  }

  #onConnectionsChange(): void {
    if (this.#report === undefined) return;
    this.#host.post({ type: 'cards', cards: this.#report.cards });
    this.#describe();
    const targetKey = this.#getTargetKey();
    if (targetKey === this.#targetKey) return;
    this.#targetKey = targetKey;
    this.#readAt = undefined;
    if (this.#view.visible) void this.refresh();
  }

  #getTargetKey(): string {
    return JSON.stringify(
      this.#selection.map((ref) => {
        const connection = this.#services.connections.get(ref.connection);
        // The sandbox gets another port with each start.
        return connection?.sandbox === true ? 'sandbox' : connection?.baseUrl;
      }),
    );
  }

  /** Updates the title with the names of the shown campaigns. */
  #describe(): void {
    const names = this.#report?.cards.map(({ name }) => name) ?? [];
    if (isPanel(this.#view)) this.#view.title = formatPanelTitle(names);
    else this.#view.description = names.join(', ');
  }

  async #copyMarkdown(): Promise<void> {
    if (this.#report === undefined) return;
    await vscode.env.clipboard.writeText(this.#report.formatMarkdown());
    vscode.window.setStatusBarMessage(`$(check) ${l10n.t('Statistics copied as Markdown.')}`, 4000);
  }

  /** Shows the clicks on all links over the campaign's preview. */
  async #showHeatMap(selectedAddress: string | undefined): Promise<void> {
    const { records } = this.#report ?? {};
    if (records === undefined) return;
    const links = sumLinkClicks(await records.readAll('links', true));
    const preview = await vscode.commands.executeCommand<{ readonly uri: vscode.Uri } | undefined>('mailing.preview', {
      ...this.#selection[0],
      collection: 'campaigns',
    });
    if (preview === undefined) return;
    const countedAt = formatReadTime(new Date());
    this.#services.previews.find(preview.uri)?.showHeat({
      links,
      countedAt,
      selectedAddress,
    });
  }
}

function isPanel(view: vscode.WebviewView | vscode.WebviewPanel): view is vscode.WebviewPanel {
  return 'reveal' in view;
}

function formatPanelTitle([first, ...others]: readonly string[]): string {
  if (first === undefined) return l10n.t('Statistics');
  const name = toSingleLine(first, 60);
  return others.length === 0
    ? l10n.t`Statistics: ${name}`
    : l10n.t`Statistics: ${name} and ${formatNumber(others.length)} more`;
}

function readInterval(): number {
  return parseInterval(vscode.workspace.getConfiguration().get(INTERVAL_SETTING));
}
