import * as vscode from 'vscode';
import type { Connections } from '../../../platform/connections/connections.ts';
import { copyRows } from '../../../platform/ui/export/copy.ts';
import { showError } from '../../../platform/ui/messages.ts';
import { WebviewHost } from '../../../platform/ui/webview.ts';
import { dispatch, type Handlers } from '../../../platform/webview/messages.ts';
import { getSelectionKey, type CampaignSelection, type TableTab } from '../model.ts';
import { fromPage, type FromPage, type ToPage } from '../protocol.ts';
import { ComparisonReport } from './comparisonReport.ts';
import { CampaignReport } from './campaignReport.ts';
import type { ReadCause, Post } from './report.ts';
import type { StatisticsConnections } from './source.ts';
import { TABLE_PAGE_ROWS, TableReader } from './tableReader.ts';
import { parseInterval, RefreshTimer, type Schedule, type RefreshOutcome } from './refreshTimer.ts';

export const INTERVAL_SETTING = 'mailing.statistics.refreshInterval';

/** What was read longer ago than this, in ms, is read again when it comes into sight. */
const MAX_AGE_MS = 60_000;

/** What a session is shown in: the view, or an editor tab. */
export interface Surface {
  readonly webview: vscode.Webview;
  readonly wide: boolean;
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  /** Says above the page what is shown; nothing where nothing is chosen. */
  describe(names: readonly string[]): void;
}

/** What a session needs of the extension. */
export interface SessionOptions {
  readonly connections: Pick<Connections, 'run' | 'get' | 'onDidChange'>;
  readonly extensionUri: vscode.Uri;
  readonly log?: vscode.LogOutputChannel;
  readonly actions: SessionActions;
  /** How the pause between two readings is waited for; tests pass their own. */
  readonly schedule?: Schedule;
}

/** What the page's buttons do that reaches beyond it. */
export interface SessionActions {
  choose(): unknown;
  compare(choice: CampaignSelection): unknown;
  /** Another choice is to be shown in place of the session's. */
  show(choice: CampaignSelection): unknown;
  openInEditor(choice: CampaignSelection): unknown;
  export(what: { readonly choice: CampaignSelection; readonly table: TableTab; readonly expected?: number }): unknown;
  copyMarkdown(session: StatisticsSession): unknown;
  saveChart(chart: Extract<FromPage, { type: 'saveChart' }>): unknown;
  heatMap(session: StatisticsSession, address: string | undefined): unknown;
}

/** The statistics in one view or tab: what was chosen, what is known of it, and when it is read again. */
export class StatisticsSession implements vscode.Disposable {
  readonly #surface: Surface;
  readonly #options: SessionOptions;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #subscriptions: vscode.Disposable[];
  readonly #refreshTimer: RefreshTimer;
  readonly #handlers: Handlers<FromPage> = {
    ready: () => this.#sendAll(),
    choose: () => this.#options.actions.choose(),
    compare: () => this.#options.actions.compare(this.#choice),
    single: ({ ref }) =>
      this.#choice.some((one) => getSelectionKey([one]) === getSelectionKey([ref])) &&
      this.#options.actions.show([ref]),
    refresh: () => this.refresh(),
    cancel: () => this.#cancel(),
    openInEditor: () => this.#options.actions.openInEditor(this.#choice),
    readTimeline: () => this.campaignReport?.readAllRecipients(),
    want: ({ turn, tab, pages }) => this.#tableReader?.requestPages(turn, tab, pages),
    copy: (copied) => copyRows(copied),
    export: ({ tab, expected }) => this.#options.actions.export({ choice: this.#choice, table: tab, expected }),
    copyMarkdown: () => this.#options.actions.copyMarkdown(this),
    saveChart: (chart) => this.#options.actions.saveChart(chart),
    heatMap: ({ address }) => this.#options.actions.heatMap(this, address),
  };
  #choice: CampaignSelection = [];
  #report: Report | undefined;
  #tableReader: TableReader | undefined;
  /** When the last reading ended, in ms; undefined where none did. */
  #readAt: number | undefined;
  /** What is being read. */
  #reportBeingRead: Report | undefined;
  /** Where the connections of the choice lead. */
  #targetKey = '';

  constructor(surface: Surface, parts: SessionOptions, choice: CampaignSelection) {
    this.#surface = surface;
    this.#options = parts;
    this.#refreshTimer = new RefreshTimer(() => this.#read('watched'), parts.schedule);
    this.#refreshTimer.seconds = readInterval();
    const page = { page: 'statistics', title: 'Statistics' };
    this.#host = new WebviewHost<FromPage, ToPage>(
      surface.webview,
      parts.extensionUri,
      page,
      fromPage,
      (message) => void this.#handle(message),
    );
    this.#subscriptions = [
      this.#host,
      surface.onDidChangeVisibility(() => this.#onVisibilityChange()),
      parts.connections.onDidChange(({ id }) => id === undefined && this.#onConnectionsChange()),
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration(INTERVAL_SETTING) && this.#onIntervalChange(),
      ),
    ];
    this.#select(choice);
  }

  get choice(): CampaignSelection {
    return this.#choice;
  }

  /** What is known of the chosen campaign, where it is one. */
  get campaignReport(): CampaignReport | undefined {
    return this.#report instanceof CampaignReport ? this.#report : undefined;
  }

  get report(): Report | undefined {
    return this.#report;
  }

  /** Shows another choice. The same one is left as it is. */
  show(choice: CampaignSelection): void {
    if (getSelectionKey(choice) === getSelectionKey(this.#choice)) return;
    this.#select(choice);
    this.#sendAll();
  }

  /** Reads all anew, and marks what is different. */
  async refresh(): Promise<void> {
    this.#refreshTimer.recordOutcome(await this.#read('asked'));
  }

  dispose(): void {
    this.#refreshTimer.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#tableReader?.stop();
    this.#cancelReading();
    this.#report = undefined;
  }

  #select(choice: CampaignSelection): void {
    this.#tableReader?.stop();
    this.#cancelReading();
    this.#choice = choice;
    this.#readAt = undefined;
    const post = (message: ToPage): void => {
      // What was chosen before has nothing to say any more.
      if (this.#report !== report) return;
      this.#host.post(message);
      if (message.type === 'cards') this.#describe();
    };
    const report = createReport(this.#options.connections, choice, post);
    this.#report = report;
    this.#tableReader = report instanceof CampaignReport ? new TableReader(report, post) : undefined;
    this.#targetKey = this.#getTargetKey();
    this.#describe();
    report?.readNames();
  }

  /** Sends a page that was just loaded, or shows something else from now on, everything. */
  #sendAll(): void {
    this.#tableReader?.stop();
    const cards = this.#report?.cards ?? [];
    this.#host.post({
      type: 'show',
      choice: this.#choice,
      cards,
      pageSize: TABLE_PAGE_ROWS,
      watch: this.#refreshTimer.isStopped ? 0 : this.#refreshTimer.seconds,
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
    if (report === undefined) return 'done';
    this.#reportBeingRead = report;
    const outcome = await report.read(cause);
    // One that was given up says nothing of the service, and another choice has its own reading.
    if (outcome === 'aborted' || report !== this.#report) return 'done';
    this.#reportBeingRead = undefined;
    this.#readAt = Date.now();
    if (outcome === 'over' && this.#refreshTimer.seconds > 0)
      this.#host.post({
        type: 'watch',
        watch: 0,
        message: 'It is not read by itself any more. Refresh to begin again.',
      });
    else if (this.#refreshTimer.isStopped) this.#host.post({ type: 'watch', watch: this.#refreshTimer.seconds });
    return outcome;
  }

  #cancel(): void {
    this.#tableReader?.cancel();
    this.#cancelReading();
    // It is not to be read again at once only because the page comes into sight.
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
    this.#tableReader?.stop();
    if (this.#reportBeingRead) this.#readAt = undefined;
    this.#cancelReading();
  }

  #onIntervalChange(): void {
    this.#refreshTimer.seconds = readInterval();
    this.#host.post({ type: 'watch', watch: this.#refreshTimer.seconds });
  }

  /** A connection of the choice came, went, or has another name. */
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
      this.#choice.map(({ connection }) => {
        const there = this.#options.connections.get(connection);
        // The sandbox has another port with each start, and is the same.
        return there?.sandbox === true ? 'sandbox' : there?.baseUrl;
      }),
    );
  }

  #describe(): void {
    this.#surface.describe(this.#report?.cards.map(({ name }) => name) ?? []);
  }

  async #handle(message: FromPage): Promise<void> {
    try {
      await dispatch(this.#handlers, message);
    } catch (error) {
      const [{ connection } = {}] = this.#choice;
      void showError(error, { title: 'Statistics', log: this.#options.log, connection });
    }
  }
}

/** What is shown of a choice. */
export type Report = CampaignReport | ComparisonReport;

/** The report of what is chosen; nothing where nothing is. */
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
  return parseInterval(vscode.workspace.getConfiguration().get<unknown>(INTERVAL_SETTING));
}
