import * as vscode from 'vscode';
import type { Connections } from '../../../platform/connections/connections.ts';
import { copyRows } from '../../../platform/ui/export/copy.ts';
import { showError } from '../../../platform/ui/messages.ts';
import { TablePages } from '../../../platform/ui/tablePages.ts';
import { WebviewHost } from '../../../platform/ui/webview.ts';
import type { MessageHandlers } from '../../../platform/webview/messages.ts';
import { getSelectionKey, type CampaignSelection, type TableTab } from '../model.ts';
import { fromPage, type FromPage, type ToPage } from '../protocol.ts';
import { CampaignReport, TABLE_PAGE_ROWS } from './campaignReport.ts';
import { CANCELED_MESSAGE, parseInterval, RefreshTimer, type RefreshOutcome, type Schedule } from './refresh.ts';
import { ComparisonReport, type Post, type ReadCause } from './report.ts';
import type { StatisticsConnections } from './source.ts';

export const INTERVAL_SETTING = 'mailing.statistics.refreshInterval';

/** Older figures are read again when the page becomes visible. */
const MAX_AGE_MS = 60_000;

/** The view or the editor tab of a session. */
export interface Surface {
  readonly webview: vscode.Webview;
  readonly wide: boolean;
  readonly visible: boolean;
  readonly onDidChangeVisibility:
    vscode.WebviewView['onDidChangeVisibility'] | vscode.WebviewPanel['onDidChangeViewState'];
  /** Updates the title with the names of the shown campaigns. */
  describe(names: readonly string[]): void;
}

export interface SessionOptions {
  readonly connections: Pick<Connections, 'run' | 'get' | 'onDidChange'>;
  readonly extensionUri: vscode.Uri;
  readonly log?: vscode.LogOutputChannel;
  readonly actions: SessionActions;
  /** Replaces the timer in tests. */
  readonly schedule?: Schedule;
}

/** Actions of the page that affect more than the session. */
export interface SessionActions {
  choose(): void;
  compare(selection: CampaignSelection): void;
  /** Shows another selection in place of the session's. */
  show(selection: CampaignSelection): void;
  openInEditor(selection: CampaignSelection): void;
  export(what: { readonly selection: CampaignSelection; readonly table: TableTab; readonly expected?: number }): void;
  copyMarkdown(session: StatisticsSession): void;
  saveChart(chart: Extract<FromPage, { type: 'saveChart' }>): void;
  heatMap(session: StatisticsSession, address: string | undefined): void;
}

/** The statistics in one view or tab: the selection, its report and the automatic refresh. */
export class StatisticsSession implements vscode.Disposable {
  readonly #surface: Surface;
  readonly #options: SessionOptions;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #subscriptions: vscode.Disposable[];
  readonly #refreshTimer: RefreshTimer;
  readonly #handlers: MessageHandlers<FromPage> = {
    ready: () => this.#sendAll(),
    choose: () => this.#options.actions.choose(),
    compare: () => this.#options.actions.compare(this.#selection),
    showCampaign: ({ ref }) =>
      this.#selection.some((other) => getSelectionKey([other]) === getSelectionKey([ref])) &&
      this.#options.actions.show([ref]),
    refresh: () => this.refresh(),
    cancel: () => this.#cancel(),
    openInEditor: () => this.#options.actions.openInEditor(this.#selection),
    readTimeline: () => this.campaignReport?.readAllRecipients(),
    requestPages: (message) => this.#tables?.request(message),
    copy: (copied) => copyRows(copied),
    export: ({ tab, expected }) => this.#options.actions.export({ selection: this.#selection, table: tab, expected }),
    copyMarkdown: () => this.#options.actions.copyMarkdown(this),
    saveChart: (chart) => this.#options.actions.saveChart(chart),
    heatMap: ({ address }) => this.#options.actions.heatMap(this, address),
  };
  #selection: CampaignSelection = [];
  #report: Report | undefined;
  #tables: TablePages<TableTab> | undefined;
  /** When the last read ended, in ms since 1970. */
  #readAt: number | undefined;
  #reportBeingRead: Report | undefined;
  /** Identifies the services of the selection. */
  #targetKey = '';

  constructor(surface: Surface, options: SessionOptions, selection: CampaignSelection) {
    this.#surface = surface;
    this.#options = options;
    this.#refreshTimer = new RefreshTimer(() => this.#read('scheduled'), options.schedule);
    this.#refreshTimer.seconds = readInterval();
    const page = { page: 'statistics', title: 'Statistics' };
    this.#host = new WebviewHost<FromPage, ToPage>(
      surface.webview,
      options.extensionUri,
      page,
      fromPage,
      this.#handlers,
      (error) => {
        const [{ connection } = {}] = this.#selection;
        void showError(error, { title: 'Statistics', log: this.#options.log, connection });
      },
    );
    this.#subscriptions = [
      this.#host,
      surface.onDidChangeVisibility(() => this.#onVisibilityChange()),
      options.connections.onDidChange(({ id }) => id === undefined && this.#onConnectionsChange()),
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration(INTERVAL_SETTING) && this.#onIntervalChange(),
      ),
    ];
    this.#select(selection);
  }

  get selection(): CampaignSelection {
    return this.#selection;
  }

  /** The report, if a single campaign is selected. */
  get campaignReport(): CampaignReport | undefined {
    return this.#report instanceof CampaignReport ? this.#report : undefined;
  }

  get report(): Report | undefined {
    return this.#report;
  }

  /** Shows another selection. Does nothing if it is already shown. */
  show(selection: CampaignSelection): void {
    if (getSelectionKey(selection) === getSelectionKey(this.#selection)) return;
    this.#select(selection);
    this.#sendAll();
  }

  /** Reads everything and marks changes. */
  async refresh(): Promise<void> {
    this.#refreshTimer.recordOutcome(await this.#read('requested'));
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
    const post = (message: ToPage): void => {
      // Ignore messages of the previous selection's report.
      if (this.#report !== report) return;
      this.#host.post(message);
      if (message.type === 'cards') this.#describe();
    };
    const report = createReport(this.#options.connections, selection, post);
    this.#report = report;
    this.#tables = report instanceof CampaignReport ? new TablePages(report.tables, post) : undefined;
    this.#targetKey = this.#getTargetKey();
    this.#describe();
    report?.readNames();
  }

  /** Posts the complete state to a page that was loaded or has a new selection. */
  #sendAll(): void {
    this.#tables?.stop();
    const cards = this.#report?.cards ?? [];
    this.#host.post({
      type: 'show',
      selection: this.#selection,
      cards,
      pageSize: TABLE_PAGE_ROWS,
      intervalSeconds: this.#refreshTimer.isStopped ? 0 : this.#refreshTimer.seconds,
      wide: this.#surface.wide,
    });
    this.#report?.publish();
    this.#refreshTimer.visible = this.#surface.visible;
    if (this.#surface.visible && this.#reportBeingRead !== this.#report && !this.#isFresh()) void this.#readOnOpen();
  }

  async #readOnOpen(): Promise<void> {
    this.#refreshTimer.recordOutcome(await this.#read('opened'));
  }

  #isFresh(): boolean {
    return (
      this.#readAt !== undefined &&
      Date.now() - this.#readAt < Math.min(MAX_AGE_MS, (this.#refreshTimer.seconds || Infinity) * 1000)
    );
  }

  async #read(cause: ReadCause): Promise<RefreshOutcome> {
    const report = this.#report;
    if (report === undefined) return 'succeeded';
    this.#reportBeingRead = report;
    const outcome = await report.read(cause);
    // An aborted read has no result, and another selection has its own read.
    if (outcome === undefined || report !== this.#report) return 'succeeded';
    this.#reportBeingRead = undefined;
    this.#readAt = Date.now();
    if (outcome === 'stopped' && this.#refreshTimer.seconds > 0)
      this.#host.post({
        type: 'interval',
        seconds: 0,
        message: 'Automatic refresh has stopped. Refresh to start it again.',
      });
    else if (this.#refreshTimer.isStopped) this.#host.post({ type: 'interval', seconds: this.#refreshTimer.seconds });
    return outcome;
  }

  #cancel(): void {
    this.#tables?.stop(CANCELED_MESSAGE);
    this.#cancelReading();
    // Don't read again only because the page becomes visible.
    this.#readAt = Date.now();
  }

  #cancelReading(): void {
    this.#reportBeingRead = undefined;
    this.#report?.cancel();
  }

  #onVisibilityChange(): void {
    this.#refreshTimer.visible = this.#surface.visible;
    if (this.#surface.visible) return;
    this.#host.suspend();
    this.#tables?.stop();
    if (this.#reportBeingRead) this.#readAt = undefined;
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
    const connected = this.#getTargetKey();
    if (connected === this.#targetKey) return;
    this.#targetKey = connected;
    this.#readAt = undefined;
    if (this.#surface.visible) void this.refresh();
  }

  #getTargetKey(): string {
    return JSON.stringify(
      this.#selection.map((ref) => {
        const connection = this.#options.connections.get(ref.connection);
        // The sandbox gets another port with each start.
        return connection?.sandbox === true ? 'sandbox' : connection?.baseUrl;
      }),
    );
  }

  #describe(): void {
    this.#surface.describe(this.#report?.cards.map(({ name }) => name) ?? []);
  }
}

export type Report = CampaignReport | ComparisonReport;

/** Creates the report of a selection; undefined if the selection is empty. */
export function createReport(
  services: StatisticsConnections,
  [first, ...others]: CampaignSelection,
  post: Post,
): Report | undefined {
  if (first === undefined) return undefined;
  return others.length === 0
    ? new CampaignReport(services, first, post)
    : new ComparisonReport(services, [first, ...others], post);
}

function readInterval(): number {
  return parseInterval(vscode.workspace.getConfiguration().get(INTERVAL_SETTING));
}
